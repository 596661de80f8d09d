package agentctltest

// RequestApproval plays an agent that asks for an approval; what that does to a
// run is the kit's own reading. It makes a run wait for one more approval: a
// running one turns "waiting_approval", while one that is blocked stays so. It
// reports whether there is such a run and it has not ended.
func (p *ControlPlane) RequestApproval(runID string) bool {
	return p.changeRun(runID, func(run *runRow) bool {
		if isTerminal(run.Status) {
			return false
		}
		run.PendingApprovals++
		if run.Status == statusRunning {
			run.Status = statusWaitingApproval
		}
		return true
	})
}

// GrantApproval settles one of the approvals that a run waits for. After the
// last one, a run that is "waiting_approval" goes on "running". It reports
// whether the run waited for any.
func (p *ControlPlane) GrantApproval(runID string) bool {
	return p.changeRun(runID, func(run *runRow) bool {
		if run.PendingApprovals == 0 {
			return false
		}
		run.PendingApprovals--
		if run.PendingApprovals == 0 && run.Status == statusWaitingApproval {
			run.Status = statusRunning
		}
		return true
	})
}

// Resume does what the operation that resumes runs is taken to do, which no
// contract here describes. It lets a blocked run go on "running", and reports
// whether it does: every exception of the run must be resolved, and every
// approval granted, before.
func (p *ControlPlane) Resume(runID string) bool {
	return p.changeRun(runID, func(run *runRow) bool {
		if run.Status != statusBlocked || run.PendingApprovals > 0 || p.tallies[runID].open > 0 {
			return false
		}
		run.Status = statusRunning
		return true
	})
}
