package azuremcp_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom/examples/mcp/internal/azuremcp"
	"github.com/opsroom-go/opsroom/insights/insightstest"
)

func connect(t *testing.T, options azuremcp.Options) *mcp.ClientSession {
	t.Helper()
	server, err := azuremcp.New(options)
	require.NoError(t, err)
	clientSide, serverSide := mcp.NewInMemoryTransports()
	_, err = server.Connect(t.Context(), serverSide, nil)
	require.NoError(t, err)
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(t.Context(), clientSide, nil)
	require.NoError(t, err)
	t.Cleanup(func() { _ = session.Close() })
	return session
}

// What a router answers to calls that package insights never makes, and how.
func TestRouter(t *testing.T) {
	t.Parallel()
	const parameters = `"parameters":{"projectEndpoint":"` + insightstest.SampleEndpoint + `","agentName":"` + insightstest.SampleAgent + `"}`
	const learn = "Here are the available commands and their input schema for 'foundry' tool.\n"
	tests := []struct {
		name, tool, arguments string
		mode                  azuremcp.Mode
		isError               bool
		begins                string
		blocks                int
	}{
		{"learn", "foundry", `{"intent":"i","learn":true,"command":"agent_insights_get"}`, "", false, learn, 1},
		{"intent without command", "foundry", `{"intent":"i"}`, "", false, learn, 1},
		{"unknown command", "foundry", `{"intent":"i","command":"agent_insight"}`, "", false, learn, 1},
		{"neither command nor intent", "foundry", `{}`, "", false, `The "command" parameters are required when not learning`, 1},
		{"no arguments", "foundry", ``, "", false, `The "command" parameters are required when not learning`, 1},
		{"a command in other letters", "foundry", `{"intent":"i","command":"Agent_Insights_Get",` + parameters + `}`, "", false, `{"data":[`, 1},
		{"parameters that are no object", "foundry", `{"intent":"i","command":"agent_insights_get","parameters":"x"}`, "", false,
			"The 'agent_insights_get' command is missing required parameters.", 2},
		{"the tool's own error", "foundry", `{"intent":"i","command":"agent_insights_get","parameters":{"projectEndpoint":"` +
			insightstest.SampleEndpoint + `","agentName":"` + insightstest.UnwatchedAgent + `"}}`, "", true, "", 1},
		{"single: no such service", "azure", `{"intent":"i","tool":"fondry","command":"agent_insights_get"}`, azuremcp.Single, true,
			"The tool 'fondry.agent_insights_get' was not found or does not support the specified command.", 1},
		{"single: the right service", "azure", `{"intent":"i","tool":"foundry","command":"agent_insights_get",` + parameters + `}`, azuremcp.Single, false, `{"data":[`, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			call := &mcp.CallToolParams{Name: test.tool}
			if test.arguments != "" {
				call.Arguments = json.RawMessage(test.arguments)
			}
			answer, err := connect(t, azuremcp.Options{Mode: test.mode}).CallTool(t.Context(), call)
			require.NoError(t, err)
			require.Equal(t, test.isError, answer.IsError)
			require.Len(t, answer.Content, test.blocks)
			text := answer.Content[0].(*mcp.TextContent).Text
			require.True(t, strings.HasPrefix(text, test.begins), text)
			if test.begins == learn {
				_, list, _ := strings.Cut(text, "\n\n")
				require.True(t, json.Valid([]byte(list)), "a list that is no page")
			}
		})
	}
}

func TestMistakesInTheOptionsAreErrors(t *testing.T) {
	t.Parallel()
	_, err := azuremcp.New(azuremcp.Options{Mode: "sideways"})
	require.EqualError(t, err, `azuremcp: there is no mode "sideways"`)
	_, err = azuremcp.New(azuremcp.Options{Situation: "lost"})
	require.EqualError(t, err, `azuremcp: there is no situation "lost"`)
	for _, options := range []azuremcp.Options{{Always: "bad luck"}, {Faults: []insightstest.Fault{insightstest.None, "bad luck"}}} {
		_, err = azuremcp.New(options)
		require.EqualError(t, err, `azuremcp: there is no fault "bad luck"`)
	}
	require.Equal(t, 2, azuremcp.Main([]string{"-no-such-flag"}))
	require.Equal(t, 0, azuremcp.Main([]string{"-help"}))
	require.Equal(t, 1, azuremcp.Main([]string{"-mode", "sideways"}))
}

func TestLogTellsTheCalls(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	log.WriteString(`read: {"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}` + "\n")
	log.WriteString(`write: {"jsonrpc":"2.0","id":1,"result":{}}` + "\n")
	log.WriteString(`read: {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"foundry","arguments":{"n":1}}}` + "\n")
	log.WriteString("read error: EOF\n")
	calls, err := azuremcp.Calls(log.String())
	require.NoError(t, err)
	require.Equal(t, []azuremcp.Call{{Name: "foundry", Arguments: json.RawMessage(`{"n":1}`)}}, calls)
	_, err = azuremcp.Calls("read: {")
	require.Error(t, err)
}
