package insights

import (
	"errors"

	"github.com/opsroom-go/opsroom"
)

// An Error is the failure of one call. [errors.Is] tells its [Kind]; Unwrap
// leads to the cause, such as an *opsroom.InputError or the error of the
// [Caller].
type Error struct {
	Kind Kind

	// Message is what is known beyond the kind, "" if nothing is. What it
	// repeats of the tool's text is short and was found free of markup and of
	// anything that looks like a credential; the whole text is in
	// [Error.Result].
	Message string

	// Err is the cause, if there is one.
	Err error

	// A pointer, because fmt does not follow those: %+v and %#v of an error
	// must not show what the service wrote.
	result *ToolResult
}

// Error returns one line that a person or a model can act on.
func (e *Error) Error() string {
	if input, ok := errors.AsType[*opsroom.InputError](e.Err); ok {
		return input.Error()
	}
	text := ToolName + ": " + e.Kind.Error()
	if e.Message != "" {
		text += ": " + e.Message
	}
	return text
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Is reports whether target is the error's [Kind].
func (e *Error) Is(target error) bool {
	kind, ok := target.(Kind)
	return ok && kind == e.Kind
}

// Result returns what the tool answered, for a log or a classification of one's
// own; ok is false if there was no answer. It is untrusted text that may hold
// anything.
func (e *Error) Result() (result ToolResult, ok bool) {
	if e.result == nil {
		return ToolResult{}, false
	}
	return *e.result, true
}
