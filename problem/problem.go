package problem

import (
	"encoding/json"
	"net/url"
	"time"
)

// AboutBlank is the type of a problem that says no more than its HTTP status
// (RFC 9457, section 4.2.1). A problem without a type member has it.
const AboutBlank Type = "about:blank"

// Problem is one problem details document (RFC 9457) together with what is
// known of the HTTP response that it came in. A *Problem is an error, and an
// [http.Handler] that answers with it.
//
// The fields are the members of the document as they are written on the wire.
// What they mean is for the methods to say: [Problem.TypeURI] rather than Type
// identifies the problem.
//
// The zero value is the about:blank problem without a status. Reading a
// Problem from several goroutines is safe as long as none changes it.
type Problem struct {
	// Type is the type member as written: a URI reference, perhaps relative.
	// Compare [Problem.TypeURI], or use errors.Is with a [Type].
	Type string
	// Title is a short summary that is the same for each occurrence.
	Title string
	// Status is the HTTP status: the one of the response for a problem that was
	// read from a response, whatever its body says ([Problem.StatusMember]).
	// Zero is unknown.
	Status int
	// Detail explains this occurrence, for people and models: RFC 9457 asks not
	// to parse it. When the body was no problem but held a message ({"error":
	// "…"}, plain text), this is the message, cut at 1 KiB or where an HTML page
	// begins.
	Detail string
	// Instance is the instance member as written: a URI reference for this
	// occurrence, perhaps relative. See [Problem.InstanceURI].
	Instance string

	// Code is the extension member code: a stable name for programs.
	Code string
	// AllowedActions is the extension member allowed_actions: what the caller
	// can do about the problem. It is untrusted input, and nothing here acts on it.
	AllowedActions []Action
	// RetryAfterSeconds is the extension member retry_after_seconds. [Write]
	// sends it as the Retry-After header too. Zero is not written, unless it
	// was read, and neither is a negative value or more than 365 days. See
	// [Problem.RetryAfter] for the hint to act on.
	RetryAfterSeconds int64

	// Extensions holds every other member under its exact name, with the exact
	// bytes of its value. The three extension members above are found here only
	// when their value has another type than the field can hold.
	Extensions map[string]json.RawMessage

	// Cause is the error behind the problem, if any, for errors.Is and
	// errors.As. It is never written to a response, and is part of no text.
	Cause error

	present      memberSet
	memberStatus int
	base         *url.URL
	retryHeader  time.Duration
	requestID    string
	body         Body
}

// memberSet remembers which members were there though their value is the zero
// value of the field, and how the document was read.
type memberSet uint16

const (
	hasType memberSet = 1 << iota
	hasTitle
	hasStatus
	hasDetail
	hasInstance
	hasCode
	hasRetryAfterSeconds
	hasRetryHeader
	fromXML
)

// has reports whether one of the members in m is set.
func (s memberSet) has(m memberSet) bool { return s&m != 0 }

// TypeURI returns the problem's identifier: the type after resolution against
// the base URI of the response, or about:blank when there is no type. A type
// that is absolute, or that cannot be resolved, is returned as it is.
func (p *Problem) TypeURI() string {
	if p == nil || p.Type == "" && (p.base == nil || !p.present.has(hasType)) {
		return string(AboutBlank)
	}
	return resolve(p.base, p.Type)
}

// InstanceURI returns the instance after resolution against the base URI of
// the response, or "" when there is none. It may be opaque: not every instance
// can be dereferenced.
func (p *Problem) InstanceURI() string {
	if p == nil || p.Instance == "" && !p.present.has(hasInstance) {
		return ""
	}
	return resolve(p.base, p.Instance)
}

// StatusMember returns the status that the document itself states, and whether
// it states a usable one. It is advice: Status rules (RFC 9457, section 3.1.2).
func (p *Problem) StatusMember() (status int, ok bool) {
	if p == nil {
		return 0, false
	}
	return p.memberStatus, p.present.has(hasStatus)
}

// StatusMismatch reports whether the document states another status than the
// response had, which tells that something on the way changed one of them.
func (p *Problem) StatusMismatch() bool {
	status, ok := p.StatusMember()
	return ok && status != p.Status
}

// RequestID returns the X-Request-Id header of the response, or "". It is the
// name to give to the operators of the service.
func (p *Problem) RequestID() string {
	if p == nil {
		return ""
	}
	return p.requestID
}

// Body returns what is known of the response body that the problem was read from.
func (p *Problem) Body() Body {
	if p == nil {
		return Body{}
	}
	b := p.body
	b.Raw = append([]byte(nil), b.Raw...)
	return b
}

// Unwrap returns the cause.
func (p *Problem) Unwrap() error {
	if p == nil {
		return nil
	}
	return p.Cause
}
