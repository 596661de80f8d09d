package agentctltest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"time"
)

// The statuses of exceptions.
const (
	statusOpen     = "open"
	statusResolved = "resolved"
)

// An Exception is what the control plane knows of an exception.
type Exception struct {
	ID        string
	MissionID string
	RunID     string
	StepID    string
	Category  string
	Severity  string
	Status    string // "open" or "resolved"
	Message   string
	Detail    json.RawMessage // nil is listed as {}
	CreatedAt time.Time

	// Raw is the row as it is listed. Given to [ControlPlane.AddException], it
	// is listed as it was given.
	Raw json.RawMessage
}

// An exceptionRow is a stored exception.
type exceptionRow struct {
	Exception
	own bool // Raw came from the host
}

func (r *exceptionRow) bytes() []byte      { return r.Raw }
func (r *exceptionRow) created() time.Time { return r.CreatedAt }

// AddException adds an exception as it is, with none of the checks and effects
// of a raise, and returns it as stored. Exceptions are listed newest first, and
// of those with one CreatedAt the one that was added last comes first.
//
// Fields that are empty are filled in: a free ID, status "open", the mission of
// the run, and the clock's time. With Raw, which may be any JSON, the row is
// listed in exactly these bytes, and the empty fields, which the filters go by,
// are read from its members id, missionId, runId, stepId, category, severity,
// status, message and detail; what is not there stays empty, but for the time.
// Nothing is checked: ids may repeat, and bytes that are no JSON break the
// list.
func (p *ControlPlane) AddException(e Exception) Exception {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.addException(e)
}

func (p *ControlPlane) addException(e Exception) Exception {
	row := &exceptionRow{Exception: e, own: e.Raw != nil}
	row.Raw, row.Detail = bytes.Clone(e.Raw), bytes.Clone(e.Detail)
	if row.own {
		row.readRaw()
	} else {
		p.complete(&row.Exception)
	}
	row.CreatedAt = plainTime(row.CreatedAt)
	if e.CreatedAt.IsZero() {
		row.CreatedAt = p.now()
	}
	p.write(row)
	p.exceptions = insert(p.exceptions, row)
	if row.ID != "" {
		p.byID[row.ID] = append(p.byID[row.ID], row)
	}
	p.count(row, +1)
	return row.copy()
}

// complete fills in what an exception in the kit's own shape needs.
func (p *ControlPlane) complete(e *Exception) {
	if e.ID == "" {
		e.ID = p.nextID("exc", func(id string) bool { return p.byID[id] != nil })
	}
	e.Status = cmp.Or(e.Status, statusOpen)
	if run := p.runs[e.RunID]; run != nil && e.MissionID == "" {
		e.MissionID = run.MissionID
	}
}

// readRaw fills the empty fields from the members of the row.
func (r *exceptionRow) readRaw() {
	members := membersOf(r.Raw)
	members.text("id", &r.ID)
	members.text("missionId", &r.MissionID)
	members.text("runId", &r.RunID)
	members.text("stepId", &r.StepID)
	members.text("category", &r.Category)
	members.text("severity", &r.Severity)
	members.text("status", &r.Status)
	members.text("message", &r.Message)
	if r.Detail == nil {
		r.Detail = members.value("detail")
	}
}

// Exception returns the exception with the given id, the one that was added
// last if there are several.
func (p *ControlPlane) Exception(id string) (Exception, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	rows := p.byID[id]
	if len(rows) == 0 {
		return Exception{}, false
	}
	return rows[len(rows)-1].copy(), true
}

// Exceptions returns all exceptions, newest first.
func (p *ControlPlane) Exceptions() []Exception {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := make([]Exception, 0, len(p.exceptions))
	for _, row := range slices.Backward(p.exceptions) {
		all = append(all, row.copy())
	}
	return all
}

// Resolve sets the status of the exceptions with the given id to "resolved" and
// reports whether there is one. The run stays as it is: resuming it is another
// step. In a row that was given as Raw, only the value of the status member
// changes, if it has one.
func (p *ControlPlane) Resolve(id string) bool { return p.setExceptionStatus(id, statusResolved) }

// Reopen sets the status of the exceptions with the given id back to "open", as
// [ControlPlane.Resolve] sets it to "resolved".
func (p *ControlPlane) Reopen(id string) bool { return p.setExceptionStatus(id, statusOpen) }

func (p *ControlPlane) setExceptionStatus(id, status string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	rows := p.byID[id]
	for _, row := range rows {
		p.count(row, -1)
		row.Status = status
		p.write(row)
		p.count(row, +1)
	}
	return len(rows) > 0
}

// Delete removes the exceptions with the given id and reports whether there was
// one.
func (p *ControlPlane) Delete(id string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	rows := p.byID[id]
	if len(rows) == 0 {
		return false
	}
	for _, row := range rows {
		p.count(row, -1)
	}
	delete(p.byID, id)
	p.exceptions = slices.DeleteFunc(p.exceptions, func(row *exceptionRow) bool { return row.ID == id })
	return true
}

// count adds the exception to the tally of its run, or takes it off.
func (p *ControlPlane) count(e *exceptionRow, n int) {
	t := p.tallies[e.RunID]
	t.all += n
	if e.Status == statusOpen {
		t.open += n
	}
	p.tallies[e.RunID] = t
	if run := p.runs[e.RunID]; run != nil {
		p.writeRun(run)
	}
}

// copy returns the exception with memory of its own.
func (r *exceptionRow) copy() Exception {
	e := r.Exception
	e.Detail, e.Raw = bytes.Clone(e.Detail), bytes.Clone(e.Raw)
	return e
}

// write brings the row's bytes up to date.
func (p *ControlPlane) write(row *exceptionRow) {
	switch {
	case row.own:
		row.Raw = replaceText(row.Raw, "status", row.Status)
	case p.settings.exceptionRow != nil:
		row.Raw = nil
		row.Raw = p.settings.exceptionRow(row.copy())
	default:
		row.Raw = exceptionJSON(row.Exception)
	}
}
