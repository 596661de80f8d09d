package insightstest

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/opsroom-go/opsroom/insights"
	"github.com/opsroom-go/opsroom/internal/rawjson"
)

// A monitor holds the insights of one agent.
type monitor struct{ rows []row }

type row struct {
	insights.Insight
	members []rawjson.Member
}

// Add gives the agent a monitor, if it has none, and adds insights to it: JSON
// objects with an "id" that is not taken, in order of age where they have no "created_at". Without
// insights it makes an agent whose monitor has found nothing.
func (b *Backend) Add(projectEndpoint, agentName string, rows ...json.RawMessage) error {
	if projectEndpoint == "" || agentName == "" {
		return errors.New("insightstest: project endpoint and agent name are required")
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	added := &monitor{}
	if m := b.projects[projectEndpoint][agentName]; m != nil {
		added.rows = slices.Clone(m.rows)
	}
	for n, raw := range rows {
		r, err := newRow(raw)
		if err != nil {
			return fmt.Errorf("insightstest: insight %d: %w", n, err)
		}
		if slices.ContainsFunc(added.rows, func(other row) bool { return other.ID == r.ID }) {
			return fmt.Errorf("insightstest: insight %d: the id is taken", n)
		}
		added.rows = append(added.rows, r)
	}
	b.project(projectEndpoint)[agentName] = added
	return nil
}

// AddAgentWithoutMonitor makes a project in which nothing watches the agent, so
// that reading its insights fails with [insights.NoMonitor]. The same is true of
// every agent that was not added, in a project that was.
func (b *Backend) AddAgentWithoutMonitor(projectEndpoint, agentName string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.project(projectEndpoint), agentName)
}

func (b *Backend) project(endpoint string) map[string]*monitor {
	if b.projects[endpoint] == nil {
		b.projects[endpoint] = map[string]*monitor{}
	}
	return b.projects[endpoint]
}

func newRow(raw json.RawMessage) (row, error) {
	raw = slices.Clone(raw)
	if err := rawjson.Check(raw); err != nil {
		return row{}, err
	}
	var r row
	if err := json.Unmarshal(raw, &r.Insight); err != nil {
		return row{}, err
	}
	if r.ID == "" {
		return row{}, errors.New("no id")
	}
	var err error
	r.members, err = rawjson.Members(r.Raw)
	return r, err
}

// text returns the row's string member.
func (r row) text(name string) string {
	value, _ := rawjson.Lookup(r.members, name)
	return rawjson.Text(value)
}

// json returns the row with or without its details, all else as it was given.
func (r row) json(details bool) json.RawMessage {
	if details {
		return r.Raw
	}
	out := []byte{'{'}
	for _, m := range r.members {
		if m.Name == "details" {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, rawjson.Quote(m.Name)...), ':'), m.Value...)
	}
	return append(out, '}')
}

// parameters are the tool's arguments after the check against its schema.
type parameters struct {
	ProjectEndpoint string `json:"projectEndpoint"`
	AgentName       string `json:"agentName"`
	Category        string `json:"category"`
	Severity        string `json:"severity"`
	Status          string `json:"status"`
	IncludeDetails  bool   `json:"includeDetails"`
	Order           string `json:"order"`
	After           string `json:"after"`
	Limit           *int   `json:"limit"`
}

// selected returns the rows that match, in the order asked for.
func (m *monitor) selected(p parameters) []row {
	rows := slices.Clone(m.rows)
	slices.SortStableFunc(rows, func(a, b row) int { return compareTimes(a.CreatedAt, b.CreatedAt) })
	if p.Order != string(insights.OldestFirst) {
		slices.Reverse(rows)
	}
	return slices.DeleteFunc(rows, func(r row) bool {
		return p.Category != "" && r.text("category") != p.Category ||
			p.Severity != "" && r.text("severity") != p.Severity ||
			p.Status != "" && r.text("status") != p.Status
	})
}

func compareTimes(a, b time.Time) int {
	if a.IsZero() || b.IsZero() {
		return 0 // as they were added
	}
	return a.Compare(b)
}
