package insights

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"

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

	result *ToolResult // nil if the tool did not answer
}

// Error returns one line that a person or a model can act on.
func (e *Error) Error() string {
	if input, ok := errors.AsType[*opsroom.InputError](e.Err); ok {
		return input.Error()
	}
	text := ToolName + ": " + cmp.Or(e.Kind.Error(), "failed")
	if e.Message != "" {
		text += ": " + e.Message
	}
	return text
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.Err
}

// Format prints the text of Error for every verb, so that %+v and %#v show
// neither what the tool answered nor what the cause holds. It has a value
// receiver so that this goes for an Error that is no pointer too.
func (e Error) Format(s fmt.State, verb rune) { format(s, verb, e.Error()) }

// MarshalJSON returns the kind and the text of Error as {"kind", "message"},
// without the cause, for the same reason.
func (e Error) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Kind    Kind   `json:"kind"`
		Message string `json:"message"`
	}{e.Kind, e.Error()})
}

func format(s fmt.State, verb rune, text string) {
	if verb == 'v' {
		_, _ = io.WriteString(s, text)
		return
	}
	_, _ = fmt.Fprintf(s, fmt.FormatString(s, verb), text)
}

// Is reports whether target is the error's [Kind].
func (e *Error) Is(target error) bool {
	kind, ok := target.(Kind)
	return ok && e != nil && kind != "" && kind == e.Kind
}

// Result returns what the tool answered, for a log or a classification of one's
// own; ok is false if there was no answer. It is untrusted text that may hold
// anything.
func (e *Error) Result() (result ToolResult, ok bool) {
	if e == nil || e.result == nil {
		return ToolResult{}, false
	}
	return *e.result, true
}
