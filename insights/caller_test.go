package insights_test

import (
	"context"
	"fmt"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom/insights"
)

type pointerError struct{ text string }

func (e *pointerError) Error() string { return e.text }

func TestErrorsThatCannotBeReadArePlainFailures(t *testing.T) {
	t.Parallel()
	for name, err := range map[string]error{
		"nil pointer to an error of the host": (*pointerError)(nil),
		"nil pointer to a URL error":          (*url.Error)(nil),
		"URL error without a cause":           new(url.Error),
		"nil RPCError":                        (*insights.RPCError)(nil),
		"nil RPCError, wrapped":               fmt.Errorf("calling: %w", (*insights.RPCError)(nil)),
		"nil Error":                           (*insights.Error)(nil),
		"nil Error, wrapped":                  fmt.Errorf("calling: %w", (*insights.Error)(nil)),
		"nil Incomplete":                      (*insights.Incomplete)(nil),
		"nil Incomplete, wrapped":             fmt.Errorf("calling: %w", (*insights.Incomplete)(nil)),
		"empty RPCError":                      new(insights.RPCError),
		"empty Error":                         new(insights.Error),
		"empty Incomplete":                    new(insights.Incomplete),
		"empty Kind":                          insights.Kind(""),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &script{answers: []answer{page(true, "c1", "a"), failing(err)}}
			got, err := s.client(t, nil).Collect(t.Context(), query)
			require.ErrorIs(t, err, insights.Backend)
			require.NotEmpty(t, err.Error())
			require.Equal(t, "a", ids(got.Insights))

			ctx, cancel := context.WithCancel(t.Context())
			s = &script{answers: []answer{failing(err)}, before: func(int) { cancel() }}
			_, err = s.client(t, nil).Page(ctx, query)
			require.ErrorIs(t, err, insights.Interrupted)
		})
	}
	s := &script{answers: []answer{failing((*pointerError)(nil))}}
	_, err := s.client(t, nil).Page(t.Context(), query)
	require.EqualError(t, err, "agent_insights_get: the insights service or the way to it failed: "+
		"the Caller returned a nil *insights_test.pointerError as its error")
}

func TestFailuresOfATestDoubleAreReadable(t *testing.T) {
	t.Parallel()
	incomplete := &insights.Incomplete{Reason: insights.NoMonitor, Pages: 1}
	require.ErrorContains(t, incomplete, "the agent has no monitor")
	require.ErrorIs(t, incomplete, insights.NoMonitor)
	require.Equal(t, insights.NoMonitor, insights.KindOf(fmt.Errorf("wrapped: %w", incomplete)))
	require.NotErrorIs(t, incomplete, insights.Backend)

	require.NotErrorIs(t, new(insights.Error), insights.Kind(""))
	require.NotErrorIs(t, new(insights.Incomplete), insights.Kind(""))
	require.Equal(t, "agent_insights_get: failed", new(insights.Error).Error())
}

// totalAlloc returns how many bytes f allocates, garbage included.
func totalAlloc(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// Not parallel: other tests would show in the count.
func TestWorkGrowsWithTheAnswerAndNotWithItsSquare(t *testing.T) {
	const blocks, mib = 20_000, 1 << 20
	large := `{"data":[{"id":"a","text":"` + strings.Repeat("x", mib/4) + `"}],"has_more":false}`
	for name, result := range map[string]insights.ToolResult{
		"blocks of prose":             {Text: slices.Repeat([]string{"boom"}, blocks)},
		"flagged blocks of prose":     {Text: slices.Repeat([]string{"boom"}, blocks), IsError: true},
		"blocks of JSON":              {Text: slices.Repeat([]string{`{"message":"boom"}`}, blocks), IsError: true},
		"small pages beside a page":   {Structured: []byte(large), Text: slices.Repeat([]string{`{"data":[{"id":"b"}],"has_more":false}`}, blocks/10)},
		"broken pages before a block": {Text: append(slices.Repeat([]string{`{"data":[`}, blocks), "boom"), IsError: true},
	} {
		client, err := insights.New(insights.CallerFunc(func(context.Context, string, map[string]any) (insights.ToolResult, error) {
			return result, nil
		}), nil)
		require.NoError(t, err)
		spent := totalAlloc(func() { _, _ = client.Page(t.Context(), query) })
		require.Less(t, spent, uint64(64*mib), name)
	}
}
