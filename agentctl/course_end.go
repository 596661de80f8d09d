package agentctl

// An end is what is known about where the list ends and about the server's habit of
// sending pages that are shorter than asked for.
//
// A page shorter than asked for ends the list, unless the server caps pages below the
// limit that it documents (capped) or fills them as it pleases (ragged). So a page proves
// the end only by being shorter than another page was, and then the rows right behind it
// are asked for: there must be none.
type end struct {
	hinted   bool // a page was short, but no longer one is known
	proven   bool // a linked page was shorter than another
	confirms int  // looks behind the end that found no row, in a row
	echoes   int  // looks behind the end that found a few known rows alone, in a row
	capped   bool // a short page was followed by more rows
	ragged   bool // a proof turned out to be wrong
}

// minCap is the least number of rows that a server is thought to cap pages to; a single
// page of fewer rows needs no longer one to compare with.
const minCap = 10

// provesEnd reports whether a linked page says by its length that no row follows it.
func (c *course) provesEnd(rows int) bool {
	return rows < min(c.longest, c.limit) || !c.end.capped && rows < min(minCap, c.limit)
}

// hintsAtEnd reports whether a page is short by what was asked for alone.
func (c *course) hintsAtEnd(rows int) bool { return !c.end.capped && rows < c.limit }

// contradict notes that rows exist where a short page said that there are none.
func (c *course) contradict() {
	if c.end.hinted || c.end.proven {
		c.end.capped = true
		c.end.ragged = c.end.ragged || c.end.proven
	}
	c.end.hinted, c.end.proven, c.end.confirms, c.end.echoes = false, false, 0, 0
}

// A look behind the end that finds known rows, since others came in front meanwhile, is
// an echo of the proof: it says by its length alone that no row follows them, which is
// what is to be confirmed. So it takes several to count as one look that finds no row,
// and those that may be as long as pages get do not count.
const echoesPerConfirm = 8

// confirmEnd takes in a page that fits a list that ends at next: a proof, or a look
// behind the end that found nothing new. It returns whether that is enough.
func (c *course) confirmEnd(next int64, rows int) (done bool) {
	switch {
	case !c.end.proven:
		c.end.proven = true
	case rows == 0:
		c.end.confirms++
	case rows < c.longest:
		c.end.echoes++
	}
	c.offset = next
	needed := 1
	if c.end.ragged {
		needed = 3
	}
	return c.end.confirms+c.end.echoes/echoesPerConfirm >= needed
}
