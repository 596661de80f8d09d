package exchange

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
)

// A delivery is the body of a request that must arrive once at most. It can be
// read once, and knows whether anybody began to. Together with the connection
// trace that is proof that a request has not left: whoever sends it, be it
// net/http or a transport of the host's own, has to read its body first.
type delivery struct {
	content   bytes.Reader
	state     atomic.Int32
	connected atomic.Bool // a connection was handed to the request
}

const (
	untouched int32 = iota
	begun           // somebody reads the body, or has read it
	withdrawn       // the call is over and nobody has
)

// deliverOnce makes a message of r whose body is a delivery. It takes from r all that
// net/http, or what the host has put around it, goes by to send a request again:
// the function that renews the body, and the headers that call a POST idempotent.
func deliverOnce(r *http.Request, body []byte) message {
	for name := range r.Header {
		switch http.CanonicalHeaderKey(name) {
		case "Idempotency-Key", "X-Idempotency-Key":
			delete(r.Header, name)
		}
	}
	d := &delivery{}
	// Not before now: Authorize may have asked another server with its context.
	r = r.WithContext(httptrace.WithClientTrace(r.Context(), &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { d.connected.Store(true) },
	}))
	r.GetBody = nil
	if body == nil {
		d.state.Store(begun) // nothing to watch, so nothing to prove
	} else {
		d.content.Reset(body)
		r.Body, r.ContentLength = d, int64(len(body))
	}
	return message{r, d}
}

var errWithdrawn = errors.New("the request is withdrawn")

// Read implements io.Reader.
func (d *delivery) Read(p []byte) (int, error) {
	if !d.state.CompareAndSwap(untouched, begun) && d.state.Load() == withdrawn {
		return 0, errWithdrawn
	}
	return d.content.Read(p)
}

// Close implements io.Closer.
func (d *delivery) Close() error { return nil }

// withdraw reports whether nothing of the request has left, and sees to it that
// nothing does from now on: a transport may return before it lets go of the body.
func (d *delivery) withdraw() bool {
	return d.state.CompareAndSwap(untouched, withdrawn) && !d.connected.Load()
}

var _ io.ReadCloser = (*delivery)(nil)
