package insightstest

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/opsroom-go/opsroom/insights"
)

// A Mode says how the tool is reached, after the ways in which MCP servers offer it.
type Mode string

// The modes.
const (
	Direct      Mode = "direct"   // Foundry's own server: agent_insights_get
	Prefixed    Mode = "prefixed" // Azure MCP, mode "all": foundry_agent_insights_get
	Router      Mode = "router"   // Azure MCP, mode "namespace": the router foundry
	SingleProxy Mode = "single"   // Azure MCP, mode "single": the proxy azure
)

// A Backend is an MCP server with the insights tool, in memory. It is an
// [insights.Caller] and safe for concurrent use. There is nothing to close.
type Backend struct {
	mode   Mode
	schema *jsonschema.Resolved

	mu       sync.Mutex
	projects map[string]map[string]*monitor // by endpoint and agent
	calls    []Call
	queue    []Fault
	always   Fault
	tokens   map[string]string // cursors that stand for another one
}

var _ insights.Caller = (*Backend)(nil)

// New returns a Backend without projects that is reached in the given mode.
func New(mode Mode) (*Backend, error) {
	if !slices.Contains([]Mode{Direct, Prefixed, Router, SingleProxy}, mode) {
		return nil, fmt.Errorf("insightstest: there is no mode %q", string(mode))
	}
	schema, err := inputSchema()
	if err != nil {
		return nil, fmt.Errorf("insightstest: %w", err)
	}
	return &Backend{
		mode:     mode,
		schema:   schema,
		projects: map[string]map[string]*monitor{},
		tokens:   map[string]string{},
	}, nil
}

// inputSchema is what arguments are held against: the published schema, but
// not with the library's own checks.
func inputSchema() (*jsonschema.Resolved, error) {
	client, err := insights.New(insights.CallerFunc(nil), nil)
	if err != nil {
		return nil, err
	}
	return client.Tools()[0].InputSchema.JSONSchema().Resolve(nil)
}

// Route returns the route that leads to the tool.
func (b *Backend) Route() insights.Route {
	switch b.mode {
	case Prefixed:
		return insights.Direct(insights.PrefixedToolName)
	case Router:
		return insights.Router(insights.RouterName)
	case SingleProxy:
		return insights.SingleProxy(insights.SingleProxyName)
	default:
		return insights.Direct(insights.ToolName)
	}
}

// ToolNames returns what tools/list would name, for [insights.Discover]. It has
// a few tools of other kinds too.
func (b *Backend) ToolNames() []string {
	switch b.mode {
	case Prefixed:
		return []string{"foundry_agent_get", insights.PrefixedToolName, "storage_account_get"}
	case Router:
		return []string{"documentation", insights.RouterName, "storage"}
	case SingleProxy:
		return []string{insights.SingleProxyName}
	default:
		return []string{"agent_get", insights.ToolName}
	}
}

// A Call is a tool call that the Backend has received.
type Call struct {
	Tool       string          // the name that was called
	Arguments  json.RawMessage // what it was called with, as JSON
	Parameters json.RawMessage // the tool's own arguments, taken out of a router's; nil if there were none
	Fault      Fault           // the fault that the call met, or ""
}

// Calls returns the calls received so far.
func (b *Backend) Calls() []Call {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.calls)
}

// CallTool answers a call as an MCP server would.
func (b *Backend) CallTool(ctx context.Context, name string, arguments map[string]any) (insights.ToolResult, error) {
	if err := ctx.Err(); err != nil {
		return insights.ToolResult{}, err
	}
	raw, err := json.Marshal(arguments)
	if err != nil {
		return insights.ToolResult{}, fmt.Errorf("insightstest: the arguments are no JSON: %w", err)
	}
	if arguments == nil {
		raw = []byte("{}")
	}
	call, fault := b.receive(name, raw)
	if fault == Hang {
		<-ctx.Done()
		return insights.ToolResult{}, ctx.Err()
	}
	return b.answer(call, fault)
}

// receive records a call and takes the fault that it meets.
func (b *Backend) receive(name string, raw json.RawMessage) (Call, Fault) {
	b.mu.Lock()
	defer b.mu.Unlock()
	fault := b.always
	if len(b.queue) > 0 {
		fault, b.queue = b.queue[0], b.queue[1:]
	}
	call := Call{Tool: name, Arguments: raw, Parameters: b.parametersOf(raw), Fault: fault}
	b.calls = append(b.calls, call)
	return call, fault
}

func (b *Backend) parametersOf(raw json.RawMessage) json.RawMessage {
	if b.mode == Direct || b.mode == Prefixed {
		return raw
	}
	var wrapped struct {
		Parameters json.RawMessage `json:"parameters"`
	}
	_ = json.Unmarshal(raw, &wrapped) // no parameters then
	return wrapped.Parameters
}

func (b *Backend) answer(call Call, fault Fault) (insights.ToolResult, error) {
	if spoil, ok := instead[fault]; ok {
		return spoil()
	}
	parameters, refusal, err := b.unwrap(call)
	if err != nil || refusal != nil {
		return deref(refusal), err
	}
	page, refusal := b.page(parameters)
	if refusal != nil {
		return b.passOn(*refusal), nil
	}
	if spoil, ok := afterwards[fault]; ok {
		return spoil(b, parameters, page)
	}
	return success(page.JSON()), nil
}

func deref(result *insights.ToolResult) insights.ToolResult {
	if result == nil {
		return insights.ToolResult{}
	}
	return *result
}

// success is a page as it comes from a server that fills both forms.
func success(page json.RawMessage) insights.ToolResult {
	return insights.ToolResult{Structured: page, Text: []string{string(page)}}
}

// failure is a failure that the tool itself reports.
func failure(text string) *insights.ToolResult {
	return &insights.ToolResult{Text: []string{text}, IsError: true}
}
