package exchange

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/url"
	"os"
	"syscall"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/problem"
)

// A transportError says that no complete answer arrived. Its text is one of a
// few of our own: what net/http says may hold the URL or what the server sent.
type transportError struct {
	text      string
	cause     error
	timeout   bool // the attempt's own bound was reached
	permanent bool // another attempt would end the same way
	notSent   bool // it is certain that no byte of the request left
}

func newTransportError(ctx context.Context, err error, connection *connectionTrace) error {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err
	}
	e := &transportError{cause: err, notSent: connection.neverConnected()}
	e.timeout = errors.Is(context.Cause(ctx), opsroom.ErrTimeout)
	e.text, e.permanent = describe(err)
	if e.timeout {
		e.text, e.permanent = opsroom.ErrTimeout.Error(), false
	}
	return e
}

func (e *transportError) Error() string {
	return opsroom.ErrTransport.Error() + ": " + e.text
}

func (e *transportError) Unwrap() []error {
	if e.timeout {
		return []error{opsroom.ErrTransport, opsroom.ErrTimeout}
	}
	return []error{opsroom.ErrTransport, e.cause}
}

// describe names the kind of a transport failure, and tells whether it is one
// that trying again cannot mend.
func describe(err error) (text string, permanent bool) {
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return "the server's certificate is not trusted", true
	}
	if _, ok := errors.AsType[x509.UnknownAuthorityError](err); ok {
		return "the server's certificate is not trusted", true
	}
	if _, ok := errors.AsType[tls.RecordHeaderError](err); ok {
		return "the server does not speak TLS", true
	}
	if dns, ok := errors.AsType[*net.DNSError](err); ok {
		return "the host name cannot be resolved", dns.IsNotFound
	}
	network, isNetwork := errors.AsType[net.Error](err)
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return "connection refused", false
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return "connection reset", false
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "the connection ended early", false
	case errors.Is(err, os.ErrDeadlineExceeded), isNetwork && network.Timeout():
		return "timed out", false
	}
	return "the exchange with the server failed", false
}

// A contextError says that the call's own context ended it.
type contextError struct {
	err     error // context.Canceled or context.DeadlineExceeded
	cause   error // context.Cause, which may be err
	last    error // what had failed before, if anything
	notSent bool
}

func (e *contextError) Error() string {
	text := "the call was cancelled"
	if errors.Is(e.err, context.DeadlineExceeded) {
		text = "the call's deadline passed"
	}
	if e.last != nil {
		text += "; before that: " + e.last.Error()
	}
	return text
}

func (e *contextError) Unwrap() []error {
	wrapped := []error{e.err}
	for _, err := range []error{e.cause, e.last} {
		if err != nil && err != e.err {
			wrapped = append(wrapped, err)
		}
	}
	return wrapped
}

// withContext tells a failure of the exchange from the end of the call: when
// ctx is done, an answer that did not arrive whole was cut off because of it.
func withContext(ctx context.Context, err error) error {
	if ctx.Err() == nil {
		return err
	}
	ended := &contextError{err: ctx.Err(), cause: context.Cause(ctx)}
	if transport, ok := errors.AsType[*transportError](err); ok {
		ended.notSent = transport.notSent
		return ended
	}
	if p, ok := errors.AsType[*problem.Problem](err); ok && p.Body().Kind == problem.BodyUnreadable {
		ended.last = err
		return ended
	}
	return err
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

var errAddress = errors.New("the request's address is not a valid URL")

// isNotSent reports whether it is certain that no byte of the request left.
func isNotSent(err error) bool {
	if e, ok := errors.AsType[*contextError](err); ok {
		return e.notSent
	}
	if e, ok := errors.AsType[*transportError](err); ok {
		return e.notSent
	}
	return errors.Is(err, errAddress) || errors.Is(err, opsroom.ErrAuthorize) || errors.Is(err, opsroom.ErrLimiter)
}
