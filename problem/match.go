package problem

import (
	"net/http"
	"strconv"
)

// Status is a target for errors.Is that matches each problem with this HTTP
// status. The status that the body claims does not count.
type Status int

// Error returns the status and its phrase.
func (s Status) Error() string {
	text := "status " + strconv.Itoa(int(s))
	if phrase := http.StatusText(int(s)); phrase != "" {
		text += " " + phrase
	}
	return text
}

// Code is a target for errors.Is that matches each problem with this code
// member, to the letter.
type Code string

// Error returns the code.
func (c Code) Error() string { return "problem code " + clean(string(c), maxCode) }

// Type is a target for errors.Is that matches each problem whose type, after
// resolution, is this URI. The comparison is by character, as RFC 9457 means
// type URIs to be used. [AboutBlank] matches problems without a type.
type Type string

// Error returns the URI, without its query.
func (t Type) Error() string { return "problem type " + cleanURI(t.uri(), maxURI) }

func (t Type) uri() string {
	if t == "" {
		return string(AboutBlank)
	}
	return string(t)
}

// Is reports whether the problem is what target describes: a [Status], a
// [Code], a [Type] or a [Definition]. It is there for errors.Is.
func (p *Problem) Is(target error) bool {
	if p == nil {
		return false
	}
	switch t := target.(type) {
	case Status:
		return p.Status == int(t)
	case Code:
		return t != "" && p.Code == string(t)
	case Type:
		return p.TypeURI() == t.uri()
	case Definition:
		return t.defines(p)
	case *Definition:
		return t != nil && t.defines(p)
	}
	return false
}
