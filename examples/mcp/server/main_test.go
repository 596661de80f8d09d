package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/examples/mcp/internal/azuremcp"
	"github.com/opsroom-go/opsroom/examples/mcp/internal/environment"
)

// TestMain lets the test binary be the server, and the MCP server that it starts
// in turn.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "fakeazure":
			os.Exit(azuremcp.Main(os.Args[2:]))
		case "server":
			main()
		}
	}
	// The race detector lets every process sleep for a second at its end.
	if err := os.Setenv("GORACE", "atexit_sleep_ms=0"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// A process is a running server with its end of stdio.
type process struct {
	t      *testing.T
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout *bufio.Reader
	stderr bytes.Buffer // to be read after the end
	nextID int
}

// start runs the server with these variables, as NAME=value, and begins a session.
func start(t *testing.T, variables ...string) *process {
	t.Helper()
	p := &process{t: t, cmd: exec.Command(os.Args[0], "server")}
	p.cmd.Env = append(os.Environ(), variables...)
	p.cmd.Stderr = &p.stderr
	stdin, err := p.cmd.StdinPipe()
	require.NoError(t, err)
	stdout, err := p.cmd.StdoutPipe()
	require.NoError(t, err)
	p.stdin, p.stdout = stdin, bufio.NewReader(stdout)
	require.NoError(t, p.cmd.Start())
	t.Cleanup(func() {
		_ = p.cmd.Process.Kill()
		_ = p.cmd.Wait()
	})
	p.request("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}`)
	p.write(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return p
}

func (p *process) write(line string) {
	p.t.Helper()
	_, err := io.WriteString(p.stdin, line+"\n")
	require.NoError(p.t, err)
}

// An answer is what came back for a request, in the very bytes.
type answer struct {
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}

// request sends a request and waits for its answer. Params may be "" for none.
func (p *process) request(method, params string) answer {
	p.t.Helper()
	p.nextID++
	if params != "" {
		params = `,"params":` + params
	}
	p.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q%s}`, p.nextID, method, params))
	line, err := p.stdout.ReadBytes('\n')
	require.NoError(p.t, err)
	var message struct {
		Version string `json:"jsonrpc"`
		ID      int    `json:"id"`
		answer
	}
	require.NoError(p.t, json.Unmarshal(line, &message), string(line))
	require.Equal(p.t, "2.0", message.Version)
	require.Equal(p.t, p.nextID, message.ID)
	return message.answer
}

// A result is the result of a tools/call.
type result struct {
	Content    []struct{ Type, Text string }
	Structured json.RawMessage `json:"structuredContent"`
	IsError    json.RawMessage `json:"isError"` // nil if absent
}

func (r result) text() string {
	texts := []string{}
	for _, block := range r.Content {
		texts = append(texts, block.Text)
	}
	return strings.Join(texts, "\n")
}

// call calls a tool. Arguments is JSON, or "" for none.
func (p *process) call(tool, arguments string) result {
	p.t.Helper()
	if arguments != "" {
		arguments = `,"arguments":` + arguments
	}
	answered := p.request("tools/call", fmt.Sprintf(`{"name":%q%s}`, tool, arguments))
	require.Nil(p.t, answered.Error)
	var r result
	require.NoError(p.t, json.Unmarshal(answered.Result, &r))
	return r
}

// end closes stdin and returns the exit code and what else came on stdout.
func (p *process) end() (code int, rest string) {
	p.t.Helper()
	require.NoError(p.t, p.stdin.Close())
	remaining, err := io.ReadAll(p.stdout)
	require.NoError(p.t, err)
	_ = p.cmd.Wait()
	return p.cmd.ProcessState.ExitCode(), string(remaining)
}

// ownTools are the tools as the library makes them.
func ownTools(t *testing.T) []opsroom.Tool {
	t.Helper()
	backends, err := environment.Open(t.Context(), func(string) string { return "" })
	require.NoError(t, err)
	t.Cleanup(backends.Close)
	tools := append(backends.ControlPlane.Tools(), backends.Insights.Tools()...)
	return append(tools, backends.Attachments.Tools()...)
}
