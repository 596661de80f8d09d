package opsroom

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/opsroom-go/opsroom/internal/quote"
)

// An InputError lists everything that is wrong with the arguments of a call. It is
// returned before anything is sent, so correcting the arguments and calling again is
// always safe.
type InputError struct {
	Operation string         // the operation that refused, such as "list_agent_runs"
	Failures  []InputFailure // in the order of the operation's schema, unknown members last
}

// An InputFailure is one thing that is wrong with the arguments of a call.
type InputFailure struct {
	// Pointer is the JSON Pointer (RFC 6901) of the offending value in the arguments,
	// such as "/category"; "" is the arguments as a whole.
	Pointer string

	// Rule names what was broken.
	Rule Rule

	// Message says what is expected, in a few words, and may quote at most 40 characters
	// of the value.
	Message string

	// Suggestion is the nearest right member name for a misspelt one, or "".
	Suggestion string
}

// A Rule names what an argument has broken: the JSON Schema keyword, or one of the rules
// that are stricter than the schema.
type Rule string

// The rules.
const (
	RuleType      Rule = "type"
	RuleRequired  Rule = "required"
	RuleEnum      Rule = "enum"
	RuleMinLength Rule = "minLength"
	RuleMaxLength Rule = "maxLength"
	RulePattern   Rule = "pattern"
	RuleMinimum   Rule = "minimum"
	RuleMaximum   Rule = "maximum"
	RuleUnknown   Rule = "additionalProperties"

	// RuleSyntax: the arguments are not one JSON document.
	RuleSyntax Rule = "syntax"
	// RuleUnicode: a text is not valid Unicode, so it cannot be sent unchanged.
	RuleUnicode Rule = "unicode"
	// RulePathSegment: "." and ".." cannot be carried by a URL path; they would address
	// another resource.
	RulePathSegment Rule = "pathSegment"
	// RuleDuplicate: a member is given twice, so what is meant is not clear.
	RuleDuplicate Rule = "duplicate"
)

// maxListed bounds how many failures the text of an InputError spells out.
const maxListed = 12

// Error lists the failures in one line.
func (e *InputError) Error() string {
	var b strings.Builder
	if e.Operation != "" {
		b.WriteString(e.Operation + ": ")
	}
	b.WriteString("invalid arguments, nothing was sent: ")
	for i, failure := range e.Failures {
		if i == maxListed {
			fmt.Fprintf(&b, "; and %d more", len(e.Failures)-maxListed)
			break
		}
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(failure.String())
	}
	return b.String()
}

// String returns the failure as "member: message".
func (f InputFailure) String() string {
	name := "arguments"
	if f.Pointer != "" {
		name = pointerName(f.Pointer)
	}
	text := name + ": " + f.Message
	if f.Suggestion != "" {
		text += fmt.Sprintf(" (did you mean %q?)", f.Suggestion)
	}
	return text
}

// pointerName turns a pointer into what a reader calls the member. Member names come from
// outside, so odd ones are quoted and long ones cut.
func pointerName(pointer string) string {
	name := strings.TrimPrefix(pointer, "/")
	name = strings.NewReplacer("~1", "/", "~0", "~").Replace(name)
	if utf8.RuneCountInString(name) <= quote.Max && isPlain(name) {
		return name
	}
	return quote.Short(name)
}

func isPlain(name string) bool {
	for _, r := range name {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '$', r == '-', r == '/':
		default:
			return false
		}
	}
	return name != ""
}
