package azuremcp

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/opsroom-go/opsroom/insights"
)

// prefixed are the answers of mode "all" that do not depend on the call.
var prefixed = map[Situation]*mcp.CallToolResult{
	UnknownTool: failed("The tool " + insights.PrefixedToolName + " was not found in the tool registry."),
	Filtered: failed("Tool '" + insights.PrefixedToolName + "' is not available. " +
		"This server is configured to only expose the tools: storage_account_get"),
	ToolException:  failed("An error occurred invoking '" + insights.PrefixedToolName + "': The service is temporarily unavailable."),
	OtherException: failed("An error occurred invoking '" + insights.PrefixedToolName + "'."),
}

// callPrefixed calls the tool in mode "all", where JSON-RPC errors come through.
func (s *server) callPrefixed(ctx context.Context, arguments json.RawMessage) (*mcp.CallToolResult, error) {
	if answer, ok := prefixed[s.options.Situation]; ok {
		return always(answer), nil
	}
	if s.options.Situation == ProtocolError {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "Request failed (remote): Invalid params"}
	}
	answer, err := s.callFoundry(ctx, arguments)
	if _, ok := errors.AsType[*jsonrpc.Error](err); err != nil && !ok {
		return always(prefixed[OtherException]), nil
	}
	return answer, err
}
