package main

import (
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/opsroom-go/opsroom/insights"
	"github.com/opsroom-go/opsroom/insights/insightstest"
)

// settings are what the command line asks for.
type settings struct {
	query insights.Query
	total int // 0 means all
	json  bool
}

const usageIntro = `Usage: insightsreport -endpoint URL -agent NAME [flags]

Prints the insights that were generated for an agent. The MCP server that has the
tool is set by INSIGHTS_MCP_COMMAND or INSIGHTS_MCP_URL. Without either, an embedded
backend answers, which knows this agent:

  -endpoint %s -agent %s

Flags:
`

// parseFlags reads the command line. On an error it has printed the reason and the usage.
// The values themselves are for the library to check.
func parseFlags(args []string, stderr io.Writer) (settings, error) {
	var s settings
	flags := flag.NewFlagSet("insightsreport", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprintf(stderr, usageIntro, insightstest.SampleEndpoint, insightstest.SampleAgent)
		flags.PrintDefaults()
	}
	flags.StringVar(&s.query.ProjectEndpoint, "endpoint", "", "`URL` of the Foundry project")
	flags.StringVar(&s.query.AgentName, "agent", "", "`name` of the agent")
	flags.StringVar(&s.query.Category, "category", "", "only insights of this `category`, such as latency")
	flags.Func("severity", "only insights of this `severity`, such as high", text(&s.query.Severity))
	flags.Func("status", "only insights of this `status`: active, resolved or ignored", text(&s.query.Status))
	flags.Func("order", "`order` by time of creation: asc, or desc as without it", text(&s.query.Order))
	flags.StringVar(&s.query.After, "after", "", "go on behind this `cursor`, which an earlier report ended with")
	flags.IntVar(&s.total, "total", 0, "stop when there are `n` insights; 0 reads them all")
	flags.BoolVar(&s.json, "json", false, "print one JSON object")
	if err := flags.Parse(args); err != nil {
		return settings{}, err
	}
	if err := s.check(flags); err != nil {
		fmt.Fprintln(stderr, "insightsreport:", err)
		flags.Usage()
		return settings{}, err
	}
	return s, nil
}

func (s settings) check(flags *flag.FlagSet) error {
	switch {
	case flags.NArg() > 0:
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case s.query.ProjectEndpoint == "" || s.query.AgentName == "":
		return errors.New("-endpoint and -agent are required")
	}
	return nil
}

// text sets a field of a string type.
func text[T ~string](field *T) func(string) error {
	return func(value string) error {
		*field = T(value)
		return nil
	}
}
