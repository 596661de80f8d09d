package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"
)

// batch runs the server on input that ends at once.
func batch(t *testing.T, input string, variables ...string) (code int, stdout, stderr string) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "server")
	cmd.Env = append(os.Environ(), variables...)
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(input), &out, &errs
	_ = cmd.Run()
	return cmd.ProcessState.ExitCode(), out.String(), errs.String()
}

const begin = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}` + "\n" +
	`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"

func TestStdoutCarriesTheProtocolOnly(t *testing.T) {
	t.Parallel()
	code, stdout, stderr := batch(t, begin+
		`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`+"\n"+
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list_agent_exceptions","arguments":{"limit":1}}}`+"\n"+
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"list_agent_runs","arguments":null}}`+"\n")
	require.Zero(t, code)
	answered := map[float64]bool{}
	for line := range strings.Lines(stdout) {
		var message map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &message), line)
		require.Equal(t, "2.0", message["jsonrpc"])
		answered[message["id"].(float64)] = true
	}
	require.Equal(t, map[float64]bool{0: true, 1: true, 2: true, 3: true}, answered, "all, although stdin was closed at once")
	require.Equal(t, "server: control plane: embedded, with made-up data; insights: embedded, with made-up data; attachments: embedded, with made-up data\n", stderr)
}

func TestExitCodes(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		input     string
		variables []string
		code      int
		stderr    string
	}{
		"no input":       {"", nil, 0, "server: control plane: embedded"},
		"broken input":   {"{bad\n", nil, 1, "server: invalid character 'b'"},
		"a bad route":    {"", []string{"INSIGHTS_ROUTE=sideways"}, 2, "server: INSIGHTS_ROUTE: must be direct, router, single or auto\n"},
		"a bad address":  {"", []string{"AGENTCTL_API_URL=http://example.com", "AGENTCTL_API_KEY=" + canary}, 2, "server: AGENTCTL_API_URL: agentctl: credentials are not sent over plain http"},
		"an open quote":  {"", []string{`INSIGHTS_MCP_COMMAND="x`}, 2, "server: INSIGHTS_MCP_COMMAND: a quote is not closed\n"},
		"no such server": {begin, []string{"INSIGHTS_MCP_COMMAND=no-such-program"}, 0, "insights: no-such-program (no session)"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			code, _, stderr := batch(t, test.input, test.variables...)
			require.Equal(t, test.code, code, stderr)
			require.Contains(t, stderr, test.stderr)
			require.NotContains(t, stderr, canary)
		})
	}
}

func TestInterruptEndsTheServer(t *testing.T) {
	t.Parallel()
	p := start(t)
	require.NoError(t, p.cmd.Process.Signal(os.Interrupt))
	_, err := io.ReadAll(p.stdout)
	require.NoError(t, err)
	_ = p.cmd.Wait()
	require.Zero(t, p.cmd.ProcessState.ExitCode())
}

// scripted is a connection that reads these messages, then the end of the input.
type scripted struct{ messages []jsonrpc.Message }

func (s *scripted) Connect(context.Context) (mcp.Connection, error) { return s, nil }
func (s *scripted) SessionID() string                               { return "" }
func (s *scripted) Close() error                                    { return nil }

func (s *scripted) Write(context.Context, jsonrpc.Message) error {
	return errors.New("nobody reads")
}

func (s *scripted) Read(context.Context) (jsonrpc.Message, error) {
	if len(s.messages) == 0 {
		return nil, io.EOF
	}
	message := s.messages[0]
	s.messages = s.messages[1:]
	return message, nil
}

func requestMessage(t *testing.T, id float64) *jsonrpc.Request {
	t.Helper()
	made, err := jsonrpc.MakeID(id)
	require.NoError(t, err)
	return &jsonrpc.Request{ID: made, Method: "ping"}
}

func TestDrainReportsTheEndOnceAllIsAnswered(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		call := requestMessage(t, 1)
		connection, err := drain{&scripted{messages: []jsonrpc.Message{call, &jsonrpc.Request{Method: "notifications/x"}}}}.Connect(t.Context())
		require.NoError(t, err)
		for range 2 {
			_, err = connection.Read(t.Context())
			require.NoError(t, err)
		}
		var ended error
		go func() { _, ended = connection.Read(t.Context()) }()
		_ = connection.Write(t.Context(), &jsonrpc.Request{Method: "notifications/y"}) // which is no answer
		synctest.Wait()
		require.NoError(t, ended, "the end came before the answer")
		require.EqualError(t, connection.Write(t.Context(), &jsonrpc.Response{ID: call.ID}), "nobody reads")
		synctest.Wait()
		require.Equal(t, io.EOF, ended)
	})
}

func TestDrainExpectsOneAnswerForAnIDThatIsUsedTwice(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		call := requestMessage(t, 1)
		connection, err := drain{&scripted{messages: []jsonrpc.Message{call, call}}}.Connect(t.Context())
		require.NoError(t, err)
		for range 2 {
			_, err = connection.Read(t.Context())
			require.NoError(t, err)
		}
		var ended error
		go func() { _, ended = connection.Read(t.Context()) }()
		_ = connection.Write(t.Context(), &jsonrpc.Response{ID: call.ID})
		synctest.Wait()
		early := ended
		require.NoError(t, connection.Close())
		require.Equal(t, io.EOF, early, "the SDK leaves the second request unanswered")
	})
}

func TestDrainReportsTheEndWhenClosed(t *testing.T) {
	t.Parallel()
	connection, err := drain{&scripted{messages: []jsonrpc.Message{requestMessage(t, 1)}}}.Connect(t.Context())
	require.NoError(t, err)
	_, err = connection.Read(t.Context())
	require.NoError(t, err)
	require.NoError(t, connection.Close())
	require.NoError(t, connection.Close())
	_, err = connection.Read(t.Context())
	require.Equal(t, io.EOF, err)
}
