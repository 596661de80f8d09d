package opsroom

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// Reasons for which an HTTP operation fails other than by an error status,
// which is a [problem.Problem]. Test for them with [errors.Is].
//
// [context.Canceled] and [context.DeadlineExceeded] match if, and only if, the
// context of the call ended it, or would have ended before it could start;
// [context.Cause] is wrapped too.
//
// [problem.Problem]: https://pkg.go.dev/github.com/opsroom-go/opsroom/problem#Problem
var (
	// ErrTransport: no complete answer arrived. The cause is wrapped.
	ErrTransport = errors.New("no complete answer")

	// ErrTimeout: an attempt ran into [Endpoint].Timeout, or into a timeout of
	// HTTPClient or its Transport. It comes with [ErrTransport], or with
	// [ErrAuthorize] if that is where the time went.
	ErrTimeout = errors.New("the attempt timed out")

	// ErrBodyTooLarge: the answer is larger than [Endpoint].MaxBody.
	ErrBodyTooLarge = errors.New("the answer is too large")

	// ErrMalformedBody: the answer is no JSON document of the shape that the contract gives.
	ErrMalformedBody = errors.New("the answer is malformed")

	// ErrRedirect: the server redirects to where the request may not follow:
	// another origin, more than three times, or any place at all for a POST.
	ErrRedirect = errors.New("the redirect was not followed")

	// ErrAuthorize: [Endpoint].Authorize returned an error, which is wrapped, or
	// set a header that cannot be sent.
	ErrAuthorize = errors.New("no credentials could be had")

	// ErrUnusableToken: the token of [Bearer] or [BearerFunc] is empty, or a
	// header cannot carry it. It comes with [ErrAuthorize].
	ErrUnusableToken = errors.New("the token is empty or has characters that a header cannot carry")

	// ErrLimiter: [Endpoint].Limiter did not let the call through in time.
	ErrLimiter = errors.New("the rate limiter does not let the call through")

	// ErrPlainHTTP: credentials would travel unprotected. Clients are not made then.
	ErrPlainHTTP = errors.New("credentials are not sent over plain http: use https, a loopback address, or set AllowPlainHTTP")
)

// A RequestError is the failure of an HTTP operation whose arguments were in
// order. Unwrap leads to the cause: a *problem.Problem for an error status, one of the
// errors above, or the context's error. If an earlier attempt was answered with
// a problem and the last one was not, that problem is wrapped too.
//
// The text is one line that never holds credentials, URLs, or anything of a body
// but the cleaned texts of a problem. What is wrapped below it may be an error
// of net/http or of the host, whose text is not bound by that.
type RequestError struct {
	// Operation is the operation that failed, such as "list_agent_runs".
	Operation string

	// Status is the HTTP status of the last answer, 0 if there was none. It is
	// a 2xx if the answer's body was at fault.
	Status int

	// RequestID is the x-request-id of the last answer, if it had one. Operators
	// of the backend find the request by it.
	RequestID string

	// Attempts is how many attempts were begun.
	Attempts int

	// RetryAfter is how long the server has asked to wait, 0 if it has not.
	RetryAfter time.Duration

	// GaveUp says why a failure that another attempt might mend was returned
	// before the last attempt allowed, "" if that is not what happened.
	GaveUp string

	// NotSent says that nothing of the request can have reached the server. For a
	// GET that was begun it is not looked into.
	NotSent bool

	// Err is the cause. It is never nil in an error that a client returns.
	Err error
}

// Error returns one line: what failed, why, and what was tried.
func (e *RequestError) Error() string {
	var b strings.Builder
	b.WriteString(e.Operation + ": ")
	if e.Err != nil {
		b.WriteString(e.Err.Error())
	}
	var notes []string
	if e.GaveUp != "" {
		notes = append(notes, "not repeated: "+e.GaveUp)
	}
	if e.Attempts > 1 {
		notes = append(notes, "after "+strconv.Itoa(e.Attempts)+" attempts")
	}
	if e.RequestID != "" {
		notes = append(notes, "request id "+e.RequestID)
	}
	if notes != nil {
		b.WriteString(" (" + strings.Join(notes, "; ") + ")")
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *RequestError) Unwrap() error { return e.Err }
