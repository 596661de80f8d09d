package opsroom

import (
	"context"
	"encoding/json"
)

// A Tool is one remote operation in the form that agent frameworks register: a name,
// texts and schemas to advertise, and a function to call.
//
// The library registers tools nowhere; the host hands these fields to the framework of
// its choice. A Tool is a plain value: copy it, rename it, wrap its Call. Call is safe
// for concurrent use.
type Tool struct {
	// Name is the stable identifier that a model calls the tool by, for example
	// "list_agent_runs".
	Name string

	// Title is a short name for people.
	Title string

	// Description tells a model what the tool does and when to use it.
	Description string

	// Annotations describe the tool's behaviour. All four are always meaningful.
	Annotations Annotations

	// InputSchema describes the arguments of Call.
	InputSchema Schema

	// OutputSchema describes Result.Structured of a call that succeeded.
	OutputSchema Schema

	// Call runs the operation on a JSON object of arguments. Empty bytes, "null" and "{}"
	// all mean no arguments. Arguments are checked before anything is sent, so the host
	// need not validate them; what does not pass is an [*InputError].
	//
	// On failure Call returns both a typed error, for Go code, and a Result with IsError
	// set whose Text is fit to be shown to a model. Hosts whose framework aborts on a
	// returned error pass the Result on and log the error.
	Call func(ctx context.Context, arguments json.RawMessage) (Result, error)
}

// Annotations are the four behaviour hints of the Model Context Protocol. MCP gives them
// different defaults when they are left out, so hosts should pass on all four.
type Annotations struct {
	ReadOnly    bool // the tool changes nothing
	Destructive bool // a change that the tool makes is not merely an addition
	Idempotent  bool // repeating a call with the same arguments has no further effect
	OpenWorld   bool // the tool reaches an open set of outside systems
}

// A Result is what a [Tool] call answers with.
type Result struct {
	// Structured is a JSON object in the backend's own bytes, so numbers, unknown members
	// and member order are as the backend sent them. It is nil when IsError is set: MCP
	// clients hold structured content against the output schema even then.
	Structured json.RawMessage

	// Text is the same JSON for models and clients that read only text; for a failure it
	// is one short, readable paragraph.
	Text string

	// IsError says that the call failed.
	IsError bool
}
