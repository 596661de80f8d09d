package exchange

import (
	"errors"
	"io"
	"net/http"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/problem"
)

const (
	maxDrain   = 4 << 10 // read and thrown away to keep a connection
	maxPresize = 1 << 20 // believed of a Content-Length
)

// read reads the answer: a 2xx as a Response, anything else as an error.
func (k *call) read(answer *http.Response) (*Response, error) {
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode < 200 || answer.StatusCode > 299 {
		return nil, readProblem(answer)
	}
	body, err := readBounded(answer, k.client.maxBody)
	switch {
	case errors.Is(err, opsroom.ErrBodyTooLarge):
		return nil, err
	case err != nil:
		return nil, newTransportError(answer.Request.Context(), err, nil)
	}
	return &Response{Status: answer.StatusCode, RequestID: k.requestID, Body: body}, nil
}

// readProblem makes an error of an answer outside 2xx.
func readProblem(answer *http.Response) error {
	p := problem.FromResponse(answer)
	if isRedirect(answer) {
		return &redirectError{p}
	}
	return p
}

// readBounded reads a body of up to limit bytes into one buffer.
func readBounded(answer *http.Response, limit int64) ([]byte, error) {
	if answer.ContentLength > limit {
		return nil, opsroom.ErrBodyTooLarge
	}
	// One byte more than announced lets the read that finds the end fit in.
	buffer := make([]byte, 0, max(512, min(answer.ContentLength, maxPresize)+1))
	for {
		n, err := answer.Body.Read(buffer[len(buffer):cap(buffer)])
		buffer = buffer[:len(buffer)+n]
		switch {
		case int64(len(buffer)) > limit:
			return nil, opsroom.ErrBodyTooLarge
		case err == io.EOF:
			return buffer, nil
		case err != nil:
			return buffer, err
		case len(buffer) == cap(buffer):
			buffer = append(buffer, 0)[:len(buffer)]
		}
	}
}

// discard closes a body that nobody wants after reading the little that it may
// hold, so that the connection can be used again.
func discard(body io.ReadCloser) {
	_, _ = io.CopyN(io.Discard, body, maxDrain)
	_ = body.Close()
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
