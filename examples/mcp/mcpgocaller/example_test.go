package mcpgocaller_test

import (
	"context"
	"fmt"
	"log"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/opsroom-go/opsroom/examples/mcp/mcpgocaller"
	"github.com/opsroom-go/opsroom/insights"
)

func Example() {
	ctx := context.Background()
	foundry := server.NewMCPServer("foundry", "1") // stands for the real one
	foundry.AddTool(mcp.NewTool(insights.ToolName), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultText(`{"data":[{"id":"insight_1","title":"Handle tool failures"}],"has_more":false}`), nil
	})
	connected, err := client.NewInProcessClient(foundry)
	if err != nil {
		log.Fatal(err)
	}
	defer connected.Close()
	if err := connected.Start(ctx); err != nil {
		log.Fatal(err)
	}
	if _, err := connected.Initialize(ctx, mcp.InitializeRequest{}); err != nil {
		log.Fatal(err)
	}

	reader, err := insights.New(mcpgocaller.New(connected), nil)
	if err != nil {
		log.Fatal(err)
	}
	page, err := reader.Page(ctx, insights.Query{
		ProjectEndpoint: "https://example.services.ai.azure.com/api/projects/sample",
		AgentName:       "support-agent",
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(page.Insights[0].Title)
	// Output: Handle tool failures
}
