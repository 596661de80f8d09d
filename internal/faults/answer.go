package faults

import (
	"bytes"
	"net/http"
	"strconv"
)

// An answer is a whole HTTP answer that is held back. It is the
// [http.ResponseWriter] of an operation whose answer is to be spoilt.
type answer struct {
	status  int
	header  http.Header
	body    bytes.Buffer
	started bool
}

func (a *answer) Header() http.Header { return a.header }

func (a *answer) WriteHeader(status int) {
	if !a.started && status >= 200 {
		a.status, a.started = status, true
	}
}

func (a *answer) Write(p []byte) (int, error) {
	a.started = true
	return a.body.Write(p)
}

// begin sends the status and headers, announcing a body of length bytes;
// a negative length announces none.
func (a *answer) begin(w http.ResponseWriter, length int) {
	for name, values := range a.header {
		w.Header()[name] = values
	}
	w.Header().Del("Content-Length")
	if length >= 0 {
		w.Header().Set("Content-Length", strconv.Itoa(length))
	}
	w.WriteHeader(a.status)
}

// send sends the answer with another body.
func (a *answer) send(w http.ResponseWriter, body []byte) {
	a.begin(w, len(body))
	_, _ = w.Write(body)
}
