package insights_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom/insights"
)

func parse(t *testing.T, raw string) insights.Insight {
	t.Helper()
	var insight insights.Insight
	require.NoError(t, json.Unmarshal([]byte(raw), &insight))
	return insight
}

func TestInsightHasEveryPublishedField(t *testing.T) {
	t.Parallel()
	const (
		trace  = `{"trace_id":"0af7","summary":"s","duration_ms":1500,"total_tokens":12,"timestamp":"2026-08-01T10:00:00Z"}`
		linked = `{"trace_id":"0af8","timestamp":"2026-08-01T11:00:00Z","summary":"stray"}`
		change = `{"surface":"tool","target":"lookup","old_value":null,"new_value":{"n":9007199254740993},"description":"d"}`
		fix    = `{"kind":"prompt_change","text":"t","changes":[` + change + `]}`
		action = `{"proposed_fix":` + fix + `}`
		detail = `{"highlighted_traces":[` + trace + `],"linked_traces":[` + linked + `],"recommended_actions":` + action + `,"other":1}`
		raw    = `{"id":"insight_1","monitor_id":"monitor_1","agent_name":"a","agent_version":"28","title":"T","description":"D",` +
			`"severity":"high","category":"latency","status":"active","trace_count":7,"created_at":"2026-08-01T10:00:00.1234567Z",` +
			`"updated_at":"2026-08-01T10:00:01+02:00","details":` + detail + `,"revision":"r","big":12345678901234567890}`
	)
	got := parse(t, raw)
	require.Equal(t, insights.Insight{
		ID: "insight_1", MonitorID: "monitor_1", AgentName: "a", AgentVersion: "28", Title: "T", Description: "D",
		Severity: insights.SeverityHigh, Category: "latency", Status: insights.StatusActive, TraceCount: new(int64(7)),
		CreatedAt: time.Date(2026, 8, 1, 10, 0, 0, 123456700, time.UTC), UpdatedAt: got.UpdatedAt,
		Details: &insights.Details{
			HighlightedTraces: []insights.HighlightedTrace{{
				TraceID: "0af7", Summary: "s", Duration: new(1500 * time.Millisecond), TotalTokens: new(int64(12)),
				Timestamp: time.Date(2026, 8, 1, 10, 0, 0, 0, time.UTC), Raw: json.RawMessage(trace),
			}},
			LinkedTraces: []insights.LinkedTrace{{
				TraceID: "0af8", Timestamp: time.Date(2026, 8, 1, 11, 0, 0, 0, time.UTC), Raw: json.RawMessage(linked),
			}},
			RecommendedActions: &insights.RecommendedActions{
				ProposedFix: &insights.ProposedFix{
					Kind: insights.FixPromptChange, Text: "t", Raw: json.RawMessage(fix),
					Changes: []insights.Change{{
						Surface: "tool", Target: "lookup", Description: "d", OldValue: json.RawMessage(`null`),
						NewValue: json.RawMessage(`{"n":9007199254740993}`), Raw: json.RawMessage(change),
					}},
				},
				Raw: json.RawMessage(action),
			},
			Raw: json.RawMessage(detail),
		},
		Raw: json.RawMessage(raw),
	}, got)
	require.True(t, got.UpdatedAt.Equal(time.Date(2026, 8, 1, 8, 0, 1, 0, time.UTC)))

	out, err := json.Marshal(got)
	require.NoError(t, err)
	require.Equal(t, raw, string(out))
	for want, part := range map[string]any{
		detail: got.Details, trace: got.Details.HighlightedTraces[0], linked: got.Details.LinkedTraces[0],
		action: got.Details.RecommendedActions, fix: got.Details.RecommendedActions.ProposedFix,
		change: got.Details.RecommendedActions.ProposedFix.Changes[0],
	} {
		out, err := json.Marshal(part)
		require.NoError(t, err)
		require.Equal(t, want, string(out))
	}

	var own struct {
		Revision string      `json:"revision"`
		Big      json.Number `json:"big"`
	}
	require.NoError(t, got.Decode(&own))
	require.Equal(t, "r", own.Revision)
	require.Equal(t, "12345678901234567890", own.Big.String())
}

func TestCodeChangeIsRead(t *testing.T) {
	t.Parallel()
	got := parse(t, `{"id":"a","details":{"recommended_actions":{"proposed_fix":{"kind":"code_change","changes":[{"path":"a.py","language":"python","diff":"@@"}]}}}}`)
	change := got.Details.RecommendedActions.ProposedFix.Changes[0]
	require.Equal(t, "a.py", change.Path)
	require.Equal(t, "python", change.Language)
	require.Equal(t, "@@", change.Diff)
	require.Nil(t, change.OldValue)
	require.Nil(t, change.NewValue)
}

func TestNullAndAbsentValuesDiffer(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string][2]json.RawMessage{
		`{}`:                                   {nil, nil},
		`{"old_value":null}`:                   {json.RawMessage(`null`), nil},
		`{"new_value":null,"old_value":false}`: {json.RawMessage(`false`), json.RawMessage(`null`)},
		`{"new_value":1.50,"old_value":""}`:    {json.RawMessage(`""`), json.RawMessage(`1.50`)},
	} {
		got := parse(t, `{"id":"a","details":{"recommended_actions":{"proposed_fix":{"changes":[`+raw+`]}}}}`)
		change := got.Details.RecommendedActions.ProposedFix.Changes[0]
		require.Equal(t, want, [2]json.RawMessage{change.OldValue, change.NewValue}, raw)
	}
}

func TestWhatIsAbsentOrOddStaysMissing(t *testing.T) {
	t.Parallel()
	for _, details := range []string{``, `,"details":null`, `,"details":"text"`, `,"details":[]`} {
		require.Nil(t, parse(t, `{"id":"a"`+details+`}`).Details, details)
	}
	d := parse(t, `{"id":"a","details":{}}`).Details
	require.NotNil(t, d)
	require.Nil(t, d.HighlightedTraces)
	require.Nil(t, d.RecommendedActions)
	d = parse(t, `{"id":"a","details":{"highlighted_traces":{},"linked_traces":[],"recommended_actions":[]}}`).Details
	require.Nil(t, d.HighlightedTraces)
	require.Equal(t, []insights.LinkedTrace{}, d.LinkedTraces)
	require.Nil(t, d.RecommendedActions)

	fix := func(changes string) *insights.ProposedFix {
		return parse(t, `{"id":"a","details":{"recommended_actions":{"proposed_fix":{"kind":"prompt_rewrite"`+changes+`}}}}`).Details.RecommendedActions.ProposedFix
	}
	require.Equal(t, insights.FixKind("prompt_rewrite"), fix("").Kind)
	require.Nil(t, fix("").Changes)
	require.Nil(t, fix(`,"changes":"not-a-list"`).Changes)
	require.Equal(t, []insights.Change{}, fix(`,"changes":[]`).Changes)
	require.Equal(t, []insights.Change{{Raw: json.RawMessage(`1`)}}, fix(`,"changes":[1]`).Changes)
	require.Nil(t, parse(t, `{"id":"a","details":{"recommended_actions":{"proposed_fix":null}}}`).Details.RecommendedActions.ProposedFix)

	odd := parse(t, `{"id":"a","title":7,"Title":"case matters","severity":null,"status":"future","trace_count":"7","created_at":1785578400,"agent_version":15}`)
	require.Equal(t, insights.Insight{ID: "a", Status: "future", Raw: odd.Raw}, odd)
}

func TestNumbersAreReadInAnySpelling(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]*int64{
		`7`: new(int64(7)), `7.0`: new(int64(7)), `7e2`: new(int64(700)), `-0`: new(int64(0)), `9007199254740993`: new(int64(9007199254740993)),
		`9007199254740991.0`: new(int64(9007199254740991)), `9007199254740993.0`: nil, `1e18`: nil,
		`7.5`: nil, `1e400`: nil, `1e19`: nil, `-1e19`: nil, `"7"`: nil, `null`: nil, `true`: nil,
	} {
		require.Equal(t, want, parse(t, `{"id":"a","trace_count":`+raw+`}`).TraceCount, raw)
	}
	for raw, want := range map[string]*time.Duration{
		`1500`: new(1500 * time.Millisecond), `1500.5`: new(1500500 * time.Microsecond), `0`: new(time.Duration(0)),
		`1e300`: nil, `1e400`: nil, `"1500"`: nil, `null`: nil,
	} {
		got := parse(t, `{"id":"a","details":{"highlighted_traces":[{"duration_ms":`+raw+`}]}}`)
		require.Equal(t, want, got.Details.HighlightedTraces[0].Duration, raw)
	}
}

func TestTimesWithoutZoneAreUTC(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]time.Time{
		`"2026-08-01T10:00:00Z"`:      time.Date(2026, 8, 1, 10, 0, 0, 0, time.UTC),
		`"2026-08-01T10:00:00"`:       time.Date(2026, 8, 1, 10, 0, 0, 0, time.UTC),
		`"2026-08-01T10:00:00.5"`:     time.Date(2026, 8, 1, 10, 0, 0, 500000000, time.UTC),
		`"2026-08-01T12:00:00+02:00"`: time.Date(2026, 8, 1, 10, 0, 0, 0, time.UTC),
		`"yesterday"`:                 {},
		`1`:                           {},
	} {
		require.True(t, want.Equal(parse(t, `{"id":"a","created_at":`+raw+`}`).CreatedAt), raw)
	}
}

func TestPagesAndInsightsSurviveStorage(t *testing.T) {
	t.Parallel()
	const raw = `{"data":[{"id":"a","n":1.50}],"first_id":"a","last_id":"z","has_more":true,"extra":null}`
	var page insights.Page
	require.NoError(t, json.Unmarshal([]byte(raw), &page))
	require.Equal(t, "a", page.FirstID)
	require.Equal(t, "z", page.LastID)
	require.True(t, page.HasMore)
	require.Equal(t, `{"id":"a","n":1.50}`, string(page.Insights[0].Raw))
	out, err := json.Marshal(page)
	require.NoError(t, err)
	require.Equal(t, raw, string(out))

	require.ErrorIs(t, json.Unmarshal([]byte(`{"data":[]}`), &page), insights.MalformedPage)
	require.Equal(t, "z", page.LastID, "a failed read changes nothing")
	require.NoError(t, json.Unmarshal([]byte(`null`), &page))
	require.Equal(t, "z", page.LastID)
	var insight insights.Insight
	require.Error(t, json.Unmarshal([]byte(`[]`), &insight))
	require.Error(t, insight.UnmarshalJSON([]byte(`{"a"`)))
	require.NoError(t, json.Unmarshal([]byte(`null`), &insight))
	require.Zero(t, insight)
	for _, zero := range []any{insight, insights.Page{}, insights.Details{}, insights.Change{}} {
		out, err := json.Marshal(zero)
		require.NoError(t, err)
		require.Equal(t, `null`, string(out))
	}
}

func TestExactTextIsPreferredToRoundedStructuredContent(t *testing.T) {
	t.Parallel()
	const exact = `{"data":[{"id":"a","details":{"n":9007199254740993,"m":1.10}}],"has_more":false}`
	const rounded = `{"has_more":false,"data":[{"details":{"m":1.1,"n":9007199254740992},"id":"a"}]}`
	const other = `{"data":[{"id":"b"}],"has_more":false}`
	for name, test := range map[string]struct {
		structured string
		text       []string
		want       string
	}{
		"same document":    {rounded, []string{"Here:", exact}, exact},
		"another document": {rounded, []string{other}, rounded},
		"no text":          {rounded, nil, rounded},
	} {
		s := &script{answers: []answer{{result: insights.ToolResult{Structured: json.RawMessage(test.structured), Text: test.text}}}}
		got, err := s.client(t, nil).Page(t.Context(), query)
		require.NoError(t, err, name)
		require.Equal(t, test.want, string(got.Raw), name)
	}
}
