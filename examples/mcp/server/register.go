package main

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/opsroom-go/opsroom"
)

// register offers a tool on an MCP server. This is all that a host needs.
//
// It uses the SDK's low-level AddTool: the schemas go out in their own bytes,
// and the arguments come in as the client sent them. The generic mcp.AddTool
// would round large numbers in both directions, and panics on "arguments": null
// where a schema has defaults. Nothing is lost by that, as Call checks its
// arguments itself.
func register(server *mcp.Server, tool opsroom.Tool) {
	server.AddTool(&mcp.Tool{
		Name:         tool.Name,
		Title:        tool.Title,
		Description:  tool.Description,
		InputSchema:  tool.InputSchema.JSON(),
		OutputSchema: tool.OutputSchema.JSON(),
		Annotations: &mcp.ToolAnnotations{ // all four, since MCP's defaults differ from ours
			ReadOnlyHint:    tool.Annotations.ReadOnly,
			DestructiveHint: &tool.Annotations.Destructive,
			IdempotentHint:  tool.Annotations.Idempotent,
			OpenWorldHint:   &tool.Annotations.OpenWorld,
		},
	}, func(ctx context.Context, request *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		result, err := tool.Call(ctx, request.Params.Arguments)
		answer := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: result.Text}}}
		if err != nil {
			answer.SetError(err) // as isError, which a model sees; a returned error it would not
			return answer, nil
		}
		answer.StructuredContent = result.Structured
		return answer, nil
	})
}
