package exchange

import (
	"bytes"
	"context"
	"errors"
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

// repeatable reports whether the request may be sent more than once.
func (r *Request) repeatable() bool { return r.Method == http.MethodGet }

// A message is one HTTP request that is ready to be sent.
type message struct {
	*http.Request
	delivery *delivery // watches a request that must not be sent twice; nil for others
}

// build makes the message for address, credentials and cookies included.
func (c *Client) build(ctx context.Context, request *Request, address string) (message, error) {
	var body io.Reader
	if request.Body != nil {
		body = bytes.NewReader(request.Body)
	}
	r, err := http.NewRequestWithContext(ctx, request.Method, address, body)
	if err != nil {
		return message{}, errAddress
	}
	c.setHeader(r.Header, request)
	if c.authorize != nil {
		if err := c.authorize(r); err != nil {
			return message{}, newAuthorizeError(ctx, err)
		}
		if !isSendable(r.Header) {
			return message{}, newAuthorizeError(ctx, errHeader)
		}
	}
	if c.jar != nil {
		for _, cookie := range c.jar.Cookies(r.URL) {
			r.AddCookie(cookie)
		}
	}
	if request.repeatable() {
		return message{Request: r}, nil
	}
	return deliverOnce(r, request.Body), nil
}

func (c *Client) setHeader(header http.Header, request *Request) {
	// One array for the three slices, each of which holds one value.
	values := [...]string{"application/json, application/problem+json", c.userAgent, "application/json"}
	header["Accept"] = values[0:1:1]
	header["User-Agent"] = values[1:2:2]
	if request.Body != nil {
		header["Content-Type"] = values[2:3:3]
	}
	if request.Header.Name != "" {
		header.Set(request.Header.Name, request.Header.Value)
	}
}

var (
	errAddress = errors.New("the request's address is not a valid URL")
	errHeader  = errors.New("a header that Authorize has set cannot be sent")
)

// isSendable reports whether net/http would send these headers. It refuses
// others with an error of no particular type, which looks like a failure of
// the network.
func isSendable(header http.Header) bool {
	for name, values := range header {
		if !isToken(name) {
			return false
		}
		for _, value := range values {
			if !isHeaderValue(value) {
				return false
			}
		}
	}
	return true
}

// isHeaderValue reports whether value has none of the control characters that
// RFC 9110 section 5.5 keeps out of header values.
func isHeaderValue(value string) bool {
	for i := range len(value) {
		if c := value[i]; c < ' ' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return true
}

// isToken reports whether name is a token of RFC 9110 section 5.6.2.
func isToken(name string) bool {
	for i := range len(name) {
		switch c := name[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9':
		case bytes.IndexByte([]byte("!#$%&'*+-.^_`|~"), c) >= 0:
		default:
			return false
		}
	}
	return name != ""
}

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
