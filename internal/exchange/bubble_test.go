package exchange

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom"
)

// A bubble is a client and a server of HTTP/1.1 within one synctest bubble,
// joined by pipes in memory, and their fake clock.
type bubble struct {
	*testing.T
	client    *Client
	transport *http.Transport
	start     time.Time
	jitter    func(limit time.Duration) time.Duration

	limits []time.Duration // what the jitter was asked to stay below

	mu   sync.Mutex
	seen []time.Duration // when each request arrived
}

// inBubble runs test with a client of endpoint whose requests handler answers.
// Handlers get the number of the request, from 1. The jitter is the whole
// limit until the test sets another.
func inBubble(t *testing.T, endpoint opsroom.Endpoint, handler func(n int, w http.ResponseWriter, r *http.Request), test func(b *bubble)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		b := &bubble{T: t, start: time.Now()}
		b.jitter = func(limit time.Duration) time.Duration { return limit }
		listener := newPipeListener()
		server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			b.mu.Lock()
			b.seen = append(b.seen, time.Since(b.start))
			n := len(b.seen)
			b.mu.Unlock()
			handler(n, w, r)
		})}
		go func() { _ = server.Serve(listener) }()
		b.transport = &http.Transport{DialContext: listener.dial}
		host := http.Client{Transport: b.transport}
		if endpoint.HTTPClient != nil {
			host.Timeout = endpoint.HTTPClient.Timeout
		}
		endpoint.HTTPClient, endpoint.BaseURL = &host, "http://127.0.0.1"
		var err error
		b.client, err = New(endpoint)
		require.NoError(t, err)
		b.client.jitter = func(limit time.Duration) time.Duration {
			b.limits = append(b.limits, limit)
			return b.jitter(limit)
		}
		test(b)
		b.transport.CloseIdleConnections()
		require.NoError(t, server.Close())
		synctest.Wait()
	})
}

// get makes one call and returns its error.
func (b *bubble) get(ctx context.Context) error {
	_, err := b.client.Do(ctx, Request{Operation: "list_things", Method: http.MethodGet, Template: "/things", Path: "/things"})
	return err
}

// failure makes one call that has to fail.
func (b *bubble) failure(ctx context.Context) *opsroom.RequestError {
	b.Helper()
	failure, ok := errors.AsType[*opsroom.RequestError](b.get(ctx))
	require.True(b, ok)
	return failure
}

// requests returns when each request arrived.
func (b *bubble) requests() []time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.seen)
}

func (b *bubble) elapsed() time.Duration { return time.Since(b.start) }

// A pipeListener is a network of one address.
type pipeListener struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func newPipeListener() *pipeListener {
	return &pipeListener{conns: make(chan net.Conn), closed: make(chan struct{})}
}

func (l *pipeListener) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	near, far := net.Pipe()
	select {
	case l.conns <- far:
		return near, nil
	case <-l.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case conn := <-l.conns:
		return conn, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

func (l *pipeListener) Addr() net.Addr { return &net.UnixAddr{Name: "pipe"} }

// answer returns a handler that answers every request alike.
func answer(status int, headers ...string) func(int, http.ResponseWriter, *http.Request) {
	return func(_ int, w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
	}
}

// hang keeps a request until its client is gone.
func hang(_ int, _ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

// stall sends the head of an answer and the first byte of its body, and no more.
func stall(status int) func(int, http.ResponseWriter, *http.Request) {
	return func(_ int, w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "100")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, "{")
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}
}
