package environment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/opsroom-go/opsroom/examples/mcp/caller"
	"github.com/opsroom-go/opsroom/insights"
	"github.com/opsroom-go/opsroom/insights/insightstest"
)

// The variables that say where the insights tool is, and how it is called.
const (
	insightsCommand = "INSIGHTS_MCP_COMMAND"
	insightsURL     = "INSIGHTS_MCP_URL"
	insightsRoute   = "INSIGHTS_ROUTE"
)

// connectTimeout bounds the start of a session: a package runner may have to
// fetch the server first.
const connectTimeout = time.Minute

// Insights makes the client for an MCP server: the program that
// INSIGHTS_MCP_COMMAND starts, the one at INSIGHTS_MCP_URL, or an embedded tool if
// neither is set. INSIGHTS_ROUTE says how the tool is called there.
//
// If the server cannot be reached or does not have the tool, that is what every
// call then fails with, so that a program can go on with its other backends.
func Insights(ctx context.Context, getenv func(string) string) (*insights.Client, Source, error) {
	way := getenv(insightsRoute)
	if _, ok := routes[way]; !ok {
		return nil, Source{}, &ValueError{insightsRoute, errors.New("must be direct, router, single or auto")}
	}
	transport, where, err := insightsTransport(getenv)
	switch {
	case err != nil:
		return nil, Source{}, err
	case transport == nil:
		return embeddedInsights(way)
	}
	session, route, err := connect(ctx, transport, way)
	if err != nil {
		client, err := insights.New(failing(err), nil)
		return client, Source{Where: where + " (no session)"}, err
	}
	client, err := insights.New(caller.New(session), &insights.Options{Route: route})
	return client, Source{Where: fmt.Sprintf("%s (%s)", where, route), close: func() { _ = session.Close() }}, err
}

// routes are the values of INSIGHTS_ROUTE with the route that each stands for,
// under the names that the tools have where nobody renamed them.
var routes = map[string]insights.Route{
	"":       {}, // as auto
	"auto":   {}, // to be discovered
	"direct": insights.Direct(insights.ToolName),
	"router": insights.Router(insights.RouterName),
	"single": insights.SingleProxy(insights.SingleProxyName),
}

func isAuto(way string) bool { return way == "" || way == "auto" }

// insightsTransport returns the way to a real server, nil if none is set.
func insightsTransport(getenv func(string) string) (transport mcp.Transport, where string, err error) {
	command, address := getenv(insightsCommand), getenv(insightsURL)
	switch {
	case command != "" && address != "":
		return nil, "", &ValueError{insightsURL, errors.New("cannot be set together with " + insightsCommand)}
	case command != "":
		words, err := splitCommand(command)
		if err != nil {
			return nil, "", &ValueError{insightsCommand, err}
		}
		program := exec.Command(words[0], words[1:]...)
		program.Env = foreign(os.Environ())
		program.Stderr = os.Stderr
		return caller.Exact(&mcp.CommandTransport{Command: program}), filepath.Base(words[0]), nil
	case address != "":
		if err := checkAddress(address); err != nil {
			return nil, "", &ValueError{insightsURL, err}
		}
		return &mcp.StreamableClientTransport{Endpoint: address, DisableStandaloneSSE: true}, host(address), nil
	}
	return nil, "", nil
}

// foreign returns the environment without the variables of these programs. The keys
// of other backends are no business of the insights server, and if that is one of
// these programs too, it must not start yet another one.
func foreign(environ []string) []string {
	return slices.DeleteFunc(environ, func(entry string) bool {
		return slices.ContainsFunc([]string{"AGENTCTL_API_", "EVERRUNS_", "INSIGHTS_MCP_", "INSIGHTS_ROUTE"}, func(own string) bool {
			return strings.HasPrefix(entry, own)
		})
	})
}

func checkAddress(address string) error {
	parsed, err := url.Parse(address)
	switch {
	case err != nil || parsed.Scheme != "http" && parsed.Scheme != "https" || parsed.Host == "":
		return errors.New("must be an absolute http or https URL")
	case parsed.User != nil:
		return errors.New("must not hold a user or a password")
	}
	return nil
}

// connect begins a session and finds the route. The client advertises no
// capabilities at all. Sampling in particular would let Azure's router have a
// model swap a command that it does not know.
func connect(ctx context.Context, transport mcp.Transport, way string) (*mcp.ClientSession, insights.Route, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, connectTimeout, fmt.Errorf("no session within %v", connectTimeout))
	defer cancel()
	client := mcp.NewClient(
		&mcp.Implementation{Name: "opsroom", Version: "0.1.0"},
		&mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}},
	)
	session, err := client.Connect(ctx, transport, nil)
	if err != nil {
		return nil, insights.Route{}, cmp.Or(context.Cause(ctx), err)
	}
	if !isAuto(way) {
		return session, routes[way], nil
	}
	route, err := discover(ctx, session)
	if err != nil {
		_ = session.Close()
		return nil, insights.Route{}, err
	}
	return session, route, nil
}

// discover picks the route from what could be read of tools/list.
func discover(ctx context.Context, session *mcp.ClientSession) (insights.Route, error) {
	names, listErr := caller.ToolNames(ctx, session)
	route, err := insights.Discover(names)
	failure, ok := errors.AsType[*insights.Error](err)
	switch {
	case err == nil:
		return route, nil
	case listErr != nil && len(names) == 0:
		return insights.Route{}, listErr
	case listErr != nil && ok:
		failure.Message += ", and " + listErr.Error()
	}
	return insights.Route{}, err
}

// failing returns a Caller whose calls all fail with what kept the session from
// coming about.
func failing(cause error) insights.Caller {
	return insights.CallerFunc(func(context.Context, string, map[string]any) (insights.ToolResult, error) {
		return insights.ToolResult{}, cause
	})
}

// embeddedInsights returns a client of the insights tool in this process.
func embeddedInsights(way string) (*insights.Client, Source, error) {
	backend := insightstest.NewSample(embeddedModes[way])
	route := routes[way]
	if isAuto(way) {
		var err error
		if route, err = insights.Discover(backend.ToolNames()); err != nil {
			return nil, Source{}, err
		}
	}
	client, err := insights.New(backend, &insights.Options{Route: route})
	return client, Source{}, err
}

var embeddedModes = map[string]insightstest.Mode{
	"":       insightstest.Router,
	"auto":   insightstest.Router,
	"direct": insightstest.Direct,
	"router": insightstest.Router,
	"single": insightstest.SingleProxy,
}
