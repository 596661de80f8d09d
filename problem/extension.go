package problem

import (
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"
)

// Extension returns the named extension member as a T. It is false when the
// problem has none, when it is null, or when it does not fit a T: a member of
// the wrong type is as good as absent. Decoding is that of encoding/json.
//
// XML knows no numbers or booleans. For a problem that came as XML, a T that
// does not take text gets what the text reads as.
func Extension[T any](p *Problem, name string) (T, bool) {
	var zero T
	if p == nil {
		return zero, false
	}
	raw, ok := p.Extensions[name]
	if !ok {
		return zero, false
	}
	if value, ok := decodeAs[T](raw); ok || !p.present.has(fromXML) || !validJSON(raw) || raw[0] != '"' {
		return value, ok
	}
	return decodeAs[T]([]byte(unquote(raw)))
}

func decodeAs[T any](raw []byte) (T, bool) {
	var zero, value T
	if string(raw) == "null" || json.Unmarshal(raw, &value) != nil {
		return zero, false
	}
	return value, true
}

// SetExtension encodes value as JSON and makes it the extension member of that
// name. The names of the document's own members and of the other fields are
// refused: an extension never stands in for them. Names should start with a
// letter, hold only letters, digits and "_", and have three characters or more
// (RFC 9457, section 4); a name that is no XML name is missing from XML.
func (p *Problem) SetExtension(name string, value any) error {
	switch name {
	case "type", "title", "status", "detail", "instance", "code", "allowed_actions", "retry_after_seconds":
		return fmt.Errorf("problem: %s is a field of Problem and no extension", name)
	}
	if p == nil {
		return errors.New("problem: nil has no extensions")
	}
	if !utf8.ValidString(name) {
		return errors.New("problem: the name of an extension must be UTF-8")
	}
	raw, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("problem: encode extension %s: %w", clean(name, 40), err)
	}
	if p.Extensions == nil {
		p.Extensions = make(map[string]json.RawMessage)
	}
	p.Extensions[name] = raw
	return nil
}
