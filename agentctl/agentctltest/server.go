package agentctltest

import (
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/opsroom-go/opsroom"
)

// A Server is a [ControlPlane] that listens on a loopback address of its own.
type Server struct {
	*ControlPlane

	// URL is the base of the server, of form http://host:port with no trailing
	// slash.
	URL string

	http   *httptest.Server
	client *http.Client
}

// NewServer starts a server. The caller should call Close when done with it.
// Like [httptest.NewServer], it panics if no loopback port can be had.
func NewServer(options ...Option) *Server {
	p := New(options...)
	s := &Server{ControlPlane: p}
	if p.settings.pipe {
		listener := newPipeListener()
		s.http = &httptest.Server{Listener: listener, Config: &http.Server{Handler: p}}
		s.http.Start()
		s.client = listener.client()
	} else {
		s.http = httptest.NewServer(p)
		s.client = s.http.Client()
	}
	s.URL = s.http.URL
	return s
}

// Close ends the requests that a fault holds back, waits for all others, and
// stops the server. Closing twice is harmless.
func (s *Server) Close() {
	s.ControlPlane.Close()
	s.http.Close()
}

// Client returns an HTTP client for the server. Its idle connections are closed
// with the server.
func (s *Server) Client() *http.Client { return s.client }

// Endpoint returns where the server is, in the form that clients take, with the
// bearer token that it demands at the moment, if any. Failed requests are
// repeated after a millisecond or two, to keep tests quick.
func (s *Server) Endpoint() opsroom.Endpoint {
	endpoint := opsroom.Endpoint{
		BaseURL:    s.URL,
		HTTPClient: s.client,
		Retry:      opsroom.Retry{BaseDelay: time.Millisecond},
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.token != "" {
		endpoint.Authorize = opsroom.Bearer(s.token)
	}
	return endpoint
}
