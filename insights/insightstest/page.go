package insightstest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/opsroom-go/opsroom/insights"
	"github.com/opsroom-go/opsroom/internal/rawjson"
)

// serviceLimit is the size of a page that no limit was asked for.
const serviceLimit = 20

// A page is an answer in the making. Each member is JSON; an empty one is left
// out.
type page struct {
	data                     [][]byte
	firstID, lastID, hasMore json.RawMessage
}

func (p page) json() json.RawMessage {
	members := []string{}
	add := func(name string, value json.RawMessage) {
		if len(value) > 0 {
			members = append(members, fmt.Sprintf("%q:%s", name, value))
		}
	}
	if p.data != nil {
		add("data", slices.Concat([]byte("["), bytes.Join(p.data, []byte(",")), []byte("]")))
	}
	add("first_id", p.firstID)
	add("last_id", p.lastID)
	add("has_more", p.hasMore)
	return json.RawMessage("{" + strings.Join(members, ",") + "}")
}

// A listing is what an operation has found: a section of the rows that match.
type listing struct {
	asked      parameters
	rows       []row
	begin, end int
}

// list does the tool's work. The wordings of its failures are guesses: the
// service's are not published.
func (b *Backend) list(raw json.RawMessage) (listing, *insights.ToolResult) {
	asked, refusal := parseParameters(raw)
	if refusal != nil {
		return listing{}, refusal
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	agents, found := b.projects[asked.ProjectEndpoint]
	if !found {
		return listing{}, failure("The project was not found (404).")
	}
	m, found := agents[asked.AgentName]
	if !found {
		return listing{}, failure("No monitor was found for the agent.")
	}
	rows := m.selected(asked)
	begin, found := b.position(rows, asked.After)
	if !found {
		return listing{}, failure("Invalid argument: the given after was not found in items.")
	}
	limit := serviceLimit
	if asked.Limit != nil {
		limit = *asked.Limit
	}
	return listing{asked: asked, rows: rows, begin: begin, end: min(begin+limit, len(rows))}, nil
}

func (l listing) page() page {
	section := l.rows[l.begin:l.end]
	p := page{data: [][]byte{}, hasMore: strconv.AppendBool(nil, l.end < len(l.rows))}
	for _, r := range section {
		p.data = append(p.data, r.json(l.asked.IncludeDetails))
	}
	if len(section) > 0 {
		p.firstID = rawjson.Quote(section[0].ID)
		p.lastID = rawjson.Quote(section[len(section)-1].ID)
	}
	return p
}

// position returns the index that a cursor leads to.
func (b *Backend) position(rows []row, after string) (int, bool) {
	if stands, ok := b.tokens[after]; ok {
		after = stands
	}
	if after == "" {
		return 0, true
	}
	n := slices.IndexFunc(rows, func(r row) bool { return r.ID == after })
	return n + 1, n >= 0
}
