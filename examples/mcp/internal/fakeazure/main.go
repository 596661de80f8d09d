// Command fakeazure imitates the Azure MCP server on stdio, for trying out what a
// host does when things go wrong:
//
//	INSIGHTS_MCP_COMMAND='go run ./internal/fakeazure -situation call-refused' go run ./insightsreport …
package main

import (
	"os"

	"github.com/opsroom-go/opsroom/examples/mcp/internal/azuremcp"
)

func main() { os.Exit(azuremcp.Main(os.Args[1:])) }
