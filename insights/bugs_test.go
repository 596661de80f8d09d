package insights_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom/insights"
)

// Each test here is named after the symptom of a bug that was reported in
// public against a pager of another library.

// microsoft/semantic-kernel#12943
func TestBug01CursorAndFiltersAreNotForwardedSoThePageComesBackForEver(t *testing.T) {
	t.Parallel()
	q := query
	q.Status, q.Limit, q.Order = insights.StatusActive, 2, insights.OldestFirst
	s := &script{answers: []answer{page(true, "c1", "a", "b"), page(false, "", "c")}}
	_, err := s.client(t, nil).Collect(t.Context(), q)
	require.NoError(t, err)
	require.Equal(t, "c1", s.calls[1]["after"])
	delete(s.calls[1], "after")
	require.Equal(t, s.calls[0], s.calls[1])

	// A server that loses the cursor sends the first page again.
	walkCase{answers: []answer{page(true, "c1", "a", "b")},
		cursors: []string{"", "c1"}, ids: "a b", pages: 2, kind: insights.RepeatedCursor, after: "c1", hasMore: true}.run(t)
}

// openai/openai-go#890
func TestBug02EmptyMiddlePageEndsTheWalkSilently(t *testing.T) {
	t.Parallel()
	walkCase{answers: []answer{page(true, "c1", "a"), page(true, "c2"), page(false, "", "b")},
		cursors: []string{"", "c1", "c2"}, ids: "a b", pages: 3, stop: insights.StopEnd}.run(t)
}

// openai/openai-python PR 3915, openai/openai-node PR 2561
func TestBug03NextPageIsLostThoughTheCursorIsUsable(t *testing.T) {
	t.Parallel()
	walkCase{answers: []answer{page(true, "c1"), page(false, "", "a", "b")},
		cursors: []string{"", "c1"}, ids: "a b", pages: 2, stop: insights.StopEnd}.run(t)
}

// openai/openai-node PR 940
func TestBug04HasMoreIsIgnoredSoTheWalkNeverEnds(t *testing.T) {
	t.Parallel()
	walkCase{answers: []answer{page(false, "c1", "a"), page(false, "c2", "b")},
		cursors: []string{""}, ids: "a", pages: 1, stop: insights.StopEnd}.run(t)
}

// BerriAI/litellm#37150
func TestBug05FifteenPagesOfTheSameRowsUnderHasMore(t *testing.T) {
	t.Parallel()
	var answers []answer
	for n := range 15 { // the same nine rows, one new one each, cursors in a circle of eight
		answers = append(answers, page(true, fmt.Sprint("c", n%8), "1", "2", "3", "4", "5", "6", "7", "8", "9", fmt.Sprint("new", n)))
	}
	s := &script{answers: answers}
	got, err := s.client(t, nil).Collect(t.Context(), query)
	require.ErrorIs(t, err, insights.RepeatedCursor)
	require.Len(t, s.calls, 9)
	require.Len(t, got.Insights, 18)
	require.False(t, got.Complete)
}

// BerriAI/litellm PR 38738
func TestBug06EmptyPageWithoutCursorCutsTheListSilently(t *testing.T) {
	t.Parallel()
	walkCase{answers: []answer{page(true, "c1", "a"), page(true, "")},
		cursors: []string{"", "c1"}, ids: "a", pages: 2, kind: insights.MissingCursor, after: "c1", hasMore: true}.run(t)
}

// databricks/unity-gateway#680
func TestBug07CursorIsNullOnEveryPage(t *testing.T) {
	t.Parallel()
	walkCase{answers: []answer{text(`{"data":[{"id":"a"}],"first_id":null,"last_id":null,"has_more":true}`)},
		cursors: []string{""}, ids: "a", pages: 1, kind: insights.MissingCursor, hasMore: true}.run(t)
}

// anthropics/anthropic-sdk-csharp PR 182
func TestBug08CursorIsNeverNullAndEqualsFirstID(t *testing.T) {
	t.Parallel()
	walkCase{answers: []answer{
		text(`{"data":[{"id":"a"}],"first_id":"a","last_id":"a","has_more":true}`),
		text(`{"data":[{"id":"b"}],"first_id":"b","last_id":"b","has_more":false}`),
	}, cursors: []string{"", "a"}, ids: "a b", pages: 2, stop: insights.StopEnd}.run(t)
}

// Azure/azure-sdk-for-java#47417
func TestBug09CursorIsNotCopiedSoThereIsOnePage(t *testing.T) {
	t.Parallel()
	s := &script{answers: []answer{page(true, "c1", "a"), page(false, "c2", "b")}}
	client := s.client(t, nil)
	p, err := client.Page(t.Context(), query)
	require.NoError(t, err)
	require.Equal(t, "c1", p.LastID)
	q := query
	q.After = p.LastID
	p, err = client.Page(t.Context(), q)
	require.NoError(t, err)
	require.Equal(t, "b", ids(p.Insights))
	require.Equal(t, []string{"", "c1"}, s.cursors())
}

// Azure/azure-sdk-for-js PR 39553
func TestBug10WalkStopsAfterPageOne(t *testing.T) {
	t.Parallel()
	s := &script{answers: []answer{page(true, "c1", "a"), page(false, "", "b")}}
	n := 0
	for _, err := range s.client(t, nil).Pages(t.Context(), query) {
		require.NoError(t, err)
		n++
	}
	require.Equal(t, 2, n)
}

// openai/openai-python#938
func TestBug11CursorIsRefusedInTheMiddle(t *testing.T) {
	t.Parallel()
	walkCase{answers: []answer{page(true, "c1", "a"), flagged("Given after argument was not found in items")},
		cursors: []string{"", "c1"}, ids: "a", pages: 1, kind: insights.InvalidArgument, after: "c1", hasMore: true}.run(t)
}

// openai/openai-python#1045 and #1863, Azure/azure-sdk-for-net#50378
func TestBug12LimitIsTakenForTheTotal(t *testing.T) {
	t.Parallel()
	walkCase{answers: []answer{page(true, "c1", "a"), page(true, "c2", "b"), page(false, "", "c")},
		query:   func(q *insights.Query) { q.Limit = 1 },
		cursors: []string{"", "c1", "c2"}, ids: "a b c", pages: 3, stop: insights.StopEnd}.run(t)
}

// Azure/azure-sdk-for-python#30337
func TestBug13LastPageReturnsTheCursorItWasGiven(t *testing.T) {
	t.Parallel()
	walkCase{answers: []answer{page(true, "c1", "a"), page(false, "c1", "b")},
		cursors: []string{"", "c1"}, ids: "a b", pages: 2, stop: insights.StopEnd}.run(t)
}

// openai/openai-node#977
func TestBug14IterationDoesNotIterate(t *testing.T) {
	t.Parallel()
	s := &script{answers: []answer{page(true, "c1", "a"), page(true, "c2", "b"), page(false, "", "c")}}
	var got []insights.Insight
	for insight, err := range s.client(t, nil).All(t.Context(), query) {
		require.NoError(t, err)
		got = append(got, insight)
	}
	require.Equal(t, "a b c", ids(got))
}

// Azure/azure-sdk-for-net PR 58613
func TestBug15EveryRequestHasTheDefaultCursor(t *testing.T) {
	t.Parallel()
	s := &script{answers: []answer{page(true, "c1", "a"), page(true, "c2", "b"), page(false, "", "c")}}
	q := query
	q.After = "mine"
	_, err := s.client(t, nil).Collect(t.Context(), q)
	require.NoError(t, err)
	require.Equal(t, []string{"mine", "c1", "c2"}, s.cursors())
}

// modelcontextprotocol/csharp-sdk#1072, java-sdk#575 and #628: what is an empty
// cursor? Here it is none, and a walk that needs one says so.
func TestBug16EmptyCursorIsTakenForTheEndOrForTheBeginning(t *testing.T) {
	t.Parallel()
	walkCase{answers: []answer{text(`{"data":[{"id":"a"}],"last_id":"","has_more":true}`)},
		cursors: []string{""}, ids: "a", pages: 1, kind: insights.MissingCursor, hasMore: true}.run(t)
	walkCase{answers: []answer{text(`{"data":[{"id":"a"}],"last_id":"","has_more":false}`)},
		cursors: []string{""}, ids: "a", pages: 1, stop: insights.StopEnd}.run(t)
}

// Divkix/Logwell#62
func TestBug17ExactMultipleOfTheLimitEndsWithAnEmptyPage(t *testing.T) {
	t.Parallel()
	walkCase{answers: []answer{page(true, "c1", "a", "b"), page(true, "c2", "c", "d"), page(false, "")},
		query:   func(q *insights.Query) { q.Limit = 2 },
		cursors: []string{"", "c1", "c2"}, ids: "a b c d", pages: 3, stop: insights.StopEnd}.run(t)
}

// elastic/integrations PR 21062
func TestBug18NullFirstIDPoisonsTheCursor(t *testing.T) {
	t.Parallel()
	walkCase{answers: []answer{
		text(`{"data":[],"first_id":null,"last_id":"c1","has_more":true}`),
		text(`{"data":[{"id":"a"}],"first_id":{"odd":1},"has_more":false}`),
	}, cursors: []string{"", "c1"}, ids: "a", pages: 2, stop: insights.StopEnd}.run(t)
}

// NousResearch/hermes-agent PR 98211, TestSprite/testsprite-cli PR 48: the
// cures for a walk without guards, all at once.
func TestBug19WalkWithoutGuardNeedsCursorMemoryPageCapAndDistinctIDs(t *testing.T) {
	t.Parallel()
	runAll(t, []walkCase{
		{name: "cursor memory", answers: []answer{page(true, "c1", "a"), page(true, "c2", "b"), page(true, "c1", "c")},
			cursors: []string{"", "c1", "c2"}, ids: "a b c", pages: 3, kind: insights.RepeatedCursor, after: "c2", hasMore: true},
		{name: "page cap", answers: []answer{page(true, "c1", "a"), page(true, "c2", "b"), page(true, "c3", "c")}, options: insights.Options{MaxPages: 3},
			cursors: []string{"", "c1", "c2"}, ids: "a b c", pages: 3, kind: insights.PageLimit, after: "c3", hasMore: true},
		{name: "distinct ids", answers: []answer{page(true, "c1", "a", "b"), page(false, "", "b", "a")},
			cursors: []string{"", "c1"}, ids: "a b", pages: 2, stop: insights.StopEnd},
		{name: "empty pages kept", answers: []answer{page(true, "c1", "a"), page(true, "c2"), page(false, "", "b")},
			cursors: []string{"", "c1", "c2"}, ids: "a b", pages: 3, stop: insights.StopEnd},
	})
}
