package exchange

import (
	"bytes"
	"context"
	"io"
	"net/http"

	"github.com/opsroom-go/opsroom"
)

// A Request is one operation's request. Its parts are checked and encoded.
type Request struct {
	Operation string // for errors and logs, such as "list_agent_runs"
	Method    string // GET or POST
	Template  string // the path as the contract prints it, for logs
	Path      string // the encoded path, from its first slash on
	Query     string // the encoded query, "" for none
	Body      []byte // the JSON body of a POST
	Header    Header // one more header, if its name is not empty
}

// A Header is a name and a value.
type Header struct{ Name, Value string }

// A Response is a 2xx answer that was read whole.
type Response struct {
	Status    int
	RequestID string
	Body      []byte
	attempts  int
}

// Malformed returns the failure of a call whose answer arrived and cannot be
// used. The reason must not repeat what is in the body.
func (r *Response) Malformed(operation string, reason error) *opsroom.RequestError {
	return &opsroom.RequestError{
		Operation: operation, Status: r.Status, RequestID: r.RequestID, Attempts: r.attempts,
		Err: &malformedError{reason},
	}
}

type malformedError struct{ reason error }

func (e *malformedError) Error() string {
	return opsroom.ErrMalformedBody.Error() + ": " + e.reason.Error()
}

func (e *malformedError) Unwrap() []error { return []error{opsroom.ErrMalformedBody, e.reason} }

// build makes the HTTP request for address, credentials included.
func (c *Client) build(ctx context.Context, request *Request, address string) (*http.Request, error) {
	var body io.Reader
	if request.Body != nil {
		body = bytes.NewReader(request.Body)
	}
	r, err := http.NewRequestWithContext(ctx, request.Method, address, body)
	if err != nil {
		return nil, errAddress
	}
	// Without GetBody the transport cannot send a body a second time by itself,
	// whatever it thinks of the connection's state.
	r.GetBody = nil
	r.Header["Accept"] = accept
	r.Header["User-Agent"] = []string{c.userAgent}
	if request.Body != nil {
		r.Header["Content-Type"] = contentType
	}
	if request.Header.Name != "" {
		r.Header.Set(request.Header.Name, request.Header.Value)
	}
	if c.authorize != nil {
		if err := c.authorize(r); err != nil {
			return nil, &authorizeError{err}
		}
		if request.Body != nil {
			dropReplayHeaders(r.Header)
		}
	}
	return r, nil
}

var (
	accept      = []string{"application/json, application/problem+json"}
	contentType = []string{"application/json"}
)

// dropReplayHeaders removes what an Authorize function may have added and what
// makes net/http consider a POST safe to replay on its own.
func dropReplayHeaders(header http.Header) {
	for name := range header {
		switch http.CanonicalHeaderKey(name) {
		case "Idempotency-Key", "X-Idempotency-Key":
			delete(header, name)
		}
	}
}

// authorizeError does not repeat the text of its cause, which may tell about credentials.
type authorizeError struct{ cause error }

func (e *authorizeError) Error() string   { return opsroom.ErrAuthorize.Error() }
func (e *authorizeError) Unwrap() []error { return []error{opsroom.ErrAuthorize, e.cause} }
