package agentctl

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// A movingList is a list that changes between requests, in memory.
type movingList struct {
	random  *rand.Rand
	rows    []int // newest first
	next    int
	gone    map[int]bool // left at some time
	inserts int          // at most, per request
	removes int
	enters  int // rows that enter in the middle
	cap     int // of rows a page; 0 is none
	ragged  bool
	burst   func() // changes of its own between two requests
}

// removeHead removes the n newest rows.
func (m *movingList) removeHead(n int) {
	for _, row := range m.rows[:n] {
		m.gone[row] = true
	}
	m.rows = m.rows[n:]
}

// insertHead adds n rows that are newer than all others.
func (m *movingList) insertHead(n int) {
	added := make([]int, n)
	for i := range added {
		added[i] = m.next
		m.next++
	}
	m.rows = append(added, m.rows...)
}

func newMovingList(seed uint64, size int) *movingList {
	m := &movingList{random: rand.New(rand.NewPCG(seed, 1)), gone: map[int]bool{}}
	for range size {
		m.rows = append(m.rows, m.next)
		m.next++
	}
	return m
}

func (m *movingList) churn() {
	if m.burst != nil {
		m.burst()
	}
	for range m.random.IntN(m.inserts + 1) {
		m.rows = slices.Insert(m.rows, 0, m.next)
		m.next++
	}
	for range m.random.IntN(m.removes + 1) {
		if len(m.rows) > 0 {
			i := m.random.IntN(len(m.rows))
			m.gone[m.rows[i]] = true
			m.rows = slices.Delete(m.rows, i, i+1)
		}
	}
	for range m.random.IntN(m.enters + 1) {
		m.rows = slices.Insert(m.rows, m.random.IntN(len(m.rows)+1), m.next)
		m.next++
	}
}

func (m *movingList) page(limit int, offset int64) []int {
	if m.cap > 0 {
		limit = min(limit, m.cap)
	}
	if m.ragged {
		limit = 1 + m.random.IntN(limit)
	}
	from := min(offset, int64(len(m.rows)))
	return m.rows[from:min(from+int64(limit), int64(len(m.rows)))]
}

func testKey(row int) (key rowKey) {
	binary.BigEndian.PutUint64(key[:], uint64(row))
	return key
}

// walkList returns the rows that a course yields, the requests it takes, and whether it
// came to an end.
func walkList(m *movingList, start int64, size int) (yielded []int, requests int, ok bool) {
	return walkOn(m, newCourse(start, size))
}

func walkOn(m *movingList, c *course) (yielded []int, requests int, ok bool) {
	for {
		requests++
		rows := m.page(c.limit, c.offset)
		keys := make([]rowKey, len(rows))
		for i := range rows {
			keys[i] = testKey(rows[i])
		}
		fresh, done, ok := c.take(keys)
		for _, i := range fresh {
			yielded = append(yielded, rows[i])
		}
		if done || !ok {
			return yielded, requests, ok
		}
		m.churn()
	}
}

func requireExact(t *testing.T, stayed map[int]bool, m *movingList, yielded []int) {
	t.Helper()
	count := map[int]int{}
	for _, row := range yielded {
		count[row]++
		require.Equal(t, 1, count[row], "row %d was yielded again", row)
	}
	for row := range stayed {
		if !m.gone[row] {
			require.Equal(t, 1, count[row], "row %d stayed and was not yielded", row)
		}
	}
}

func TestCourseMissesNothingThatStaysHoweverTheListMoves(t *testing.T) {
	t.Parallel()
	unstable := 0
	const seeds = 800
	for seed := range uint64(seeds) {
		m := newMovingList(seed, int(seed*7%700))
		m.inserts, m.removes, m.enters = m.random.IntN(12), m.random.IntN(12), m.random.IntN(3)
		size := 1 + m.random.IntN(200)
		if m.random.IntN(8) == 0 {
			m.cap = 12 + m.random.IntN(60)
		}
		stayed := map[int]bool{}
		for _, row := range m.rows {
			stayed[row] = true
		}
		yielded, requests, ok := walkList(m, 0, size)
		require.Less(t, requests, 4000)
		if !ok {
			unstable++
			t.Log(seed, size, m.cap, m.inserts, m.removes, m.enters, len(stayed), len(m.rows), requests)
			continue
		}
		requireExact(t, stayed, m, yielded)
	}
	require.Zero(t, unstable, "walks that gave up")
}

func TestCourseIsExactOrGivesUpWhenTheListMovesTooMuch(t *testing.T) {
	t.Parallel()
	unstable := 0
	const seeds = 100
	for seed := range uint64(seeds) {
		m := newMovingList(seed, int(seed*13%1500))
		m.inserts, m.removes, m.enters = m.random.IntN(300), m.random.IntN(300), m.random.IntN(20)
		if m.random.IntN(3) == 0 {
			m.cap = 10 + m.random.IntN(60)
		}
		stayed := map[int]bool{}
		for _, row := range m.rows {
			stayed[row] = true
		}
		yielded, requests, ok := walkList(m, 0, 1+m.random.IntN(200))
		require.Less(t, requests, 5000, "seed %d", seed)
		if !ok {
			unstable++
			continue
		}
		requireExact(t, stayed, m, yielded)
	}
	t.Logf("%d of %d walks gave up", unstable, seeds)
}

func TestCourseThatStartsFurtherOnMissesNothingFromThereOn(t *testing.T) {
	t.Parallel()
	unstable := 0
	const seeds = 800
	for seed := range uint64(seeds) {
		m := newMovingList(seed, 1+int(seed*7%700))
		m.inserts, m.removes, m.enters = m.random.IntN(12), m.random.IntN(12), m.random.IntN(3)
		if m.random.IntN(4) == 0 {
			m.removes = 100
		}
		start := 1 + m.random.IntN(len(m.rows))
		before, stayed := map[int]bool{}, map[int]bool{}
		for i, row := range m.rows {
			if i < start {
				before[row] = true
			} else {
				stayed[row] = true
			}
		}
		yielded, requests, ok := walkList(m, int64(start), 1+m.random.IntN(200))
		require.Less(t, requests, 4000)
		for _, row := range yielded {
			require.False(t, before[row], "row %d was in front of the start", row)
		}
		if !ok {
			unstable++
			continue
		}
		requireExact(t, stayed, m, yielded)
	}
	// Tiny pages are lost sight of when more rows come in front than they have.
	require.Less(t, unstable, seeds/30, "walks that gave up")
}

func TestCourseReadsQuietListsWithFewRequests(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ rows, size, requests int }{
		{0, 200, 1}, {1, 200, 2}, {9, 200, 2}, {199, 200, 3}, {200, 200, 3}, {201, 200, 3}, {1000, 200, 7}, {2000, 200, 12},
		{0, 1, 1}, {1, 1, 2}, {2, 1, 3}, {50, 50, 3}, {49, 50, 3},
	} {
		m := newMovingList(1, test.rows)
		yielded, requests, ok := walkList(m, 0, test.size)
		require.True(t, ok)
		require.Len(t, yielded, test.rows)
		require.LessOrEqual(t, requests, test.requests, fmt.Sprintf("%d rows, %d a page", test.rows, test.size))
		require.True(t, slices.IsSorted(yielded), "in the order of the list")
	}
}

func TestCourseFindsTheEdgeSoonAfterOneLargeMove(t *testing.T) {
	t.Parallel()
	const rows, size = 10_000, 100
	_, quiet, _ := walkList(newMovingList(1, rows), 0, size)
	for name, test := range map[string]struct {
		move  func(*movingList)
		extra int // requests beyond those of a quiet walk
	}{
		"almost all before it leave":    {func(m *movingList) { m.removeHead(4_000) }, 12},
		"some before it leave":          {func(m *movingList) { m.removeHead(1_000) }, 10},
		"a page before it leaves":       {func(m *movingList) { m.removeHead(size) }, 0},
		"as many come in front":         {func(m *movingList) { m.insertHead(4_000) }, 16},
		"some come in front":            {func(m *movingList) { m.insertHead(1_000) }, 12},
		"a page comes in front":         {func(m *movingList) { m.insertHead(size) }, 0},
		"the list moves back and forth": {func(m *movingList) { m.removeHead(3_000); m.insertHead(2_500) }, 0},
	} {
		m := newMovingList(1, rows)
		requests := 0
		m.burst = func() {
			if requests++; requests == 60 {
				test.move(m)
			}
		}
		stayed := map[int]bool{}
		for row := range rows {
			stayed[row] = true
		}
		yielded, total, ok := walkList(m, 0, size)
		require.True(t, ok, name)
		requireExact(t, stayed, m, yielded)
		require.LessOrEqual(t, total, quiet+test.extra, name)
	}
}

func TestCourseGoesBackToItsPageSizeWhenTheListIsQuiet(t *testing.T) {
	t.Parallel()
	m := newMovingList(1, 3000)
	requests := 0
	m.burst = func() {
		if requests++; requests == 5 {
			m.removeHead(30)
		}
	}
	c := newCourse(0, 20)
	_, _, ok := walkOn(m, c)
	require.True(t, ok)
	require.Equal(t, 20, c.limit)
	require.Equal(t, 1, c.overlap)
}

func TestCourseReadsPastPagesThatAreShorterThanAsked(t *testing.T) {
	t.Parallel()
	for seed := range uint64(500) {
		m := newMovingList(seed, 300)
		m.ragged = seed%2 == 0
		if !m.ragged {
			m.cap = 3 + int(seed%50)
		}
		yielded, _, ok := walkList(m, 0, 200)
		require.True(t, ok)
		require.Len(t, yielded, 300)
	}
}

func TestCourseDoesNotTakeRowsThatCameInForTheEndOfAListOfShortPages(t *testing.T) {
	t.Parallel()
	for seed := range uint64(1000) {
		m := newMovingList(seed, 300)
		m.inserts, m.cap = 6, 5
		stayed := map[int]bool{}
		for _, row := range m.rows {
			stayed[row] = true
		}
		yielded, _, ok := walkList(m, 0, 2+int(seed%20))
		if ok {
			requireExact(t, stayed, m, yielded)
		}
	}
}

func TestCourseGivesUpOnAServerThatIgnoresOffset(t *testing.T) {
	t.Parallel()
	c := newCourse(0, 10)
	page := make([]rowKey, 10)
	for i := range page {
		page[i] = testKey(i)
	}
	for requests := 1; ; requests++ {
		_, done, ok := c.take(page)
		require.False(t, done)
		if !ok {
			break
		}
		require.Less(t, requests, 100)
	}
}
