package insightstest

import (
	"encoding/json"
	"fmt"
	"time"
)

// The project and the agents of [NewSample].
const (
	SampleEndpoint = "https://example.services.ai.azure.com/api/projects/sample"

	// SampleAgent has 230 insights, three pages of 100.
	SampleAgent = "support-agent"

	// QuietAgent has a monitor that has found nothing.
	QuietAgent = "quiet-agent"

	// UnwatchedAgent has no monitor.
	UnwatchedAgent = "unwatched-agent"
)

// NewSample returns a Backend with one project and three agents in it, whose
// insights are made up.
func NewSample(mode Mode) *Backend {
	b := New(mode)
	// Nothing of this can be refused; the tests hold it to that.
	_ = b.AddInsights(SampleEndpoint, SampleAgent, Samples(230)...)
	_ = b.AddInsights(SampleEndpoint, QuietAgent)
	b.RemoveMonitor(SampleEndpoint, UnwatchedAgent)
	return b
}

// Samples returns n made-up insights, oldest first, an hour apart: always the
// same ones, of all severities, statuses and published kinds of fixes.
func Samples(n int) []json.RawMessage {
	rows := make([]json.RawMessage, max(n, 0))
	for i := range rows {
		rows[i] = sampleInsight(i)
	}
	return rows
}

var sampleStart = time.Date(2026, time.August, 1, 8, 0, 0, 0, time.UTC)

// sampleFindings are what the made-up insights are about.
var sampleFindings = []struct{ category, severity, title, description, fix string }{
	{"tool_call_failures", "high", "Handle failures of the order lookup",
		"The agent tells customers that an order does not exist when the lookup has failed.",
		`{"kind":"prompt_change","text":"Tell the agent to say that the lookup failed.","changes":[{"surface":"instructions","target":"system","old_value":null,"new_value":"If a tool fails, say so and offer to try again."}]}`},
	{"latency", "medium", "Avoid a second search for the same question",
		"The knowledge search runs twice in a row with the same words.",
		`{"kind":"code_change","text":"Keep the answer of the first search.","changes":[{"path":"agent/search.py","language":"python","diff":"--- a/agent/search.py\n+++ b/agent/search.py\n@@ -1 +1,2 @@\n+@cache\n def search(words):\n"}]}`},
	{"cost_tokens", "low", "Shorten the tool descriptions",
		"Tool descriptions take up a third of the tokens of each request.",
		`{"kind":"prose","text":"Cut each description to two sentences."}`},
	{"output_quality", "medium", "Answer in the customer's language",
		"Answers switch to English after a tool call.",
		`{"kind":"prompt_change","text":"Repeat the rule about languages after tool calls.","changes":[{"surface":"tool","target":"lookup","old_value":{"language":"en"},"new_value":{"language":"auto"}}]}`},
}

func sampleInsight(i int) json.RawMessage {
	finding := sampleFindings[i%len(sampleFindings)]
	status := []string{"active", "active", "resolved", "active", "ignored"}[i%5]
	created := sampleStart.Add(time.Duration(i) * time.Hour)
	updated := created.Add(20 * time.Minute)
	seen := created.Add(-10 * time.Minute).Format(time.RFC3339)
	return fmt.Appendf(nil, `{"id":"insight_%024x","monitor_id":"monitor_%032x","agent_name":"%s","agent_version":"%d",`+
		`"title":%q,"description":%q,"category":%q,"severity":%q,"status":%q,"trace_count":%d,"created_at":%q,"updated_at":%q,`+
		`"details":{"highlighted_traces":[{"trace_id":"%032x","summary":"What the customer asked for was not done.","duration_ms":%d,"total_tokens":%d,"timestamp":%q}],`+
		`"linked_traces":[{"trace_id":"%032x","timestamp":%q},{"trace_id":"%032x","timestamp":%q}],`+
		`"recommended_actions":{"proposed_fix":%s}}}`,
		i+1, 1, SampleAgent, 15+i/100,
		finding.title, finding.description, finding.category, finding.severity, status, 2+i%7,
		created.Format(time.RFC3339), updated.Format(time.RFC3339),
		2*i+1, 1200+37*i, 900+11*i, seen,
		2*i+1, seen, 2*i+2, seen, finding.fix)
}
