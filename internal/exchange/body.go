package exchange

import (
	"compress/flate"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/opsroom-go/opsroom/problem"
)

const (
	presize   = 8 << 10 // the first buffer for a body of unknown length
	trusted   = 1 << 20 // believed of a Content-Length
	maxDrain  = 4 << 10 // read and thrown away to keep a connection
	drainTime = 100 * time.Millisecond
)

// read reads the answer: a 2xx as a Response, anything else as an error.
func (k *call) read(ctx context.Context, answer *http.Response) (*Response, error) {
	if answer.StatusCode < 200 || answer.StatusCode > 299 {
		return nil, readProblem(ctx, answer)
	}
	defer func() { _ = answer.Body.Close() }()
	if isEncoded(answer) {
		return nil, &malformedError{errEncoding}
	}
	body, err := readBounded(answer, k.client.maxBody)
	if err == nil {
		return &Response{Status: answer.StatusCode, RequestID: k.requestID, Body: body}, nil
	}
	if _, ok := err.(*tooLargeError); ok {
		return nil, err
	}
	if isCorrupt(err) {
		return nil, &malformedError{errCompression}
	}
	return nil, newTransportError(ctx, err)
}

// readProblem makes a problem of an answer outside 2xx, and closes its body.
func readProblem(ctx context.Context, answer *http.Response) *problem.Problem {
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode < 200 {
		// After 101 the body is the bare connection: reading it would wait for
		// a server that waits for us, whatever becomes of the context.
		return problem.Parse(answer.StatusCode, answer.Header, answer.Request.URL, nil)
	}
	p := problem.FromResponse(answer)
	redact(p, answer.Request)
	if p.Cause != nil && !errors.Is(p.Cause, problem.ErrBodyTooLarge) {
		p.Cause = newTransportError(ctx, p.Cause)
	}
	return p
}

// readBounded reads a body of up to limit bytes into one buffer.
func readBounded(answer *http.Response, limit int64) ([]byte, error) {
	announced := answer.ContentLength
	if announced > limit {
		return nil, &tooLargeError{limit}
	}
	// One byte more than announced lets the read that finds the end fit in.
	size := min(announced, trusted) + 1
	if announced < 0 {
		size = min(presize, limit) + 1
	}
	buffer := make([]byte, 0, size)
	for {
		n, err := answer.Body.Read(buffer[len(buffer):cap(buffer)])
		buffer = buffer[:len(buffer)+n]
		switch {
		case int64(len(buffer)) > limit:
			return nil, &tooLargeError{limit}
		case err == io.EOF:
			return buffer, nil
		case err != nil:
			return nil, err
		case len(buffer) == cap(buffer):
			buffer = grow(buffer, limit)
		}
	}
}

// grow doubles a full buffer, to one byte over limit at most. Doubling keeps all
// buffers of a body together below twice its bound; append's own growth would
// leave several times that to the garbage collector.
func grow(buffer []byte, limit int64) []byte {
	size := int64(len(buffer))
	if size > limit/2 {
		size = limit
	} else {
		size *= 2
	}
	larger := make([]byte, len(buffer), size+1)
	copy(larger, buffer)
	return larger
}

// isEncoded reports whether the body is in a coding that the transport has not
// undone, which happens to those who asked for none.
func isEncoded(answer *http.Response) bool {
	coding := answer.Header.Get("Content-Encoding")
	return coding != "" && !strings.EqualFold(coding, "identity") && answer.ContentLength != 0
}

func isCorrupt(err error) bool {
	if errors.Is(err, gzip.ErrHeader) || errors.Is(err, gzip.ErrChecksum) {
		return true
	}
	_, corrupt := errors.AsType[flate.CorruptInputError](err)
	return corrupt
}

var (
	errEncoding    = errors.New("it has a content encoding that was not asked for")
	errCompression = errors.New("its compression is corrupt")
)

// discard closes a body that nobody wants. A small one is read first, so that
// the connection can be used again, but never waited for.
func discard(answer *http.Response) {
	defer func() { _ = answer.Body.Close() }()
	if answer.ContentLength > maxDrain {
		return
	}
	patience := time.AfterFunc(drainTime, func() { _ = answer.Body.Close() })
	defer patience.Stop()
	_, _ = io.CopyN(io.Discard, answer.Body, maxDrain)
}

// maxRequestID is the longest request id that is taken over.
const maxRequestID = 128

// requestID returns the server's x-request-id if it is plain, else "".
func requestID(header http.Header) string {
	id := header.Get("X-Request-Id")
	if len(id) > maxRequestID {
		return ""
	}
	for i := range len(id) {
		if id[i] <= ' ' || id[i] > '~' {
			return ""
		}
	}
	return id
}
