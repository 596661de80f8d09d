package insightstest

import (
	"maps"
	"slices"

	"github.com/opsroom-go/opsroom/insights"
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
	EmptyPage      Fault = "empty page"      // no insights, has_more is true, and last_id leads to them; never twice in a row
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

// Kind returns the kind of failure that a walk ends with when every call meets
// the fault; "" for None and for sound answers.
func (f Fault) Kind() insights.Kind { return kinds[f] }

// Faults returns all faults but None, in alphabetical order, for tests that go
// through them.
func Faults() []Fault { return slices.Sorted(maps.Keys(kinds)) }

// Fail adds faults to those that the coming calls meet, one each, in order.
func (b *Backend) Fail(faults ...Fault) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.queue = append(b.queue, faults...)
}

// FailAlways makes every call that finds no fault left of those added with
// [Backend.Fail] meet this one. None ends it.
func (b *Backend) FailAlways(fault Fault) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.always = fault
}
