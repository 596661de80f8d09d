package insightstest

import (
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

// A page is an answer in the making. Each member is JSON; an empty one is left out.
type page struct {
	data                     []json.RawMessage
	firstID, lastID, hasMore json.RawMessage
}

func (p page) JSON() json.RawMessage {
	members := []string{}
	add := func(name string, value json.RawMessage) {
		if len(value) > 0 {
			members = append(members, fmt.Sprintf("%q:%s", name, value))
		}
	}
	if p.data != nil {
		rows := make([]string, len(p.data))
		for i := range p.data {
			rows[i] = string(p.data[i])
		}
		add("data", json.RawMessage("["+strings.Join(rows, ",")+"]"))
	}
	add("first_id", p.firstID)
	add("last_id", p.lastID)
	add("has_more", p.hasMore)
	return json.RawMessage("{" + strings.Join(members, ",") + "}")
}

// page answers the tool's own arguments. The wordings of its failures are
// guesses: the service's are not published.
func (b *Backend) page(raw json.RawMessage) (page, *insights.ToolResult) {
	p, refusal := b.check(raw)
	if refusal != nil {
		return page{}, refusal
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	agents, found := b.projects[p.ProjectEndpoint]
	if !found {
		return page{}, failure("The project was not found (404).")
	}
	m, found := agents[p.AgentName]
	if !found {
		return page{}, failure("No monitor was found for the agent.")
	}
	rows := m.selected(p)
	begin, ok := b.position(rows, p.After)
	if !ok {
		return page{}, failure("Invalid argument: the given after was not found in items.")
	}
	limit := serviceLimit
	if p.Limit != nil {
		limit = *p.Limit
	}
	end := min(begin+limit, len(rows))
	return newPage(rows[begin:end], p.IncludeDetails, end < len(rows)), nil
}

func newPage(rows []row, details, more bool) page {
	p := page{data: []json.RawMessage{}, hasMore: strconv.AppendBool(nil, more)}
	for _, r := range rows {
		p.data = append(p.data, r.json(details))
	}
	if len(rows) > 0 {
		p.firstID = rawjson.Quote(rows[0].ID)
		p.lastID = rawjson.Quote(rows[len(rows)-1].ID)
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

// check holds the arguments against the published schema.
func (b *Backend) check(raw json.RawMessage) (parameters, *insights.ToolResult) {
	var value any
	var p parameters
	if err := json.Unmarshal(raw, &value); err != nil {
		return p, failure("Invalid arguments: no JSON.")
	}
	members, _ := value.(map[string]any)
	var missing []string
	for _, required := range []string{"projectEndpoint", "agentName"} {
		if _, given := members[required]; !given {
			missing = append(missing, required)
		}
	}
	if len(missing) > 0 {
		return p, failure("Missing required options: " + strings.Join(missing, ", "))
	}
	if err := b.schema.Validate(value); err != nil {
		return p, failure("Invalid arguments: " + err.Error())
	}
	// Numbers such as 5.0 are integers to the schema, but not to encoding/json.
	if limit, given := members["limit"].(float64); given {
		members["limit"] = int(limit)
	}
	normal, err := json.Marshal(members)
	if err == nil {
		err = json.Unmarshal(normal, &p)
	}
	if err != nil {
		return p, failure("Invalid arguments.")
	}
	return p, nil
}
