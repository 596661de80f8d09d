package insightstest

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/opsroom-go/opsroom/insights"
	"github.com/opsroom-go/opsroom/internal/rawjson"
)

// A monitor holds the insights of one agent.
type monitor struct{ rows []row }

type row struct {
	insights.Insight
	members []rawjson.Member
	at      time.Time // what it is sorted by
}

// AddInsights adds insights to the agent's monitor, which comes into being with
// the first call, also if there are none: its monitor has then found nothing.
// An insight is a JSON object with an "id" that the agent does not have yet; it
// is kept byte for byte. Insights count as created in the order in which they
// are added, unless their "created_at" says otherwise. If one is refused, none
// is added.
func (b *Backend) AddInsights(projectEndpoint, agentName string, list ...json.RawMessage) error {
	if projectEndpoint == "" || agentName == "" {
		return errors.New("insightstest: project endpoint and agent name are required")
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	var rows []row
	taken := map[string]bool{}
	if m := b.projects[projectEndpoint][agentName]; m != nil {
		rows = slices.Clone(m.rows)
		for _, r := range rows {
			taken[r.ID] = true
		}
	}
	for n, raw := range list {
		r, err := newRow(raw)
		switch {
		case err != nil:
			return fmt.Errorf("insightstest: insight %d: %w", n, err)
		case taken[r.ID]:
			return fmt.Errorf("insightstest: insight %d: the id is taken", n)
		}
		taken[r.ID] = true
		if r.at = r.CreatedAt; r.at.IsZero() && len(rows) > 0 {
			r.at = rows[len(rows)-1].at
		}
		rows = append(rows, r)
	}
	b.project(projectEndpoint)[agentName] = &monitor{rows: rows}
	return nil
}

// ClearInsights removes all insights of the agent, as a reset of its monitor
// does. The monitor stays.
func (b *Backend) ClearInsights(projectEndpoint, agentName string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if m := b.projects[projectEndpoint][agentName]; m != nil {
		m.rows = nil
	}
}

// RemoveMonitor leaves the agent without a monitor, so that reading its
// insights fails with [insights.NoMonitor]. The project comes into being if
// there is none. Agents that nothing was added for have no monitor either.
func (b *Backend) RemoveMonitor(projectEndpoint, agentName string) {
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
	var r row
	if err := r.UnmarshalJSON(raw); err != nil {
		return row{}, err
	}
	if strings.TrimSpace(r.ID) == "" {
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

// selected returns the rows that match, in the order asked for.
func (m *monitor) selected(p parameters) []row {
	rows := slices.Clone(m.rows)
	slices.SortStableFunc(rows, func(a, b row) int { return a.at.Compare(b.at) })
	if p.Order != string(insights.OldestFirst) {
		slices.Reverse(rows)
	}
	return slices.DeleteFunc(rows, func(r row) bool {
		return p.Category != "" && r.text("category") != p.Category ||
			p.Severity != "" && r.text("severity") != p.Severity ||
			p.Status != "" && r.text("status") != p.Status
	})
}
