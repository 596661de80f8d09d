package exchange

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom"
)

// A recorder is a server on a loopback port that remembers what it was sent.
type recorder struct {
	*httptest.Server
	mu       sync.Mutex
	requests []*http.Request
	bodies   []string
	conns    int
}

func newRecorder(t *testing.T, handler http.HandlerFunc) *recorder {
	t.Helper()
	s := &recorder{}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		s.mu.Lock()
		s.requests, s.bodies = append(s.requests, r), append(s.bodies, string(body))
		s.mu.Unlock()
		handler(w, r)
	}))
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			s.mu.Lock()
			s.conns++
			s.mu.Unlock()
		}
	}
	s.Start()
	t.Cleanup(s.Close)
	return s
}

// seen returns the value of a header in each request.
func (s *recorder) seen(header string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	values := make([]string, len(s.requests))
	for i, r := range s.requests {
		values[i] = r.Header.Get(header)
	}
	return values
}

func (s *recorder) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.requests)
}

func (s *recorder) connections() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.conns
}

// client returns a client of the server with a transport of its own.
func (s *recorder) client(t *testing.T, endpoint opsroom.Endpoint) *Client {
	t.Helper()
	endpoint.BaseURL = s.URL
	if endpoint.HTTPClient == nil {
		endpoint.HTTPClient = s.Client()
	}
	client, err := New(endpoint)
	require.NoError(t, err)
	client.jitter = noJitter
	return client
}

func noJitter(time.Duration) time.Duration { return 0 }

func get(ctx context.Context, c *Client) (*Response, error) {
	return c.Do(ctx, Request{Operation: "list_things", Method: http.MethodGet, Template: "/things", Path: "/things"})
}

func post(ctx context.Context, c *Client, body string) (*Response, error) {
	return c.Do(ctx, Request{Operation: "add_thing", Method: http.MethodPost, Template: "/things", Path: "/things", Body: []byte(body)})
}

// requestError returns the error of a call that has to fail.
func requestError(t *testing.T, err error) *opsroom.RequestError {
	t.Helper()
	failure, ok := errors.AsType[*opsroom.RequestError](err)
	require.True(t, ok, "%v", err)
	return failure
}
