package agentctl

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/opsroom-go/opsroom/internal/arguments"
)

// ErrUnstable ends a walk over a list that moves, between any two requests, by more than
// a page, or whose server does not honour offsets or order. Rows may be missing from what
// was yielded. The error is an [*UnstableError].
var ErrUnstable = errors.New("the list cannot be read without gaps")

// An UnstableError is how a walk ends when it cannot be sure to miss nothing. It matches
// [ErrUnstable].
type UnstableError struct {
	Operation string
	Rows      int // rows yielded before, each of them once
	Requests  int // pages asked for
}

// Error says what was read and what to do.
func (e *UnstableError) Error() string {
	return fmt.Sprintf("%s: %v: it changes faster than it is read, or the server does not honour offset (%d rows in %d requests, more may exist; try again later or narrow the filter)",
		e.Operation, ErrUnstable, e.Rows, e.Requests)
}

// Is reports whether target is [ErrUnstable].
func (e *UnstableError) Is(target error) bool { return target == ErrUnstable }

// A walk reads a whole list row by row.
type walk[T any] struct {
	operation string
	page      func(ctx context.Context, limit int, offset int64) ([]T, error)
	key       func(T) rowKey
	limit     int   // as the caller gave it; 0 is the largest
	offset    int64 // as the caller gave it
	ahead     int
}

// rows returns the sequence of rows. Each range over it is a walk of its own.
func (w walk[T]) rows(ctx context.Context) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		source := newSource(ctx, w.page)
		defer source.close()
		err := w.run(source, func(row T) bool { return yield(row, nil) })
		if err != nil {
			var none T
			yield(none, err)
		}
	}
}

// run walks until the end, an error, or until yield returns false.
func (w walk[T]) run(source *source[T], yield func(T) bool) error {
	if w.limit < 0 || w.limit > maxLimit {
		_, err := source.next(w.limit, w.offset) // the check of the arguments says what is wrong
		return err
	}
	c := newCourse(w.offset, cmp.Or(w.limit, maxLimit))
	for requests := 1; ; requests++ {
		rows, err := source.next(c.limit, c.offset)
		if err != nil {
			return err
		}
		fresh, done, ok := c.take(w.keys(rows))
		source.fetch(c.coming(min(w.ahead, maxReadAhead)))
		for _, i := range fresh {
			if !yield(rows[i]) {
				return nil
			}
		}
		switch {
		case done:
			return nil
		case !ok, c.offset > arguments.MaxSafeInteger:
			return &UnstableError{Operation: w.operation, Rows: len(c.seen), Requests: requests}
		}
	}
}

func (w walk[T]) keys(rows []T) []rowKey {
	keys := make([]rowKey, len(rows))
	for i := range rows {
		keys[i] = w.key(rows[i])
	}
	return keys
}
