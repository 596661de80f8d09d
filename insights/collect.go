package insights

import (
	"context"
	"errors"
	"fmt"

	"github.com/opsroom-go/opsroom"
)

// A Collection is what [Client.Collect] has read.
type Collection struct {
	// Insights are the insights in the order they came, each id once.
	Insights []Insight

	// Pages is how many pages were read.
	Pages int

	// Complete says that the service's last page was read and nothing was left
	// out: these are all the insights that match, behind Query.After if that
	// was given.
	Complete bool

	// HasMore says that more insights match than are here, as far as the last
	// good page told.
	HasMore bool

	// After is where to go on if the Collection is not complete: put it into
	// [Query].After. Insights that are here may come again from there, but none
	// is left out. "" is the beginning.
	After string

	// StopReason says what ended the reading.
	StopReason StopReason

	// Query is what was asked for, defaults filled in.
	Query Query
}

// StopReason says what ended a collection: one of the constants, or the [Kind]
// of the failure.
type StopReason string

// What ends a collection other than a failure.
const (
	StopEnd   StopReason = "end"   // the last page was read
	StopTotal StopReason = "total" // the total that was asked for was reached, and more remain
)

// A CollectOption adjusts a single [Client.Collect].
type CollectOption func(*collecting)

type collecting struct {
	total    *int
	progress func(pages, insights int)
}

// Total ends the collection when n insights are there, n at least 1. It makes
// the last pages smaller, as far as [Query].Limit was larger. That the total is
// reached is no failure.
func Total(n int) CollectOption {
	return func(c *collecting) { c.total = &n }
}

// Progress calls report after every page with the numbers so far.
func Progress(report func(pages, insights int)) CollectOption {
	return func(c *collecting) { c.progress = report }
}

// Collect walks as [Client.All] does and gathers the insights.
//
// The error is an [*Incomplete] if the walk ended too early; the Collection
// then holds what was read until then. If query or total were refused it is an
// [*Error] in which [errors.As] finds an *opsroom.InputError, and the
// Collection is empty.
func (c *Client) Collect(ctx context.Context, query Query, options ...CollectOption) (Collection, error) {
	var settings collecting
	for _, option := range options {
		if option != nil {
			option(&settings)
		}
	}
	w, err := c.newWalk(query, settings.total)
	if err = settings.check(err); err != nil {
		return Collection{Query: query.forWalk(), StopReason: StopReason(InvalidArgument)}, err
	}
	var insights []Insight
	for !w.done {
		_, fresh, err := w.next(ctx)
		if err != nil {
			return w.collection(insights, StopReason(KindOf(err))), err
		}
		insights = append(insights, fresh...)
		if settings.progress != nil {
			settings.progress(w.pages, w.count)
		}
	}
	if w.hasMore {
		return w.collection(insights, StopTotal), nil
	}
	return w.collection(insights, StopEnd), nil
}

// check adds what is wrong with the total to what is wrong with the query.
func (c collecting) check(refused error) error {
	if c.total == nil || *c.total >= 1 {
		return refused
	}
	input := &opsroom.InputError{Operation: ToolName}
	if earlier, ok := errors.AsType[*opsroom.InputError](refused); ok {
		input.Failures = earlier.Failures
	}
	input.Failures = append(input.Failures, opsroom.InputFailure{
		Rule: opsroom.RuleMinimum, Message: fmt.Sprintf("the total must be at least 1, not %d", *c.total),
	})
	return &Error{Kind: InvalidArgument, Err: input}
}

func (w *walk) collection(insights []Insight, reason StopReason) Collection {
	return Collection{
		Insights:   insights,
		Pages:      w.pages,
		Complete:   reason == StopEnd,
		HasMore:    w.hasMore,
		After:      w.after,
		StopReason: reason,
		Query:      w.query,
	}
}
