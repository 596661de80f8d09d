package insights

import "errors"

// A Kind says why insights could not be read. Each row of the contract's error
// table has its own. A Kind is an error itself, made for [errors.Is]:
//
//	if errors.Is(err, insights.NoMonitor) { … }
//
// Its value is a stable name that is fit for JSON and metrics. Packages fmt and
// log/slog print the explanation that Error gives; string(kind) is the name.
type Kind string

// The kinds of failures.
const (
	// NoMonitor: the agent has no monitor, so there are no insights to read.
	// One has to be set up by a person; it is never done from here.
	NoMonitor Kind = "no_monitor"

	// ToolUnavailable: the tool, or the way to it, is not there.
	ToolUnavailable Kind = "tool_unavailable"

	// InvalidArgument: an argument or a filter was refused, either before it
	// was sent (then [errors.As] finds an *opsroom.InputError) or by the
	// service.
	InvalidArgument Kind = "invalid_argument"

	// Unauthorized: the caller is not signed in, or may not read (HTTP 401 and
	// 403).
	Unauthorized Kind = "unauthorized"

	// Backend: the service or the network failed.
	Backend Kind = "backend"

	// MalformedPage: what came is no page of the shape that the contract gives.
	MalformedPage Kind = "malformed_page"

	// MissingCursor: has_more is true, but last_id is no cursor to go on with.
	MissingCursor Kind = "missing_cursor"

	// RepeatedCursor: last_id is a cursor that has been used, so going on would
	// be going round in circles.
	RepeatedCursor Kind = "repeated_cursor"

	// NoProgress: [Options].MaxIdlePages pages in a row brought no new insight.
	NoProgress Kind = "no_progress"

	// PageLimit: [Options].MaxPages pages were read, and more follow.
	PageLimit Kind = "page_limit"

	// Interrupted: the context ended; [errors.Is] finds its error and its cause as
	// well.
	Interrupted Kind = "interrupted"
)

// explanations say what each kind means and, where something can be done, what.
var explanations = map[Kind]string{
	NoMonitor:       "the agent has no monitor; one must be set up in Foundry before there can be insights",
	ToolUnavailable: "the insights tool is not available; check that the MCP server offers it and under which name",
	InvalidArgument: "an argument or filter was refused",
	Unauthorized:    "access was refused; check the sign-in and the caller's rights on the project",
	Backend:         "the insights service or the way to it failed",
	MalformedPage:   "the answer is not a well-formed page",
	MissingCursor:   "the page says that more follow, but gives no cursor to reach them",
	RepeatedCursor:  "the page leads to a cursor that was used before, which would go on for ever",
	NoProgress:      "page after page brought nothing new",
	PageLimit:       "the limit on pages was reached while more follow",
	Interrupted:     "the call was ended before all was read",
}

// Error says what the kind means.
func (k Kind) Error() string {
	if text, ok := explanations[k]; ok {
		return text
	}
	return string(k)
}

// KindOf returns the kind of an error of this package, or "" for nil and for
// other errors.
func KindOf(err error) Kind {
	if incomplete, ok := errors.AsType[*Incomplete](err); ok && incomplete != nil && incomplete.Reason != "" {
		return incomplete.Reason
	}
	if failure, ok := errors.AsType[*Error](err); ok && failure != nil {
		return failure.Kind
	}
	if kind, ok := errors.AsType[Kind](err); ok {
		return kind
	}
	return ""
}
