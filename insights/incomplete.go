package insights

import "fmt"

// An Incomplete says that a walk ended before all matching insights, or the
// total that was asked for, were read. What was read until then is good.
// [errors.Is] tells the [Kind].
type Incomplete struct {
	// Reason is the kind of Err.
	Reason Kind

	// Pages is how many pages were read; 0 means that nothing was.
	Pages int

	// Count is how many insights were read, each id counted once.
	Count int

	// After is where to go on: put it into [Query].After. Insights that were
	// read may come again from there, but none is left out. "" is the
	// beginning.
	After string

	// Err is what ended the walk: an [*Error].
	Err error
}

// Error says how far the walk came and what ended it.
func (e *Incomplete) Error() string {
	if e.Pages == 0 {
		return e.Err.Error()
	}
	return fmt.Sprintf("incomplete after %s and %s: %v", counted(e.Pages, "page"), counted(e.Count, "insight"), e.Err)
}

// Unwrap returns Err.
func (e *Incomplete) Unwrap() error { return e.Err }

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func (w *walk) incomplete(err error) *Incomplete {
	return &Incomplete{Reason: KindOf(err), Pages: w.pages, Count: w.count, After: w.after, Err: err}
}
