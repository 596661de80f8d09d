package caller_test

import (
	"context"
	"fmt"
	"log"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/opsroom-go/opsroom/examples/mcp/caller"
	"github.com/opsroom-go/opsroom/examples/mcp/internal/azuremcp"
	"github.com/opsroom-go/opsroom/insights"
)

// A host connects to the Azure MCP server, finds out how it offers the tool, and
// reads all insights of an agent. Over stdio the transport would be
//
//	&mcp.CommandTransport{Command: exec.Command("npx", "-y", "@azure/mcp@latest", "server", "start")}
func Example() {
	ctx := context.Background()
	transport, serverSide := mcp.NewInMemoryTransports()
	server, err := azuremcp.New(azuremcp.Options{}) // an imitation
	if err != nil {
		log.Fatal(err)
	}
	if _, err := server.Connect(ctx, serverSide, nil); err != nil {
		log.Fatal(err)
	}

	client := mcp.NewClient(&mcp.Implementation{Name: "host", Version: "1"},
		&mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}}) // in particular, no sampling
	session, err := client.Connect(ctx, caller.Exact(transport), nil)
	if err != nil {
		log.Fatal(err)
	}
	defer session.Close()

	names, err := caller.ToolNames(ctx, session)
	if err != nil {
		log.Fatal(err)
	}
	route, err := insights.Discover(names)
	if err != nil {
		log.Fatal(err)
	}
	reader, err := insights.New(caller.New(session), &insights.Options{Route: route})
	if err != nil {
		log.Fatal(err)
	}
	found, err := reader.Collect(ctx, insights.Query{
		ProjectEndpoint: "https://example.services.ai.azure.com/api/projects/sample",
		AgentName:       "support-agent",
		Severity:        insights.SeverityHigh,
		Status:          insights.StatusActive,
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(route)
	fmt.Println(len(found.Insights), "insights, complete:", found.Complete)
	fmt.Println(found.Insights[0].Title)
	// Output:
	// router "foundry"
	// 35 insights, complete: true
	// Handle failures of the order lookup
}
