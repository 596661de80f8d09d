package exchange

import (
	"context"
	"errors"
	"fmt"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/problem"
)

// failure returns what the call fails with because of err.
func (k *call) failure(err error) *opsroom.RequestError {
	failure := &opsroom.RequestError{
		Operation: k.request.Operation, Status: k.status, RequestID: k.requestID,
		Attempts: k.attempts, NotSent: !k.left, Err: err,
	}
	if k.problem == nil {
		return failure
	}
	failure.RetryAfter, _ = k.problem.RetryAfter()
	if problemOf(err) == nil {
		failure.Err = &laterError{err: err, problem: k.problem}
	}
	return failure
}

// problemOf returns the problem that the server has answered with, or nil. It
// does not look into what err wraps: the error of a token function, or the cause
// of a context, may be a problem of another server.
func problemOf(err error) *problem.Problem {
	switch e := err.(type) {
	case *problem.Problem:
		return e
	case *redirectError:
		return e.problem
	}
	return nil
}

// A laterError is what ended a call that had been answered with a problem
// before, in an attempt that was then repeated, or was to be.
type laterError struct {
	err     error
	problem *problem.Problem
}

func (e *laterError) Error() string {
	return e.err.Error() + "; before that: " + e.problem.Error()
}

func (e *laterError) Unwrap() []error { return []error{e.err, e.problem} }

// A malformedError says why an answer cannot be used.
type malformedError struct{ reason error }

func (e *malformedError) Error() string {
	return opsroom.ErrMalformedBody.Error() + ": " + e.reason.Error()
}

func (e *malformedError) Unwrap() []error { return []error{opsroom.ErrMalformedBody, e.reason} }

// A tooLargeError says how large an answer may be.
type tooLargeError struct{ limit int64 }

func (e *tooLargeError) Error() string {
	return fmt.Sprintf("%v: more than the %d bytes that MaxBody allows; of a list, ask for less at a time", opsroom.ErrBodyTooLarge, e.limit)
}

func (e *tooLargeError) Unwrap() error { return opsroom.ErrBodyTooLarge }

// An authorizeError does not repeat the text of its cause, which may tell about
// credentials, unless the cause is one of our own.
type authorizeError struct {
	cause error
	late  bool // the attempt's time was up
}

func newAuthorizeError(ctx context.Context, cause error) error {
	return &authorizeError{cause: cause, late: attemptEnded(ctx)}
}

func (e *authorizeError) Error() string {
	text := opsroom.ErrAuthorize.Error()
	switch {
	case e.late:
		text += ": " + opsroom.ErrTimeout.Error()
	case e.cause == errHeader, errors.Is(e.cause, opsroom.ErrUnusableToken):
		text += ": " + e.cause.Error()
	}
	return text
}

func (e *authorizeError) Unwrap() []error {
	if e.late {
		return append([]error{opsroom.ErrAuthorize, opsroom.ErrTimeout}, unlessEnded(e.cause)...)
	}
	return []error{opsroom.ErrAuthorize, e.cause}
}

// A limiterError says that the host's rate limiter does not let the call through.
type limiterError struct {
	cause    error
	deadline bool // because the wait would pass the context's deadline
}

func (e *limiterError) Error() string {
	if e.deadline {
		return opsroom.ErrLimiter.Error() + ": waiting would pass the call's deadline"
	}
	return opsroom.ErrLimiter.Error()
}

func (e *limiterError) Unwrap() []error {
	if e.deadline {
		return []error{opsroom.ErrLimiter, e.cause, context.DeadlineExceeded}
	}
	return []error{opsroom.ErrLimiter, e.cause}
}
