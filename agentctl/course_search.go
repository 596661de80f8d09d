package agentctl

// A search is the look for the edge of what was seen, after the list has moved by more
// than the overlap between two requests.
type search struct {
	low  int64 // offset of the last linked page, or -1
	lost int64 // offset of the last page that was not linked, or -1
	rows bool  // that page had rows
	back int64 // how far the last step back went
	skip int64 // how far the last step forward went beyond the usual
}

var noSearch = search{low: -1, lost: -1}

// stepBack asks for an earlier page, since rows in front of this one have left. Steps
// double until a page is linked; then the edge lies between the two, and the middle is
// asked for.
func (c *course) stepBack(rows bool) {
	c.widen()
	s := &c.search
	s.lost, s.rows = c.offset, rows
	if s.low >= 0 && s.low < s.lost {
		c.offset = s.low + (s.lost-s.low)/2
		return
	}
	s.low = -1
	s.back = max(2*s.back, c.advance())
	c.offset = max(0, c.offset-s.back)
}

// seek goes on after a full page without a row beyond the edge: rows came in front faster
// than the walk goes on, or a step back went further than it had to.
func (c *course) seek(next int64, rows int) {
	s := &c.search
	s.low = c.offset
	target := max(c.offset+1, c.after(next, rows))
	switch {
	case s.lost-next > int64(c.reach()):
		target = next + (s.lost-next)/2
	case s.lost <= next: // the edge is further on than was thought
		s.lost, s.rows, s.back = -1, false, 0
		target += s.skip
		s.skip = max(2*s.skip, c.advance())
	}
	c.widen()
	c.offset = target
}

// widen makes pages and their overlap larger, since the list moves more between two
// requests than they allow for.
func (c *course) widen() {
	c.limit = min(2*c.limit, maxLimit)
	c.overlap = min(2*c.overlap, c.limit/2)
}

// calm undoes widen step by step once the list has been quiet for a while.
func (c *course) calm() {
	const quiet = 8
	if c.steady < quiet || c.limit == c.base && c.overlap == overlapOf(c.base) {
		return
	}
	c.steady = 0
	c.limit = max(c.limit/2, c.base)
	c.overlap = max(min(c.overlap/2, c.limit/2), overlapOf(c.base))
}
