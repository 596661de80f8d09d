// Quickstart walks through the five operations of opsroom as the business logic
// of an agent host would use them, and prints what was called and what came back.
//
//	go run ./examples/quickstart
//
// It needs nothing: without further ado it starts the in-memory backends of the
// test kits. These environment variables point it at real ones, and the flags, which
// -h lists, say what to ask them about.
//
//	AGENTCTL_API_URL, AGENTCTL_API_KEY   the control plane and a bearer token
//	EVERRUNS_API_URL, EVERRUNS_API_KEY   the Everruns API (base with /api) and a token
//	EVERRUNS_ORG_ID                      the organisation, if the token has several
//
//	INSIGHTS_MCP_COMMAND                 the command line of a stdio MCP server, or
//	INSIGHTS_MCP_URL                     the address of one on streamable HTTP
//	INSIGHTS_ROUTE                       direct, router, single or auto (from tools/list)
//
// Insights come through the host's MCP client. So that this program needs no other
// module it has a tiny one of its own; examples/mcp uses a real one.
//
// Against a real control plane nothing is raised unless -raise is given.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Getenv, os.Stdout, os.Stderr))
}

// run is the whole program. It returns the exit code: 0, 1 for a failed call,
// 2 for wrong usage.
func run(ctx context.Context, args []string, getenv func(string) string, stdout, stderr io.Writer) int {
	config, err := readConfig(args, getenv, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		fmt.Fprintln(stderr, "quickstart:", err)
		return 2
	}
	backends, err := connect(ctx, config)
	defer backends.close()
	if err != nil {
		fmt.Fprintln(stderr, "quickstart:", err)
		return 2
	}
	tour := tour{config: config, backends: backends, out: printer{w: stdout}}
	if err := tour.walk(ctx); err != nil {
		fmt.Fprintln(stderr, "quickstart:", err)
		return 1
	}
	return 0
}
