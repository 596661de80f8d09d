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
	return &drainedConnection{Connection: connection, closed: make(chan struct{})}, nil
}

type drainedConnection struct {
	mcp.Connection
	calls  sync.WaitGroup // those that wait for an answer
	once   sync.Once
	closed chan struct{}
}

func (c *drainedConnection) Read(ctx context.Context) (jsonrpc.Message, error) {
	message, err := c.Connection.Read(ctx)
	if err != nil {
		c.wait()
	} else if request, ok := message.(*jsonrpc.Request); ok && request.IsCall() {
		c.calls.Add(1)
	}
	return message, err
}

func (c *drainedConnection) Write(ctx context.Context, message jsonrpc.Message) error {
	if _, ok := message.(*jsonrpc.Response); ok {
		defer c.calls.Done()
	}
	return c.Connection.Write(ctx, message)
}

func (c *drainedConnection) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.Connection.Close()
}

// wait returns when all calls are answered or the connection is closed.
func (c *drainedConnection) wait() {
	answered := make(chan struct{})
	go func() {
		c.calls.Wait()
		close(answered)
	}()
	select {
	case <-answered:
	case <-c.closed:
	}
}
