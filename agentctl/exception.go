package agentctl

import (
	"encoding/json"

	"github.com/opsroom-go/opsroom/internal/rawjson"
)

// An Exception is a row of the list of exceptions, or the answer to a raise.
//
// The contract does not model rows: they may be any JSON, even something that is no
// object. Raw is what the server sent. The other fields are a convenience: they hold the
// members that carry the names which requests use, matched exactly. A member that is
// absent or of another type leaves the field at its zero value; that is never an error.
type Exception struct {
	ID        string          // "id"
	MissionID string          // "missionId"
	RunID     string          // "runId"
	StepID    string          // "stepId"
	Category  string          // "category"
	Severity  Severity        // "severity"; may be a value that this package does not know
	Status    ExceptionStatus // "status"; may be a value that this package does not know
	Message   string          // "message"
	Detail    json.RawMessage // "detail", whatever its type; nil if absent

	// Raw is the row in the server's exact bytes. It shares memory with its page.
	Raw json.RawMessage
}

// Decode reads the row into the host's own type, with encoding/json's rules.
func (e Exception) Decode(v any) error { return json.Unmarshal(e.Raw, v) }

// MarshalJSON returns the row's exact bytes; null for the zero Exception.
func (e Exception) MarshalJSON() ([]byte, error) { return marshalRaw(e.Raw) }

func newException(raw json.RawMessage) Exception {
	e := Exception{Raw: raw}
	members, _ := rawjson.Members(raw) // a row that is no object has no members
	for _, m := range members {
		switch m.Name {
		case "id":
			e.ID = rawjson.Text(m.Value)
		case "missionId":
			e.MissionID = rawjson.Text(m.Value)
		case "runId":
			e.RunID = rawjson.Text(m.Value)
		case "stepId":
			e.StepID = rawjson.Text(m.Value)
		case "category":
			e.Category = rawjson.Text(m.Value)
		case "severity":
			e.Severity = Severity(rawjson.Text(m.Value))
		case "status":
			e.Status = ExceptionStatus(rawjson.Text(m.Value))
		case "message":
			e.Message = rawjson.Text(m.Value)
		case "detail":
			e.Detail = m.Value
		}
	}
	return e
}

func marshalRaw(raw json.RawMessage) ([]byte, error) {
	if raw == nil {
		return []byte("null"), nil
	}
	return raw, nil
}

// An ExceptionStatus says whether an exception still has to be dealt with. The constants
// are the values that a filter may have; a row may have others.
type ExceptionStatus string

// The statuses of exceptions.
const (
	ExceptionOpen     ExceptionStatus = "open"
	ExceptionResolved ExceptionStatus = "resolved"
)

// A Severity says how grave an exception is. The constants are the values that a filter
// or a raise may have; a row may have others.
type Severity string

// The severities of exceptions.
const (
	SeverityInfo     Severity = "info"
	SeverityWarning  Severity = "warning"
	SeverityCritical Severity = "critical"
)
