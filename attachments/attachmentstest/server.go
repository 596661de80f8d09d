package attachmentstest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"time"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/internal/faults"
)

// What every new [Server] has.
const (
	// DefaultOrgID is the organisation of whatever names no other one.
	DefaultOrgID = "org_00000000000000000000000000000001"

	// DefaultToken is the personal access token of a caller without special
	// rights in the default organisation.
	DefaultToken = "evr_pat_0000000000000000000000000000000000000000000000000000000000000001"
)

// A Server is an Everruns API in memory, on a real loopback listener. Its state
// can be read and changed at any time; it is safe for concurrent use.
type Server struct {
	// URL is the base of the API, such as "http://127.0.0.1:43210/api".
	URL string

	http   *httptest.Server
	faults faults.Queue

	mu        sync.Mutex
	agents    []*Agent
	callers   map[string]*caller // by token
	received  []Request
	serial    int // of what is numbered: agents and tokens
	responses int // answers so far, which numbers them
}

// NewServer starts a server with one organisation, one caller and no agents.
// The test that started it closes it.
func NewServer() *Server {
	s := &Server{callers: map[string]*caller{}}
	s.AddCaller(Caller{Token: DefaultToken})
	operations := s.faults.Wrap(http.HandlerFunc(s.serve))
	s.http = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.record(r)
		w.Header().Set("X-Request-Id", s.requestID(r))
		operations.ServeHTTP(w, r)
	}))
	s.URL = s.http.URL + "/api"
	return s
}

// Close ends the requests that hang, shuts the server down, and waits until
// all requests are done.
func (s *Server) Close() {
	s.faults.Close()
	s.http.Close()
}

// Client returns an HTTP client for the server, whose idle connections go when
// the server is closed.
func (s *Server) Client() *http.Client { return s.http.Client() }

// Endpoint returns how to talk to the server as the default caller. What is
// repeated after a failure is so after a millisecond, to keep tests quick.
func (s *Server) Endpoint() opsroom.Endpoint {
	return opsroom.Endpoint{
		BaseURL:    s.URL,
		Authorize:  opsroom.Bearer(DefaultToken),
		HTTPClient: s.Client(),
		Retry:      opsroom.Retry{BaseDelay: time.Millisecond},
	}
}

// EndpointAs returns how to talk to the server as another caller.
func (s *Server) EndpointAs(c Caller) opsroom.Endpoint {
	endpoint := s.Endpoint()
	endpoint.Authorize = opsroom.Bearer(c.Token)
	return endpoint
}

// requestID is the client's own id of the request, or a new one in the form of
// a UUID. They are numbered, so that tests can expect them.
func (s *Server) requestID(r *http.Request) string {
	if id := r.Header.Get("X-Request-Id"); id != "" {
		return id
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.responses++
	return fmt.Sprintf("00000000-0000-4000-8000-%012d", s.responses)
}

// next numbers what the server makes up. The mutex is held.
func (s *Server) next() int {
	s.serial++
	return s.serial
}
