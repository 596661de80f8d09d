package insightstest

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/opsroom-go/opsroom/insights"
)

// A Mode says how the tool is reached, after the ways in which MCP servers
// offer it.
type Mode string

// The modes.
const (
	Direct      Mode = "direct"   // Foundry's own server: agent_insights_get
	Prefixed    Mode = "prefixed" // Azure MCP, mode "all": foundry_agent_insights_get
	Router      Mode = "router"   // Azure MCP, mode "namespace": the router foundry
	SingleProxy Mode = "single"   // Azure MCP, mode "single": the proxy azure
)

var modes = []Mode{Direct, Prefixed, Router, SingleProxy}

// A Backend is an MCP server with the insights tool, in memory. It is an
// [insights.Caller], is safe for concurrent use, and need not be closed.
type Backend struct {
	mode Mode

	mu       sync.Mutex
	projects map[string]map[string]*monitor // by endpoint and agent
	tokens   map[string]string              // cursors that stand for another one
	calls    []Call
	before   func(int, Call)
	queue    []Fault
	always   Fault
}

var _ insights.Caller = (*Backend)(nil)

// New returns a Backend without projects that is reached in the given mode.
func New(mode Mode) *Backend {
	return &Backend{
		mode:     mode,
		projects: map[string]map[string]*monitor{},
		tokens:   map[string]string{},
	}
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

// A Call is a tool call that a Backend has received.
type Call struct {
	Tool       string          // the name that was called
	Arguments  json.RawMessage // what it was called with, as JSON
	Parameters json.RawMessage // the tool's own arguments, taken out of a router's; nil if there were none
	Fault      Fault           // the fault that the call met
}

// Calls returns the calls received so far, in the order in which they arrived.
func (b *Backend) Calls() []Call {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.calls)
}

// BeforeCall sets a function that is called for each call before it is
// answered, with the number of the call, counted from 1, and the call, whose
// Fault is not settled yet. Whatever it does to the Backend, the call sees: this
// is how insights come and go between the pages of a walk. Nil removes it.
func (b *Backend) BeforeCall(before func(n int, call Call)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.before = before
}

// CallTool answers a call as an MCP server would. The kit's own failures, such
// as a mode or a fault that there is none of, are errors that begin with
// "insightstest".
func (b *Backend) CallTool(ctx context.Context, name string, arguments map[string]any) (insights.ToolResult, error) {
	if err := ctx.Err(); err != nil {
		return insights.ToolResult{}, err
	}
	if !slices.Contains(modes, b.mode) {
		return insights.ToolResult{}, fmt.Errorf("insightstest: there is no mode %q", string(b.mode))
	}
	if arguments == nil {
		arguments = map[string]any{}
	}
	raw, err := json.Marshal(arguments)
	if err != nil {
		return insights.ToolResult{}, fmt.Errorf("insightstest: the arguments are no JSON: %w", err)
	}
	call := b.receive(Call{Tool: name, Arguments: raw, Parameters: b.parametersOf(raw)})
	if call.Fault == Hang {
		<-ctx.Done()
		return insights.ToolResult{}, ctx.Err()
	}
	return b.answer(call)
}

// receive records a call and settles which fault it meets.
func (b *Backend) receive(call Call) Call {
	b.mu.Lock()
	b.calls = append(b.calls, call)
	n, before := len(b.calls), b.before
	b.mu.Unlock()
	if before != nil {
		before(n, call)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	call.Fault = b.always
	if len(b.queue) > 0 {
		call.Fault, b.queue = b.queue[0], b.queue[1:]
	}
	b.calls[n-1].Fault = call.Fault
	return call
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

func (b *Backend) answer(call Call) (insights.ToolResult, error) {
	if _, ok := kinds[call.Fault]; !ok && call.Fault != None {
		return insights.ToolResult{}, fmt.Errorf("insightstest: there is no fault %q", string(call.Fault))
	}
	if replacement, ok := instead[call.Fault]; ok {
		return replacement()
	}
	if call.Tool != b.Route().Name() {
		return b.unknownTool(call.Tool)
	}
	parameters, refusal, err := b.unwrap(call)
	if refusal != nil || err != nil {
		return result(refusal), err
	}
	l, refusal := b.list(parameters)
	if refusal != nil {
		return b.passOn(*refusal), nil
	}
	if dressed, ok := afterwards[call.Fault]; ok {
		return dressed(b, l), nil
	}
	return success(l.page()), nil
}

func result(r *insights.ToolResult) insights.ToolResult {
	if r == nil {
		return insights.ToolResult{}
	}
	return *r
}

// success is a page as it comes from a server that fills both forms.
func success(p page) insights.ToolResult {
	return insights.ToolResult{Structured: p.json(), Text: []string{string(p.json())}}
}

// failure is a failure that the tool itself reports.
func failure(text string) *insights.ToolResult {
	return &insights.ToolResult{Text: []string{text}, IsError: true}
}
