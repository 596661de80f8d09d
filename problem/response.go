package problem

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/url"
)

// MaxBody is how many bytes of a response body [FromResponse] reads.
const MaxBody = 1 << 20

// ErrBodyTooLarge is the cause of a problem whose response body was larger
// than what the reader was ready to read.
var ErrBodyTooLarge = errors.New("problem: the response body is larger than the limit")

// FromResponse makes a problem of an error response, whatever its body is. It
// reads at most [MaxBody] bytes of the body and does not close it. It never
// returns nil, and a failure to read the body is the cause of the problem:
// [ErrBodyTooLarge], or the error of the read.
//
// The base for relative URIs is the response's Content-Location, or else the
// URL of resp.Request, which is the last one after redirects.
func FromResponse(resp *http.Response) *Problem {
	if resp == nil {
		return ParsePartial(0, nil, nil, nil, errors.New("problem: no response"))
	}
	var base *url.URL
	if resp.Request != nil {
		base = resp.Request.URL
	}
	body, err := readBody(resp)
	return parse(resp.StatusCode, resp.Header, base, body, err)
}

func readBody(resp *http.Response) ([]byte, error) {
	if resp.Body == nil {
		return nil, nil
	}
	var buf bytes.Buffer
	if n := resp.ContentLength; n > 0 && n <= MaxBody {
		buf.Grow(int(n) + bytes.MinRead)
	}
	_, err := buf.ReadFrom(io.LimitReader(resp.Body, MaxBody+1))
	if buf.Len() > MaxBody {
		buf.Truncate(MaxBody)
		err = ErrBodyTooLarge
	}
	return buf.Bytes(), err
}

// Parse makes a problem of an error response whose body is already read and
// decoded from any content coding. Base is the URL that was requested last; it
// may be nil. The body is copied where it is kept. Parse never returns nil:
// [Body.Kind] tells what the body was.
//
// Parse reads all of body, so bound it first. For one that is not complete
// there is [ParsePartial].
func Parse(status int, header http.Header, base *url.URL, body []byte) *Problem {
	return parse(status, header, base, bytes.Clone(body), nil)
}

// ParsePartial makes a problem of an error response whose body could not be
// read to its end. The error says why and becomes the cause: [ErrBodyTooLarge]
// (also wrapped, or an [http.MaxBytesError]) when there was more than the
// reader's limit, else what the read returned. Body holds what was read until
// then; it is kept as far as [Body] says, and not interpreted. Without an
// error it is [Parse].
func ParsePartial(status int, header http.Header, base *url.URL, body []byte, err error) *Problem {
	return parse(status, header, base, bytes.Clone(body), err)
}

// parse owns body.
func parse(status int, header http.Header, base *url.URL, body []byte, err error) *Problem {
	p := &Problem{
		Status:    status,
		Cause:     err,
		base:      documentBase(base, header),
		requestID: header.Get("X-Request-Id"),
	}
	p.takeRetryHeader(header)
	p.body.MediaType = mediaType(header.Get("Content-Type"))
	p.body.Size = int64(len(body))
	switch {
	case err == nil:
		p.body.Kind = p.interpret(body)
	case isTooLarge(err):
		p.body.Kind = BodyTooLarge
	default:
		p.body.Kind = BodyUnreadable
	}
	p.body.Raw = kept(body)
	return p
}

func isTooLarge(err error) bool {
	if errors.Is(err, ErrBodyTooLarge) {
		return true
	}
	_, ok := errors.AsType[*http.MaxBytesError](err)
	return ok
}
