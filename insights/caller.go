package insights

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// A Caller calls tools of an MCP server: the host's MCP client, behind an
// adapter of a few lines. It must be safe for concurrent use if the [Client] is
// to be.
//
// An error of the session, such as a JSON-RPC error or a broken connection, is
// returned as an error, best as an [*RPCError] if it has a code. An adapter
// that knows its client's errors better may wrap a [Kind] in what it returns. A
// result with isError is no error here: it is returned as a [ToolResult].
//
// The client behind a Caller should not advertise the sampling capability: with
// it, Azure's router may let a model swap an unknown command for another one
// and run that.
type Caller interface {
	// CallTool calls the named tool with arguments that encode as a JSON
	// object. Their values are strings, booleans, int64 numbers and
	// map[string]any, so encoding/json writes them exactly. They must not be
	// changed.
	CallTool(ctx context.Context, name string, arguments map[string]any) (ToolResult, error)
}

// CallerFunc is a function that is a [Caller]. A nil one fails every call.
type CallerFunc func(ctx context.Context, name string, arguments map[string]any) (ToolResult, error)

// CallTool calls f.
func (f CallerFunc) CallTool(ctx context.Context, name string, arguments map[string]any) (ToolResult, error) {
	if f == nil {
		return ToolResult{}, errors.New("the CallerFunc is nil")
	}
	return f(ctx, name, arguments)
}

// A ToolResult is what an MCP tool answered with (CallToolResult in the
// specification). All three parts matter: most failures behind Azure's router
// come without IsError, and several text blocks must not be joined. What is read
// from Structured shares its memory, so a Caller must not write to it again.
type ToolResult struct {
	// Structured is structuredContent as JSON; nil if there was none.
	Structured json.RawMessage

	// Text has the text of every text block, in order, one string each.
	Text []string

	// IsError is isError.
	IsError bool
}

// An RPCError is the JSON-RPC error that a [Caller] got in place of a result.
// Returning one lets the client tell invalid arguments (-32602) from a failing
// server.
type RPCError struct {
	Code    int64  // the error's code
	Message string // the error's message
	Err     error  // the MCP client's own error; may be nil
}

// Error returns the code and the message.
func (e *RPCError) Error() string {
	return fmt.Sprintf("JSON-RPC error %d: %s", e.Code, e.Message)
}

// Unwrap returns the MCP client's own error.
func (e *RPCError) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.Err
}
