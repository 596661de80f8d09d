package exchange

import (
	"context"
	"errors"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/problem"
)

// A contextError says that the call's own context ended it. Only then does an
// error match context.Canceled or context.DeadlineExceeded: what timers of
// net/http or of the host's transport say with the same words is ErrTimeout.
type contextError struct {
	err    error // context.Canceled or context.DeadlineExceeded
	cause  error // context.Cause, which may be err
	during error // what it interrupted, if that is worth telling
}

// newContextError returns the error of a call whose context has ended, which
// interrupted what failed with during.
func newContextError(ctx context.Context, during error) error {
	e := &contextError{err: ctx.Err(), cause: context.Cause(ctx)}
	if refused, ok := during.(*authorizeError); ok {
		e.during = refused
	}
	return e
}

func (e *contextError) Error() string {
	text := "the call was cancelled"
	if errors.Is(e.err, context.DeadlineExceeded) {
		text = "the call's deadline passed"
	}
	if e.during != nil {
		text += ": " + e.during.Error()
	}
	return text
}

func (e *contextError) Unwrap() []error {
	wrapped := []error{e.err}
	for _, err := range []error{e.cause, e.during} {
		if err != nil && err != e.err {
			wrapped = append(wrapped, err)
		}
	}
	return wrapped
}

// endedBy tells a failure of the exchange from the end of the call: when ctx is
// done, what did not come to its end was cut off because of it.
func (k *call) endedBy(ctx context.Context, err error) error {
	if ctx.Err() == nil {
		return err
	}
	switch e := err.(type) {
	case *transportError, *authorizeError:
		return newContextError(ctx, err)
	case *problem.Problem:
		if _, cut := e.Cause.(*transportError); cut {
			k.problem = e
			return newContextError(ctx, err)
		}
	}
	return err
}

// attemptEnded reports whether the time of the attempt that ctx belongs to is up.
func attemptEnded(ctx context.Context) bool {
	return errors.Is(context.Cause(ctx), opsroom.ErrTimeout)
}

// unlessEnded returns err, or nothing if it would pass for the end of a context.
func unlessEnded(err error) []error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	return []error{err}
}
