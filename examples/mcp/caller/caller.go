package caller

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/opsroom-go/opsroom/insights"
)

// A Caller calls tools in a session. It is safe for concurrent use.
type Caller struct{ session *mcp.ClientSession }

var _ insights.Caller = (*Caller)(nil)

// New returns a Caller for the session, which stays the host's to close.
func New(session *mcp.ClientSession) *Caller { return &Caller{session} }

// errNeedsInput: the tool answers with a question, for which this client has nobody.
var errNeedsInput = errors.New("the tool asks for input from a user, which a program cannot give")

// CallTool calls a tool. A JSON-RPC error of the server is an
// [*insights.RPCError]; every other error is the SDK's own.
func (c *Caller) CallTool(ctx context.Context, name string, arguments map[string]any) (insights.ToolResult, error) {
	answer, err := c.session.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: arguments})
	switch {
	case err != nil:
		return insights.ToolResult{}, translate(err)
	case answer.NeedsInput():
		return insights.ToolResult{}, errNeedsInput
	}
	result := insights.ToolResult{IsError: answer.IsError}
	for _, content := range answer.Content {
		if block, ok := content.(*mcp.TextContent); ok {
			result.Text = append(result.Text, block.Text)
		}
	}
	result.Structured, err = structured(answer)
	return result, err
}

// structured returns the structured content: as the server sent it if the
// transport is an [Exact] one, else as the SDK understood it.
func structured(answer *mcp.CallToolResult) (json.RawMessage, error) {
	if raw, ok := answer.Meta[rawStructured].(string); ok {
		return json.RawMessage(raw), nil
	}
	if answer.StructuredContent == nil {
		return nil, nil
	}
	raw, err := json.Marshal(answer.StructuredContent)
	if err != nil {
		return nil, fmt.Errorf("caller: structured content: %w", err)
	}
	return raw, nil
}

// translate gives a JSON-RPC error of the server the form that package insights
// classifies by.
func translate(err error) error {
	failure, ok := errors.AsType[*jsonrpc.Error](err)
	if !ok || isLocal(failure) {
		return err
	}
	return &insights.RPCError{Code: failure.Code, Message: failure.Message, Err: err}
}

// isLocal reports whether the error is the SDK's mark for a message that its own
// transport could not deliver. What went wrong is then in the error around it.
func isLocal(failure *jsonrpc.Error) bool {
	return failure.Code == -32005 && failure.Message == "rejected by transport"
}
