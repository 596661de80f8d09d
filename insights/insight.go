package insights

import (
	"bytes"
	"encoding/json"
	"time"

	"github.com/opsroom-go/opsroom/internal/rawjson"
)

// An Insight is one generated finding about an agent.
//
// Raw is what the service sent. The other fields hold its published members
// (AgentInsight in the service's API), matched exactly. Nothing is made up: a
// member that is absent, null or of another type leaves its field at the zero
// value, and is never an error. All texts come from generated analysis of
// traces and are to be treated as untrusted.
type Insight struct {
	ID           string    // "id", never empty in a page
	MonitorID    string    // "monitor_id"
	AgentName    string    // "agent_name"
	AgentVersion string    // "agent_version"
	Title        string    // "title"
	Description  string    // "description"
	Category     string    // "category", an open set of slugs such as "latency"
	Severity     Severity  // "severity"
	Status       Status    // "status"
	TraceCount   *int64    // "trace_count"; nil if absent
	CreatedAt    time.Time // "created_at"
	UpdatedAt    time.Time // "updated_at"

	// Details is "details": evidence and proposed fix. Nil if absent or null,
	// which may be so even when details were asked for.
	Details *Details

	// Raw is the insight in the service's exact bytes, unknown members
	// included. It shares memory with its page.
	Raw json.RawMessage
}

// Severity says how grave an insight is. The set is open: the service may send
// others than these.
type Severity string

// The known severities.
const (
	SeverityHigh   Severity = "high"
	SeverityMedium Severity = "medium"
	SeverityLow    Severity = "low"
)

// Status says what has become of an insight. As a filter the set is closed; the
// service may send others.
type Status string

// The known statuses. What is called open elsewhere is active here.
const (
	StatusActive   Status = "active"
	StatusResolved Status = "resolved"
	StatusIgnored  Status = "ignored"
)

// Decode reads the insight into the host's own type, with encoding/json's
// rules.
func (i Insight) Decode(v any) error { return json.Unmarshal(i.Raw, v) }

// MarshalJSON returns the insight's exact bytes; null for the zero Insight.
func (i Insight) MarshalJSON() ([]byte, error) { return marshalRaw(i.Raw) }

// UnmarshalJSON reads an insight that was kept as JSON; it must be an object. A
// null changes nothing.
func (i *Insight) UnmarshalJSON(raw []byte) error {
	if err := rawjson.Check(raw); err != nil {
		return err
	}
	if rawjson.KindOf(raw) == rawjson.Null {
		return nil
	}
	own := bytes.Clone(raw) // encoding/json uses its bytes again
	members, err := rawjson.Members(own)
	if err != nil {
		return err
	}
	*i = newInsight(own, members)
	return nil
}

// newInsight reads the members of the insight raw.
func newInsight(raw json.RawMessage, members []rawjson.Member) Insight {
	i := Insight{Raw: raw}
	for _, m := range members {
		switch m.Name {
		case "id":
			i.ID = rawjson.Text(m.Value)
		case "monitor_id":
			i.MonitorID = rawjson.Text(m.Value)
		case "agent_name":
			i.AgentName = rawjson.Text(m.Value)
		case "agent_version":
			i.AgentVersion = rawjson.Text(m.Value)
		case "title":
			i.Title = rawjson.Text(m.Value)
		case "description":
			i.Description = rawjson.Text(m.Value)
		case "category":
			i.Category = rawjson.Text(m.Value)
		case "severity":
			i.Severity = Severity(rawjson.Text(m.Value))
		case "status":
			i.Status = Status(rawjson.Text(m.Value))
		case "trace_count":
			i.TraceCount = integer(m.Value)
		case "created_at":
			i.CreatedAt = instant(m.Value)
		case "updated_at":
			i.UpdatedAt = instant(m.Value)
		case "details":
			i.Details = newDetails(m.Value)
		}
	}
	return i
}

func marshalRaw(raw json.RawMessage) ([]byte, error) {
	if raw == nil {
		return []byte("null"), nil
	}
	return raw, nil
}
