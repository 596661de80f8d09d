package insights

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

var pageSeeds = []string{
	`{"data":[],"has_more":false}`, `{"data":[{"id":"a"}],"first_id":"a","last_id":"a","has_more":true}`,
	`{"data":[{"id":"a","id":"b"}],"has_more":false}`, `{"data":[{"id":"\ud800"}],"last_id":"\ud83d\ude00","has_more":true}`,
	`{"data":[{"id":"a","trace_count":1e2,"created_at":"2026-08-01T10:00:00.1234567Z","details":null}],"has_more":false}`,
	`{"data":[{"id":"a","trace_count":1.5,"created_at":"2026-08-01T10:00:00","details":"x"}],"has_more":false}`,
	`{"data":[{"id":"a","details":{"highlighted_traces":[{"trace_id":"t","duration_ms":1.5,"total_tokens":-0}],"linked_traces":{},` +
		`"recommended_actions":{"proposed_fix":{"kind":"prompt_change","changes":[{"old_value":null,"new_value":[1]},1]}}}}],"has_more":false}`,
	`{"data":{},"has_more":false}`, `{"data":[1],"has_more":true}`, `{"data":[]}`, `{"has_more":true}`, `[]`, `null`, ``, `{`,
	"\ufeff" + `{"data":[],"has_more":false}`, `{"data":[],"has_more":"false"}`, `{"data":[{"id":" "}],"has_more":false}`,
	`{"status":200,"results":{"data":[],"has_more":false}}`, `{"status":200,"results":{"data":{"data":[],"has_more":false}}}`,
	`{"error":{"message":"No monitor","code":"x"},"status":404}`, `There was an error finding or calling tool and command.` + "\nError: x\n\nRun again",
	`Here are the available commands and their input schema`, `Missing Required options: --x`,
}

// FuzzPage: whatever is read as a page keeps its bytes, has what a walk depends
// on, and is read the same way again.
func FuzzPage(f *testing.F) {
	for _, seed := range pageSeeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		given := bytes.Clone(raw)
		page, err := parsePage(raw)
		require.Equal(t, given, raw, "the input was changed")
		if err != nil {
			require.Zero(t, page)
			require.Less(t, len(err.Error()), 120, "an error repeats its input")
			return
		}
		require.Equal(t, raw, []byte(page.Raw))
		var loose struct {
			Data    []map[string]any `json:"data"`
			HasMore *bool            `json:"has_more"`
		}
		// encoding/json reads names in any case, so it may see more, but not less.
		if json.Unmarshal(raw, &loose) == nil && !bytes.Contains(bytes.ToUpper(raw), []byte("\\U")) {
			require.NotNil(t, loose.HasMore)
		}
		for _, insight := range page.Insights {
			require.False(t, isBlank(insight.ID))
			require.True(t, json.Valid(insight.Raw))
			require.True(t, bytes.Contains(raw, insight.Raw))
			var again Insight
			require.NoError(t, json.Unmarshal(insight.Raw, &again))
			require.Equal(t, insight, again)
		}
		var again Page
		require.NoError(t, again.UnmarshalJSON(raw))
		require.Equal(t, page, again)
		if _, err := json.Marshal(page); err != nil {
			require.Contains(t, err.Error(), "exceeded max depth")
		}
	})
}

// FuzzResult: any result is a page or a failure of a known kind, whose text is
// short, clean, and free of what looks like a credential.
func FuzzResult(f *testing.F) {
	for _, seed := range pageSeeds {
		f.Add([]byte(seed), seed, "", false)
		f.Add([]byte(nil), "One page follows.", seed, false)
		f.Add([]byte(seed), seed, seed, true)
	}
	f.Add([]byte(nil), "HTTP 401: Bearer abcdef", "status code: 403", true)
	f.Fuzz(func(t *testing.T, structured []byte, first, second string, isError bool) {
		result := ToolResult{Structured: structured, Text: []string{first, second}, IsError: isError}
		client, err := New(CallerFunc(func(context.Context, string, map[string]any) (ToolResult, error) { return result, nil }), nil)
		require.NoError(t, err)
		page, err := client.Page(t.Context(), testQuery)
		if err == nil {
			require.False(t, isError)
			_, err := parsePage(page.Raw)
			require.NoError(t, err)
			require.True(t, bytes.Contains(structured, page.Raw) || strings.Contains(first, string(page.Raw)) || strings.Contains(second, string(page.Raw)))
			return
		}
		require.Zero(t, page)
		failure := new(Error)
		require.ErrorAs(t, err, &failure)
		require.Contains(t, []Kind{NoMonitor, ToolUnavailable, InvalidArgument, Unauthorized, Backend, MalformedPage}, failure.Kind)
		whole, ok := failure.Result()
		require.True(t, ok)
		require.Equal(t, result, whole)
		requireClean(t, err.Error())
	})
}

func requireClean(t *testing.T, text string) {
	t.Helper()
	require.True(t, utf8.ValidString(text))
	require.LessOrEqual(t, utf8.RuneCountInString(text), longestMessage+160)
	require.NotContains(t, text, "\n")
	require.False(t, suspicious(text), "%q", text)
}

// A liar is a server that answers at random: it repeats, skips, lies and fails.
type liar struct {
	random *rand.Rand
	calls  int
	sent   map[string]int // how often each cursor was sent
	sound  bool           // whether every answer was a sound page
	ended  bool           // whether the last answer was a sound last page
}

func (l *liar) CallTool(_ context.Context, _ string, arguments map[string]any) (ToolResult, error) {
	l.calls++
	if after, ok := arguments["after"].(string); ok {
		l.sent[after]++
	}
	l.ended = false
	switch l.random.IntN(100) {
	case 0:
		l.sound = false
		return ToolResult{Text: []string{"boom"}, IsError: true}, nil
	case 1:
		l.sound = false
		return ToolResult{}, errors.New("broken")
	case 2:
		l.sound = false
		seed := pageSeeds[l.random.IntN(len(pageSeeds))]
		return ToolResult{Text: []string{seed[:l.random.IntN(max(1, len(seed)))]}, IsError: l.random.IntN(2) == 0}, nil
	}
	rows := make([]string, l.random.IntN(4))
	for i := range rows {
		rows[i] = fmt.Sprintf(`{"id":"%d"}`, l.random.IntN(60))
	}
	cursor := fmt.Sprintf(`"fresh%d"`, l.calls)
	switch l.random.IntN(60) {
	case 0:
		cursor = []string{`null`, `""`, `7`}[l.random.IntN(3)]
	case 1, 2, 3, 4, 5, 6, 7, 8:
		cursor = fmt.Sprintf(`"c%d"`, l.random.IntN(20))
	}
	l.ended = l.random.IntN(20) == 0
	return ToolResult{Text: []string{fmt.Sprintf(`{"data":[%s],"last_id":%s,"has_more":%t}`, strings.Join(rows, ","), cursor, !l.ended)}}, nil
}

// checkLiar walks over a liar's pages and checks all that must always hold.
func checkLiar(t *testing.T, seed uint64) {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 1))
	l := &liar{random: random, sent: map[string]int{}, sound: true}
	options := &Options{MaxPages: 1 + random.IntN(30), MaxIdlePages: random.IntN(6), AllowDuplicates: random.IntN(4) == 0}
	client, err := New(l, options)
	require.NoError(t, err)
	q := testQuery
	if random.IntN(3) == 0 {
		q.After = fmt.Sprintf("c%d", random.IntN(40))
	}
	var collect []CollectOption
	total := 0
	if random.IntN(3) == 0 {
		total = 1 + random.IntN(30)
		collect = append(collect, Total(total))
	}
	found, err := client.Collect(t.Context(), q, collect...)

	require.LessOrEqual(t, l.calls, options.MaxPages, "the page limit was passed")
	for cursor, times := range l.sent {
		require.Equal(t, 1, times, "cursor %q was sent again", cursor)
	}
	if !options.AllowDuplicates {
		unique := map[string]bool{}
		for _, insight := range found.Insights {
			require.False(t, unique[insight.ID], "an insight came twice")
			unique[insight.ID] = true
		}
	}
	if total > 0 {
		require.LessOrEqual(t, len(found.Insights), total)
	}
	require.Equal(t, err == nil && found.StopReason == StopEnd, found.Complete)
	switch {
	case found.Complete:
		require.True(t, l.sound && l.ended, "called complete without a last page")
		require.False(t, found.HasMore)
		require.Empty(t, found.After)
	case err == nil:
		require.Equal(t, StopTotal, found.StopReason)
		require.Len(t, found.Insights, total)
		require.True(t, found.HasMore)
	default:
		incomplete, ok := errors.AsType[*Incomplete](err)
		require.True(t, ok)
		require.NotEmpty(t, incomplete.Reason)
		require.Equal(t, StopReason(incomplete.Reason), found.StopReason)
		require.Equal(t, len(found.Insights), incomplete.Count)
		require.Equal(t, found.Pages, incomplete.Pages)
		require.Equal(t, found.After, incomplete.After)
		require.False(t, l.ended, "a last page was called incomplete")
	}
}

func TestAnySequenceOfPagesEndsWithinTheLimitAndTellsTheTruth(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3000) {
		checkLiar(t, seed)
	}
}

func FuzzWalk(f *testing.F) {
	f.Add(uint64(1))
	f.Add(uint64(1 << 60))
	f.Fuzz(checkLiar)
}
