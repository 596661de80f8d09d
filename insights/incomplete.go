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
	err := e.Err
	if err == nil {
		err = &Error{Kind: e.Reason}
	}
	if e.Pages == 0 {
		return err.Error()
	}
	return fmt.Sprintf("incomplete after %s and %s: %v", counted(e.Pages, "page"), counted(e.Count, "insight"), err)
}

// Unwrap returns Err.
func (e *Incomplete) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.Err
}

// Is reports whether target is the Reason.
func (e *Incomplete) Is(target error) bool {
	kind, ok := target.(Kind)
	return ok && e != nil && kind != "" && kind == e.Reason
}

// Format prints the text of Error for every verb, so that %+v and %#v do not
// show the cursor, which the service has written and which may hold anything.
func (e Incomplete) Format(s fmt.State, verb rune) { format(s, verb, e.Error()) }

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func (w *walk) incomplete(err error) *Incomplete {
	return &Incomplete{Reason: KindOf(err), Pages: w.pages, Count: w.count, After: w.after, Err: err}
}
