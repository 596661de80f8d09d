package agentctl

import (
	"encoding/json"

	"github.com/opsroom-go/opsroom/internal/rawjson"
)

// A Run is a row of the list of a mission's runs.
//
// Like [Exception] it keeps the server's bytes and offers the few members whose names
// requests use, read by exact name, zero where absent or of another type.
type Run struct {
	ID        string    // "id"
	MissionID string    // "missionId"
	Status    RunStatus // "status"; may be a value that this package does not know

	// Raw is the row in the server's exact bytes. It shares memory with its page.
	Raw json.RawMessage
}

// Decode reads the row into the host's own type, with encoding/json's rules.
func (r Run) Decode(v any) error { return json.Unmarshal(r.Raw, v) }

// MarshalJSON returns the row's exact bytes; null for the zero Run.
func (r Run) MarshalJSON() ([]byte, error) { return marshalRaw(r.Raw) }

func newRun(raw json.RawMessage) Run {
	r := Run{Raw: raw}
	members, _ := rawjson.Members(raw) // a row that is no object has no members
	for _, m := range members {
		switch m.Name {
		case "id":
			r.ID = rawjson.Text(m.Value)
		case "missionId":
			r.MissionID = rawjson.Text(m.Value)
		case "status":
			r.Status = RunStatus(rawjson.Text(m.Value))
		}
	}
	return r
}

// A RunStatus is the state of a run. The constants are the values that a filter may have;
// a row may have others, which are neither terminal nor parked.
type RunStatus string

// The statuses of runs.
const (
	RunRunning         RunStatus = "running"
	RunWaitingApproval RunStatus = "waiting_approval"
	RunBlocked         RunStatus = "blocked"
	RunSucceeded       RunStatus = "succeeded"
	RunFailed          RunStatus = "failed"
	RunCancelled       RunStatus = "cancelled"
)

// Terminal reports whether a run with this status has ended.
func (s RunStatus) Terminal() bool {
	return s == RunSucceeded || s == RunFailed || s == RunCancelled
}

// Parked reports whether a run with this status goes on only after a person has acted.
func (s RunStatus) Parked() bool {
	return s == RunWaitingApproval || s == RunBlocked
}
