package main

import (
	"context"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// drain is a transport that reports the end of its input only once every call
// that came in is answered.
//
// The SDK cancels what is in flight when its input ends. A client that asks
// and closes stdin at once would get no answer, and an exception that it has just
// raised would have an unknown outcome.
type drain struct{ mcp.Transport }

func (d drain) Connect(ctx context.Context) (mcp.Connection, error) {
	connection, err := d.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &drainedConnection{
		Connection: connection,
		inFlight:   map[jsonrpc.ID]bool{},
		drained:    make(chan struct{}),
	}, nil
}

type drainedConnection struct {
	mcp.Connection
	mu       sync.Mutex
	inFlight map[jsonrpc.ID]bool // a set: of two calls with one id the SDK answers one
	ended    bool                // the input has
	once     sync.Once
	drained  chan struct{} // closed once nothing is left to wait for
}

func (c *drainedConnection) Read(ctx context.Context) (jsonrpc.Message, error) {
	message, err := c.Connection.Read(ctx)
	if err != nil {
		c.update(func() { c.ended = true })
		<-c.drained
	} else if request, ok := message.(*jsonrpc.Request); ok && request.IsCall() {
		c.update(func() { c.inFlight[request.ID] = true })
	}
	return message, err
}

func (c *drainedConnection) Write(ctx context.Context, message jsonrpc.Message) error {
	if response, ok := message.(*jsonrpc.Response); ok {
		defer c.update(func() { delete(c.inFlight, response.ID) })
	}
	return c.Connection.Write(ctx, message)
}

func (c *drainedConnection) Close() error {
	c.once.Do(func() { close(c.drained) })
	return c.Connection.Close()
}

// update makes a change, and lets the end of the input be reported if that was the
// last thing to wait for.
func (c *drainedConnection) update(change func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change()
	if c.ended && len(c.inFlight) == 0 {
		c.once.Do(func() { close(c.drained) })
	}
}
