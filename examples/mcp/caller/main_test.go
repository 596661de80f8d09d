package caller_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom/examples/mcp/caller"
	"github.com/opsroom-go/opsroom/examples/mcp/internal/azuremcp"
	"github.com/opsroom-go/opsroom/insights"
	"github.com/opsroom-go/opsroom/insights/insightstest"
)

// TestMain lets the test binary be the MCP server that the tests talk to on stdio.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "fakeazure" {
		os.Exit(azuremcp.Main(os.Args[2:]))
	}
	// The race detector lets every process sleep for a second at its end.
	if err := os.Setenv("GORACE", "atexit_sleep_ms=0"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

var query = insights.Query{ProjectEndpoint: insightstest.SampleEndpoint, AgentName: insightstest.SampleAgent}

// A way connects a client to an imitated Azure MCP server.
type way struct {
	name    string
	connect func(t *testing.T, options azuremcp.Options) (*mcp.ClientSession, func() string)
}

var ways = []way{{"in memory", inMemory}, {"stdio", stdio}}

// inMemory connects over a pipe. The function returns the server's log.
func inMemory(t *testing.T, options azuremcp.Options) (*mcp.ClientSession, func() string) {
	t.Helper()
	server, err := azuremcp.New(options)
	require.NoError(t, err)
	clientSide, serverSide := mcp.NewInMemoryTransports()
	log := &buffer{}
	_, err = server.Connect(t.Context(), &mcp.LoggingTransport{Transport: serverSide, Writer: log}, nil)
	require.NoError(t, err)
	return connect(t, caller.Exact(clientSide)), log.String
}

// stdio connects to a process of its own.
func stdio(t *testing.T, options azuremcp.Options) (*mcp.ClientSession, func() string) {
	t.Helper()
	log := filepath.Join(t.TempDir(), "log")
	command := exec.Command(os.Args[0], append([]string{"fakeazure"}, options.Args(log)...)...)
	command.Stderr = os.Stderr
	session := connect(t, caller.Exact(&mcp.CommandTransport{Command: command}))
	return session, func() string {
		text, err := os.ReadFile(log)
		require.NoError(t, err)
		return string(text)
	}
}

func connect(t *testing.T, transport mcp.Transport) *mcp.ClientSession {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test"}, &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}})
	session, err := client.Connect(t.Context(), transport, nil)
	require.NoError(t, err)
	t.Cleanup(func() { _ = session.Close() })
	return session
}

// discovered returns a client on the route that the server's list of tools shows.
func discovered(t *testing.T, session *mcp.ClientSession, options insights.Options) *insights.Client {
	t.Helper()
	names, err := caller.ToolNames(t.Context(), session)
	require.NoError(t, err)
	options.Route, err = insights.Discover(names)
	require.NoError(t, err)
	client, err := insights.New(caller.New(session), &options)
	require.NoError(t, err)
	return client
}

// cursors returns the "after" of every call of the tool, "" where there was none.
func cursors(t *testing.T, log string) []string {
	t.Helper()
	calls, err := azuremcp.Calls(log)
	require.NoError(t, err)
	found := []string{}
	for _, call := range calls {
		var arguments struct {
			After      string `json:"after"`
			Parameters *struct {
				After string `json:"after"`
			} `json:"parameters"`
		}
		require.NoError(t, json.Unmarshal(call.Arguments, &arguments))
		if arguments.Parameters != nil {
			arguments.After = arguments.Parameters.After
		}
		found = append(found, arguments.After)
	}
	return found
}

// A buffer is safe for concurrent use.
type buffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// serve connects to a server that the test has made itself.
func serve(t *testing.T, server *mcp.Server, wrap func(mcp.Transport) mcp.Transport) *mcp.ClientSession {
	t.Helper()
	clientSide, serverSide := mcp.NewInMemoryTransports()
	_, err := server.Connect(t.Context(), serverSide, nil)
	require.NoError(t, err)
	return connect(t, wrap(clientSide))
}

// answering is a server whose tool of the name answers with the result.
func answering(name string, result *mcp.CallToolResult, err error) *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "test"}, nil)
	server.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`)},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return result, err
		})
	return server
}
