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
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom/insights/insightstest"
)

// TestMain turns the test program into an MCP server when it is started as one.
func TestMain(m *testing.M) {
	if os.Getenv("QUICKSTART_TEST_SERVER") != "" {
		serveStdio(os.Stdin, os.Stdout)
		return
	}
	os.Exit(m.Run())
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
		code, stdout, stderr := runWith(t, map[string]string{"INSIGHTS_MCP_URL": web.URL, "INSIGHTS_ROUTE": "direct"},
			"-project", insightstest.SampleEndpoint, "-insights-agent", insightstest.SampleAgent)
		require.Empty(t, stderr)
		require.Zero(t, code)
		require.Contains(t, stdout, "4 insights on this page, more follow: true")
		require.Len(t, server.got, 3, "initialize, initialized, tools/call")
		require.NotContains(t, server.got[0], "sampling")
		require.True(t, strings.HasSuffix(server.got[2],
			`"params":{"arguments":{"agentName":"support-agent","limit":4,"projectEndpoint":"`+insightstest.SampleEndpoint+`"},"name":"agent_insights_get"}}`), server.got[2])
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
