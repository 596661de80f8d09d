package agentctltest

import (
	"context"
	"net"
	"net/http"
	"sync"
)

// Pipe makes a [Server] listen on pipes in memory instead of a loopback port.
// Only [Server.Client] and [Server.Endpoint] reach it, and nothing waits for
// the network, so that it works within a bubble of testing/synctest. It has no
// effect on [New].
func Pipe() Option {
	return func(s *settings) { s.pipe = true }
}

// pipeHost is a name that counts as loopback and that nobody listens on.
const pipeHost = "agentctltest.localhost"

// A pipeListener is a listener whose connections come from its dial method.
type pipeListener struct {
	connections chan net.Conn
	closed      chan struct{}
	close       sync.Once
}

func newPipeListener() *pipeListener {
	return &pipeListener{connections: make(chan net.Conn), closed: make(chan struct{})}
}

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case connection := <-l.connections:
		return connection, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Close() error {
	l.close.Do(func() { close(l.closed) })
	return nil
}

func (l *pipeListener) Addr() net.Addr { return pipeAddr{} }

func (l *pipeListener) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case l.connections <- server:
		return client, nil
	case <-l.closed:
		return nil, &net.OpError{Op: "dial", Net: "pipe", Addr: pipeAddr{}, Err: net.ErrClosed}
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// client returns an HTTP client that reaches the listener, whatever the host in
// the URL.
func (l *pipeListener) client() *http.Client {
	return &http.Client{Transport: &http.Transport{DialContext: l.dial}}
}

type pipeAddr struct{}

func (pipeAddr) Network() string { return "pipe" }
func (pipeAddr) String() string  { return pipeHost }
