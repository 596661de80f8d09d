package insightstest_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom/insights"
	"github.com/opsroom-go/opsroom/insights/insightstest"
)

const (
	endpoint = "https://acct.services.ai.azure.com/api/projects/p1"
	agent    = "agent-1"
)

var (
	modes = []insightstest.Mode{insightstest.Direct, insightstest.Prefixed, insightstest.Router, insightstest.SingleProxy}
	query = insights.Query{ProjectEndpoint: endpoint, AgentName: agent}
)

// newBackend returns a backend whose agent has the given insights.
func newBackend(t *testing.T, mode insightstest.Mode, rows ...json.RawMessage) (*insightstest.Backend, *insights.Client) {
	t.Helper()
	backend := insightstest.New(mode)
	require.NoError(t, backend.AddInsights(endpoint, agent, rows...))
	client, err := insights.New(backend, &insights.Options{Route: backend.Route()})
	require.NoError(t, err)
	return backend, client
}

func ids(list []insights.Insight) string {
	all := make([]string, len(list))
	for i := range list {
		all[i] = list[i].ID
	}
	return strings.Join(all, " ")
}

func rows(list ...string) []json.RawMessage {
	raw := make([]json.RawMessage, len(list))
	for i := range list {
		raw[i] = json.RawMessage(list[i])
	}
	return raw
}

func TestEveryFaultIsReportedAsItsKindInEveryMode(t *testing.T) {
	t.Parallel()
	for _, mode := range modes {
		for _, fault := range insightstest.Faults() {
			t.Run(string(mode)+"/"+string(fault), func(t *testing.T) {
				t.Parallel()
				backend, client := newBackend(t, mode, insightstest.Samples(9)...)
				backend.FailAlways(fault)
				ctx := t.Context()
				if fault == insightstest.Hang {
					var cancel context.CancelFunc
					ctx, cancel = context.WithCancel(ctx)
					backend.BeforeCall(func(int, insightstest.Call) { cancel() })
				}
				q := query
				q.Limit = 4
				found, err := client.Collect(ctx, q)
				require.Equal(t, fault.Kind(), insights.KindOf(err), "%v", err)
				require.Equal(t, fault, backend.Calls()[0].Fault)
				if fault.Kind() == "" {
					require.NoError(t, err)
					require.True(t, found.Complete)
					require.Len(t, found.Insights, 9)
				} else {
					require.Error(t, err)
					require.False(t, found.Complete)
				}
			})
		}
	}
}

func TestEmptyPageLeadsToTheInsightsThatItHoldsBack(t *testing.T) {
	t.Parallel()
	backend, client := newBackend(t, insightstest.Direct, insightstest.Samples(4)...)
	backend.FailAlways(insightstest.EmptyPage)
	q := query
	q.Limit = 2
	var sizes []int
	for page, err := range client.Pages(t.Context(), q) {
		require.NoError(t, err)
		sizes = append(sizes, len(page.Insights))
	}
	require.Equal(t, []int{0, 2, 0, 2}, sizes)
}

func TestFaultsMeetTheComingCallsInOrder(t *testing.T) {
	t.Parallel()
	backend, client := newBackend(t, insightstest.Direct, insightstest.Samples(3)...)
	backend.Fail(insightstest.None, insightstest.BackendError)
	q := query
	q.Limit = 1
	found, err := client.Collect(t.Context(), q)
	require.ErrorIs(t, err, insights.Backend)
	require.Len(t, found.Insights, 1)
	q.After = found.After
	found, err = client.Collect(t.Context(), q)
	require.NoError(t, err)
	require.Len(t, found.Insights, 2)
	var met []insightstest.Fault
	for _, call := range backend.Calls() {
		met = append(met, call.Fault)
	}
	require.Equal(t, []insightstest.Fault{"", insightstest.BackendError, "", ""}, met)
}

func TestCallsAreRecordedAsTheyCame(t *testing.T) {
	t.Parallel()
	parameters := `{"agentName":"agent-1","limit":5,"projectEndpoint":"` + endpoint + `"}`
	want := map[insightstest.Mode]insightstest.Call{
		insightstest.Direct:   {Tool: "agent_insights_get", Arguments: json.RawMessage(parameters)},
		insightstest.Prefixed: {Tool: "foundry_agent_insights_get", Arguments: json.RawMessage(parameters)},
		insightstest.Router: {Tool: "foundry", Arguments: json.RawMessage(
			`{"command":"agent_insights_get","intent":"Read the insights that were generated for an agent","parameters":` + parameters + `}`)},
		insightstest.SingleProxy: {Tool: "azure", Arguments: json.RawMessage(
			`{"command":"agent_insights_get","intent":"Read the insights that were generated for an agent","parameters":` + parameters + `,"tool":"foundry"}`)},
	}
	for _, mode := range modes {
		backend, client := newBackend(t, mode)
		q := query
		q.Limit = 5
		_, err := client.Page(t.Context(), q)
		require.NoError(t, err)
		call := want[mode]
		call.Parameters = json.RawMessage(parameters)
		require.Equal(t, []insightstest.Call{call}, backend.Calls(), mode)
	}
}

func TestDiscoverFindsTheRouteOfEveryMode(t *testing.T) {
	t.Parallel()
	for _, mode := range modes {
		backend := insightstest.New(mode)
		route, err := insights.Discover(backend.ToolNames())
		require.NoError(t, err)
		require.Equal(t, backend.Route(), route)
	}
}

func TestListHonoursFiltersOrderLimitAndCursor(t *testing.T) {
	t.Parallel()
	_, client := newBackend(t, insightstest.Direct, rows(
		`{"id":"a","category":"latency","severity":"high","status":"active","created_at":"2026-08-03T00:00:00Z"}`,
		`{"id":"b","category":"latency","severity":"low","status":"resolved","created_at":"2026-08-01T00:00:00Z"}`,
		`{"id":"c","category":"cost","severity":"high","status":"active","created_at":"2026-08-02T00:00:00Z"}`,
		`{"id":"d","category":"cost","severity":"high","status":"ignored"}`,
	)...)
	tests := []struct {
		change func(*insights.Query)
		ids    string
		last   string
		more   bool
	}{
		{func(*insights.Query) {}, "a d c b", "b", false},
		{func(q *insights.Query) { q.Order = insights.OldestFirst }, "b c d a", "a", false},
		{func(q *insights.Query) { q.Category = "latency" }, "a b", "b", false},
		{func(q *insights.Query) { q.Severity = insights.SeverityHigh }, "a d c", "c", false},
		{func(q *insights.Query) { q.Status = insights.StatusActive }, "a c", "c", false},
		{func(q *insights.Query) { q.Status, q.Category = insights.StatusActive, "cost" }, "c", "c", false},
		{func(q *insights.Query) { q.Category = "none" }, "", "", false},
		{func(q *insights.Query) { q.Limit = 3 }, "a d c", "c", true},
		{func(q *insights.Query) { q.Limit, q.After = 3, "c" }, "b", "b", false},
		{func(q *insights.Query) { q.Limit = 4 }, "a d c b", "b", false},
		{func(q *insights.Query) { q.After = "b" }, "", "", false},
	}
	for _, test := range tests {
		q := query
		test.change(&q)
		page, err := client.Page(t.Context(), q)
		require.NoError(t, err)
		require.Equal(t, test.ids, ids(page.Insights))
		require.Equal(t, test.last, page.LastID)
		require.Equal(t, test.more, page.HasMore)
	}
}

func TestPageHas20InsightsAndNoDetailsUnlessAskedFor(t *testing.T) {
	t.Parallel()
	_, client := newBackend(t, insightstest.Direct, append(insightstest.Samples(21),
		json.RawMessage(`{ "id":"exact", "n":9007199254740993, "details":{"x": 1}, "z":null }`))...)
	page, err := client.Page(t.Context(), query)
	require.NoError(t, err)
	require.Len(t, page.Insights, 20)
	require.Equal(t, `{"id":"exact","n":9007199254740993,"z":null}`, string(page.Insights[0].Raw))
	q := query
	q.IncludeDetails = new(true)
	page, err = client.Page(t.Context(), q)
	require.NoError(t, err)
	require.Equal(t, `{ "id":"exact", "n":9007199254740993, "details":{"x": 1}, "z":null }`, string(page.Insights[0].Raw))
	require.NotNil(t, page.Insights[1].Details.RecommendedActions.ProposedFix)
}

func TestBackendRefusesWhatTheContractForbids(t *testing.T) {
	t.Parallel()
	backend, _ := newBackend(t, insightstest.Direct)
	for _, extra := range []map[string]any{
		{"status": "open"}, {"limit": 0}, {"limit": 101}, {"limit": 1.5}, {"limit": "1"}, {"order": "newest"},
		{"before": "x"}, {"include_details": true}, {"includeDetails": nil}, {"after": ""}, {"agentName": 1}, {"after": "unknown"},
	} {
		arguments := map[string]any{"projectEndpoint": endpoint, "agentName": agent}
		for name, value := range extra {
			arguments[name] = value
		}
		result, err := backend.CallTool(t.Context(), "agent_insights_get", arguments)
		require.NoError(t, err)
		require.True(t, result.IsError, extra)
		require.Contains(t, result.Text[0], "Invalid argument", extra)
	}
	for _, arguments := range []map[string]any{nil, {}, {"agentName": "x"}} {
		result, err := backend.CallTool(t.Context(), "agent_insights_get", arguments)
		require.NoError(t, err)
		require.True(t, result.IsError)
		require.Contains(t, result.Text[0], "Missing required options: projectEndpoint")
	}
	for _, limit := range []any{5, int64(5), 5.0, json.Number("5"), json.Number("5.0")} {
		result, err := backend.CallTool(t.Context(), "agent_insights_get", map[string]any{"projectEndpoint": endpoint, "agentName": agent, "limit": limit})
		require.NoError(t, err)
		require.False(t, result.IsError, "%T", limit)
	}
}

func TestUnknownToolIsAnsweredAsEachServerDoes(t *testing.T) {
	t.Parallel()
	for _, mode := range modes {
		backend := insightstest.New(mode)
		client, err := insights.New(backend, &insights.Options{Route: insights.Direct("nothing")})
		require.NoError(t, err)
		_, err = client.Page(t.Context(), query)
		require.ErrorIs(t, err, insights.ToolUnavailable, mode)
	}
}

func TestRouterAnswersAsAzureDoes(t *testing.T) {
	t.Parallel()
	good := map[string]any{"projectEndpoint": endpoint, "agentName": agent}
	tests := []struct {
		name      string
		arguments map[string]any
		text      string
	}{
		{"learn", map[string]any{"intent": "x", "learn": true}, "Here are the available commands"},
		{"neither command nor intent", map[string]any{"intent": ""}, `The "command" parameters are required`},
		{"no command", map[string]any{"intent": "x"}, "Here are the available commands"},
		{"unknown command", map[string]any{"intent": "x", "command": "agent_insights_list", "parameters": good}, "Here are the available commands"},
		{"case does not matter", map[string]any{"intent": "x", "command": "Agent_Insights_Get", "parameters": good}, `{"data":[]`},
		{"parameters that are no object", map[string]any{"intent": "x", "command": "agent_insights_get", "parameters": "x"}, "Missing required options"},
	}
	for _, test := range tests {
		backend, _ := newBackend(t, insightstest.Router)
		result, err := backend.CallTool(t.Context(), "foundry", test.arguments)
		require.NoError(t, err, test.name)
		require.False(t, result.IsError, test.name)
		require.Contains(t, result.Text[0], test.text, test.name)
	}
	backend, _ := newBackend(t, insightstest.Router)
	for _, arguments := range []map[string]any{
		{"command": "agent_insights_get"}, {"intent": "", "learn": true}, {"intent": "x", "tool": "foundry"}, {"intent": "x", "agentName": "a"},
	} {
		_, err := backend.CallTool(t.Context(), "foundry", arguments)
		var rpc *insights.RPCError
		require.ErrorAs(t, err, &rpc)
		require.EqualValues(t, -32602, rpc.Code)
	}
	backend, _ = newBackend(t, insightstest.SingleProxy)
	result, err := backend.CallTool(t.Context(), "azure", map[string]any{"intent": "x", "tool": "storage", "command": "agent_insights_get"})
	require.NoError(t, err)
	require.True(t, result.IsError)
}

func TestMonitorsAndProjects(t *testing.T) {
	t.Parallel()
	backend, client := newBackend(t, insightstest.Direct, insightstest.Samples(2)...)
	other := query
	other.AgentName = "nobody"
	_, err := client.Page(t.Context(), other)
	require.ErrorIs(t, err, insights.NoMonitor)
	other.ProjectEndpoint = "https://elsewhere"
	_, err = client.Page(t.Context(), other)
	require.ErrorIs(t, err, insights.Backend)
	backend.RemoveMonitor("https://elsewhere", "nobody")
	_, err = client.Page(t.Context(), other)
	require.ErrorIs(t, err, insights.NoMonitor)

	backend.ClearInsights(endpoint, agent)
	backend.ClearInsights("https://nowhere", agent)
	page, err := client.Page(t.Context(), query)
	require.NoError(t, err)
	require.Empty(t, page.Insights)
	backend.RemoveMonitor(endpoint, agent)
	_, err = client.Page(t.Context(), query)
	require.ErrorIs(t, err, insights.NoMonitor)
}

func TestAddInsightsRefusesWhatIsNoneAndThenAddsNothing(t *testing.T) {
	t.Parallel()
	backend, client := newBackend(t, insightstest.Direct, rows(`{"id":"a"}`)...)
	for _, bad := range []string{`{`, `[]`, `null`, ``, `{}`, `{"id":""}`, `{"id":1}`, `{"id":"a"}`, `{"id":"b"}`} {
		require.Error(t, backend.AddInsights(endpoint, agent, rows(`{"id":"b"}`, bad)...), bad)
	}
	require.Error(t, backend.AddInsights("", agent))
	require.Error(t, backend.AddInsights(endpoint, ""))
	page, err := client.Page(t.Context(), query)
	require.NoError(t, err)
	require.Equal(t, "a", ids(page.Insights))
	require.NoError(t, backend.AddInsights(endpoint, agent, rows(`{"id":"b"}`)...))
	page, err = client.Page(t.Context(), query)
	require.NoError(t, err)
	require.Equal(t, "b a", ids(page.Insights))
}

func TestBeforeCallChangesWhatTheCallSees(t *testing.T) {
	t.Parallel()
	backend, client := newBackend(t, insightstest.Direct, rows(`{"id":"a"}`, `{"id":"b"}`, `{"id":"c"}`)...)
	q := query
	q.Limit = 2
	backend.BeforeCall(func(n int, call insightstest.Call) {
		if n == 2 {
			require.Contains(t, string(call.Parameters), `"after":"b"`)
			require.NoError(t, backend.AddInsights(endpoint, agent, rows(`{"id":"new"}`)...))
		}
	})
	found, err := client.Collect(t.Context(), q)
	require.NoError(t, err)
	require.Equal(t, "c b a", ids(found.Insights))

	// A reset takes the cursor away, which a walk has to report.
	backend.BeforeCall(func(n int, _ insightstest.Call) {
		if n == 4 {
			backend.ClearInsights(endpoint, agent)
		}
	})
	found, err = client.Collect(t.Context(), q)
	require.ErrorIs(t, err, insights.InvalidArgument)
	require.False(t, found.Complete)
	require.Equal(t, "new c", ids(found.Insights))
}

func TestKitFailuresAreErrors(t *testing.T) {
	t.Parallel()
	backend := insightstest.New("telepathy")
	_, err := backend.CallTool(t.Context(), "agent_insights_get", nil)
	require.EqualError(t, err, `insightstest: there is no mode "telepathy"`)
	require.NotEmpty(t, backend.ToolNames())

	backend = insightstest.New(insightstest.Direct)
	backend.Fail("bad mood")
	_, err = backend.CallTool(t.Context(), "agent_insights_get", nil)
	require.EqualError(t, err, `insightstest: there is no fault "bad mood"`)
	_, err = backend.CallTool(t.Context(), "agent_insights_get", map[string]any{"x": func() {}})
	require.ErrorContains(t, err, "insightstest: the arguments are no JSON")

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = backend.CallTool(ctx, "agent_insights_get", nil)
	require.ErrorIs(t, err, context.Canceled)
	require.Empty(t, insightstest.Samples(-1))
}

func TestSampleHasThreeAgents(t *testing.T) {
	t.Parallel()
	for _, mode := range modes {
		backend := insightstest.NewSample(mode)
		client, err := insights.New(backend, &insights.Options{Route: backend.Route()})
		require.NoError(t, err)
		q := insights.Query{ProjectEndpoint: insightstest.SampleEndpoint, AgentName: insightstest.SampleAgent}
		found, err := client.Collect(t.Context(), q)
		require.NoError(t, err)
		require.Len(t, found.Insights, 230)
		require.Equal(t, 3, found.Pages)
		for _, insight := range found.Insights {
			require.NotEmpty(t, insight.Title)
			require.False(t, insight.CreatedAt.IsZero())
			require.Len(t, insight.Details.HighlightedTraces, 1)
			require.NotEmpty(t, insight.Details.RecommendedActions.ProposedFix.Text)
		}
		q.AgentName = insightstest.QuietAgent
		found, err = client.Collect(t.Context(), q)
		require.NoError(t, err)
		require.True(t, found.Complete)
		require.Empty(t, found.Insights)
		q.AgentName = insightstest.UnwatchedAgent
		_, err = client.Collect(t.Context(), q)
		require.ErrorIs(t, err, insights.NoMonitor)
	}
}
