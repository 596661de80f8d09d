package main

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"slices"

	"github.com/opsroom-go/opsroom/agentctl/agentctltest"
	"github.com/opsroom-go/opsroom/attachments"
	"github.com/opsroom-go/opsroom/insights/insightstest"
)

// A config says which backends to talk to and what to ask them about.
type config struct {
	controlURL, controlKey string
	everrunsURL            string
	everrunsKey, orgID     string
	mcpCommand             []string // the program of a stdio MCP server and its arguments
	mcpURL                 string
	route                  string

	mission string
	runID   string // the run to raise an exception on
	agent   string // whose attachments are listed
	project string // of the agent whose insights are read
	insight string // the name of that agent
	raise   bool
}

// What the in-memory backends know.
const (
	demoRun   = "run_000006"
	demoAgent = "payments-clerk"
)

func readConfig(args []string, getenv func(string) string, stderr io.Writer) (config, error) {
	c := config{
		controlURL: getenv("AGENTCTL_API_URL"), controlKey: getenv("AGENTCTL_API_KEY"),
		everrunsURL: getenv("EVERRUNS_API_URL"), everrunsKey: getenv("EVERRUNS_API_KEY"),
		orgID:  getenv("EVERRUNS_ORG_ID"),
		mcpURL: getenv("INSIGHTS_MCP_URL"),
		route:  getenv("INSIGHTS_ROUTE"),
	}
	if command := getenv("INSIGHTS_MCP_COMMAND"); command != "" {
		var err error
		if c.mcpCommand, err = splitCommand(command); err != nil {
			return config{}, err
		}
	}
	flags := flag.NewFlagSet("quickstart", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&c.controlURL, "agentctl", c.controlURL, "base `URL` of a real control plane (AGENTCTL_API_URL); its key comes from AGENTCTL_API_KEY")
	flags.StringVar(&c.everrunsURL, "everruns", c.everrunsURL, "base `URL` of a real Everruns API, with /api (EVERRUNS_API_URL); its key comes from EVERRUNS_API_KEY")
	flags.StringVar(&c.mission, "mission", "", "`id` of the mission whose runs are listed")
	flags.StringVar(&c.runID, "run", "", "`id` of the run to raise an exception on and to check")
	flags.StringVar(&c.agent, "agent", "", "`id` or name of the agent whose attachments are listed")
	flags.StringVar(&c.project, "project", "", "`URL` of the Foundry project whose insights are read")
	flags.StringVar(&c.insight, "insights-agent", "", "`name` of the agent whose insights are read")
	flags.BoolVar(&c.raise, "raise", false, "raise an exception on a real control plane, which blocks the run")
	if err := flags.Parse(args); err != nil {
		return config{}, err
	}
	if flags.NArg() > 0 {
		return config{}, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	return c, c.complete()
}

// complete fills in what the in-memory backends know, and asks for what a real
// one needs.
func (c *config) complete() error {
	if c.controlURL == "" {
		c.mission, c.runID, c.raise = cmp.Or(c.mission, agentctltest.DemoMission), cmp.Or(c.runID, demoRun), true
	}
	if c.everrunsURL == "" && (c.everrunsKey != "" || c.orgID != "") {
		c.everrunsURL = attachments.DefaultBaseURL
	}
	if c.everrunsURL == "" {
		c.agent = cmp.Or(c.agent, demoAgent)
	}
	if c.mcpCommand == nil && c.mcpURL == "" {
		c.project, c.insight = cmp.Or(c.project, insightstest.SampleEndpoint), cmp.Or(c.insight, insightstest.SampleAgent)
	}
	switch {
	case !slices.Contains([]string{"", "auto", "direct", "router", "single"}, c.route):
		return fmt.Errorf("INSIGHTS_ROUTE must be direct, router, single or auto")
	case c.controlURL == "" && c.controlKey != "":
		return fmt.Errorf("AGENTCTL_API_KEY is set, but AGENTCTL_API_URL is not")
	case c.mission == "" || c.runID == "":
		return fmt.Errorf("-mission and -run are needed with a real control plane")
	case c.agent == "":
		return fmt.Errorf("-agent is needed with a real Everruns API")
	case c.mcpCommand != nil && c.mcpURL != "":
		return fmt.Errorf("set only one of INSIGHTS_MCP_COMMAND and INSIGHTS_MCP_URL")
	case c.mcpURL != "" && !plainAddress(c.mcpURL):
		return fmt.Errorf("INSIGHTS_MCP_URL must be an absolute http or https URL without a user or a password")
	case c.project == "" || c.insight == "":
		return fmt.Errorf("-project and -insights-agent are needed with a real MCP server")
	}
	return nil
}
