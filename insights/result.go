package insights

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strconv"
	"strings"

	"github.com/opsroom-go/opsroom/internal/rawjson"
)

// Reasons for which a result holds no page, besides a malformedError.
var (
	errReported = errors.New("the tool reports an error")
	errNoPage   = errors.New("the answer holds no page")
)

// A malformedError is the reason why something that was meant to be a page is
// none.
type malformedError struct{ reason error }

func (e malformedError) Error() string { return e.reason.Error() }

// readPage finds the page in a result: structured content first, then the text
// blocks, then the same inside the envelope of Azure's own tools. A text block
// counts only if it is one JSON object as a whole; prose is never searched for
// JSON, since a router's help text contains plenty.
func readPage(result ToolResult) (Page, error) {
	if result.IsError {
		return Page{}, errReported
	}
	documents := documentsOf(result)
	for _, d := range documents {
		if d.has("data") && d.has("has_more") {
			page, err := newPageIn(d)
			if err == nil {
				return mostExact(page, d, documents), nil
			}
			if d.structured {
				return Page{}, malformedError{err}
			}
		}
	}
	for _, d := range documents {
		if page, err := newPageIn(d.enveloped()); err == nil {
			return page, nil
		}
	}
	for _, d := range documents {
		for _, meant := range []document{d, d.enveloped()} {
			if meant.has("data") || meant.has("has_more") {
				_, err := newPageIn(meant)
				return Page{}, malformedError{err}
			}
		}
	}
	return Page{}, errNoPage
}

func newPageIn(d document) (Page, error) { return newPage(d.raw, d.members) }

// A document is a JSON object that a result holds.
type document struct {
	raw        json.RawMessage
	members    []rawjson.Member
	structured bool
}

func newDocument(raw json.RawMessage) (document, bool) {
	if rawjson.KindOf(raw) != rawjson.Object || rawjson.Check(raw) != nil {
		return document{}, false
	}
	members, err := rawjson.Members(raw)
	return document{raw: raw, members: members}, err == nil
}

func documentsOf(result ToolResult) []document {
	var documents []document
	if d, ok := newDocument(result.Structured); ok {
		d.structured = true
		documents = append(documents, d)
	}
	for _, text := range result.Text {
		if d, ok := newDocument(json.RawMessage(trim(text))); ok {
			documents = append(documents, d)
		}
	}
	return documents
}

// trim removes what servers put around a JSON text: a byte order mark and white
// space.
func trim(text string) string {
	return strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(text), "\ufeff"))
}

func (d document) has(name string) bool {
	_, found := rawjson.Lookup(d.members, name)
	return found
}

func (d document) member(name string) document {
	value, _ := rawjson.Lookup(d.members, name)
	members, _ := rawjson.Members(value)
	return document{raw: value, members: members}
}

func (d document) text(name string) string {
	value, _ := rawjson.Lookup(d.members, name)
	return rawjson.Text(value)
}

// status returns the HTTP status that an object names, as a number or a string;
// 0 if it names none.
func (d document) status() int {
	for _, name := range []string{"status", "statusCode", "status_code", "code"} {
		value, _ := rawjson.Lookup(d.members, name)
		if status, err := strconv.Atoi(strings.Trim(string(value), `"`)); err == nil && status >= 100 && status <= 599 {
			return status
		}
	}
	return 0
}

// enveloped returns what the envelope {status, message, results, duration} of a
// success holds in the place of a page. That the tool may come in this envelope
// is a guess from how its siblings behave.
func (d document) enveloped() document {
	if status := d.status(); status < 200 || status > 299 {
		return document{}
	}
	results := d.member("results")
	if inner := results.member("data"); inner.members != nil {
		return inner
	}
	return results
}

// mostExact returns the page in the bytes of a text block, if one holds the
// same document as the structured content. MCP clients tend to decode
// structured content into float64 numbers before anybody can see it, so what an
// adapter encodes again may have lost digits that the text still has.
func mostExact(page Page, from document, documents []document) Page {
	if !from.structured {
		return page
	}
	var rounded any
	known := false // decoded once, however many texts there are
	for _, d := range documents {
		if d.structured || !d.has("data") || !d.has("has_more") {
			continue
		}
		if bytes.Equal(from.raw, d.raw) {
			return page
		}
		if !known && json.Unmarshal(from.raw, &rounded) != nil {
			return page
		}
		known = true
		if !sameAfterRounding(rounded, d.raw) {
			continue
		}
		if exact, err := newPageIn(d); err == nil {
			return exact
		}
	}
	return page
}

func sameAfterRounding(rounded any, raw json.RawMessage) bool {
	var value any
	return json.Unmarshal(raw, &value) == nil && reflect.DeepEqual(rounded, value)
}
