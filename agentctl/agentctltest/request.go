package agentctltest

import (
	"bytes"
	"io"
	"net/http"
	"slices"
)

// maxRequests is how many requests are kept, so that a long-lived program does
// not grow.
const maxRequests = 10_000

// A Request is a request as it arrived.
type Request struct {
	Operation Operation   // "" if its method and path are those of no operation
	Method    string      //
	URI       string      // the request target on the wire: escaped path and query
	Host      string      //
	Header    http.Header // by canonical name
	Body      []byte      // nil if there was none
}

// traffic is what came in and what is to happen to it. The control plane's
// mutex guards it.
type traffic struct {
	total    int
	counts   map[Operation]int
	requests []Request
	before   func(n int, r *http.Request)
	faults   map[Operation][]Fault
	failFunc func(operation Operation, n int, r *http.Request) Fault
}

// BeforeRequest sets a function that is called for each request before anything
// is done about it, with the number of the request, counted from 1. Whatever it
// does to the control plane, the request sees: that is how rows are raised,
// resolved and deleted between the requests of a client. It may read the
// request's body.
//
// The function is called by one goroutine at a time, so it must not wait for
// another request. Nil removes it.
func (p *ControlPlane) BeforeRequest(before func(n int, r *http.Request)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.traffic.before = before
}

// Requests returns the requests so far, in the order of their arrival: the last
// 10,000 of them.
func (p *ControlPlane) Requests() []Request {
	p.mu.Lock()
	defer p.mu.Unlock()
	requests := slices.Clone(p.traffic.requests)
	for i := range requests {
		requests[i].Header = requests[i].Header.Clone()
		requests[i].Body = bytes.Clone(requests[i].Body)
	}
	return requests
}

// Count returns how many requests of an operation arrived, whatever became of
// them; of "", how many were those of no operation.
func (p *ControlPlane) Count(operation Operation) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.traffic.counts[operation]
}

// ForgetRequests empties what [ControlPlane.Requests] returns and sets all
// counters to zero, those of [ControlPlane.BeforeRequest] and
// [ControlPlane.FailFunc] included.
func (p *ControlPlane) ForgetRequests() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.traffic.requests, p.traffic.total = nil, 0
	clear(p.traffic.counts)
}

// admit records a request, lets the host's functions run, and picks the fault.
func (p *ControlPlane) admit(c *call, r *http.Request) {
	p.hooks.Lock()
	defer p.hooks.Unlock()
	total, n := p.record(c, r)
	before, failFunc := p.hostFunctions()
	if before != nil {
		r.Body = newBody(c.body)
		before(total, r)
	}
	// Only now, so that the function before can add one for this very request.
	if fault, found := p.takeFault(c.operation); found {
		c.fault = fault
	} else if failFunc != nil {
		r.Body = newBody(c.body)
		c.fault = failFunc(c.operation, n, r)
	}
}

// record keeps the request, gives it an id, and returns its number among all
// requests and among those of its operation.
func (p *ControlPlane) record(c *call, r *http.Request) (total, n int) {
	request := Request{
		Operation: c.operation, Method: r.Method, URI: r.RequestURI,
		Host: r.Host, Header: r.Header.Clone(),
	}
	if len(c.body) > 0 {
		request.Body = bytes.Clone(c.body)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	t := &p.traffic
	if len(t.requests) == maxRequests {
		t.requests = t.requests[1:] // append moves what is left when the room runs out
	}
	t.requests = append(t.requests, request)
	t.total++
	t.counts[c.operation]++
	c.requestID = p.nextID("req", func(string) bool { return false })
	return t.total, t.counts[c.operation]
}

func (p *ControlPlane) hostFunctions() (before func(int, *http.Request), failFunc func(Operation, int, *http.Request) Fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.traffic.before, p.traffic.failFunc
}

func newBody(body []byte) io.ReadCloser { return io.NopCloser(bytes.NewReader(body)) }
