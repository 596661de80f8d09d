package insights

import (
	"fmt"
	"slices"
	"strings"
)

// Names that the tool and the ways to it have where nobody renamed them.
const (
	// ToolName is the name of the tool itself, and of the command behind a
	// router.
	ToolName = "agent_insights_get"

	// PrefixedToolName is the tool's name when Azure MCP lists every tool by
	// itself (mode "all").
	PrefixedToolName = "foundry_agent_insights_get"

	// RouterName is the router tool of Azure MCP's modes "namespace" and
	// "consolidated".
	RouterName = "foundry"

	// SingleProxyName is the one tool of Azure MCP's mode "single".
	SingleProxyName = "azure"
)

// intent is what a router is told about the purpose of a call. It must not be
// empty, and it must not hold anything of the arguments.
const intent = "Read the insights that were generated for an agent"

// A Route says under which name, and in what wrapping, the host's MCP client
// reaches the tool. The zero Route is Direct(ToolName). Routes can be compared.
type Route struct {
	kind routeKind
	name string
}

type routeKind string

const (
	direct      routeKind = "" // so that the zero Route is a direct one
	router      routeKind = "router"
	singleProxy routeKind = "single proxy"
)

// Direct is the route to a tool that takes the arguments as they are:
// [ToolName] on Foundry's own MCP server, [PrefixedToolName] on Azure MCP in
// mode "all", or what the host renamed it to.
func Direct(name string) Route { return Route{direct, name} }

// Router is the route through Azure MCP's router tool, [RouterName] unless the
// host renamed it. A call sends {intent, command, parameters}.
func Router(name string) Route { return Route{router, name} }

// SingleProxy is the route through the only tool of Azure MCP in mode "single",
// [SingleProxyName] unless the host renamed it. A call sends {intent, tool,
// command, parameters}.
func SingleProxy(name string) Route { return Route{singleProxy, name} }

// Name returns the name of the tool that is called.
func (r Route) Name() string {
	if r == (Route{}) {
		return ToolName
	}
	return r.name
}

// String describes the route, for example `router "foundry"`.
func (r Route) String() string {
	kind := r.kind
	if kind == direct {
		kind = "direct"
	}
	return fmt.Sprintf("%s %q", string(kind), r.Name())
}

// wrap returns the arguments of the tool that the route leads through.
func (r Route) wrap(parameters map[string]any) map[string]any {
	switch r.kind {
	case router:
		return map[string]any{"intent": intent, "command": ToolName, "parameters": parameters}
	case singleProxy:
		return map[string]any{"intent": intent, "tool": RouterName, "command": ToolName, "parameters": parameters}
	default:
		return parameters
	}
}

// Discover picks the route from the names in a server's tools/list: the tool
// itself if it is there, else a router, else the single proxy. Names that a
// host has put a prefix before, such as "mcp_azure_mcp_foundry", are recognised
// if they are the only ones of their sort; a prefix of a router's name has to
// speak of Azure or MCP, since many a tool's name ends in "foundry". The error is
// of the kind [ToolUnavailable].
//
// That a router is listed does not prove that the tool is behind it; the first
// call tells.
func Discover(names []string) (Route, error) {
	for _, way := range ways {
		if slices.Contains(names, way.name) {
			return way.route(way.name), nil
		}
	}
	for _, way := range ways {
		renamed := way.renamed(names)
		switch {
		case len(renamed) == 0:
		case len(renamed) == 1:
			return way.route(renamed[0]), nil
		default:
			return Route{}, &Error{Kind: ToolUnavailable,
				Message: fmt.Sprintf("%d tools could lead to %s; name one of them as the route", len(renamed), ToolName)}
		}
	}
	return Route{}, &Error{Kind: ToolUnavailable,
		Message: fmt.Sprintf("none of %s leads to %s", counted(len(names), "tool"), ToolName)}
}

// A way is a route that leads to the tool.
type way struct {
	name  string
	route func(string) Route

	// behind has what a prefix put before the name must contain one of; the
	// less telling the name, the more telling the prefix. Nil: no prefix will do.
	behind []string
}

// ways lists the ways to the tool, the shortest first.
var ways = []way{
	{ToolName, Direct, []string{""}},
	{PrefixedToolName, Direct, nil}, // ends in ToolName
	{RouterName, Router, []string{"azure", "mcp"}},
	{SingleProxyName, SingleProxy, nil},
}

// renamed returns the distinct names that are the way's behind a prefix and a
// separator.
func (w way) renamed(names []string) []string {
	var found []string
	for _, name := range names {
		prefix, ok := strings.CutSuffix(name, w.name)
		if !ok || prefix == "" || !strings.ContainsAny(prefix[len(prefix)-1:], "_-./:") || slices.Contains(found, name) {
			continue
		}
		prefix = strings.ToLower(prefix)
		if slices.ContainsFunc(w.behind, func(word string) bool { return strings.Contains(prefix, word) }) {
			found = append(found, name)
		}
	}
	return found
}
