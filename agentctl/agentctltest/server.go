package agentctltest

import (
	"net/http"
	"net/http/httptest"

	"github.com/opsroom-go/opsroom"
)

// A Server is a [ControlPlane] that listens on a loopback address of its own.
type Server struct {
	*ControlPlane

	// URL is the base of the server, of form http://host:port with no trailing slash.
	URL string

	http *httptest.Server
}

// NewServer starts a server. The caller should call Close when done with it.
// Like [httptest.NewServer], it panics if no loopback port can be had.
func NewServer(options ...Option) *Server {
	p := New(options...)
	s := &Server{ControlPlane: p, http: httptest.NewServer(p)}
	s.URL = s.http.URL
	return s
}

// Close ends the requests that a fault holds back, waits for all others, and stops the server.
func (s *Server) Close() {
	s.ControlPlane.Close()
	s.http.Close()
}

// Client returns an HTTP client for the server. Its idle connections are closed
// with the server.
func (s *Server) Client() *http.Client { return s.http.Client() }

// Endpoint returns where the server is, in the form that clients take, with the
// bearer token that it demands at the moment, if any. The other
// fields are left at their defaults.
func (s *Server) Endpoint() opsroom.Endpoint {
	endpoint := opsroom.Endpoint{BaseURL: s.URL, HTTPClient: s.Client()}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.token != "" {
		endpoint.Authorize = opsroom.Bearer(s.token)
	}
	return endpoint
}
