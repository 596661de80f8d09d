package attachmentstest

import (
	"net/http"
	"slices"
)

// A Request is what the server has received.
type Request struct {
	Method string

	// Target is the path and query exactly as they were on the wire, "/api" included.
	Target string

	// Header holds the headers under their canonical names. Host is not among them.
	Header http.Header
}

// Requests returns the requests received so far, in the order in which they
// arrived, those that met a fault included.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.received)
}

func (s *Server) record(r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.received = append(s.received, Request{Method: r.Method, Target: r.RequestURI, Header: r.Header.Clone()})
}
