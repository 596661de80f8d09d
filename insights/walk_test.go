package insights_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/insights"
	"github.com/opsroom-go/opsroom/insights/insightstest"
)

// A walkCase is one row of a table about walks. In the row, cursors has the
// cursor of every request, "" for none, and therefore tells their number.
type walkCase struct {
	name    string
	answers []answer
	query   func(*insights.Query)
	options insights.Options
	total   int

	cursors []string
	ids     string
	kind    insights.Kind
	pages   int
	after   string
	hasMore bool
	stop    insights.StopReason
}

func (c walkCase) run(t *testing.T) {
	t.Helper()
	s := &script{answers: c.answers}
	client := s.client(t, &c.options)
	q := query
	if c.query != nil {
		c.query(&q)
	}
	var options []insights.CollectOption
	if c.total > 0 {
		options = append(options, insights.Total(c.total))
	}
	got, err := client.Collect(t.Context(), q, options...)
	require.Equal(t, c.cursors, s.cursors(), "cursors sent")
	require.Equal(t, c.ids, ids(got.Insights))
	require.Equal(t, c.pages, got.Pages)
	require.Equal(t, c.after, got.After)
	require.Equal(t, c.hasMore, got.HasMore)
	require.Equal(t, c.kind, insights.KindOf(err), "%v", err)
	require.Equal(t, c.kind == "" && c.stop != insights.StopTotal, got.Complete)
	if c.kind == "" {
		require.NoError(t, err)
		require.Equal(t, c.stop, got.StopReason)
		return
	}
	require.ErrorIs(t, err, c.kind)
	require.Equal(t, insights.StopReason(c.kind), got.StopReason)
	var incomplete *insights.Incomplete
	require.ErrorAs(t, err, &incomplete)
	require.Equal(t, c.kind, incomplete.Reason)
	require.Equal(t, len(got.Insights), incomplete.Count)
	require.Equal(t, c.pages, incomplete.Pages)
	require.Equal(t, c.after, incomplete.After)
}

func runAll(t *testing.T, cases []walkCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.run(t)
		})
	}
}

func TestCursorPolicy(t *testing.T) {
	t.Parallel()
	runAll(t, []walkCase{
		{name: "one page", answers: []answer{page(false, "c1", "a", "b")},
			cursors: []string{""}, ids: "a b", pages: 1, stop: insights.StopEnd},
		{name: "nothing matches", answers: []answer{page(false, "")},
			cursors: []string{""}, pages: 1, stop: insights.StopEnd},
		{name: "three pages", answers: []answer{page(true, "c1", "a"), page(true, "c2", "b"), page(false, "", "c")},
			cursors: []string{"", "c1", "c2"}, ids: "a b c", pages: 3, stop: insights.StopEnd},
		{name: "has_more missing", answers: []answer{page(true, "c1", "a"), text(`{"data":[{"id":"b"}],"last_id":"c2"}`)},
			cursors: []string{"", "c1"}, ids: "a", pages: 1, kind: insights.MalformedPage, after: "c1", hasMore: true},
		{name: "has_more null", answers: []answer{text(`{"data":[],"has_more":null}`)},
			cursors: []string{""}, kind: insights.MalformedPage},
		{name: "has_more a string", answers: []answer{text(`{"data":[],"has_more":"false"}`)},
			cursors: []string{""}, kind: insights.MalformedPage},
		{name: "has_more a number", answers: []answer{text(`{"data":[],"has_more":0}`)},
			cursors: []string{""}, kind: insights.MalformedPage},
		{name: "has_more given twice", answers: []answer{text(`{"data":[],"has_more":true,"has_more":false}`)},
			cursors: []string{""}, kind: insights.MalformedPage},
		{name: "data missing", answers: []answer{text(`{"has_more":false}`)},
			cursors: []string{""}, kind: insights.MalformedPage},
		{name: "data null", answers: []answer{text(`{"data":null,"has_more":false}`)},
			cursors: []string{""}, kind: insights.MalformedPage},
		{name: "data an object", answers: []answer{text(`{"data":{},"has_more":false}`)},
			cursors: []string{""}, kind: insights.MalformedPage},
		{name: "a row that is no object", answers: []answer{text(`{"data":[1],"has_more":true,"last_id":"c1"}`), text(`{"data":[1],"has_more":false}`)},
			cursors: []string{""}, kind: insights.MalformedPage},
		{name: "a row without id", answers: []answer{text(`{"data":[{"title":"x"}],"has_more":false}`)},
			cursors: []string{""}, kind: insights.MalformedPage},
		{name: "a row with an empty id", answers: []answer{text(`{"data":[{"id":""}],"has_more":false}`)},
			cursors: []string{""}, kind: insights.MalformedPage},
		{name: "a row with a number as id", answers: []answer{text(`{"data":[{"id":7}],"has_more":false}`)},
			cursors: []string{""}, kind: insights.MalformedPage},
		{name: "the bad row spoils its page only", answers: []answer{page(true, "c1", "a"), text(`{"data":[{"id":"b"},{"id":null}],"has_more":false}`)},
			cursors: []string{"", "c1"}, ids: "a", pages: 1, kind: insights.MalformedPage, after: "c1", hasMore: true},
		{name: "cursor absent", answers: []answer{page(true, "", "a", "b")},
			cursors: []string{""}, ids: "a b", pages: 1, kind: insights.MissingCursor, hasMore: true},
		{name: "cursor null on a later page", answers: []answer{page(true, "c1", "a"), text(`{"data":[{"id":"b"}],"last_id":null,"has_more":true}`)},
			cursors: []string{"", "c1"}, ids: "a b", pages: 2, kind: insights.MissingCursor, after: "c1", hasMore: true},
		{name: "cursor blank", answers: []answer{page(true, " \t", "a")},
			cursors: []string{""}, ids: "a", pages: 1, kind: insights.MissingCursor, hasMore: true},
		{name: "cursor a number", answers: []answer{text(`{"data":[{"id":"a"}],"last_id":5,"has_more":true}`)},
			cursors: []string{""}, ids: "a", pages: 1, kind: insights.MissingCursor, hasMore: true},
		{name: "cursor given twice", answers: []answer{text(`{"data":[{"id":"a"}],"last_id":"x","last_id":"y","has_more":true}`)},
			cursors: []string{""}, ids: "a", pages: 1, kind: insights.MissingCursor, hasMore: true},
		{name: "cursor that cannot be sent back", answers: []answer{text(`{"data":[{"id":"a"}],"last_id":"\ud800","has_more":true}`)},
			cursors: []string{""}, ids: "a", pages: 1, kind: insights.MissingCursor, hasMore: true},
		{name: "cursor repeated at once", answers: []answer{page(true, "c1", "a"), page(true, "c1", "b")},
			cursors: []string{"", "c1"}, ids: "a b", pages: 2, kind: insights.RepeatedCursor, after: "c1", hasMore: true},
		{name: "cursors in a circle", answers: []answer{page(true, "A", "1"), page(true, "B", "2"), page(true, "A", "3")},
			cursors: []string{"", "A", "B"}, ids: "1 2 3", pages: 3, kind: insights.RepeatedCursor, after: "B", hasMore: true},
		{name: "the caller's own cursor comes back", answers: []answer{page(true, "mine", "a")},
			query:   func(q *insights.Query) { q.After = "mine" },
			cursors: []string{"mine"}, ids: "a", pages: 1, kind: insights.RepeatedCursor, after: "mine", hasMore: true},
		{name: "empty page with a fresh cursor goes on", answers: []answer{page(true, "c1"), page(true, "c2"), page(false, "", "a")},
			cursors: []string{"", "c1", "c2"}, ids: "a", pages: 3, stop: insights.StopEnd},
		{name: "no progress over empty pages", answers: []answer{page(true, "c1", "a"), page(true, "c2"), page(true, "c3")},
			options: insights.Options{MaxIdlePages: 2},
			cursors: []string{"", "c1", "c2"}, ids: "a", pages: 3, kind: insights.NoProgress, after: "c3", hasMore: true},
		{name: "no progress over known insights", answers: []answer{page(true, "c1", "a"), page(true, "c2", "a"), page(true, "c3", "a")},
			options: insights.Options{MaxIdlePages: 2},
			cursors: []string{"", "c1", "c2"}, ids: "a", pages: 3, kind: insights.NoProgress, after: "c3", hasMore: true},
		{name: "a new insight is progress", answers: []answer{page(true, "c1", "a"), page(true, "c2", "a"), page(true, "c3", "a", "b"), page(true, "c4", "b"), page(false, "", "b")},
			options: insights.Options{MaxIdlePages: 2},
			cursors: []string{"", "c1", "c2", "c3", "c4"}, ids: "a b", pages: 5, stop: insights.StopEnd},
		{name: "the end is the end, even without progress", answers: []answer{page(true, "c1"), page(false, "c2")},
			options: insights.Options{MaxIdlePages: 2},
			cursors: []string{"", "c1"}, pages: 2, stop: insights.StopEnd},
		{name: "cursor of the last page does not matter", answers: []answer{page(true, "c1", "a"), page(false, "c1", "b")},
			cursors: []string{"", "c1"}, ids: "a b", pages: 2, stop: insights.StopEnd},
		{name: "cursor of the last page may be of any type", answers: []answer{text(`{"data":[],"first_id":1,"last_id":{},"has_more":false}`)},
			cursors: []string{""}, pages: 1, stop: insights.StopEnd},
		{name: "a page longer than its limit is kept", answers: []answer{page(false, "", "a", "b", "c")},
			query:   func(q *insights.Query) { q.Limit = 1 },
			cursors: []string{""}, ids: "a b c", pages: 1, stop: insights.StopEnd},
		{name: "each id once, the first one kept", answers: []answer{page(true, "c1", "a", "b", "a"), page(false, "", "b", "c")},
			cursors: []string{"", "c1"}, ids: "a b c", pages: 2, stop: insights.StopEnd},
		{name: "ids that are no Unicode are told apart as written", answers: []answer{text(`{"data":[{"id":"\ud800"},{"id":"\udfff"},{"id":"\ud800"}],"has_more":false}`)},
			cursors: []string{""}, ids: "\uFFFD \uFFFD", pages: 1, stop: insights.StopEnd},
		{name: "an id that is no Unicode counts once though its insight changes", answers: []answer{
			text(`{"data":[{"id":"\ud800","trace_count":1}],"last_id":"c1","has_more":true}`),
			text(`{"data":[{"id":"\ud800","trace_count":2}],"has_more":false}`)},
			cursors: []string{"", "c1"}, ids: "\uFFFD", pages: 2, stop: insights.StopEnd},
		{name: "page limit", answers: []answer{page(true, "c1", "a"), page(true, "c2", "b")},
			options: insights.Options{MaxPages: 2},
			cursors: []string{"", "c1"}, ids: "a b", pages: 2, kind: insights.PageLimit, after: "c2", hasMore: true},
		{name: "page limit not passed", answers: []answer{page(true, "c1", "a"), page(false, "c2", "b")},
			options: insights.Options{MaxPages: 2},
			cursors: []string{"", "c1"}, ids: "a b", pages: 2, stop: insights.StopEnd},
		{name: "a failed page is not asked for again", answers: []answer{page(true, "c1", "a"), flagged("boom"), page(false, "", "b")},
			cursors: []string{"", "c1"}, ids: "a", pages: 1, kind: insights.Backend, after: "c1", hasMore: true},
		{name: "the first page fails", answers: []answer{flagged("boom")},
			cursors: []string{""}, kind: insights.Backend},
		{name: "the session breaks", answers: []answer{page(true, "c1", "a"), failing(errors.New("broken pipe"))},
			cursors: []string{"", "c1"}, ids: "a", pages: 1, kind: insights.Backend, after: "c1", hasMore: true},
		{name: "duplicates allowed", answers: []answer{page(true, "c1", "a", "b"), page(false, "", "b", "c")},
			options: insights.Options{AllowDuplicates: true},
			cursors: []string{"", "c1"}, ids: "a b b c", pages: 2, stop: insights.StopEnd},
		{name: "duplicates allowed, empty pages still stop", answers: []answer{page(true, "c1"), page(true, "c2")},
			options: insights.Options{AllowDuplicates: true, MaxIdlePages: 2},
			cursors: []string{"", "c1"}, pages: 2, kind: insights.NoProgress, after: "c2", hasMore: true},
	})
}

func TestTotal(t *testing.T) {
	t.Parallel()
	runAll(t, []walkCase{
		{name: "reached with more to come", answers: []answer{page(true, "c1", "a", "b"), page(true, "c2", "c")}, total: 3,
			cursors: []string{"", "c1"}, ids: "a b c", pages: 2, stop: insights.StopTotal, after: "c2", hasMore: true},
		{name: "reached exactly at the end", answers: []answer{page(false, "c1", "a", "b")}, total: 2,
			cursors: []string{""}, ids: "a b", pages: 1, stop: insights.StopEnd},
		{name: "fewer exist", answers: []answer{page(false, "", "a")}, total: 2,
			cursors: []string{""}, ids: "a", pages: 1, stop: insights.StopEnd},
		{name: "the page is longer than asked for", answers: []answer{page(true, "c1", "a"), page(false, "", "b", "c", "d")}, total: 2,
			cursors: []string{"", "c1"}, ids: "a b", pages: 2, stop: insights.StopTotal, after: "c1", hasMore: true},
		{name: "the page is longer than asked for, and not the last", answers: []answer{page(true, "c1", "a"), page(true, "c2", "b", "c")}, total: 2,
			cursors: []string{"", "c1"}, ids: "a b", pages: 2, stop: insights.StopTotal, after: "c1", hasMore: true},
		{name: "what is cut off is known already", answers: []answer{page(true, "c1", "a", "b"), page(false, "", "c", "a", "b")}, total: 3,
			cursors: []string{"", "c1"}, ids: "a b c", pages: 2, stop: insights.StopEnd},
		{name: "the cursor is missing, but nobody needs it", answers: []answer{page(true, "", "a")}, total: 1,
			cursors: []string{""}, ids: "a", pages: 1, stop: insights.StopTotal, hasMore: true},
		{name: "the cursor repeats, but nobody needs it", answers: []answer{page(true, "c1", "a"), page(true, "c1", "b")}, total: 2,
			cursors: []string{"", "c1"}, ids: "a b", pages: 2, stop: insights.StopTotal, after: "c1", hasMore: true},
		{name: "duplicates do not count", answers: []answer{page(true, "c1", "a", "a"), page(true, "c2", "a", "b")}, total: 2,
			cursors: []string{"", "c1"}, ids: "a b", pages: 2, stop: insights.StopTotal, after: "c2", hasMore: true},
		{name: "failure before", answers: []answer{page(true, "c1", "a"), flagged("boom")}, total: 5,
			cursors: []string{"", "c1"}, ids: "a", pages: 1, kind: insights.Backend, after: "c1", hasMore: true},
	})
}

func TestTotalShrinksThePagesAndNothingElse(t *testing.T) {
	t.Parallel()
	s := &script{answers: []answer{page(true, "c1", manyIDs(0, 100)...), page(true, "c2", manyIDs(90, 200)...), page(true, "c3", manyIDs(200, 250)...)}}
	got, err := s.client(t, nil).Collect(t.Context(), query, insights.Total(250))
	require.NoError(t, err)
	require.Len(t, got.Insights, 250)
	base := func(limit int64, after string) map[string]any {
		m := map[string]any{"projectEndpoint": query.ProjectEndpoint, "agentName": query.AgentName,
			"includeDetails": true, "order": "desc", "limit": limit}
		if after != "" {
			m["after"] = after
		}
		return m
	}
	require.Equal(t, []map[string]any{base(100, ""), base(100, "c1"), base(50, "c2")}, s.calls)

	s = &script{answers: []answer{page(true, "c1", manyIDs(0, 10)...), page(true, "c2", manyIDs(10, 15)...)}}
	q := query
	q.Limit = 10
	_, err = s.client(t, nil).Collect(t.Context(), q, insights.Total(15))
	require.NoError(t, err)
	require.Equal(t, []map[string]any{base(10, ""), base(5, "c1")}, s.calls)
}

func TestTotalBelowOneIsRefused(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, -1} {
		s := &script{}
		got, err := s.client(t, nil).Collect(t.Context(), query, insights.Total(n))
		require.ErrorIs(t, err, insights.InvalidArgument)
		require.ErrorContains(t, err, fmt.Sprintf("the total must be at least 1, not %d", n))
		require.Empty(t, s.calls)
		require.False(t, got.Complete)
		require.Equal(t, insights.StopReason("invalid_argument"), got.StopReason)
	}
}

func TestCollectRefusesQueryAndTotalWithEveryFailureAtOnce(t *testing.T) {
	t.Parallel()
	s := &script{}
	_, err := s.client(t, nil).Collect(t.Context(), insights.Query{AgentName: "a", Status: "open"}, insights.Total(0))
	require.ErrorIs(t, err, insights.InvalidArgument)
	require.EqualError(t, err, "agent_insights_get: invalid arguments, nothing was sent: projectEndpoint: is required; "+
		`status: must be active, resolved or ignored, not "open"; arguments: the total must be at least 1, not 0`)
	require.Empty(t, s.calls)
}

func TestOptionsOfACollectionMayBeNil(t *testing.T) {
	t.Parallel()
	s := &script{answers: []answer{page(true, "c1", "a"), page(true, "c2", "b")}}
	got, err := s.client(t, nil).Collect(t.Context(), query, nil, insights.Total(2), insights.Progress(nil), nil)
	require.NoError(t, err)
	require.Equal(t, "a b", ids(got.Insights))
}

func manyIDs(from, to int) []string {
	list := make([]string, 0, to-from)
	for i := from; i < to; i++ {
		list = append(list, fmt.Sprintf("insight_%04d", i))
	}
	return list
}

func TestEveryPageIsAskedForWithTheSameParameters(t *testing.T) {
	t.Parallel()
	filtered := insights.Query{
		ProjectEndpoint: "https://acct.services.ai.azure.com/api/projects/p1", AgentName: "support-agent",
		Category: "latency, cost", Severity: "future-severity", Status: insights.StatusIgnored,
		IncludeDetails: new(false), Order: insights.OldestFirst, Limit: 7,
	}
	tests := []struct {
		name  string
		query insights.Query
		want  map[string]any
	}{
		{"all filters", filtered, map[string]any{
			"projectEndpoint": "https://acct.services.ai.azure.com/api/projects/p1", "agentName": "support-agent",
			"category": "latency, cost", "severity": "future-severity", "status": "ignored",
			"includeDetails": false, "order": "asc", "limit": int64(7)}},
		{"a walk's defaults", query, map[string]any{
			"projectEndpoint": "https://acct.services.ai.azure.com/api/projects/p1", "agentName": "support-agent",
			"includeDetails": true, "order": "desc", "limit": int64(100)}},
	}
	routes := map[string]insights.Route{
		"direct": insights.Direct(insights.ToolName), "router": insights.Router("foundry"), "single": insights.SingleProxy("azure"),
	}
	for _, test := range tests {
		for name, route := range routes {
			t.Run(test.name+"/"+name, func(t *testing.T) {
				t.Parallel()
				s := &script{answers: []answer{page(true, "c1", "a"), page(true, "c2", "b"), page(false, "", "c")}}
				_, err := s.client(t, &insights.Options{Route: route}).Collect(t.Context(), test.query)
				require.NoError(t, err)
				require.Len(t, s.calls, 3)
				for n, after := range []string{"", "c1", "c2"} {
					want := map[string]any{}
					for name, value := range test.want {
						want[name] = value
					}
					if after != "" {
						want["after"] = after
					}
					require.Equal(t, wrapped(name, want), s.calls[n])
				}
			})
		}
	}
}

func wrapped(mode string, parameters map[string]any) map[string]any {
	const intent = "Read the insights that were generated for an agent"
	switch mode {
	case "router":
		return map[string]any{"intent": intent, "command": "agent_insights_get", "parameters": parameters}
	case "single":
		return map[string]any{"intent": intent, "tool": "foundry", "command": "agent_insights_get", "parameters": parameters}
	}
	return parameters
}

func TestCallerThatChangesItsArgumentsDoesNotSpoilTheNextPage(t *testing.T) {
	t.Parallel()
	var limits []any
	n := 0
	client, err := insights.New(insights.CallerFunc(func(_ context.Context, _ string, arguments map[string]any) (insights.ToolResult, error) {
		limits = append(limits, arguments["limit"])
		clear(arguments)
		n++
		return page(n < 3, fmt.Sprint("c", n), fmt.Sprint("i", n)).result, nil
	}), nil)
	require.NoError(t, err)
	_, err = client.Collect(t.Context(), query)
	require.NoError(t, err)
	require.Equal(t, []any{int64(100), int64(100), int64(100)}, limits)
}

func TestPageSendsOnlyWhatIsSet(t *testing.T) {
	t.Parallel()
	s := &script{answers: []answer{page(true, "", "a")}}
	got, err := s.client(t, nil).Page(t.Context(), query)
	require.NoError(t, err)
	require.True(t, got.HasMore)
	require.Equal(t, []map[string]any{{"projectEndpoint": query.ProjectEndpoint, "agentName": query.AgentName}}, s.calls)
}

func TestPagesAreYieldedUnchangedAndTheErrorOnceAndLast(t *testing.T) {
	t.Parallel()
	s := &script{answers: []answer{page(true, "c1", "a", "a"), page(true, "c2"), flagged("boom")}}
	var raw []string
	var failures []error
	for p, err := range s.client(t, nil).Pages(t.Context(), query) {
		if err != nil {
			failures = append(failures, err)
			require.Zero(t, p)
			continue
		}
		require.Empty(t, failures)
		raw = append(raw, string(p.Raw))
	}
	require.Equal(t, []string{pageOf(true, "c1", "a", "a"), pageOf(true, "c2")}, raw)
	require.Len(t, failures, 1)
	require.EqualError(t, failures[0], "incomplete after 2 pages and 1 insight: agent_insights_get: the insights service or the way to it failed: boom")
}

func TestAllYieldsWhatWasReadBeforeTheError(t *testing.T) {
	t.Parallel()
	s := &script{answers: []answer{page(true, "c1", "a", "b"), page(true, "", "b", "c")}}
	var got []string
	var failure error
	for insight, err := range s.client(t, nil).All(t.Context(), query) {
		if err != nil {
			require.NoError(t, failure)
			failure = err
			continue
		}
		got = append(got, insight.ID)
	}
	require.Equal(t, []string{"a", "b", "c"}, got)
	require.ErrorIs(t, failure, insights.MissingCursor)
}

func TestLoopThatIsLeftAsksForNothingMore(t *testing.T) {
	t.Parallel()
	s := &script{answers: []answer{page(true, "c1", "a", "b"), page(true, "c2", "c")}}
	client := s.client(t, nil)
	for range client.All(t.Context(), query) {
		break
	}
	for range client.Pages(t.Context(), query) {
		break
	}
	require.Equal(t, []string{"", ""}, s.cursors())
	s = &script{answers: []answer{page(true, "c1", "a")}}
	walk := s.client(t, nil).All(t.Context(), query)
	for range 2 { // a walk can be taken again, from its beginning
		for insight, err := range walk {
			require.NoError(t, err)
			require.Equal(t, "a", insight.ID)
			break
		}
	}
}

func TestRefusedQueryAsksForNothing(t *testing.T) {
	t.Parallel()
	s := &script{}
	client := s.client(t, nil)
	bad := query
	bad.Status = "open"
	check := func(err error) {
		var input *opsroom.InputError
		require.ErrorAs(t, err, &input)
		require.ErrorIs(t, err, insights.InvalidArgument)
		var incomplete *insights.Incomplete
		require.False(t, errors.As(err, &incomplete))
		require.EqualError(t, err, `agent_insights_get: invalid arguments, nothing was sent: status: must be active, resolved or ignored, not "open"`)
	}
	_, err := client.Page(t.Context(), bad)
	check(err)
	_, err = client.Collect(t.Context(), bad)
	check(err)
	n := 0
	for _, err := range client.Pages(t.Context(), bad) {
		check(err)
		n++
	}
	for _, err := range client.All(t.Context(), bad) {
		check(err)
		n++
	}
	require.Equal(t, 2, n)
	require.Empty(t, s.calls)
}

func TestContextEndsTheWalkBetweenPagesAndWithinACall(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	s := &script{answers: []answer{page(true, "c1", "a"), page(true, "c2", "b")}}
	s.before = func(n int) {
		if n == 2 {
			cancel()
		}
	}
	got, err := s.client(t, nil).Collect(ctx, query)
	require.ErrorIs(t, err, insights.Interrupted)
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, "a b", ids(got.Insights))
	require.Equal(t, "c2", got.After)
	require.Equal(t, insights.StopReason("interrupted"), got.StopReason)

	ctx, cancel = context.WithCancel(t.Context())
	s = &script{answers: []answer{failing(errors.New("the call was given up"))}, before: func(int) { cancel() }}
	_, err = s.client(t, nil).Page(ctx, query)
	require.ErrorIs(t, err, insights.Interrupted)
	require.ErrorIs(t, err, context.Canceled)

	s = &script{}
	_, err = s.client(t, nil).Page(ctx, query)
	require.ErrorIs(t, err, insights.Interrupted)
	require.Empty(t, s.calls)
}

func TestPagesBeyondAllBoundsAreRefusedWithTheReason(t *testing.T) {
	t.Parallel()
	row := func(n int) string { return `{"id":"a"` + strings.Repeat(`,"":0`, n) + `}` }
	list := func(n int) string { return strings.Repeat(row(0)+",", n) + row(0) }
	for want, data := range map[string]string{
		"data: more than 65536 items in one container":    list(1 << 16),
		"data[1]: more than 65536 items in one container": row(0) + "," + row(1<<16),
	} {
		s := &script{answers: []answer{text(`{"data":[` + data + `],"has_more":false}`)}}
		_, err := s.client(t, nil).Page(t.Context(), query)
		require.EqualError(t, err, "agent_insights_get: the answer is not a well-formed page: "+want)
	}
}

func TestCauseOfTheContextIsFound(t *testing.T) {
	t.Parallel()
	cause := errors.New("the user has left")
	ctx, cancel := context.WithCancelCause(t.Context())
	s := &script{answers: []answer{failing(errors.New("gone"))}, before: func(int) { cancel(cause) }}
	_, err := s.client(t, nil).Collect(ctx, query)
	require.ErrorIs(t, err, insights.Interrupted)
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorIs(t, err, cause)
	require.EqualError(t, err, "agent_insights_get: the call was ended before all was read: context canceled")
}

func TestIncompleteTellsWhereToGoOn(t *testing.T) {
	t.Parallel()
	s := &script{answers: []answer{page(true, "c1", "a"), flagged("boom"), page(true, "c2", "b"), page(false, "", "c")}}
	client := s.client(t, nil)
	first, err := client.Collect(t.Context(), query)
	require.ErrorIs(t, err, insights.Backend)
	q := first.Query
	q.After = first.After
	second, err := client.Collect(t.Context(), q)
	require.NoError(t, err)
	require.Equal(t, "a b c", ids(append(first.Insights, second.Insights...)))
	require.Equal(t, []string{"", "c1", "c1", "c2"}, s.cursors())
}

func TestProgressIsReportedAfterEachPage(t *testing.T) {
	t.Parallel()
	s := &script{answers: []answer{page(true, "c1", "a", "b"), page(false, "", "b", "c")}}
	var reports [][2]int
	_, err := s.client(t, nil).Collect(t.Context(), query, insights.Progress(func(pages, count int) {
		reports = append(reports, [2]int{pages, count})
	}))
	require.NoError(t, err)
	require.Equal(t, [][2]int{{1, 2}, {2, 3}}, reports)
}

func TestCollectionKeepsTheQueryWithItsDefaults(t *testing.T) {
	t.Parallel()
	s := &script{answers: []answer{page(false, "")}}
	got, err := s.client(t, nil).Collect(t.Context(), query)
	require.NoError(t, err)
	want := query
	want.IncludeDetails, want.Order, want.Limit = new(true), insights.NewestFirst, 100
	require.Equal(t, want, got.Query)
	require.Empty(t, query.Order, "the caller's query is not touched")
}

func TestClientIsSafeForConcurrentUse(t *testing.T) {
	t.Parallel()
	backend := insightstest.NewSample(insightstest.Router)
	client, err := insights.New(backend, &insights.Options{Route: backend.Route()})
	require.NoError(t, err)
	var walks sync.WaitGroup
	for range 4 {
		walks.Go(func() {
			found, err := client.Collect(t.Context(), insights.Query{
				ProjectEndpoint: insightstest.SampleEndpoint, AgentName: insightstest.SampleAgent,
				Status: insights.StatusActive, IncludeDetails: new(false),
			})
			assert.NoError(t, err)
			assert.Len(t, found.Insights, 138)
		})
	}
	walks.Wait()
	require.Len(t, backend.Calls(), 8)
}
