package insightstest

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/opsroom-go/opsroom/insights"
	"github.com/opsroom-go/opsroom/internal/rawjson"
)

// A Fault is one way for a call to go wrong, or to go right in an unusual way.
type Fault string

// None lets a call pass before the next one fails.
const None Fault = ""

// Failures that come in place of a page.
const (
	NoMonitor         Fault = "no monitor"       // the tool says that the agent has none
	ToolUnavailable   Fault = "tool unavailable" // the server does not have the tool
	LearnText         Fault = "learn text"       // the router lists its commands, not flagged as an error
	InvalidArgument   Fault = "invalid argument" // the tool refuses a filter
	MissingOptions    Fault = "missing options"  // the router rewraps the tool's refusal, not flagged as an error
	Unauthorized      Fault = "unauthorized"     // HTTP 401 behind the tool
	Forbidden         Fault = "forbidden"        // HTTP 403 behind the tool
	NotFound          Fault = "not found"        // HTTP 404 behind the tool, about nothing in particular
	BackendError      Fault = "backend error"    // HTTP 500 behind the tool
	RouterError       Fault = "router error"     // the router reports a timeout behind it, not flagged as an error
	RouterRefused     Fault = "router refused"   // the router reports a 401 behind it, not flagged as an error
	NoConnection      Fault = "no connection"    // the router cannot reach Foundry
	RPCInvalidParams  Fault = "JSON-RPC -32602"  // the session reports invalid parameters
	RPCMethodNotFound Fault = "JSON-RPC -32601"  // the session knows no tools
	RPCInternalError  Fault = "JSON-RPC -32603"  // the session reports an internal error
	SessionLost       Fault = "session lost"     // the connection to the MCP server breaks
	Hang              Fault = "hang"             // nothing comes until the context ends
)

// Answers that are no page, though they should be.
const (
	EmptyResult       Fault = "empty result"         // no content at all
	Prose             Fault = "prose"                // text that is neither a page nor a known failure
	TruncatedPage     Fault = "truncated page"       // half of a page
	MissingData       Fault = "missing data"         // no "data"
	DataNotArray      Fault = "data not an array"    // "data" is an object
	RowNotObject      Fault = "row not an object"    // "data" holds a number
	RowWithoutID      Fault = "row without id"       // an insight has no "id"
	RowWithEmptyID    Fault = "row with empty id"    // an insight's "id" is ""
	MissingHasMore    Fault = "missing has_more"     // no "has_more"
	HasMoreNotBoolean Fault = "has_more not boolean" // "has_more" is a string
)

// Pages that lead nowhere.
const (
	MissingCursor  Fault = "missing cursor"  // has_more is true without a last_id
	NullCursor     Fault = "null cursor"     // has_more is true and last_id is null
	BlankCursor    Fault = "blank cursor"    // has_more is true and last_id is blank
	RepeatedCursor Fault = "repeated cursor" // has_more is true and last_id is the cursor that was just used, if one was
	NoProgress     Fault = "no progress"     // has_more is true, last_id is new, and no insight comes
)

// Sound answers of unusual form, which a client has to cope with.
const (
	EmptyPage      Fault = "empty page"      // no insights, has_more is true, and last_id leads to the next ones
	Overlap        Fault = "overlap"         // the page begins with an insight that came before, if one did
	StructuredOnly Fault = "structured only" // no text block
	TextOnly       Fault = "text only"       // no structured content
	TextBlocks     Fault = "text blocks"     // the page is the second of several text blocks
	Enveloped      Fault = "enveloped"       // the page comes in the envelope of Azure's own tools
)

// kinds says what a client reports.
var kinds = map[Fault]insights.Kind{
	NoMonitor: insights.NoMonitor, ToolUnavailable: insights.ToolUnavailable, LearnText: insights.ToolUnavailable,
	InvalidArgument: insights.InvalidArgument, MissingOptions: insights.InvalidArgument,
	Unauthorized: insights.Unauthorized, Forbidden: insights.Unauthorized, NotFound: insights.Backend,
	BackendError: insights.Backend, RouterError: insights.Backend, RouterRefused: insights.Unauthorized,
	NoConnection: insights.Backend, RPCInvalidParams: insights.InvalidArgument,
	RPCMethodNotFound: insights.ToolUnavailable, RPCInternalError: insights.Backend,
	SessionLost: insights.Backend, Hang: insights.Interrupted,

	EmptyResult: insights.MalformedPage, Prose: insights.MalformedPage, TruncatedPage: insights.MalformedPage,
	MissingData: insights.MalformedPage, DataNotArray: insights.MalformedPage,
	RowNotObject: insights.MalformedPage, RowWithoutID: insights.MalformedPage, RowWithEmptyID: insights.MalformedPage,
	MissingHasMore: insights.MalformedPage, HasMoreNotBoolean: insights.MalformedPage,

	MissingCursor: insights.MissingCursor, NullCursor: insights.MissingCursor, BlankCursor: insights.MissingCursor,
	RepeatedCursor: insights.RepeatedCursor, NoProgress: insights.NoProgress,

	EmptyPage: "", Overlap: "", StructuredOnly: "", TextOnly: "", TextBlocks: "", Enveloped: "",
}

// Kind returns the kind of failure that a walk ends with when every call
// meets the fault; "" for None and for sound answers.
func (f Fault) Kind() insights.Kind { return kinds[f] }

// Faults returns all faults but None, in alphabetical order, for tests that go through them.
func Faults() []Fault { return slices.Sorted(maps.Keys(kinds)) }

// Fail adds faults to those that the coming calls meet, one each, in order.
// It is an error if one is unknown.
func (b *Backend) Fail(faults ...Fault) error {
	if err := known(faults); err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.queue = append(b.queue, faults...)
	return nil
}

// FailAlways makes every call meet the fault that meets none added with
// [Backend.Fail]. None ends it.
func (b *Backend) FailAlways(fault Fault) error {
	if err := known([]Fault{fault}); err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.always = fault
	return nil
}

func known(faults []Fault) error {
	for _, fault := range faults {
		if _, ok := kinds[fault]; !ok && fault != None {
			return fmt.Errorf("insightstest: there is no fault %q", string(fault))
		}
	}
	return nil
}

func reported(text string) func() (insights.ToolResult, error) {
	return func() (insights.ToolResult, error) { return *failure(text), nil }
}

func unflagged(blocks ...string) func() (insights.ToolResult, error) {
	return func() (insights.ToolResult, error) {
		return insights.ToolResult{Text: slices.Clone(blocks)}, nil
	}
}

func broken(err error) func() (insights.ToolResult, error) {
	return func() (insights.ToolResult, error) { return insights.ToolResult{}, err }
}

// instead has the faults that take the place of the operation.
var instead = map[Fault]func() (insights.ToolResult, error){
	NoMonitor:         reported("No monitor was found for the agent."),
	ToolUnavailable:   reported("The tool foundry was not found"),
	LearnText:         unflagged(learnText),
	InvalidArgument:   reported("Invalid argument: the filter is not supported."),
	MissingOptions:    unflagged("Missing Required options: agentName"+missingOptionsGuidance, "Missing Required options: agentName"),
	Unauthorized:      reported("Response status code does not indicate success: 401 (Unauthorized)."),
	Forbidden:         reported(`{"error":{"code":"Forbidden","message":"The caller may not read this project.","type":"error"},"status":403}`),
	NotFound:          reported(`{"error":"missing","status":404}`),
	BackendError:      reported(`{"error":{"code":null,"message":"Something went wrong.","param":null,"type":"server_error"},"status":500}`),
	RouterError:       unflagged(routerError("The operation has timed out.")),
	RouterRefused:     unflagged(routerError("Response status code does not indicate success: 401 (Unauthorized).")),
	NoConnection:      reported("Failed to create MCP client for registry server 'foundry': No such host is known."),
	RPCInvalidParams:  broken(invalidParams("Invalid params")),
	RPCMethodNotFound: broken(&insights.RPCError{Code: -32601, Message: "Method not found"}),
	RPCInternalError:  broken(&insights.RPCError{Code: -32603, Message: "Internal error"}),
	SessionLost:       broken(errors.New("the session was closed")),
	EmptyResult:       unflagged(),
	Prose:             unflagged("Everything is fine."),
}

// afterwards has the faults that spoil, or dress up, the page of the operation.
var afterwards = map[Fault]func(*Backend, json.RawMessage, page) (insights.ToolResult, error){
	TruncatedPage: asText(func(p page) string { text := string(p.JSON()); return text[:len(text)/2] }),
	MissingData:   spoilt(func(p *page) { p.data = nil }),
	DataNotArray: asText(func(p page) string {
		p.data = nil
		return `{"data":{},` + string(p.JSON()[1:])
	}),
	RowNotObject:      spoilt(func(p *page) { p.data = append(p.data, json.RawMessage("1")) }),
	RowWithoutID:      spoilt(func(p *page) { p.data = append(p.data, json.RawMessage(`{"title":"no id"}`)) }),
	RowWithEmptyID:    spoilt(func(p *page) { p.data = append(p.data, json.RawMessage(`{"id":""}`)) }),
	MissingHasMore:    spoilt(func(p *page) { p.hasMore = nil }),
	HasMoreNotBoolean: spoilt(func(p *page) { p.hasMore = json.RawMessage(`"` + string(p.hasMore) + `"`) }),

	MissingCursor: spoilt(func(p *page) { p.hasMore, p.lastID = json.RawMessage("true"), nil }),
	NullCursor:    spoilt(func(p *page) { p.hasMore, p.lastID = json.RawMessage("true"), json.RawMessage("null") }),
	BlankCursor:   spoilt(func(p *page) { p.hasMore, p.lastID = json.RawMessage("true"), json.RawMessage(`" "`) }),
	RepeatedCursor: func(_ *Backend, parameters json.RawMessage, p page) (insights.ToolResult, error) {
		p.hasMore = json.RawMessage("true")
		if after := afterOf(parameters); after != "" {
			p.lastID = rawjson.Quote(after)
		}
		return success(p.JSON()), nil
	},
	NoProgress: emptyPage,

	EmptyPage: emptyPage,
	Overlap:   overlap,
	StructuredOnly: func(_ *Backend, _ json.RawMessage, p page) (insights.ToolResult, error) {
		return insights.ToolResult{Structured: p.JSON()}, nil
	},
	TextOnly: asText(func(p page) string { return string(p.JSON()) }),
	TextBlocks: func(_ *Backend, _ json.RawMessage, p page) (insights.ToolResult, error) {
		return insights.ToolResult{Text: []string{"One page follows.", "\ufeff" + string(p.JSON()) + "\n"}}, nil
	},
	Enveloped: asText(func(p page) string {
		return fmt.Sprintf(`{"status":200,"message":"Success","results":%s,"duration":12}`, p.JSON())
	}),
}

func spoilt(change func(*page)) func(*Backend, json.RawMessage, page) (insights.ToolResult, error) {
	return func(_ *Backend, _ json.RawMessage, p page) (insights.ToolResult, error) {
		p.data = slices.Clone(p.data)
		change(&p)
		return success(p.JSON()), nil
	}
}

func asText(text func(page) string) func(*Backend, json.RawMessage, page) (insights.ToolResult, error) {
	return func(_ *Backend, _ json.RawMessage, p page) (insights.ToolResult, error) {
		return insights.ToolResult{Text: []string{text(p)}}, nil
	}
}

func afterOf(parameters json.RawMessage) string {
	var p struct {
		After string `json:"after"`
	}
	_ = json.Unmarshal(parameters, &p) // the operation has read the same before
	return p.After
}

// emptyPage holds the page's insights back. Its cursor is new and leads to where the call was.
func emptyPage(b *Backend, parameters json.RawMessage, _ page) (insights.ToolResult, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	after := afterOf(parameters)
	if stands, ok := b.tokens[after]; ok {
		after = stands
	}
	token := fmt.Sprintf("continue-%d", len(b.tokens)+1)
	b.tokens[token] = after
	return success(page{data: []json.RawMessage{}, lastID: rawjson.Quote(token), hasMore: json.RawMessage("true")}.JSON()), nil
}

// overlap repeats the insight that the call's cursor names.
func overlap(b *Backend, parameters json.RawMessage, p page) (insights.ToolResult, error) {
	after := afterOf(parameters)
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, agents := range b.projects {
		for _, m := range agents {
			for _, r := range m.rows {
				if r.ID == after {
					p.data = append([]json.RawMessage{r.Raw}, p.data...)
					return success(p.JSON()), nil
				}
			}
		}
	}
	return success(p.JSON()), nil
}
