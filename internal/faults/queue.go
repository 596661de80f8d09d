package faults

import (
	"io"
	"net/http"
	"sync"
)

// A Queue holds the faults that the coming requests meet. Its zero value is an
// empty queue. It is safe for concurrent use.
type Queue struct {
	mu      sync.Mutex
	waiting []Fault
	closed  chan struct{} // made by the first who needs it
	ended   bool
}

// Add appends faults to the queue. Each is met by one request.
func (q *Queue) Add(faults ...Fault) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting = append(q.waiting, faults...)
}

// Len returns how many faults no request has met yet.
func (q *Queue) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.waiting)
}

// Clear drops the faults that no request has met yet.
func (q *Queue) Clear() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting = nil
}

// Close ends the requests that hang or wait. Call it before the server's own
// Close, which waits for them. Closing twice is harmless.
func (q *Queue) Close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.ended {
		q.ended = true
		close(q.done())
	}
}

// done returns the channel that Close closes. The mutex is held.
func (q *Queue) done() chan struct{} {
	if q.closed == nil {
		q.closed = make(chan struct{})
	}
	return q.closed
}

func (q *Queue) next() (Fault, <-chan struct{}) {
	q.mu.Lock()
	defer q.mu.Unlock()
	var fault Fault
	if len(q.waiting) > 0 {
		fault, q.waiting = q.waiting[0], q.waiting[1:]
	}
	return fault, q.done()
}

// Wrap returns a handler that serves what next serves, spoilt by the faults of
// the queue. Some faults end a request by panicking with
// [http.ErrAbortHandler], so whoever wraps the result clears up in a defer.
func (q *Queue) Wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fault, closed := q.next()
		if fault.serve == nil {
			next.ServeHTTP(w, r)
			return
		}
		fault.serve(&meeting{w: w, r: r, operation: next, closed: closed})
	})
}

// A meeting is a request that has met a fault.
type meeting struct {
	w         http.ResponseWriter
	r         *http.Request
	operation http.Handler
	closed    <-chan struct{}
}

// drain reads what is left of the request's body. Only then does net/http
// notice, and tell the request's context, that the client has gone.
func (m *meeting) drain() { _, _ = io.Copy(io.Discard, m.r.Body) }

// perform lets the operation happen and returns its answer instead of sending it.
func (m *meeting) perform() *answer {
	a := &answer{status: http.StatusOK, header: http.Header{}}
	m.operation.ServeHTTP(a, m.r)
	m.drain()
	return a
}
