package problem

import (
	"bytes"
	"strings"
)

// Body says what a response body was.
type Body struct {
	// Kind is what the body turned out to be.
	Kind BodyKind
	// MediaType is the declared media type, in lower case and without
	// parameters, or "".
	MediaType string
	// Size is how many bytes were read.
	Size int64
	// Raw holds the body's first 64 KiB. It is what the network sent: bound and
	// clean it before it goes anywhere.
	Raw []byte
}

// What is kept of a body: of its bytes, and of a message in one that is no problem.
const (
	maxKept    = 64 << 10
	maxMessage = 1 << 10
)

// BodyKind is what a response body turned out to be, declared or not.
type BodyKind uint8

// The kinds of bodies.
const (
	BodyNone       BodyKind = iota // the problem was not read from a response
	BodyProblem                    // a problem details document, JSON or XML
	BodyJSON                       // other JSON, perhaps with an error message
	BodyText                       // plain text
	BodyHTML                       // an HTML page, never shown in any text
	BodyMarkup                     // other XML or markup, never shown in any text
	BodyEmpty                      // no bytes, or white space alone
	BodyMalformed                  // declared as JSON or XML, or begun like JSON, but not well-formed
	BodyBinary                     // none of these
	BodyTooLarge                   // more bytes than the reader's limit
	BodyUnreadable                 // reading it failed
)

var bodyKindNames = [...]string{
	"none", "problem", "json", "text", "html", "markup", "empty", "malformed", "binary", "too large", "unreadable",
}

// String returns a short name such as "problem" or "html".
func (k BodyKind) String() string {
	if int(k) < len(bodyKindNames) {
		return bodyKindNames[k]
	}
	return "unknown"
}

// bodyNotes say what a body was where it holds no message for people.
var bodyNotes = map[BodyKind]string{
	BodyJSON:       "the response body is JSON, but not problem details",
	BodyHTML:       "the response body is HTML, not problem details",
	BodyMarkup:     "the response body is markup, not problem details",
	BodyEmpty:      "the response has no body",
	BodyMalformed:  "the response body is not well-formed",
	BodyBinary:     "the response body is not text",
	BodyTooLarge:   "the response body is larger than the limit",
	BodyUnreadable: "the response body could not be read",
}

// mediaType returns the type/subtype of a Content-Type in lower case, whatever
// its parameters are.
func mediaType(contentType string) string {
	t, _, _ := strings.Cut(contentType, ";")
	return strings.ToLower(strings.TrimSpace(t))
}

func isJSON(mediaType string) bool {
	return mediaType == "application/json" || mediaType == "text/json" || strings.HasSuffix(mediaType, "+json")
}

func isHTML(mediaType string) bool {
	return mediaType == "text/html" || mediaType == "application/xhtml+xml"
}

func isXML(mediaType string) bool {
	return mediaType == "application/xml" || mediaType == "text/xml" || strings.HasSuffix(mediaType, "+xml")
}

// kept returns what is kept of body, without pinning the memory of the rest.
func kept(body []byte) []byte {
	if len(body) > maxKept {
		return bytes.Clone(body[:maxKept])
	}
	return body
}

var byteOrderMark = []byte("\xef\xbb\xbf")

// interpret takes from a complete body what it holds and says what it was. The
// first character counts for more than the declared type: gateways send HTML
// as JSON, and services send JSON as anything.
func (p *Problem) interpret(body []byte) BodyKind {
	content := skipSpace(bytes.TrimPrefix(body, byteOrderMark))
	if len(content) == 0 {
		return BodyEmpty
	}
	declared := p.body.MediaType
	bracket := content[0] == '{' || content[0] == '['
	switch {
	case content[0] == '<':
		return p.interpretMarkup(content)
	case (bracket || isJSON(declared)) && validJSON(content):
		return p.interpretJSON(content)
	case isJSON(declared), isXML(declared), bracket && declared == "":
		return BodyMalformed
	case isHTML(declared):
		return BodyHTML
	}
	return p.interpretText(content)
}

// failed reports whether the response was no success, so that an undeclared
// problem or a message may be looked for in its body.
func (p *Problem) failed() bool { return p.Status < 200 || p.Status > 299 }

// interpretJSON takes a problem from a valid JSON text: any object that is
// declared as one, and one that looks like one in a failed response.
func (p *Problem) interpretJSON(content []byte) BodyKind {
	if content[0] != '{' {
		if content[0] == '"' {
			text, _ := cutValue(content)
			p.takeMessage(unquote(text))
		}
		return BodyJSON
	}
	declared := p.body.MediaType == MediaTypeJSON
	if !declared && !p.failed() {
		return BodyJSON
	}
	p.decode(content)
	if declared || p.looksLikeProblem() {
		return BodyProblem
	}
	p.forgetMembers()
	p.takeErrorMessage(content)
	return BodyJSON
}

// looksLikeProblem reports whether an object that is not declared as a problem
// has the shape of one: two members of RFC 9457 with the right type, and a type
// or title among them.
func (p *Problem) looksLikeProblem() bool {
	count := 0
	for _, member := range []memberSet{hasType, hasTitle, hasStatus, hasDetail, hasInstance} {
		if p.present.has(member) {
			count++
		}
	}
	return count >= 2 && p.present.has(hasType|hasTitle)
}

// forgetMembers drops what a JSON object that is no problem has left behind,
// but for what tells its caller how to go on.
func (p *Problem) forgetMembers() {
	p.Type, p.Title, p.Detail, p.Instance, p.memberStatus = "", "", "", "", 0
	p.Extensions = nil
	p.present &^= hasType | hasTitle | hasStatus | hasDetail | hasInstance
}

func (p *Problem) interpretText(content []byte) BodyKind {
	if declared := p.body.MediaType; declared != "" && !strings.HasPrefix(declared, "text/") {
		return BodyBinary
	}
	if bytes.ContainsFunc(content, isBinary) {
		return BodyBinary
	}
	p.takeMessage(string(content))
	return BodyText
}

// isBinary reports whether a character never occurs in text.
func isBinary(r rune) bool {
	return r < ' ' && r != '\t' && r != '\n' && r != '\v' && r != '\f' && r != '\r' && r != 0x1b
}

// takeMessage makes a text that explains the failure, though it is no detail
// member, the detail.
func (p *Problem) takeMessage(text string) {
	if !p.failed() {
		return
	}
	text, isPage := cutPage(text)
	text = strings.TrimSpace(cut(strings.ToValidUTF8(text, "\uFFFD"), maxMessage))
	if isPage && text != "" {
		text += " " + ellipsis
	}
	p.Detail = text
}
