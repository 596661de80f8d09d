package exchange

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"

	"github.com/opsroom-go/opsroom"
)

// A transportError says that no complete answer arrived. Its text is one of a
// few of our own: what net/http says may hold the URL or what the server sent.
type transportError struct {
	text      string
	cause     error
	timeout   bool // a bound other than the call's context was reached
	permanent bool // another attempt would end the same way
}

func newTransportError(ctx context.Context, err error) error {
	e := &transportError{cause: err, timeout: attemptEnded(ctx) || isTimeout(err)}
	if e.timeout {
		e.text = opsroom.ErrTimeout.Error()
	} else {
		e.text, e.permanent = describe(err)
	}
	return e
}

func (e *transportError) Error() string {
	return opsroom.ErrTransport.Error() + ": " + e.text
}

func (e *transportError) Unwrap() []error {
	wrapped := []error{opsroom.ErrTransport}
	if e.timeout {
		wrapped = append(wrapped, opsroom.ErrTimeout)
	}
	return append(wrapped, unlessEnded(e.cause)...)
}

func isTimeout(err error) bool {
	network, ok := errors.AsType[net.Error](err)
	return ok && network.Timeout()
}

// describe names the kind of a transport failure, and tells whether it is one
// that trying again cannot mend.
func describe(err error) (text string, permanent bool) {
	if dns, ok := errors.AsType[*net.DNSError](err); ok {
		return "the host name cannot be resolved", dns.IsNotFound
	}
	switch {
	case isUntrusted(err):
		return "the server's certificate is not trusted", true
	case is[tls.RecordHeaderError](err):
		return "the server does not speak TLS", true
	case is[tls.AlertError](err):
		return "the TLS handshake failed", false
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "the connection ended early", false
	}
	if operation, ok := errors.AsType[*net.OpError](err); ok {
		switch operation.Op {
		case "dial":
			return "cannot connect to the server", false
		case "proxyconnect":
			return "cannot connect to the proxy", false
		default:
			return "the connection broke", false
		}
	}
	return "the exchange with the server failed", false
}

func isUntrusted(err error) bool {
	return is[*tls.CertificateVerificationError](err) || is[x509.UnknownAuthorityError](err) || is[x509.HostnameError](err)
}

func is[T error](err error) bool {
	_, ok := errors.AsType[T](err)
	return ok
}
