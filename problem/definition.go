package problem

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// Definition declares a problem type once: what RFC 9457, section 4, asks each
// definition to document. Declare it as a package variable, make occurrences
// with [Definition.New], and recognise them with errors.Is: a Definition is a
// target for it that matches each problem of its type.
//
// The type URI should lead to documentation for people. Titles stay the same
// from one occurrence to the next; what differs belongs into the detail.
type Definition struct {
	// Type is the type URI: absolute, and best an https URL that you control.
	Type string
	// Title is the short summary of the type.
	Title string
	// Status is the HTTP status that the type is used with, 400 to 599.
	Status int
}

// New makes an occurrence. The detail should help the client to correct the
// problem and must hold nothing that the client may not see; it may be empty.
func (d Definition) New(detail string) *Problem {
	return &Problem{Type: d.Type, Title: d.Title, Status: d.Status, Detail: detail}
}

// Validate says what is wrong with the definition, all at once; nil is a sound
// one. It is meant for a test over all definitions of a program.
func (d Definition) Validate() error {
	var errs []error
	if u, err := url.Parse(d.Type); err != nil || !u.IsAbs() {
		errs = append(errs, errors.New("problem: the type of a definition must be an absolute URI"))
	}
	if strings.TrimSpace(d.Title) == "" {
		errs = append(errs, errors.New("problem: a definition needs a title"))
	}
	if !isErrorStatus(d.Status) {
		errs = append(errs, errors.New("problem: the status of a definition must be 400 to 599, not "+strconv.Itoa(d.Status)))
	}
	return errors.Join(errs...)
}

// Error describes the type, so that a Definition can be a target for errors.Is.
func (d Definition) Error() string {
	p := Problem{Title: d.Title, Status: d.Status}
	return p.Error()
}

// defines reports whether p is of the declared type. about:blank says nothing
// of its own, so that there the status decides.
func (d Definition) defines(p *Problem) bool {
	uri := Type(d.Type).uri()
	if uri == string(AboutBlank) && d.Status != p.Status {
		return false
	}
	return p.TypeURI() == uri
}

func isErrorStatus(status int) bool {
	return status >= http.StatusBadRequest && status <= 599
}
