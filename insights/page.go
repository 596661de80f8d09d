package insights

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/opsroom-go/opsroom/internal/rawjson"
)

// A Page is one page of insights as the tool returned it.
type Page struct {
	// Insights is "data". None at all means that nothing matches the query (or,
	// with HasMore, that nothing on this page does). It says nothing about the
	// agent's health.
	Insights []Insight

	// FirstID is "first_id", "" if absent. It is of no use for paging.
	FirstID string

	// LastID is "last_id", "" if absent: the cursor for [Query].After, to be
	// used only if HasMore is true. It need not be the id of the last insight.
	LastID string

	// HasMore is "has_more".
	HasMore bool

	// Raw is the page in the service's exact bytes.
	Raw json.RawMessage
}

// MarshalJSON returns the page's exact bytes; null for the zero Page.
func (p Page) MarshalJSON() ([]byte, error) { return marshalRaw(p.Raw) }

// UnmarshalJSON reads a page that was kept as JSON, with the checks that
// [Client.Page] makes. A null changes nothing.
func (p *Page) UnmarshalJSON(raw []byte) error {
	if rawjson.KindOf(raw) == rawjson.Null {
		return nil
	}
	page, err := parsePage(bytes.Clone(raw)) // encoding/json uses its bytes again
	if err != nil {
		return &Error{Kind: MalformedPage, Message: err.Error()}
	}
	*p = page
	return nil
}

// parsePage reads a page and checks what a walk depends on. Its errors say in a
// few words what is wrong and repeat nothing of the page.
func parsePage(raw json.RawMessage) (Page, error) {
	if err := rawjson.Check(raw); err != nil {
		return Page{}, err
	}
	members, err := rawjson.Members(raw)
	if err != nil {
		return Page{}, err
	}
	return newPage(raw, members)
}

// newPage is parsePage for an object that is already split.
func newPage(raw json.RawMessage, members []rawjson.Member) (Page, error) {
	page := Page{Raw: raw}
	data, err := only(members, "data")
	if err != nil {
		return Page{}, err
	}
	hasMore, err := only(members, "has_more")
	if err != nil {
		return Page{}, err
	}
	var ok bool
	if page.HasMore, ok = rawjson.Bool(hasMore); !ok {
		return Page{}, fmt.Errorf("has_more is %s, not a boolean", described(hasMore))
	}
	if page.Insights, err = parseInsights(data); err != nil {
		return Page{}, err
	}
	first, _ := rawjson.Lookup(members, "first_id")
	page.FirstID = rawjson.Text(first)
	// A cursor that is given twice is none: nobody can tell which one is meant.
	if last, err := only(members, "last_id"); err == nil {
		page.LastID = rawjson.Text(last)
	}
	return page, nil
}

// only returns the value of a member that must be there exactly once.
func only(members []rawjson.Member, name string) (json.RawMessage, error) {
	var value json.RawMessage
	for _, m := range members {
		switch {
		case m.Name != name:
		case value != nil:
			return nil, errors.New(name + " is given twice")
		default:
			value = m.Value
		}
	}
	if value == nil {
		return nil, errors.New(name + " is missing")
	}
	return value, nil
}

func parseInsights(data json.RawMessage) ([]Insight, error) {
	rows, err := rawjson.Elements(data)
	if err != nil {
		return nil, notA("an array", "data", data, err)
	}
	insights := make([]Insight, len(rows))
	for n, row := range rows {
		members, err := rawjson.Members(row)
		if err != nil {
			return nil, notA("an object", fmt.Sprintf("data[%d]", n), row, err)
		}
		id, err := only(members, "id")
		if err != nil {
			return nil, fmt.Errorf("data[%d]: %w", n, err)
		}
		if isBlank(rawjson.Text(id)) {
			return nil, fmt.Errorf("data[%d]: id is no text, or blank", n)
		}
		insights[n] = newInsight(row, members)
	}
	return insights, nil
}

// notA says why the value could not be split: it is of another kind, or else
// too large.
func notA(kind, name string, raw json.RawMessage, err error) error {
	if _, ok := errors.AsType[*rawjson.KindError](err); ok {
		return fmt.Errorf("%s is %s, not %s", name, described(raw), kind)
	}
	return fmt.Errorf("%s: %w", name, err)
}

// described names the kind of a JSON value with its article.
func described(raw json.RawMessage) string {
	switch kind := rawjson.KindOf(raw); kind {
	case rawjson.Null:
		return "null"
	case rawjson.Object, rawjson.Array:
		return "an " + string(kind)
	default:
		return "a " + string(kind)
	}
}

func isBlank(text string) bool { return strings.TrimSpace(text) == "" }
