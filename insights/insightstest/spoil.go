package insightstest

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/opsroom-go/opsroom/insights"
	"github.com/opsroom-go/opsroom/internal/rawjson"
)

func reported(text string) func() (insights.ToolResult, error) {
	return func() (insights.ToolResult, error) { return *failure(text), nil }
}

func unflagged(blocks ...string) func() (insights.ToolResult, error) {
	return func() (insights.ToolResult, error) {
		return insights.ToolResult{Text: slices.Clone(blocks)}, nil
	}
}

func broken(err error) func() (insights.ToolResult, error) {
	return func() (insights.ToolResult, error) { return insights.ToolResult{}, err }
}

// instead has the faults that take the place of the operation.
var instead = map[Fault]func() (insights.ToolResult, error){
	NoMonitor:         reported("No monitor was found for the agent."),
	ToolUnavailable:   reported("The tool foundry was not found"),
	LearnText:         unflagged(learnText),
	InvalidArgument:   reported("Invalid argument: the filter is not supported."),
	MissingOptions:    unflagged("Missing Required options: agentName"+missingOptionsGuidance, "Missing Required options: agentName"),
	Unauthorized:      reported("Response status code does not indicate success: 401 (Unauthorized)."),
	Forbidden:         reported(`{"error":{"code":"Forbidden","message":"The caller may not read this project.","type":"error"},"status":403}`),
	NotFound:          reported(`{"error":"missing","status":404}`),
	BackendError:      reported(`{"error":{"code":null,"message":"Something went wrong.","param":null,"type":"server_error"},"status":500}`),
	RouterError:       unflagged(routerError("The operation has timed out.")),
	RouterRefused:     unflagged(routerError("Response status code does not indicate success: 401 (Unauthorized).")),
	NoConnection:      reported("Failed to create MCP client for registry server 'foundry': No such host is known."),
	RPCInvalidParams:  broken(invalidParams("Invalid params")),
	RPCMethodNotFound: broken(&insights.RPCError{Code: -32601, Message: "Method not found"}),
	RPCInternalError:  broken(&insights.RPCError{Code: -32603, Message: "Internal error"}),
	SessionLost:       broken(errors.New("the session was closed")),
	EmptyResult:       unflagged(),
	Prose:             unflagged("Everything is fine."),
}

// afterwards has the faults that spoil, or dress up, what the operation found.
var afterwards = map[Fault]func(*Backend, listing) insights.ToolResult{
	TruncatedPage: asText(func(p page) string { text := string(p.json()); return text[:len(text)/2] }),
	MissingData:   changed(func(p *page) { p.data = nil }),
	DataNotArray: asText(func(p page) string {
		p.data = nil
		return `{"data":{},` + string(p.json()[1:])
	}),
	RowNotObject:      changed(func(p *page) { p.data = append(p.data, []byte("1")) }),
	RowWithoutID:      changed(func(p *page) { p.data = append(p.data, []byte(`{"title":"no id"}`)) }),
	RowWithEmptyID:    changed(func(p *page) { p.data = append(p.data, []byte(`{"id":""}`)) }),
	MissingHasMore:    changed(func(p *page) { p.hasMore = nil }),
	HasMoreNotBoolean: changed(func(p *page) { p.hasMore = rawjson.Quote(string(p.hasMore)) }),

	MissingCursor:  withCursor(nil),
	NullCursor:     withCursor(json.RawMessage(`null`)),
	BlankCursor:    withCursor(json.RawMessage(`" "`)),
	RepeatedCursor: repeatedCursor,
	NoProgress:     emptyPage,

	EmptyPage: func(b *Backend, l listing) insights.ToolResult {
		if b.standsForAnother(l.asked.After) {
			return success(l.page()) // behind an empty page the insights come
		}
		return emptyPage(b, l)
	},
	Overlap: func(_ *Backend, l listing) insights.ToolResult {
		l.begin = max(0, l.begin-1)
		return success(l.page())
	},
	StructuredOnly: func(_ *Backend, l listing) insights.ToolResult {
		return insights.ToolResult{Structured: l.page().json()}
	},
	TextOnly: asText(func(p page) string { return string(p.json()) }),
	TextBlocks: func(_ *Backend, l listing) insights.ToolResult {
		return insights.ToolResult{Text: []string{"One page follows.", "\ufeff" + string(l.page().json()) + "\n"}}
	},
	Enveloped: asText(func(p page) string {
		return fmt.Sprintf(`{"status":200,"message":"Success","results":%s,"duration":12}`, p.json())
	}),
}

func changed(change func(*page)) func(*Backend, listing) insights.ToolResult {
	return func(_ *Backend, l listing) insights.ToolResult {
		p := l.page()
		change(&p)
		return success(p)
	}
}

func asText(text func(page) string) func(*Backend, listing) insights.ToolResult {
	return func(_ *Backend, l listing) insights.ToolResult {
		return insights.ToolResult{Text: []string{text(l.page())}}
	}
}

// withCursor claims that more insights follow, behind the given cursor.
func withCursor(cursor json.RawMessage) func(*Backend, listing) insights.ToolResult {
	return changed(func(p *page) { p.hasMore, p.lastID = json.RawMessage("true"), cursor })
}

func repeatedCursor(b *Backend, l listing) insights.ToolResult {
	cursor := l.page().lastID
	if l.asked.After != "" {
		cursor = rawjson.Quote(l.asked.After)
	}
	return withCursor(cursor)(b, l)
}

func (b *Backend) standsForAnother(cursor string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	_, stands := b.tokens[cursor]
	return stands
}

// emptyPage holds the insights back. Its cursor is a new one that leads to
// where the call was.
func emptyPage(b *Backend, l listing) insights.ToolResult {
	b.mu.Lock()
	defer b.mu.Unlock()
	after := l.asked.After
	if stands, ok := b.tokens[after]; ok {
		after = stands
	}
	token := fmt.Sprintf("continue-%d", len(b.tokens)+1)
	b.tokens[token] = after
	return success(page{data: [][]byte{}, lastID: rawjson.Quote(token), hasMore: json.RawMessage("true")})
}
