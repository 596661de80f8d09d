package insights_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom/insights"
)

// manyPages answers with pages of 100 insights without using memory of its own:
// it writes new ids into the same page.
type manyPages struct {
	pages, page int
	raw         []byte
	ids         []int // where the ids are
	last        int   // where the cursor is
	more        int   // where has_more is
}

const idWidth = 12

func newManyPages(pages int) *manyPages {
	m := &manyPages{pages: pages}
	var b strings.Builder
	b.WriteString(`{"data":[`)
	for n := range 100 {
		if n > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`{"id":"`)
		m.ids = append(m.ids, b.Len())
		fmt.Fprintf(&b, `%0*d"}`, idWidth, 0)
	}
	b.WriteString(`],"last_id":"`)
	m.last = b.Len()
	fmt.Fprintf(&b, `%0*d","has_more":`, idWidth, 0)
	m.more = b.Len()
	b.WriteString(`true }`)
	m.raw = []byte(b.String())
	return m
}

func (m *manyPages) CallTool(context.Context, string, map[string]any) (insights.ToolResult, error) {
	for n, at := range m.ids {
		m.write(at, m.page*100+n)
	}
	m.page++
	m.write(m.last, m.page)
	if m.page == m.pages {
		copy(m.raw[m.more:], "false")
	}
	return insights.ToolResult{Structured: m.raw}, nil
}

func (m *manyPages) write(at, number int) {
	for i := at + idWidth - 1; number > 0; i-- {
		m.raw[i] = '0' + byte(number%10)
		number /= 10
	}
}

// heapGrowth walks over pages of 100 insights and returns how far the heap grew
// at most, garbage included, and how far it has grown at the end, without.
func heapGrowth(t *testing.T, pages int, allowDuplicates bool) (peak, live uint64) {
	t.Helper()
	client, err := insights.New(newManyPages(pages), &insights.Options{MaxPages: pages, AllowDuplicates: allowDuplicates})
	require.NoError(t, err)
	var stats runtime.MemStats
	heap := func() uint64 {
		runtime.ReadMemStats(&stats)
		return stats.HeapAlloc
	}
	runtime.GC()
	before, count := heap(), 0
	for _, err := range client.All(t.Context(), query) {
		require.NoError(t, err)
		if count++; count%10_000 == 0 {
			peak = max(peak, heap())
		}
		if count == pages*100 {
			runtime.GC()
			live = heap() // while the walk is still going on
		}
	}
	require.Equal(t, pages*100, count)
	return peak - min(peak, before), live - min(live, before)
}

// Not parallel: other tests would show in the heap.
func TestMillionInsightsFitIntoAModestHeap(t *testing.T) {
	const kib, mib = 1 << 10, 1 << 20
	pages, bound := 10_000, uint64(128*mib)
	if underRace { // a fifth of the work, held to a fifth of the bound
		pages, bound = pages/5, bound/5
	}
	peak, live := heapGrowth(t, pages, false)
	t.Logf("%d insights, ids tracked: at most %d MiB, %d MiB in the end", pages*100, peak/mib, live/mib)
	require.Less(t, peak, bound)

	_, few := heapGrowth(t, 200, true)
	_, many := heapGrowth(t, 2_000, true)
	t.Logf("without tracking: 20,000 insights %d KiB, 200,000 insights %d KiB", few/kib, many/kib)
	require.Less(t, many, few+mib, "the heap grows with the insights")
}
