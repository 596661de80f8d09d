package agentctl

import "slices"

// A course decides, page by page, which rows of a moving list are new and which page to
// ask for next. It does no input or output.
//
// The list is newest first and is read by offset, while rows enter and leave it between
// any two requests. Offsets then mean nothing by themselves: ten rows resolved in front
// of the next page make it start ten rows too late. What does not move is the order of
// the rows that stay. So consecutive pages overlap, and a page counts only if it is
// linked: it holds a row that was seen before, or is the first page, or starts where the
// list does. Rows that stay and come before a seen row have all been seen, by induction;
// those after it follow on this page without a gap. A page that is not linked is thrown
// away and an earlier one is asked for.
//
// The argument needs nothing of when a page was read, so pages may be read ahead.
//
// The files course_*.go say how the walk goes on after either kind of page, and what it
// takes to believe that the list has ended.
type course struct {
	start   int64 // where the walk begins
	begun   bool  // the first page was taken
	base    int   // rows a page in quiet times
	limit   int   // rows to ask for
	overlap int   // rows to read twice
	offset  int64 // of the page to ask for

	seen    map[rowKey]passage
	longest int // the longest page seen
	idle    int // pages in a row that got the walk no further
	steady  int // pages in a row that did

	last    []rowKey // the last page
	lastAt  int64    // and its offset
	repeats int      // pages in a row that were the same at different offsets

	search search
	end    end
}

// A passage is how a row was come by: onward on the walk's way to the end of the list, or
// late, in front of rows that were read before. Only rows of the first kind get the walk
// further; the others may come in faster than they can be read.
type passage bool

const (
	onward passage = true
	late   passage = false
)

const (
	maxOverlap = 10
	// maxIdle ends a walk that gets nowhere. Looking for the edge takes about twice the
	// logarithm of the number of pages, so this leaves much room.
	maxIdle = 64
	// maxRepeats ends a walk whose offsets make no difference.
	maxRepeats = 8
)

func newCourse(start int64, size int) *course {
	size = max(size, 2) // one row a page leaves no room for an overlap
	return &course{
		start: start, base: size, limit: size, overlap: overlapOf(size), offset: start,
		seen: map[rowKey]passage{}, search: noSearch,
	}
}

func overlapOf(size int) int { return min(max(size/20, 1), maxOverlap) }

// take takes in the page at c.offset. It returns the positions of its new rows, and
// whether the walk is over; if it is not, c.offset and c.limit tell the next request. It
// returns false for ok when the list moves too much.
func (c *course) take(page []rowKey) (fresh []int, done, ok bool) {
	first := !c.begun
	c.begun = true
	if len(page) == 0 && (first || c.offset == 0) {
		return nil, true, true
	}
	if c.isRepeat(page) {
		c.count(false)
		c.seek(c.offset+int64(len(page)), len(page))
		return nil, false, c.repeats < maxRepeats
	}
	k := c.knownOn(page)
	from := 0 // on the page, where rows begin that belong to the walk
	switch {
	case first:
		k.edge = 0
	case c.offset == 0 && c.start == 0:
	case k.last >= 0:
		// Unless the walk began at the head of the list, a row in front of all known
		// ones may be one that was in front of the walk's first row.
		if c.start > 0 {
			from = k.first
		}
	case c.offset == 0:
		return nil, false, false // nothing is left of what was seen, so where it was cannot be told
	default:
		c.count(false)
		done = c.takeUnlinked(len(page))
		return nil, done, done || c.idle < maxIdle
	}
	fresh = c.add(page, from, k.edge)
	furthest := -1
	if len(fresh) > 0 {
		furthest = fresh[len(fresh)-1]
	}
	c.count(furthest >= k.edge)
	done = c.takeLinked(len(page), furthest > k.last)
	return fresh, done, done || c.idle < maxIdle
}

// count counts the pages that got the walk further, and those that did not.
func (c *course) count(further bool) {
	if further {
		c.idle, c.steady = 0, c.steady+1
	} else {
		c.idle, c.steady = c.idle+1, 0
	}
}

// isRepeat reports whether the page is the last one again though another was asked for.
// As many rows that came in front may explain that, but not often.
func (c *course) isRepeat(page []rowKey) bool {
	repeat := len(page) > 0 && c.offset != c.lastAt && slices.Equal(page, c.last)
	c.last, c.lastAt = page, c.offset
	if !repeat {
		c.repeats = 0
		return false
	}
	c.repeats++
	return true
}

// known is what a page has of rows that were seen before.
type known struct {
	first, last int // positions of the first and the last such row, or -1
	edge        int // the position from which on new rows are further on the way
}

func (c *course) knownOn(page []rowKey) known {
	k := known{first: -1, last: -1, edge: len(page)}
	for i, key := range page {
		way, seen := c.seen[key]
		if !seen {
			continue
		}
		if k.first < 0 {
			k.first = i
		}
		k.last = i
		if way == onward {
			k.edge = i + 1
		}
	}
	return k
}

// add marks the rows from a position on as seen, as come by onward from the edge on, and
// returns which of them are new.
func (c *course) add(page []rowKey, from, edge int) (fresh []int) {
	for i := from; i < len(page); i++ {
		if _, seen := c.seen[page[i]]; !seen {
			c.seen[page[i]] = passage(i >= edge)
			fresh = append(fresh, i)
		}
	}
	return fresh
}

// takeLinked handles a page of rows that continues what was seen. Beyond says that it has
// new rows behind all that were known.
func (c *course) takeLinked(rows int, beyond bool) (done bool) {
	c.longest = max(c.longest, rows)
	next := c.offset + int64(rows)
	if beyond {
		c.contradict()
	}
	switch {
	case !beyond && c.search.rows: // there are rows further on, whatever this page's length says
		c.seek(next, rows)
	case c.provesEnd(rows):
		c.search = noSearch
		return c.confirmEnd(next, rows)
	case c.hintsAtEnd(rows):
		c.search = noSearch
		c.end.hinted = true
		c.offset = c.after(next, rows)
	case beyond:
		c.search = noSearch
		c.calm()
		c.offset = max(c.offset+1, c.after(next, rows))
	default:
		c.seek(next, rows)
	}
	return false
}

// takeUnlinked handles a page that has no row in common with what was seen.
func (c *course) takeUnlinked(rows int) (done bool) {
	if rows == 0 && c.end.proven {
		return c.confirmEnd(c.offset, 0)
	}
	if rows > 0 {
		c.contradict()
	}
	c.stepBack(rows > 0)
	return false
}

// reach is how many rows a page can be expected to have.
func (c *course) reach() int {
	if c.end.capped {
		return min(c.limit, c.longest)
	}
	return c.limit
}

// advance is how far apart consecutive pages lie.
func (c *course) advance() int64 { return int64(c.reach() - min(c.overlap, c.reach()/2)) }

// after returns the offset of the page that overlaps one of rows ending at next.
func (c *course) after(next int64, rows int) int64 {
	return max(0, next-int64(max(1, min(c.overlap, rows/2))))
}

// coming returns the windows of the next n pages, if they can be foretold.
func (c *course) coming(n int) (windows []window) {
	if c.search != noSearch || c.idle > 0 || c.end != (end{capped: c.end.capped}) {
		return nil
	}
	for i := range n {
		windows = append(windows, window{c.limit, c.offset + int64(i)*c.advance()})
	}
	return windows
}
