package azuremcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/opsroom-go/opsroom/insights"
	"github.com/opsroom-go/opsroom/insights/insightstest"
)

// A Mode is a way in which the server offers its tools.
type Mode string

// The modes: three of the Azure MCP server, and Foundry's own server without it.
const (
	Namespace Mode = "namespace" // a router for each service, among them "foundry"
	All       Mode = "all"       // every tool by itself, with a prefix
	Single    Mode = "single"    // one proxy, "azure"
	Foundry   Mode = "foundry"   // agent_insights_get as such
)

// Options say how the server behaves. The zero value is one in mode
// "namespace" where all goes well.
type Options struct {
	Mode      Mode
	Situation Situation

	// Pages, if there are any, are what Foundry's tool answers with, one a call, in
	// order, whatever it is asked. A call after the last one fails.
	Pages []json.RawMessage

	// Faults are what the calls of Foundry's tool meet, one each, in order; then
	// all that follow meet Always.
	Faults []insightstest.Fault
	Always insightstest.Fault

	// Insights is how many insights the sample agent has; 0 leaves what
	// [insightstest.NewSample] gives it.
	Insights int
}

// New returns a server. It knows the agents of [insightstest.NewSample].
func New(options Options) (*mcp.Server, error) {
	if options.Mode == "" {
		options.Mode = Namespace
	}
	if options.Situation != "" && !slices.Contains(Situations(), options.Situation) {
		return nil, fmt.Errorf("azuremcp: there is no situation %q", string(options.Situation))
	}
	for _, fault := range append(slices.Clone(options.Faults), options.Always) {
		if fault != insightstest.None && !slices.Contains(insightstest.Faults(), fault) {
			return nil, fmt.Errorf("azuremcp: there is no fault %q", string(fault))
		}
	}
	foundry, err := newFoundry(options)
	if err != nil {
		return nil, fmt.Errorf("azuremcp: %w", err)
	}
	s := &server{options: options, foundry: foundry}
	tools, ok := toolsOf[options.Mode]
	if !ok {
		return nil, fmt.Errorf("azuremcp: there is no mode %q", string(options.Mode))
	}
	mcpServer := mcp.NewServer(&mcp.Implementation{Name: "Azure.Mcp.Server", Version: "imitated"},
		&mcp.ServerOptions{Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}}})
	mcpServer.AddReceivingMiddleware(initializeOnly)
	for _, tool := range tools {
		if options.Situation == ToolsMissing && tool.leadsToInsights {
			continue
		}
		mcpServer.AddTool(&mcp.Tool{Name: tool.name, InputSchema: json.RawMessage(tool.schema)}, s.handler(tool))
	}
	return mcpServer, nil
}

// newFoundry returns what stands in the place of Foundry's own server.
func newFoundry(options Options) (*insightstest.Backend, error) {
	foundry := insightstest.New(insightstest.Direct)
	if options.Insights > 0 {
		rows := insightstest.Samples(options.Insights)
		if err := foundry.AddInsights(insightstest.SampleEndpoint, insightstest.SampleAgent, rows...); err != nil {
			return nil, err
		}
	} else if len(options.Pages) == 0 {
		foundry = insightstest.NewSample(insightstest.Direct)
	}
	foundry.Fail(options.Faults...)
	foundry.FailAlways(options.Always)
	return foundry, nil
}

// initializeOnly refuses the discovery of newer protocols, since the real server
// begins its sessions with initialize.
func initializeOnly(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, request mcp.Request) (mcp.Result, error) {
		if method == "server/discover" {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "Method 'server/discover' is not available."}
		}
		return next(ctx, method, request)
	}
}

// A tool is one line of tools/list.
type tool struct {
	name, schema    string
	leadsToInsights bool
}

const (
	routerSchema = `{"type":"object","properties":{"intent":{"type":"string"},"command":{"type":"string"},` +
		`"parameters":{"type":"object"},"learn":{"type":"boolean"}},"required":["intent"],"additionalProperties":false}`
	proxySchema = `{"type":"object","properties":{"intent":{"type":"string"},"tool":{"type":"string"},"command":{"type":"string"},` +
		`"parameters":{"type":"object"},"learn":{"type":"boolean"}},"required":["intent"],"additionalProperties":false}`
	anySchema = `{"type":"object"}`
)

var toolsOf = map[Mode][]tool{
	Namespace: {{"documentation", routerSchema, false}, {insights.RouterName, routerSchema, true}, {"storage", routerSchema, false}},
	All:       {{"foundry_agent_get", anySchema, false}, {insights.PrefixedToolName, anySchema, true}, {"storage_account_get", anySchema, false}},
	Single:    {{insights.SingleProxyName, proxySchema, true}},
	Foundry:   {{"agent_get", anySchema, false}, {insights.ToolName, anySchema, true}},
}

type server struct {
	options Options
	foundry *insightstest.Backend
	served  atomic.Int64 // pages of Options.Pages
}

func (s *server) handler(tool tool) mcp.ToolHandler {
	return func(ctx context.Context, request *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		switch arguments := request.Params.Arguments; {
		case !tool.leadsToInsights:
			return text("Not imitated."), nil
		case s.options.Mode == Namespace, s.options.Mode == Single:
			return s.route(ctx, request.Session, arguments)
		case s.options.Mode == All:
			return s.callPrefixed(ctx, arguments)
		default:
			return s.callFoundry(ctx, arguments)
		}
	}
}

// callFoundry calls the tool on Foundry's own server, and passes its answer on.
func (s *server) callFoundry(ctx context.Context, arguments json.RawMessage) (*mcp.CallToolResult, error) {
	if len(s.options.Pages) > 0 {
		return s.script()
	}
	var members map[string]any
	if err := json.Unmarshal(arguments, &members); err != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "Invalid params"}
	}
	found, err := s.foundry.CallTool(ctx, insights.ToolName, members)
	if failure, ok := errors.AsType[*insights.RPCError](err); ok {
		return nil, &jsonrpc.Error{Code: failure.Code, Message: failure.Message}
	}
	if err != nil {
		return nil, err
	}
	answer := &mcp.CallToolResult{IsError: found.IsError}
	for _, block := range found.Text {
		answer.Content = append(answer.Content, &mcp.TextContent{Text: block})
	}
	if found.Structured != nil {
		answer.StructuredContent = found.Structured
	}
	return answer, nil
}

// script serves the next one of the given pages.
func (s *server) script() (*mcp.CallToolResult, error) {
	n := int(s.served.Add(1))
	if n > len(s.options.Pages) {
		return failed("The script has no more pages."), nil
	}
	page := s.options.Pages[n-1]
	answer := text(string(page))
	answer.StructuredContent = page
	return answer, nil
}

// always returns a copy of a fixed answer, since the SDK writes into what it sends.
func always(answer *mcp.CallToolResult) *mcp.CallToolResult {
	own := *answer
	return &own
}

// text is an answer without isError, failed one with it.
func text(blocks ...string) *mcp.CallToolResult {
	answer := &mcp.CallToolResult{}
	for _, block := range blocks {
		answer.Content = append(answer.Content, &mcp.TextContent{Text: block})
	}
	return answer
}

func failed(block string) *mcp.CallToolResult {
	answer := text(block)
	answer.IsError = true
	return answer
}
