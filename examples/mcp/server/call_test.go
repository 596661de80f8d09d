package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom/agentctl/agentctltest"
	"github.com/opsroom-go/opsroom/examples/mcp/internal/azuremcp"
	"github.com/opsroom-go/opsroom/examples/mcp/internal/environment"
	"github.com/opsroom-go/opsroom/insights/insightstest"
)

// canary is in every key, and must be nowhere else.
const canary = "synthetic-secret-7f3a"

var toolNames = []string{"list_agent_exceptions", "raise_agent_exception", "list_agent_runs", "agent_insights_get", "list_agent_mcp_attachments"}

func TestOddArgumentsAreAnswered(t *testing.T) {
	t.Parallel()
	p := start(t)
	for _, tool := range toolNames {
		for _, arguments := range []string{"", "null", "{}", "[]", `"x"`, "7", "true", `{"x":1}`, `{"limit":null}`} {
			answered := p.call(tool, arguments)
			if tool == "list_agent_exceptions" && (arguments == "" || arguments == "null" || arguments == "{}") {
				require.Nil(t, answered.IsError, "nothing is required there")
				require.NotNil(t, answered.Structured)
				continue
			}
			require.Equal(t, "true", string(answered.IsError), "%s %s", tool, arguments)
			require.Nil(t, answered.Structured, "%s %s", tool, arguments)
			require.Contains(t, answered.text(), tool+": invalid arguments, nothing was sent: ", arguments)
		}
	}
	code, rest := p.end()
	require.Zero(t, code)
	require.Empty(t, rest)
}

func TestAllFiveOperations(t *testing.T) {
	t.Parallel()
	p := start(t)
	for tool, arguments := range map[string]string{
		"list_agent_exceptions":      `{"status":"open"}`,
		"raise_agent_exception":      `{"runId":"run_000006","category":"evidence.missing","severity":"warning","message":"No delivery note."}`,
		"list_agent_runs":            `{"missionId":"` + agentctltest.DemoMission + `"}`,
		"agent_insights_get":         `{"projectEndpoint":"` + insightstest.SampleEndpoint + `","agentName":"` + insightstest.SampleAgent + `","includeDetails":true}`,
		"list_agent_mcp_attachments": `{"agent_id":"` + environment.DemoAgent + `"}`,
	} {
		answered := p.call(tool, arguments)
		require.Nil(t, answered.IsError, answered.text())
		require.JSONEq(t, answered.text(), string(answered.Structured))
		require.Len(t, answered.Content, 1)
		require.Equal(t, "text", answered.Content[0].Type)
	}
	runs := p.call("list_agent_runs", `{"missionId":"`+agentctltest.DemoMission+`","status":"blocked"}`)
	require.Contains(t, runs.text(), `"run_000006"`, "the raise has blocked it")
}

// delicate has what decoding and encoding again would change: a large integer, the
// spelling of numbers, the order of members, a name given twice, rows that are no objects.
const delicate = `[{"z":9007199254740993,"id":"1","a":1.0,"a":1e2,"text":"\u003c\u2028\ud800"},7,null,"row"]`

func TestResultsAreVerbatim(t *testing.T) {
	t.Parallel()
	bodies := map[string]string{
		"GET /api/v1/agent/exceptions":                                 `{"zz":12345678901234567890,"exceptions":` + delicate + `,"aa":{"n":1}}`,
		"GET /api/v1/agent/missions/m/runs":                            `{"runs":` + delicate + `,"total":18446744073709551616}`,
		"POST /api/v1/agent/runs/r/exceptions":                         `{"exception":{"z":9007199254740993,"a":[1.50]},"warning":null}`,
		"GET /api/v1/agents/agent_" + zeros + "/mcp-attachments":       `[{"name":"n","serial":9007199254740993,"action":"none"}]`,
		"GET /api/v1/agents/empty/mcp-attachments":                     `[]`,
		"GET /api/v1/agents/a%2Fb%20c!/mcp-attachments":                `[]`,
		"GET /api/v1/agents/%E7%8C%AB/mcp-attachments":                 `[]`,
		"GET /api/v1/agent/exceptions?limit=5&offset=9007199254740991": `{"exceptions":[]}`,
	}
	backend := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, ok := bodies[r.Method+" "+r.RequestURI]
		if !ok || r.Header.Get("Authorization") != "Bearer "+canary {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		if r.Method == http.MethodPost {
			w.WriteHeader(http.StatusCreated)
		}
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(backend.Close)
	page := `{"has_more":false,"data":[{"z":9007199254740993,"id":"1","a":1.0,"a":1e2}],"extra":12345678901234567890}`
	p := start(t,
		"AGENTCTL_API_URL="+backend.URL, "AGENTCTL_API_KEY="+canary,
		"EVERRUNS_API_URL="+backend.URL+"/api", "EVERRUNS_API_KEY="+canary,
		"INSIGHTS_MCP_COMMAND="+azure(azuremcp.Options{Pages: []json.RawMessage{json.RawMessage(page)}}, ""))

	for _, test := range []struct{ tool, arguments, want string }{
		{"list_agent_exceptions", `{}`, bodies["GET /api/v1/agent/exceptions"]},
		{"list_agent_exceptions", `{"limit":5.0,"offset":9007199254740991}`, `{"exceptions":[]}`},
		{"list_agent_runs", `{"missionId":"m"}`, bodies["GET /api/v1/agent/missions/m/runs"]},
		{"raise_agent_exception", `{"runId":"r","category":"c","severity":"info","message":"m","detail":{"n":9007199254740993}}`, bodies["POST /api/v1/agent/runs/r/exceptions"]},
		{"list_agent_mcp_attachments", `{"agent_id":"agent_` + zeros + `"}`, `{"attachments":[{"name":"n","serial":9007199254740993,"action":"none"}]}`},
		{"list_agent_mcp_attachments", `{"agent_id":"a/b c!"}`, `{"attachments":[]}`},
		{"list_agent_mcp_attachments", `{"agent_id":"猫"}`, `{"attachments":[]}`},
		{"agent_insights_get", `{"projectEndpoint":"https://example.com","agentName":"a"}`, page},
	} {
		answered := p.call(test.tool, test.arguments)
		require.Nil(t, answered.IsError, answered.text())
		require.Equal(t, test.want, answered.text(), test.tool)
		require.Equal(t, test.want, string(answered.Structured), test.tool)
	}
	code, _ := p.end()
	require.Zero(t, code)
	require.NotContains(t, p.stderr.String(), canary)
}

var zeros = strings.Repeat("0", 32)

func TestFailuresAreTextOnly(t *testing.T) {
	t.Parallel()
	backend := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/problem+json")
		w.WriteHeader(http.StatusConflict)
		fmt.Fprint(w, `{"title":"Run is blocked","status":409,"code":"run_blocked","detail":"Resolve the open exceptions first."}`)
	}))
	t.Cleanup(backend.Close)
	p := start(t, "AGENTCTL_API_URL="+backend.URL, "AGENTCTL_API_KEY="+canary, "INSIGHTS_MCP_COMMAND="+azure(azuremcp.Options{Situation: azuremcp.CallRefused}, ""))
	raised := p.call("raise_agent_exception", `{"runId":"r","category":"c","severity":"info","message":"m"}`)
	require.Equal(t, "true", string(raised.IsError))
	require.Nil(t, raised.Structured)
	require.Contains(t, raised.text(), "409")
	require.Contains(t, raised.text(), "run_blocked")
	require.NotContains(t, raised.text(), canary)

	refused := p.call("agent_insights_get", `{"projectEndpoint":"https://example.com","agentName":"a"}`)
	require.Equal(t, "true", string(refused.IsError))
	require.Nil(t, refused.Structured)
	require.Contains(t, refused.text(), "401 (Unauthorized)")

	unknown := p.request("tools/call", `{"name":"no_such_tool"}`)
	require.Contains(t, string(unknown.Error), "-32602")
}

func TestInsightsGoThroughTheRouterUnchanged(t *testing.T) {
	t.Parallel()
	log := filepath.Join(t.TempDir(), "log")
	p := start(t, "INSIGHTS_MCP_COMMAND="+azure(azuremcp.Options{Insights: 3}, log), "INSIGHTS_ROUTE=router")
	const parameters = `{"projectEndpoint":"` + insightstest.SampleEndpoint + `","agentName":"` + insightstest.SampleAgent + `","status":"active","limit":2,"includeDetails":false}`
	answered := p.call("agent_insights_get", parameters)
	require.Nil(t, answered.IsError, answered.text())
	code, _ := p.end()
	require.Zero(t, code)

	text, err := os.ReadFile(log)
	require.NoError(t, err)
	calls, err := azuremcp.Calls(string(text))
	require.NoError(t, err)
	require.Len(t, calls, 1)
	require.Equal(t, "foundry", calls[0].Name)
	require.JSONEq(t, `{"intent":"Read the insights that were generated for an agent","command":"agent_insights_get","parameters":`+parameters+`}`, string(calls[0].Arguments))

	messages, err := azuremcp.Messages(string(text))
	require.NoError(t, err)
	initialized := false
	for _, message := range messages {
		require.NotContains(t, string(message.Params), "sampling", message.Method)
		if message.Method == "initialize" {
			initialized = true
			require.Contains(t, string(message.Params), `"capabilities":{}`)
		}
	}
	require.True(t, initialized)
}

func azure(options azuremcp.Options, log string) string {
	line := "'" + os.Args[0] + "' fakeazure"
	for _, word := range options.Args(log) {
		line += " '" + word + "'"
	}
	return line
}
