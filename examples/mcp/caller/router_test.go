package caller_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom/examples/mcp/caller"
	"github.com/opsroom-go/opsroom/examples/mcp/internal/azuremcp"
	"github.com/opsroom-go/opsroom/insights"
	"github.com/opsroom-go/opsroom/insights/insightstest"
)

func TestAzureAnswersAreUnderstood(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		options azuremcp.Options
		kind    insights.Kind // "" if all goes well
		calls   int
		count   int
	}{
		{"namespace: success is passed on", azuremcp.Options{}, "", 3, 230},
		{"single proxy: success is passed on", azuremcp.Options{Mode: azuremcp.Single}, "", 1, 7},
		{"all: success is passed on", azuremcp.Options{Mode: azuremcp.All}, "", 1, 7},
		{"Foundry's own server", azuremcp.Options{Mode: azuremcp.Foundry}, "", 1, 7},

		{"the tool's own error is passed on", azuremcp.Options{Always: insightstest.NoMonitor}, insights.NoMonitor, 1, 0},
		{"a learn text is no page", azuremcp.Options{Situation: azuremcp.Learn}, insights.ToolUnavailable, 1, 0},
		{"the command is not in the list", azuremcp.Options{Situation: azuremcp.UnknownCommand}, insights.ToolUnavailable, 1, 0},
		{"the remote client cannot be made", azuremcp.Options{Situation: azuremcp.NoClient}, insights.Backend, 1, 0},
		{"the remote client is null", azuremcp.Options{Situation: azuremcp.NullClient}, insights.ToolUnavailable, 1, 0},
		{"an exception: timeout", azuremcp.Options{Situation: azuremcp.CallFailed}, insights.Backend, 1, 0},
		{"an exception: HTTP 401", azuremcp.Options{Situation: azuremcp.CallRefused}, insights.Unauthorized, 1, 0},
		{"an exception: invalid parameters", azuremcp.Options{Situation: azuremcp.CallInvalid}, insights.InvalidArgument, 1, 0},
		{"missing options are rewrapped", azuremcp.Options{Situation: azuremcp.MissingOptions}, insights.InvalidArgument, 1, 0},
		{"the server key is not known", azuremcp.Options{Situation: azuremcp.UnknownServer}, insights.ToolUnavailable, 1, 0},
		{"neither command nor intent arrived", azuremcp.Options{Situation: azuremcp.NoCommand}, insights.InvalidArgument, 1, 0},
		{"read-only mode", azuremcp.Options{Situation: azuremcp.ReadOnly}, insights.ToolUnavailable, 1, 0},
		{"HTTP mode", azuremcp.Options{Situation: azuremcp.LocalOnly}, insights.ToolUnavailable, 1, 0},
		{"the service is not loaded", azuremcp.Options{Situation: azuremcp.NotLoaded}, insights.ToolUnavailable, 1, 0},
		{"the loaders did not start", azuremcp.Options{Situation: azuremcp.LoadersNotStarted}, insights.ToolUnavailable, 1, 0},
		{"single proxy: a learn text is no page", azuremcp.Options{Mode: azuremcp.Single, Situation: azuremcp.Learn}, insights.ToolUnavailable, 1, 0},

		{"all: the tool is not known", azuremcp.Options{Mode: azuremcp.All, Situation: azuremcp.UnknownTool}, insights.ToolUnavailable, 1, 0},
		{"all: the tool is filtered out", azuremcp.Options{Mode: azuremcp.All, Situation: azuremcp.Filtered}, insights.ToolUnavailable, 1, 0},
		{"all: a JSON-RPC error", azuremcp.Options{Mode: azuremcp.All, Situation: azuremcp.ProtocolError}, insights.InvalidArgument, 1, 0},
		{"all: an exception with a message", azuremcp.Options{Mode: azuremcp.All, Situation: azuremcp.ToolException}, insights.Backend, 1, 0},
		{"all: an exception without one", azuremcp.Options{Mode: azuremcp.All, Situation: azuremcp.OtherException}, insights.Backend, 1, 0},

		{"Foundry: JSON-RPC -32601", azuremcp.Options{Mode: azuremcp.Foundry, Always: insightstest.RPCMethodNotFound}, insights.ToolUnavailable, 1, 0},
		{"Foundry: JSON-RPC -32602", azuremcp.Options{Mode: azuremcp.Foundry, Always: insightstest.RPCInvalidParams}, insights.InvalidArgument, 1, 0},
		{"Foundry: JSON-RPC -32603", azuremcp.Options{Mode: azuremcp.Foundry, Always: insightstest.RPCInternalError}, insights.Backend, 1, 0},

		{"a failure on the second page keeps the first", azuremcp.Options{Faults: []insightstest.Fault{insightstest.None, insightstest.Unauthorized}}, insights.Unauthorized, 2, 100},
		{"text only", azuremcp.Options{Always: insightstest.TextOnly}, "", 1, 7},
		{"structured content only", azuremcp.Options{Always: insightstest.StructuredOnly}, "", 1, 7},
		{"several text blocks", azuremcp.Options{Always: insightstest.TextBlocks}, "", 1, 7},
		{"Azure's envelope", azuremcp.Options{Always: insightstest.Enveloped}, "", 1, 7},
	}
	for _, test := range tests {
		if test.count < 100 {
			test.options.Insights = 7
		}
		for _, way := range ways {
			t.Run(test.name+"/"+way.name, func(t *testing.T) {
				t.Parallel()
				session, log := way.connect(t, test.options)
				found, err := discovered(t, session, insights.Options{}).Collect(t.Context(), query)
				require.Equal(t, test.kind, insights.KindOf(err), "%v", err)
				require.Len(t, found.Insights, test.count)
				require.Equal(t, test.kind == "", found.Complete)
				require.Len(t, cursors(t, log()), test.calls)
				if test.count == 100 {
					incomplete, ok := errors.AsType[*insights.Incomplete](err)
					require.True(t, ok)
					require.Equal(t, found.Insights[99].ID, incomplete.After)
				}
			})
		}
	}
}

func TestServerThatCouldNotReachFoundryLeadsNowhere(t *testing.T) {
	t.Parallel()
	for _, mode := range []azuremcp.Mode{azuremcp.Namespace, azuremcp.All, azuremcp.Single, azuremcp.Foundry} {
		session, _ := inMemory(t, azuremcp.Options{Mode: mode, Situation: azuremcp.ToolsMissing, Insights: 7})
		names, err := caller.ToolNames(t.Context(), session)
		require.NoError(t, err)
		_, err = insights.Discover(names)
		require.ErrorIs(t, err, insights.ToolUnavailable)
	}
}

func TestRouterCallCarriesTheParametersUnchanged(t *testing.T) {
	t.Parallel()
	filtered := query
	filtered.Category, filtered.Severity, filtered.Status, filtered.Limit = "latency", "medium", "active", 40
	const parameters = `{"agentName":"support-agent","category":"latency","includeDetails":true,"limit":40,"order":"desc",` +
		`"projectEndpoint":"https://example.services.ai.azure.com/api/projects/sample","severity":"medium","status":"active"}`
	const intent = `"intent":"Read the insights that were generated for an agent"`
	tests := map[azuremcp.Mode]struct{ tool, arguments string }{
		azuremcp.Namespace: {"foundry", `{` + intent + `,"command":"agent_insights_get","parameters":` + parameters + `}`},
		azuremcp.Single:    {"azure", `{` + intent + `,"tool":"foundry","command":"agent_insights_get","parameters":` + parameters + `}`},
		azuremcp.All:       {"foundry_agent_insights_get", parameters},
		azuremcp.Foundry:   {"agent_insights_get", parameters},
	}
	for mode, want := range tests {
		for _, way := range ways {
			t.Run(string(mode)+"/"+way.name, func(t *testing.T) {
				t.Parallel()
				session, log := way.connect(t, azuremcp.Options{Mode: mode, Insights: 7})
				_, err := discovered(t, session, insights.Options{}).Collect(t.Context(), filtered)
				require.NoError(t, err)
				calls, err := azuremcp.Calls(log())
				require.NoError(t, err)
				require.Len(t, calls, 1)
				require.Equal(t, want.tool, calls[0].Name)
				require.JSONEq(t, want.arguments, string(calls[0].Arguments))
			})
		}
	}
}

// With sampling the router finds another command by itself, and leaves filters
// out. Without it, it says that it does not know the command.
func TestSamplingIsWhatLetsTheRouterSwapCommands(t *testing.T) {
	t.Parallel()
	filtered := query
	filtered.Status = insights.StatusResolved
	collect := func(options *mcp.ClientOptions) (insights.Collection, error) {
		server, err := azuremcp.New(azuremcp.Options{Situation: azuremcp.UnknownCommand, Insights: 10})
		require.NoError(t, err)
		clientSide, serverSide := mcp.NewInMemoryTransports()
		_, err = server.Connect(t.Context(), serverSide, nil)
		require.NoError(t, err)
		session, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, options).Connect(t.Context(), clientSide, nil)
		require.NoError(t, err)
		defer session.Close()
		client, err := insights.New(caller.New(session), &insights.Options{Route: insights.Router("foundry")})
		require.NoError(t, err)
		return client.Collect(t.Context(), filtered)
	}
	_, err := collect(&mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}})
	require.ErrorIs(t, err, insights.ToolUnavailable)

	//lint:ignore SA1019 deprecated or not, it is what the router goes by
	sampling := &mcp.ClientCapabilities{Sampling: &mcp.SamplingCapabilities{}}
	found, err := collect(&mcp.ClientOptions{Capabilities: sampling})
	require.NoError(t, err)
	require.Len(t, found.Insights, 10, "the filter is gone")
}

func TestCapabilitiesOnTheWireAreEmpty(t *testing.T) {
	t.Parallel()
	for _, way := range ways {
		_, log := way.connect(t, azuremcp.Options{Insights: 7})
		messages, err := azuremcp.Messages(log())
		require.NoError(t, err)
		seen := map[string]string{}
		for _, message := range messages {
			var params struct {
				Capabilities json.RawMessage            `json:"capabilities"`
				Meta         map[string]json.RawMessage `json:"_meta"`
			}
			if message.Params != nil {
				require.NoError(t, json.Unmarshal(message.Params, &params))
			}
			seen[message.Method] = string(params.Capabilities) + string(params.Meta["io.modelcontextprotocol/clientCapabilities"])
		}
		require.Equal(t, "{}", seen["initialize"])
		require.Equal(t, "{}", seen["server/discover"], "what a newer protocol would begin with")
	}
}
