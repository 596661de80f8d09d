// Package rawjson splits JSON documents into the exact bytes of their parts.
//
// encoding/json rounds numbers, matches member names without regard to case, and
// re-encodes what it passes on. Rows and pages must reach the host as the backend wrote
// them, so this package only ever returns slices of its input.
package rawjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"
)

// Reasons for which Check refuses a document. They echo none of it.
var (
	errEmpty    = errors.New("the document is empty")
	errUTF8     = errors.New("the document is not valid UTF-8")
	errSyntax   = errors.New("the document is not one complete JSON value")
	errTrailing = errors.New("data follows the JSON value")
)

// Check reports why raw is not exactly one JSON value in valid UTF-8, or nil. Nesting is
// limited to 10,000 levels by encoding/json.
func Check(raw []byte) error {
	if !utf8.Valid(raw) {
		return errUTF8
	}
	return CheckSyntax(raw)
}

// CheckSyntax is [Check] for documents whose strings may hold bytes that are no UTF-8.
func CheckSyntax(raw []byte) error {
	switch {
	case KindOf(raw) == Absent:
		return errEmpty
	case json.Valid(raw):
		return nil
	}
	// Telling trailing data from broken data matters to whoever looks for the fault, and
	// costs a second read of a document that is refused anyway.
	var first json.RawMessage
	decoder := json.NewDecoder(bytes.NewReader(raw))
	if decoder.Decode(&first) == nil {
		return errTrailing
	}
	return errSyntax
}

const whitespace = " \t\r\n"

// Kind is the type of a JSON value, in JSON Schema's words.
type Kind string

// The kinds of JSON values.
const (
	Object  Kind = "object"
	Array   Kind = "array"
	String  Kind = "string"
	Number  Kind = "number"
	Boolean Kind = "boolean"
	Null    Kind = "null"
	Absent  Kind = "nothing"
)

// KindOf tells the kind of a valid JSON value by its first byte.
func KindOf(raw []byte) Kind {
	raw = bytes.TrimLeft(raw, whitespace)
	if len(raw) == 0 {
		return Absent
	}
	switch raw[0] {
	case '{':
		return Object
	case '[':
		return Array
	case '"':
		return String
	case 't', 'f':
		return Boolean
	case 'n':
		return Null
	default:
		return Number
	}
}

// A Member is one name and value of a JSON object.
type Member struct {
	Name  string
	Value json.RawMessage // a slice of the document, without surrounding white space
}

// Members returns the members of a JSON object that passed [Check], in document order and
// with repeated names kept. Anything else is an error.
func Members(raw []byte) ([]Member, error) {
	if kind := KindOf(raw); kind != Object {
		return nil, &KindError{Want: Object, Got: kind}
	}
	s := splitter{data: raw}
	var members []Member
	s.open()
	for s.more('}') {
		if len(members) == MaxItems {
			return nil, errTooMany
		}
		var m Member
		m.Name = Text(s.value())
		s.skip(':')
		m.Value = s.value()
		members = append(members, m)
	}
	return members, s.err()
}

// MaxItems is how many members or elements a container may have. Each costs many times
// its bytes in the document, so the bound of a body does not bound them.
const MaxItems = 1 << 16

var errTooMany = fmt.Errorf("more than %d items in one container", MaxItems)

// Elements returns the elements of a JSON array that passed [Check] and has no more than
// [MaxItems]. Anything else is an error.
func Elements(raw []byte) ([]json.RawMessage, error) {
	if kind := KindOf(raw); kind != Array {
		return nil, &KindError{Want: Array, Got: kind}
	}
	s := splitter{data: raw}
	elements := []json.RawMessage{}
	s.open()
	for s.more(']') {
		if len(elements) == MaxItems {
			return nil, errTooMany
		}
		elements = append(elements, s.value())
	}
	return elements, s.err()
}

// Lookup returns the value of the named member, the last one if the name is repeated, as
// JavaScript and encoding/json read it.
func Lookup(members []Member, name string) (json.RawMessage, bool) {
	for i := len(members) - 1; i >= 0; i-- {
		if members[i].Name == name {
			return members[i].Value, true
		}
	}
	return nil, false
}

// Text returns the value of a JSON string, or "" if raw is of another kind.
func Text(raw []byte) string {
	if KindOf(raw) != String {
		return ""
	}
	inner := raw[1 : len(raw)-1]
	if bytes.IndexByte(inner, '\\') < 0 {
		return string(inner)
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// Bool returns the value of a JSON boolean; ok is false for any other kind.
func Bool(raw []byte) (value, ok bool) {
	switch string(raw) {
	case "true":
		return true, true
	case "false":
		return false, true
	}
	return false, false
}

// A KindError says that a JSON value is of another kind than wanted.
type KindError struct{ Want, Got Kind }

func (e *KindError) Error() string {
	return fmt.Sprintf("%s expected, %s found", e.Want, e.Got)
}
