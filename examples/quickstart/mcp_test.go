package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom/insights/insightstest"
)

// TestMain turns the test program into an MCP server when it is started as one.
func TestMain(m *testing.M) {
	switch os.Getenv("QUICKSTART_TEST_SERVER") {
	case "":
		os.Exit(m.Run())
	case "endless":
		time.Sleep(time.Hour)
	default:
		if name := os.Getenv("QUICKSTART_TEST_RECORD"); name != "" {
			record := strings.Join(append(os.Args[1:], os.Environ()...), "\n")
			if err := os.WriteFile(name, []byte(record), 0o600); err != nil {
				panic(err)
			}
		}
		serveStdio(os.Stdin, os.Stdout)
	}
}

// An mcpServer answers as a server with the insights tool does.
type mcpServer struct {
	backend *insightstest.Backend
	mu      sync.Mutex
	got     []string // what was received
}

func (s *mcpServer) answer(message []byte) []byte {
	s.mu.Lock()
	s.got = append(s.got, string(message))
	s.mu.Unlock()
	var request struct {
		ID     json.RawMessage
		Method string
		Params struct {
			Name      string
			Arguments map[string]any
		}
	}
	if json.Unmarshal(message, &request) != nil || request.ID == nil {
		return nil
	}
	result := "{}"
	switch request.Method {
	case "tools/list":
		result = `{"tools":[{"name":"agent_insights_get"}]}`
	case "tools/call":
		answer, err := s.backend.CallTool(context.Background(), request.Params.Name, request.Params.Arguments)
		if err != nil {
			return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"refused"}}`, request.ID)
		}
		text, _ := json.Marshal(answer.Text[0])
		result = fmt.Sprintf(`{"content":[{"type":"text","text":%s}],"structuredContent":%s,"isError":%t}`, text, answer.Structured, answer.IsError)
	}
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":%s}`, request.ID, result)
}

func serveStdio(in io.Reader, out io.Writer) {
	server := &mcpServer{backend: insightstest.NewSample(insightstest.Direct)}
	lines := bufio.NewScanner(in)
	fmt.Fprintln(out, `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	for lines.Scan() {
		if answer := server.answer(lines.Bytes()); answer != nil {
			fmt.Fprintf(out, "%s\n", answer)
		}
	}
}

func TestInsightsComeFromAStdioServer(t *testing.T) {
	t.Setenv("QUICKSTART_TEST_SERVER", "1")
	executable, err := os.Executable()
	require.NoError(t, err)
	code, stdout, stderr := runWith(t, map[string]string{"INSIGHTS_MCP_COMMAND": executable},
		"-project", insightstest.SampleEndpoint, "-insights-agent", insightstest.SampleAgent)
	require.Empty(t, stderr)
	require.Zero(t, code)
	require.Contains(t, stdout, "4 insights on this page, more follow: true")
}

func TestAStdioServerGetsItsArgumentsAndNoKeys(t *testing.T) {
	record := filepath.Join(t.TempDir(), "record")
	t.Setenv("QUICKSTART_TEST_SERVER", "1")
	t.Setenv("QUICKSTART_TEST_RECORD", record)
	for _, name := range []string{"AGENTCTL_API_URL", "AGENTCTL_API_KEY", "EVERRUNS_API_KEY", "EVERRUNS_ORG_ID", "INSIGHTS_MCP_COMMAND", "INSIGHTS_ROUTE"} {
		t.Setenv(name, canary)
	}
	executable, err := os.Executable()
	require.NoError(t, err)
	code, stdout, stderr := runWith(t, map[string]string{"INSIGHTS_MCP_COMMAND": "'" + executable + `' --key="two words" ` + canary},
		"-project", insightstest.SampleEndpoint, "-insights-agent", insightstest.SampleAgent)
	require.Empty(t, stderr)
	require.Zero(t, code)
	require.NotContains(t, stdout, canary, "an argument may be secret")
	require.Contains(t, stdout, "insights       "+filepath.Base(executable)+"\n")

	got, err := os.ReadFile(record)
	require.NoError(t, err)
	environ, found := strings.CutPrefix(string(got), "--key=two words\n"+canary+"\n")
	require.True(t, found, "the arguments come first")
	require.Contains(t, environ, "QUICKSTART_TEST_RECORD=")
	require.NotContains(t, environ, canary)
}

func TestAStdioServerThatDoesNotEndIsKilled(t *testing.T) {
	t.Setenv("QUICKSTART_TEST_SERVER", "endless")
	executable, err := os.Executable()
	require.NoError(t, err)
	server, err := startServer(t.Context(), []string{executable})
	require.NoError(t, err)
	server.patience = 0
	server.Close()
	require.False(t, server.command.ProcessState.Success())
}

func TestCommandLinesAreSplitAsInTheOtherExamples(t *testing.T) {
	t.Parallel()
	for line, want := range map[string][]string{
		"npx -y  server\tstart\n": {"npx", "-y", "server", "start"},
		`'a b' c"d e"f '' "it's"`: {"a b", "cd ef", "", "it's"},
		`'"' "'"`:                 {`"`, "'"},
		`a\ b $HOME`:              {`a\`, "b", "$HOME"},
	} {
		words, err := splitCommand(line)
		require.NoError(t, err, line)
		require.Equal(t, want, words, line)
	}
	for line, want := range map[string]string{
		"":         "INSIGHTS_MCP_COMMAND names no program",
		" \t":      "INSIGHTS_MCP_COMMAND names no program",
		"'' x":     "INSIGHTS_MCP_COMMAND names no program",
		"x 'y":     "INSIGHTS_MCP_COMMAND has a quote that is not closed",
		`x "y' z`:  "INSIGHTS_MCP_COMMAND has a quote that is not closed",
		`x 'y' z"`: "INSIGHTS_MCP_COMMAND has a quote that is not closed",
	} {
		_, err := splitCommand(line)
		require.EqualError(t, err, want, line)
	}
}

func TestInsightsComeFromAnHTTPServer(t *testing.T) {
	t.Parallel()
	for _, stream := range []bool{false, true} {
		server := &mcpServer{backend: insightstest.NewSample(insightstest.Direct)}
		web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			answer := server.answer(body)
			w.Header().Set("Mcp-Session-Id", "s1")
			switch {
			case answer == nil:
				w.WriteHeader(http.StatusAccepted)
			case stream:
				w.Header().Set("Content-Type", "text/event-stream")
				fmt.Fprintf(w, "event: message\ndata: %s\n\n", answer)
			default:
				w.Header().Set("Content-Type", "application/json")
				_, _ = w.Write(answer)
			}
		}))
		defer web.Close()
		code, stdout, stderr := runWith(t, map[string]string{"INSIGHTS_MCP_URL": web.URL + "/mcp?code=" + canary, "INSIGHTS_ROUTE": "direct"},
			"-project", insightstest.SampleEndpoint, "-insights-agent", insightstest.SampleAgent)
		require.Empty(t, stderr)
		require.Zero(t, code)
		require.Contains(t, stdout, "4 insights on this page, more follow: true")
		require.Contains(t, stdout, "insights       "+web.URL+"\n")
		require.NotContains(t, stdout, canary)
		require.Len(t, server.got, 3, "initialize, initialized, tools/call")
		require.NotContains(t, server.got[0], "sampling")
		require.True(t, strings.HasSuffix(server.got[2],
			`"params":{"arguments":{"agentName":"support-agent","limit":4,"projectEndpoint":"`+insightstest.SampleEndpoint+`"},"name":"agent_insights_get"}}`), server.got[2])
	}
}

func TestFailuresDoNotShowTheAddress(t *testing.T) {
	t.Parallel()
	gone := httptest.NewServer(nil)
	gone.Close()
	for address, want := range map[string]string{
		gone.URL + "/mcp?code=" + canary:        "connection refused",
		"ftp://example.com/" + canary:           "INSIGHTS_MCP_URL must be an absolute http or https URL without a user or a password",
		"http://user:" + canary + "@127.0.0.1/": "INSIGHTS_MCP_URL must be an absolute http or https URL without a user or a password",
		"::" + canary:                           "INSIGHTS_MCP_URL must be an absolute http or https URL without a user or a password",
	} {
		code, _, stderr := runWith(t, map[string]string{"INSIGHTS_MCP_URL": address}, "-project", "p", "-insights-agent", "a")
		require.Equal(t, 2, code)
		require.Contains(t, stderr, want)
		require.NotContains(t, stderr, canary)
	}
}

func TestAServerThatRefusesIsReported(t *testing.T) {
	t.Parallel()
	web := httptest.NewServer(http.NotFoundHandler())
	defer web.Close()
	code, _, stderr := runWith(t, map[string]string{"INSIGHTS_MCP_URL": web.URL}, "-project", "p", "-insights-agent", "a")
	require.Equal(t, 2, code)
	require.Contains(t, stderr, "the MCP session could not be opened: 404 Not Found")
}
