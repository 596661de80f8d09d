package opsroom

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Reasons for which an HTTP operation fails other than by an error status,
// which is a [problem.Problem]. Test for them with [errors.Is].
//
// [problem.Problem]: https://pkg.go.dev/github.com/opsroom-go/opsroom/problem#Problem
var (
	// ErrTransport: no complete answer arrived. The cause is wrapped.
	ErrTransport = errors.New("no complete answer")

	// ErrTimeout: an attempt ran into [Endpoint].Timeout. It comes with [ErrTransport].
	ErrTimeout = errors.New("the attempt timed out")

	// ErrBodyTooLarge: the answer is larger than [Endpoint].MaxBody.
	ErrBodyTooLarge = errors.New("the answer is too large")

	// ErrMalformedBody: the answer is no JSON document of the shape that the contract gives.
	ErrMalformedBody = errors.New("the answer is malformed")

	// ErrRedirect: the server redirects to where the request may not follow:
	// another origin, more than three times, or any place at all for a POST.
	ErrRedirect = errors.New("the redirect was not followed")

	// ErrAuthorize: [Endpoint].Authorize returned an error, which is wrapped.
	ErrAuthorize = errors.New("no credentials could be had")

	// ErrLimiter: [Endpoint].Limiter did not let the call through in time.
	ErrLimiter = errors.New("the rate limiter does not let the call through")

	// ErrPlainHTTP: credentials would travel unprotected.
	ErrPlainHTTP = errors.New("credentials are not sent over plain http: use https, a loopback address, or set AllowPlainHTTP")
)

// A RequestError is the failure of an HTTP operation whose arguments were in
// order. Unwrap leads to the cause: a *problem.Problem for an error status, one of the
// errors above, or the context's error. The text never holds credentials,
// URLs, or anything of a body but the cleaned texts of a problem.
type RequestError struct {
	Operation  string        // such as "list_agent_runs"
	Status     int           // HTTP status of the last answer, 0 if there was none
	RequestID  string        // x-request-id of the last answer, if it had one
	Attempts   int           // how many requests were sent, or begun
	RetryAfter time.Duration // how long the last answer asked to wait, 0 if it did not say
	GaveUp     string        // why a failure that could be repeated was not, if it was not for the number of attempts

	// NotSent says that no byte of the request can have left. False means that
	// it may have, which matters for a POST.
	NotSent bool

	Err error // the cause, never nil
}

// Error returns one line: what failed, why, and what is known about when to try again.
func (e *RequestError) Error() string {
	var b strings.Builder
	b.WriteString(e.Operation + ": " + e.Err.Error())
	if e.GaveUp != "" {
		b.WriteString(" (not repeated: " + e.GaveUp + ")")
	}
	if e.Attempts > 1 {
		fmt.Fprintf(&b, " (after %d attempts)", e.Attempts)
	}
	if e.RequestID != "" {
		fmt.Fprintf(&b, " (request id %s)", e.RequestID)
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *RequestError) Unwrap() error { return e.Err }
