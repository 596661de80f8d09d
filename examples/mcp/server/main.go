// Command server is an MCP server on stdio that offers the five operations of
// opsroom as tools. register.go is the part to copy into a host.
//
// Its backends come from the environment; those that are not configured are
// embedded ones with made-up data. See the README for the variables.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/opsroom-go/opsroom/examples/mcp/internal/environment"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Getenv, os.Stderr))
}

// run serves until the client closes stdin or ctx ends, and returns the exit
// code: 2 for a variable that cannot be used, 1 for any other failure.
func run(ctx context.Context, getenv func(string) string, stderr io.Writer) int {
	server, backends, err := newServer(ctx, getenv)
	if err != nil {
		fmt.Fprintln(stderr, "server:", err)
		if _, ok := errors.AsType[*environment.ValueError](err); ok {
			return 2
		}
		return 1
	}
	defer backends.Close()
	fmt.Fprintln(stderr, "server:", backends)
	if err := server.Run(ctx, drain{&mcp.StdioTransport{}}); err != nil && ctx.Err() == nil {
		fmt.Fprintln(stderr, "server:", err)
		return 1
	}
	return 0
}

// newServer makes a server with the tools of all three clients.
func newServer(ctx context.Context, getenv func(string) string) (*mcp.Server, *environment.Backends, error) {
	backends, err := environment.Open(ctx, getenv)
	if err != nil {
		return nil, nil, err
	}
	server := mcp.NewServer(
		&mcp.Implementation{Name: "opsroom", Title: "Agent operations", Version: "0.1.0"},
		&mcp.ServerOptions{Capabilities: &mcp.ServerCapabilities{}}, // tools only; the SDK's default has logging too
	)
	for _, tool := range slices.Concat(backends.ControlPlane.Tools(), backends.Insights.Tools(), backends.Attachments.Tools()) {
		register(server, tool)
	}
	return server, backends, nil
}
