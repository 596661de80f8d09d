package agentctltest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"time"
)

// The statuses of runs that mean something to the control plane.
const (
	statusRunning         = "running"
	statusWaitingApproval = "waiting_approval"
	statusBlocked         = "blocked"
)

// isTerminal reports whether a run with this status has ended.
func isTerminal(status string) bool {
	return status == "succeeded" || status == "failed" || status == "cancelled"
}

// A Run is what the control plane knows of a run.
type Run struct {
	ID        string
	MissionID string
	Status    string // one of the contract's six, or any other
	MandateID string // the mandate that the run is bound to
	CreatedAt time.Time

	// PendingApprovals is how many approvals the run waits for.
	PendingApprovals int

	// Exceptions and OpenExceptions count the run's exceptions. They are filled
	// in by the control plane.
	Exceptions, OpenExceptions int

	// Raw is the row as it is listed. Given to [ControlPlane.AddRun], it is
	// listed as it was given.
	Raw json.RawMessage
}

// A runRow is a stored run.
type runRow struct {
	Run
	own bool // Raw came from the host
}

func (r *runRow) bytes() []byte      { return r.Raw }
func (r *runRow) created() time.Time { return r.CreatedAt }

// AddMission adds a mission without runs. Missions come into being with their
// first run too. An unknown mission is a 404 problem when its runs are listed,
// which is the kit's own reading: the contract does not say.
func (p *ControlPlane) AddMission(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, known := p.missions[id]; !known {
		p.missions[id] = nil
	}
}

// AddRun adds a run, or replaces the one with the same ID, and returns it as
// stored. Runs are listed newest first, and of those with one CreatedAt the one
// that was added last comes first.
//
// Fields that are empty are filled in: a free ID, status "running", and as
// CreatedAt that of the run which is replaced, or the clock's time. With Raw,
// which may be any JSON, the row is listed in exactly these bytes, and the
// empty fields are read from its members id, missionId and status; what is not
// there stays empty, but for the time. A run without ID is listed, but nothing
// can be done with it.
func (p *ControlPlane) AddRun(run Run) Run {
	p.mu.Lock()
	defer p.mu.Unlock()
	row := &runRow{Run: run, own: run.Raw != nil}
	row.Raw = bytes.Clone(run.Raw)
	if row.own {
		row.readRaw()
	} else {
		p.completeRun(&row.Run)
	}
	row.CreatedAt = plainTime(row.CreatedAt)
	old := p.runs[row.ID]
	switch {
	case !run.CreatedAt.IsZero():
	case old != nil:
		row.CreatedAt = old.CreatedAt
	default:
		row.CreatedAt = p.now()
	}
	p.dropRun(old)
	if row.ID != "" {
		p.runs[row.ID] = row
	}
	p.writeRun(row)
	p.missions[row.MissionID] = insert(p.missions[row.MissionID], row)
	return row.copy()
}

// completeRun fills in what a run in the kit's own shape needs.
func (p *ControlPlane) completeRun(run *Run) {
	run.Status = cmp.Or(run.Status, statusRunning)
	if run.ID == "" {
		run.ID = p.nextID("run", func(id string) bool { return p.runs[id] != nil })
	}
}

// readRaw fills the empty fields from the members of the row.
func (r *runRow) readRaw() {
	members := membersOf(r.Raw)
	members.text("id", &r.ID)
	members.text("missionId", &r.MissionID)
	members.text("status", &r.Status)
}

// DeleteRun removes a run, but none of its exceptions, and reports whether
// there was one.
func (p *ControlPlane) DeleteRun(id string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	row := p.runs[id]
	p.dropRun(row)
	return row != nil
}

func (p *ControlPlane) dropRun(row *runRow) {
	if row != nil {
		delete(p.runs, row.ID)
		p.missions[row.MissionID] = slices.DeleteFunc(p.missions[row.MissionID], func(r *runRow) bool { return r == row })
	}
}

// Run returns the run with the given id.
func (p *ControlPlane) Run(id string) (Run, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	row := p.runs[id]
	if row == nil {
		return Run{}, false
	}
	return row.copy(), true
}

// SetRunStatus sets the status of a run, to any text, and reports whether there
// is such a run. In a row that was given as Raw, only the value of the status
// member changes, if it has one.
func (p *ControlPlane) SetRunStatus(id, status string) bool {
	return p.changeRun(id, func(run *runRow) bool {
		run.Status = status
		return true
	})
}

// changeRun changes a run and reports whether there is one and it was changed.
func (p *ControlPlane) changeRun(id string, change func(*runRow) bool) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	row := p.runs[id]
	if row == nil || !change(row) {
		return false
	}
	p.writeRun(row)
	return true
}

// copy returns the run with memory of its own.
func (r *runRow) copy() Run {
	run := r.Run
	run.Raw = bytes.Clone(run.Raw)
	return run
}

// writeRun brings the row's counts and bytes up to date.
func (p *ControlPlane) writeRun(row *runRow) {
	t := p.tallies[row.ID]
	row.Exceptions, row.OpenExceptions = t.all, t.open
	switch {
	case row.own:
		row.Raw = replaceText(row.Raw, "status", row.Status)
	case p.settings.runRow != nil:
		row.Raw = nil
		row.Raw = p.settings.runRow(row.copy())
	default:
		row.Raw = runJSON(row.Run)
	}
}
