package mcpgocaller_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	gosdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom/examples/mcp/internal/azuremcp"
	"github.com/opsroom-go/opsroom/examples/mcp/mcpgocaller"
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

func initialize(t *testing.T, c *client.Client) *client.Client {
	t.Helper()
	t.Cleanup(func() { _ = c.Close() })
	_, err := c.Initialize(t.Context(), mcp.InitializeRequest{Params: mcp.InitializeParams{ClientInfo: mcp.Implementation{Name: "test"}}})
	require.NoError(t, err)
	return c
}

// stdio connects to an imitated Azure MCP server in a process of its own.
func stdio(t *testing.T, options azuremcp.Options) (*client.Client, func() string) {
	t.Helper()
	log := filepath.Join(t.TempDir(), "log")
	c, err := client.NewStdioMCPClient(os.Args[0], nil, append([]string{"fakeazure"}, options.Args(log)...)...)
	require.NoError(t, err)
	return initialize(t, c), func() string {
		text, err := os.ReadFile(log)
		require.NoError(t, err)
		return string(text)
	}
}

func TestAzureAnswersAreUnderstood(t *testing.T) {
	t.Parallel()
	router := insights.Router(insights.RouterName)
	tests := []struct {
		name    string
		route   insights.Route
		options azuremcp.Options
		kind    insights.Kind
		count   int
	}{
		{"three pages", router, azuremcp.Options{}, "", 230},
		{"single proxy", insights.SingleProxy(insights.SingleProxyName), azuremcp.Options{Mode: azuremcp.Single, Insights: 7}, "", 7},
		{"direct", insights.Direct(insights.PrefixedToolName), azuremcp.Options{Mode: azuremcp.All, Insights: 7}, "", 7},
		{"several text blocks", router, azuremcp.Options{Insights: 7, Always: insightstest.TextBlocks}, "", 7},
		{"structured content only", router, azuremcp.Options{Insights: 7, Always: insightstest.StructuredOnly}, "", 7},
		{"isError", router, azuremcp.Options{Insights: 7, Always: insightstest.NoMonitor}, insights.NoMonitor, 0},
		{"an error without isError", router, azuremcp.Options{Insights: 7, Situation: azuremcp.CallRefused}, insights.Unauthorized, 0},
		{"a learn text", router, azuremcp.Options{Insights: 7, Situation: azuremcp.Learn}, insights.ToolUnavailable, 0},
		{"JSON-RPC -32601", insights.Route{}, azuremcp.Options{Mode: azuremcp.Foundry, Insights: 7, Always: insightstest.RPCMethodNotFound}, insights.ToolUnavailable, 0},
		{"JSON-RPC -32602", insights.Route{}, azuremcp.Options{Mode: azuremcp.Foundry, Insights: 7, Always: insightstest.RPCInvalidParams}, insights.InvalidArgument, 0},
		{"JSON-RPC -32603", insights.Route{}, azuremcp.Options{Mode: azuremcp.Foundry, Insights: 7, Always: insightstest.RPCInternalError}, insights.Backend, 0},
		{"no such tool", insights.Direct("other"), azuremcp.Options{Insights: 7}, insights.ToolUnavailable, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			connected, _ := stdio(t, test.options)
			c, err := insights.New(mcpgocaller.New(connected), &insights.Options{Route: test.route})
			require.NoError(t, err)
			found, err := c.Collect(t.Context(), query)
			require.Equal(t, test.kind, insights.KindOf(err), "%v", err)
			require.Len(t, found.Insights, test.count)
		})
	}
}

func TestRouterCallCarriesTheParametersUnchanged(t *testing.T) {
	t.Parallel()
	connected, log := stdio(t, azuremcp.Options{Insights: 7})
	c, err := insights.New(mcpgocaller.New(connected), &insights.Options{Route: insights.Router("foundry")})
	require.NoError(t, err)
	_, err = c.Page(t.Context(), insights.Query{ProjectEndpoint: insightstest.SampleEndpoint, AgentName: insightstest.SampleAgent, Status: "active", Limit: 3})
	require.NoError(t, err)
	calls, err := azuremcp.Calls(log())
	require.NoError(t, err)
	require.Len(t, calls, 1)
	require.Equal(t, "foundry", calls[0].Name)
	require.JSONEq(t, `{"intent":"Read the insights that were generated for an agent","command":"agent_insights_get","parameters":`+
		`{"projectEndpoint":"https://example.services.ai.azure.com/api/projects/sample","agentName":"support-agent","status":"active","limit":3}}`,
		string(calls[0].Arguments))

	messages, err := azuremcp.Messages(log())
	require.NoError(t, err)
	for _, message := range messages {
		require.NotContains(t, string(message.Params), "sampling", message.Method)
	}
}

// delicate has all that float64 numbers and Go maps lose.
const delicate = `{"has_more":false,"data":[{"z":9007199254740993,"id":"1","a":1.0,"a":1e2}],"extra":12345678901234567890}`

func TestStructuredContentIsExact(t *testing.T) {
	t.Parallel()
	delicateServer := gosdk.NewServer(&gosdk.Implementation{Name: "test"}, nil)
	delicateServer.AddTool(&gosdk.Tool{Name: insights.ToolName, InputSchema: json.RawMessage(`{"type":"object"}`)},
		func(context.Context, *gosdk.CallToolRequest) (*gosdk.CallToolResult, error) {
			return &gosdk.CallToolResult{StructuredContent: json.RawMessage(delicate)}, nil
		})
	listening := httptest.NewServer(gosdk.NewStreamableHTTPHandler(func(*http.Request) *gosdk.Server { return delicateServer }, &gosdk.StreamableHTTPOptions{Stateless: true}))
	t.Cleanup(listening.Close)
	c, err := client.NewStreamableHttpClient(listening.URL)
	require.NoError(t, err)
	require.NoError(t, c.Start(t.Context()))
	result, err := mcpgocaller.New(initialize(t, c)).CallTool(t.Context(), insights.ToolName, map[string]any{})
	require.NoError(t, err)
	require.Equal(t, insights.ToolResult{Structured: json.RawMessage(delicate)}, result)
}

func TestServerInTheSameProcess(t *testing.T) {
	t.Parallel()
	inProcess := server.NewMCPServer("test", "1")
	inProcess.AddTool(mcp.NewTool("ok"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultStructured(map[string]any{"n": 1}, "text"), nil
	})
	inProcess.AddTool(mcp.NewTool("fails"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return nil, errors.New("broken")
	})
	c, err := client.NewInProcessClient(inProcess)
	require.NoError(t, err)
	require.NoError(t, c.Start(t.Context()))
	caller := mcpgocaller.New(initialize(t, c))

	result, err := caller.CallTool(t.Context(), "ok", map[string]any{})
	require.NoError(t, err)
	require.Equal(t, insights.ToolResult{Structured: json.RawMessage(`{"n":1}`), Text: []string{"text"}}, result)

	_, err = caller.CallTool(t.Context(), "fails", map[string]any{})
	failure, ok := errors.AsType[*insights.RPCError](err)
	require.True(t, ok, "%v", err)
	require.Equal(t, int64(-32603), failure.Code)
	require.ErrorIs(t, err, mcp.ErrInternalError)
}

func TestClosedClientIsAFailureOfTheBackend(t *testing.T) {
	t.Parallel()
	connected, _ := stdio(t, azuremcp.Options{Insights: 1})
	require.NoError(t, connected.Close())
	c, err := insights.New(mcpgocaller.New(connected), nil)
	require.NoError(t, err)
	_, err = c.Page(t.Context(), query)
	require.ErrorIs(t, err, insights.Backend)
}

func TestEndedContextInterrupts(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	inProcess := server.NewMCPServer("test", "1")
	inProcess.AddTool(mcp.NewTool(insights.ToolName), func(inner context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		cancel()
		<-inner.Done()
		return nil, inner.Err()
	})
	connected, err := client.NewInProcessClient(inProcess)
	require.NoError(t, err)
	require.NoError(t, connected.Start(t.Context()))
	c, err := insights.New(mcpgocaller.New(initialize(t, connected)), nil)
	require.NoError(t, err)
	_, err = c.Page(ctx, query)
	require.ErrorIs(t, err, insights.Interrupted)
	require.ErrorIs(t, err, context.Canceled)
}
