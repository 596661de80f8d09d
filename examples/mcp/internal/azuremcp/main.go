package azuremcp

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/opsroom-go/opsroom/insights/insightstest"
)

// Main serves on stdin and stdout, as the arguments say, until the client is
// gone, and returns the exit code.
func Main(args []string) int {
	var options Options
	var log string
	flags := flag.NewFlagSet("fakeazure", flag.ContinueOnError)
	flags.StringVar((*string)(&options.Mode), "mode", string(Namespace), "`mode`: namespace, all, single or foundry")
	flags.StringVar((*string)(&options.Situation), "situation", "", "`situation` that the server is in")
	flags.Func("faults", "comma-separated `faults` of Foundry's tool, one a call", func(list string) error {
		for fault := range strings.SplitSeq(list, ",") {
			options.Faults = append(options.Faults, insightstest.Fault(fault))
		}
		return nil
	})
	flags.StringVar((*string)(&options.Always), "always", "", "`fault` of all calls that follow")
	flags.IntVar(&options.Insights, "insights", 0, "how many insights the agent has")
	flags.StringVar(&log, "log", "", "`file` to write the received messages to")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if err := serve(options, log); err != nil {
		fmt.Fprintln(os.Stderr, "fakeazure:", err)
		return 1
	}
	return 0
}

func serve(options Options, log string) error {
	server, err := New(options)
	if err != nil {
		return err
	}
	writer := io.Discard
	if log != "" {
		file, err := os.Create(log)
		if err != nil {
			return err
		}
		defer file.Close()
		writer = file
	}
	return server.Run(context.Background(), &mcp.LoggingTransport{Transport: &mcp.StdioTransport{}, Writer: writer})
}
