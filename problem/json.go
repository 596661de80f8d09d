package problem

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"unicode/utf8"
)

// MarshalJSON returns the document: the members of RFC 9457, the three known
// extension members, then all other extensions in the order of their names,
// each value with its exact bytes (encoding/json itself compacts them and
// escapes <, > and & on top). An extension that has the name of a member,
// or whose bytes are not valid JSON, is left out.
func (p Problem) MarshalJSON() ([]byte, error) { return p.appendJSON(nil), nil }

func (p *Problem) appendJSON(b []byte) []byte {
	o := object{b: append(b, '{')}
	o.member("type", p.Type, p.present.has(hasType))
	o.member("title", p.Title, p.present.has(hasTitle))
	if p.Status != 0 {
		o.number("status", int64(p.Status))
	}
	o.member("detail", p.Detail, p.present.has(hasDetail))
	o.member("instance", p.Instance, p.present.has(hasInstance))
	o.member("code", p.Code, p.present.has(hasCode))
	if p.AllowedActions != nil {
		o.array("allowed_actions", p.AllowedActions)
	}
	if p.statesRetryAfterSeconds() {
		o.number("retry_after_seconds", p.RetryAfterSeconds)
	}
	for _, name := range writableNames(p.Extensions, maxJSONDepth-1) {
		if !p.shadows(name) {
			o.raw(name, p.Extensions[name])
		}
	}
	return o.close()
}

// shadows reports whether an extension of this name must not be written
// because a member of the name is, or could be.
func (p *Problem) shadows(name string) bool {
	switch name {
	case "type", "title", "status", "detail", "instance":
		return true
	case "code":
		return p.Code != "" || p.present.has(hasCode)
	case "allowed_actions":
		return p.AllowedActions != nil
	case "retry_after_seconds":
		return p.statesRetryAfterSeconds()
	}
	return false
}

// UnmarshalJSON reads a document that stands alone, such as one from a log or
// a queue. A member of the wrong type is absent, names are exact, and of a
// name that is given twice the last one counts. Status is the status member.
// The only errors are those for what is not one JSON object. Use [Parse] or
// [FromResponse] for responses.
func (p *Problem) UnmarshalJSON(data []byte) error {
	if !validJSON(data) {
		return errors.New("problem: not valid JSON")
	}
	data = skipSpace(data)
	switch data[0] {
	case 'n':
		return nil // null leaves things as they are, by the convention of encoding/json
	case '{':
		*p = Problem{}
		p.decode(slices.Clone(data))
		p.Status = p.memberStatus
		return nil
	}
	return errors.New("problem: a problem details document is a JSON object")
}

// decode takes the members from a valid JSON object, which p keeps parts of.
func (p *Problem) decode(object []byte) {
	for name, value := range members(object) {
		switch name {
		case "type":
			p.takeText(&p.Type, hasType, value)
		case "title":
			p.takeText(&p.Title, hasTitle, value)
		case "detail":
			p.takeText(&p.Detail, hasDetail, value)
		case "instance":
			p.takeText(&p.Instance, hasInstance, value)
		case "status":
			p.takeStatus(value)
		default:
			p.takeExtension(name, value)
		}
	}
	if len(p.Extensions) == 0 {
		p.Extensions = nil // one was taken back by a later member of its name
	}
}

// takeText takes a text member. Of another type it is absent, also when an
// earlier member of the name was fine.
func (p *Problem) takeText(field *string, member memberSet, value []byte) bool {
	if value[0] != '"' {
		*field, p.present = "", p.present&^member
		return false
	}
	*field, p.present = unquote(value), p.present|member
	return true
}

func (p *Problem) takeStatus(value []byte) {
	p.memberStatus, p.present = 0, p.present&^hasStatus
	if status, ok := p.wholeNumber(value); ok && status >= 100 && status <= 599 {
		p.memberStatus, p.present = int(status), p.present|hasStatus
	}
}

func (p *Problem) takeExtension(name string, value []byte) {
	var taken bool
	switch name {
	case "code":
		taken = p.takeText(&p.Code, hasCode, value)
	case "allowed_actions":
		p.AllowedActions, taken = parseActions(value, p.base)
	case "retry_after_seconds":
		taken = p.takeRetryAfterSeconds(value)
	}
	if taken {
		delete(p.Extensions, name)
		return
	}
	if p.Extensions == nil {
		p.Extensions = make(map[string]json.RawMessage)
	}
	p.Extensions[name] = value
}

// writableNames returns the names of the extensions in order, without those
// that would spoil the document, or nest deeper than depth.
func writableNames(extensions map[string]json.RawMessage, depth int) []string {
	if len(extensions) == 0 {
		return nil
	}
	names := make([]string, 0, len(extensions))
	for name, value := range extensions {
		if utf8.ValidString(name) && validJSON(value) && nesting(value) <= depth {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// object builds a JSON object, after its opening brace.
type object struct {
	b []byte
}

func (o *object) close() []byte { return append(o.b, '}') }

func (o *object) name(name string) {
	// A value never ends in an opening brace.
	if o.b[len(o.b)-1] != '{' {
		o.b = append(o.b, ',')
	}
	o.b = append(appendQuoted(o.b, name), ':')
}

func (o *object) text(name, text string) {
	o.name(name)
	o.b = appendQuoted(o.b, text)
}

// member writes a text that is left out when it is empty, unless it was there.
func (o *object) member(name, text string, present bool) {
	if text != "" || present {
		o.text(name, text)
	}
}

func (o *object) number(name string, n int64) {
	o.name(name)
	o.b = strconv.AppendInt(o.b, n, 10)
}

func (o *object) raw(name string, value []byte) {
	o.name(name)
	o.b = append(o.b, value...)
}

func (o *object) array(name string, actions []Action) {
	o.name(name)
	o.b = append(o.b, '[')
	for i := range actions {
		if i > 0 {
			o.b = append(o.b, ',')
		}
		o.b = actions[i].appendJSON(o.b)
	}
	o.b = append(o.b, ']')
}

// appendQuoted appends text as a JSON string. What is not UTF-8 becomes U+FFFD.
func appendQuoted(b []byte, text string) []byte {
	b = append(b, '"')
	plain := 0 // text[plain:i] needs no escape
	for i := 0; i < len(text); {
		if c := text[i]; c >= ' ' && c < 0x7f && c != '"' && c != '\\' {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if r > 0x7f && (r != utf8.RuneError || size > 1) {
			i += size
			continue
		}
		b = appendEscaped(append(b, text[plain:i]...), r)
		i += size
		plain = i
	}
	return append(append(b, text[plain:]...), '"')
}

func appendEscaped(b []byte, r rune) []byte {
	const hex = "0123456789abcdef"
	switch r {
	case '"', '\\':
		return append(b, '\\', byte(r))
	case '\n':
		return append(b, `\n`...)
	case '\r':
		return append(b, `\r`...)
	case '\t':
		return append(b, `\t`...)
	case utf8.RuneError:
		return utf8.AppendRune(b, r)
	}
	return append(b, '\\', 'u', '0', '0', hex[r>>4], hex[r&0xf])
}
