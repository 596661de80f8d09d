package azuremcp

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
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
	flags.Func("pages", "JSON `array` of pages to answer with, one a call", func(pages string) error {
		return json.Unmarshal([]byte(pages), &options.Pages)
	})
	flags.IntVar(&options.Insights, "insights", 0, "how many insights the agent has")
	flags.StringVar(&log, "log", "", "`file` to write the received messages to")
	flags.Usage = func() {
		out := flags.Output()
		fmt.Fprintln(out, "Usage of fakeazure:")
		flags.PrintDefaults()
		fmt.Fprintf(out, "\nSituations: %s\n\nFaults: %s\n", listed(Situations()), listed(insightstest.Faults()))
	}
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	}
	if err := serve(options, log); err != nil {
		fmt.Fprintln(os.Stderr, "fakeazure:", err)
		return 1
	}
	return 0
}

// listed is a list for people.
func listed[T ~string](values []T) string {
	words := make([]string, len(values))
	for i, value := range values {
		words[i] = string(value)
	}
	return strings.Join(words, ", ")
}

// Args returns the arguments with which [Main] serves with the options, and logs
// to the file if it has a name.
func (o Options) Args(log string) []string {
	args := []string{"-insights", strconv.Itoa(o.Insights)}
	add := func(name, value string) {
		if value != "" {
			args = append(args, name, value)
		}
	}
	add("-mode", string(o.Mode))
	add("-situation", string(o.Situation))
	add("-always", string(o.Always))
	add("-log", log)
	var faults []string
	for _, fault := range o.Faults {
		faults = append(faults, string(fault))
	}
	if len(faults) > 0 { // one that is "" counts
		args = append(args, "-faults", strings.Join(faults, ","))
	}
	if len(o.Pages) > 0 {
		pages, _ := json.Marshal(o.Pages) // raw messages of a test
		add("-pages", string(pages))
	}
	return args
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
