// Package mcpgocaller lets package insights call tools through the client of
// github.com/mark3labs/mcp-go: [New] turns it into an [insights.Caller].
//
// Everything is exact: arguments, text blocks, and structured content, of which
// that client keeps the bytes.
//
// The client should have no sampling handler, so that it does not advertise
// sampling: with it, Azure's router may have a model swap a command that it does
// not know for another one.
package mcpgocaller

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/opsroom-go/opsroom/insights"
)

// A Caller calls tools through a client. It is safe for concurrent use.
type Caller struct{ client *client.Client }

var _ insights.Caller = (*Caller)(nil)

// New returns a Caller for a client that is initialized. The client stays the
// host's to close.
func New(client *client.Client) *Caller { return &Caller{client} }

// CallTool calls a tool. A JSON-RPC error of the server is an
// [*insights.RPCError] if mcp-go tells its code; every other error is mcp-go's own.
func (c *Caller) CallTool(ctx context.Context, name string, arguments map[string]any) (insights.ToolResult, error) {
	request := mcp.CallToolRequest{Params: mcp.CallToolParams{Name: name, Arguments: arguments}}
	answer, err := c.client.CallTool(ctx, request)
	if err != nil {
		return insights.ToolResult{}, translate(err)
	}
	result := insights.ToolResult{IsError: answer.IsError}
	for _, content := range answer.Content {
		if block, ok := mcp.AsTextContent(content); ok {
			result.Text = append(result.Text, block.Text)
		}
	}
	result.Structured, err = structured(answer)
	return result, err
}

// structured returns the structured content. Only clients in the server's own
// process have no bytes of it.
func structured(answer *mcp.CallToolResult) (json.RawMessage, error) {
	if answer.RawStructuredContent != nil {
		return answer.RawStructuredContent, nil
	}
	if answer.StructuredContent == nil {
		return nil, nil
	}
	raw, err := json.Marshal(answer.StructuredContent)
	if err != nil {
		return nil, fmt.Errorf("mcpgocaller: structured content: %w", err)
	}
	return raw, nil
}

// codes are the JSON-RPC errors that mcp-go tells apart. Of all others only the
// message is left.
var codes = []struct {
	err  error
	code int64
}{
	{mcp.ErrMethodNotFound, mcp.METHOD_NOT_FOUND},
	{mcp.ErrInvalidParams, mcp.INVALID_PARAMS},
	{mcp.ErrInternalError, mcp.INTERNAL_ERROR},
	{mcp.ErrInvalidRequest, mcp.INVALID_REQUEST},
	{mcp.ErrParseError, mcp.PARSE_ERROR},
}

// translate gives a JSON-RPC error of the server the form that package insights
// classifies by.
func translate(err error) error {
	for _, known := range codes {
		if errors.Is(err, known.err) {
			return &insights.RPCError{Code: known.code, Message: err.Error(), Err: err}
		}
	}
	return err
}
