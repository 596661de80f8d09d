package caller_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom/examples/mcp/internal/azuremcp"
	"github.com/opsroom-go/opsroom/insights"
)

// page is a page of insights with these ids. Its cursor is any JSON, or "" for none.
func page(ids, cursor string, hasMore bool) json.RawMessage {
	rows := []string{}
	for id := range strings.FieldsSeq(ids) {
		rows = append(rows, fmt.Sprintf(`{"id":%q}`, id))
	}
	last := ""
	if cursor != "" {
		last = `"last_id":` + cursor + `,`
	}
	return json.RawMessage(fmt.Sprintf(`{"data":[%s],%s"has_more":%t}`, strings.Join(rows, ","), last, hasMore))
}

func raw(pages ...string) []json.RawMessage {
	var messages []json.RawMessage
	for _, page := range pages {
		messages = append(messages, json.RawMessage(page))
	}
	return messages
}

func TestCursorPolicy(t *testing.T) {
	t.Parallel()
	first := page("1 2", `"A"`, true)
	last := page("9", "", false)
	tests := []struct {
		name    string
		pages   []json.RawMessage
		after   string
		total   int
		options insights.Options

		kind    insights.Kind
		cursors []string // of the requests
		ids     string   // of the insights
		hasMore bool
		resume  string
	}{
		{name: "has_more must be there", pages: append([]json.RawMessage{first}, raw(`{"data":[]}`)...),
			kind: insights.MalformedPage, cursors: []string{"", "A"}, ids: "1 2", hasMore: true, resume: "A"},
		{name: "has_more must be a boolean", pages: append([]json.RawMessage{first}, raw(`{"data":[],"has_more":"false"}`)...),
			kind: insights.MalformedPage, cursors: []string{"", "A"}, ids: "1 2", hasMore: true, resume: "A"},
		{name: "has_more must not be null", pages: raw(`{"data":[],"has_more":null}`),
			kind: insights.MalformedPage, cursors: []string{""}},
		{name: "data must be an array", pages: raw(`{"data":{},"has_more":false}`),
			kind: insights.MalformedPage, cursors: []string{""}},
		{name: "insights must be objects", pages: raw(`{"data":[1],"has_more":true,"last_id":"A"}`),
			kind: insights.MalformedPage, cursors: []string{""}},
		{name: "an insight must have an id", pages: raw(`{"data":[{"id":""}],"has_more":false}`),
			kind: insights.MalformedPage, cursors: []string{""}},

		{name: "the cursor is last_id, not the last id", pages: []json.RawMessage{first, last},
			cursors: []string{"", "A"}, ids: "1 2 9"},
		{name: "no cursor", pages: []json.RawMessage{page("1 2", "", true)},
			kind: insights.MissingCursor, cursors: []string{""}, ids: "1 2", hasMore: true},
		{name: "a null cursor", pages: []json.RawMessage{page("1 2", "null", true)},
			kind: insights.MissingCursor, cursors: []string{""}, ids: "1 2", hasMore: true},
		{name: "an empty cursor", pages: []json.RawMessage{first, page("3", `""`, true)},
			kind: insights.MissingCursor, cursors: []string{"", "A"}, ids: "1 2 3", hasMore: true, resume: "A"},
		{name: "a blank cursor", pages: []json.RawMessage{page("1 2", `" "`, true)},
			kind: insights.MissingCursor, cursors: []string{""}, ids: "1 2", hasMore: true},
		{name: "a cursor that is a number", pages: []json.RawMessage{page("1 2", "7", true)},
			kind: insights.MissingCursor, cursors: []string{""}, ids: "1 2", hasMore: true},

		{name: "a cursor that repeats the last one", pages: []json.RawMessage{first, page("3", `"A"`, true)},
			kind: insights.RepeatedCursor, cursors: []string{"", "A"}, ids: "1 2 3", hasMore: true, resume: "A"},
		{name: "a cursor that repeats an older one", pages: []json.RawMessage{first, page("3", `"B"`, true), page("4", `"A"`, true)},
			kind: insights.RepeatedCursor, cursors: []string{"", "A", "B"}, ids: "1 2 3 4", hasMore: true, resume: "B"},
		{name: "a cursor that repeats the caller's own", after: "X", pages: []json.RawMessage{first, page("3", `"X"`, true)},
			kind: insights.RepeatedCursor, cursors: []string{"X", "A"}, ids: "1 2 3", hasMore: true, resume: "A"},

		{name: "an empty page goes on", pages: []json.RawMessage{first, page("", `"B"`, true), last},
			cursors: []string{"", "A", "B"}, ids: "1 2 9"},
		{name: "pages without anything new stop", options: insights.Options{MaxIdlePages: 2},
			pages: []json.RawMessage{first, page("2 1", `"B"`, true), page("", `"C"`, true), last},
			kind:  insights.NoProgress, cursors: []string{"", "A", "B"}, ids: "1 2", hasMore: true, resume: "C"},

		{name: "the last page's cursor is ignored", pages: []json.RawMessage{first, page("9", `"A"`, false)},
			cursors: []string{"", "A"}, ids: "1 2 9"},
		{name: "an empty last page", pages: []json.RawMessage{first, page("", "", false)},
			cursors: []string{"", "A"}, ids: "1 2"},
		{name: "nothing at all", pages: []json.RawMessage{page("", "", false)}, cursors: []string{""}},

		{name: "pages may overlap", pages: []json.RawMessage{first, page("2 3", "", false)},
			cursors: []string{"", "A"}, ids: "1 2 3"},
		{name: "a total cuts the page that passes it", total: 3, pages: []json.RawMessage{first, page("3 4 5", "", false)},
			cursors: []string{"", "A"}, ids: "1 2 3", hasMore: true, resume: "A"},
		{name: "a total that is exactly all", total: 3, pages: []json.RawMessage{first, last},
			cursors: []string{"", "A"}, ids: "1 2 9"},

		{name: "the number of pages is bounded", options: insights.Options{MaxPages: 2}, pages: []json.RawMessage{first, page("3", `"B"`, true), last},
			kind: insights.PageLimit, cursors: []string{"", "A"}, ids: "1 2 3", hasMore: true, resume: "B"},
	}
	for _, test := range tests {
		for _, way := range ways {
			t.Run(test.name+"/"+way.name, func(t *testing.T) {
				t.Parallel()
				session, log := way.connect(t, azuremcp.Options{Pages: test.pages})
				from := query
				from.After = test.after
				var options []insights.CollectOption
				if test.total > 0 {
					options = append(options, insights.Total(test.total))
				}
				found, err := discovered(t, session, test.options).Collect(t.Context(), from, options...)
				require.Equal(t, test.kind, insights.KindOf(err), "%v", err)
				require.Equal(t, test.cursors, cursors(t, log()))
				var ids []string
				for _, insight := range found.Insights {
					ids = append(ids, insight.ID)
				}
				require.Equal(t, test.ids, strings.Join(ids, " "))
				require.Equal(t, test.hasMore, found.HasMore)
				require.Equal(t, test.kind == "" && !test.hasMore, found.Complete)
				require.Equal(t, test.resume, found.After)
			})
		}
	}
}
