package agentctl

import (
	"context"
	"fmt"

	"github.com/opsroom-go/opsroom/internal/quote"
)

// A Readiness is what [Client.CheckResume] concludes.
type Readiness string

// The conclusions.
const (
	// ReadinessReady: the run is blocked, none of its exceptions is open, and nothing
	// tells of a pending approval.
	ReadinessReady Readiness = "ready"

	// ReadinessBlocked: something has to be settled by a person first.
	ReadinessBlocked Readiness = "blocked"

	// ReadinessRunning: the run is not parked, so there is nothing to resume.
	ReadinessRunning Readiness = "running"

	// ReadinessEnded: the run has succeeded, failed or been cancelled.
	ReadinessEnded Readiness = "ended"

	// ReadinessNotFound: the run is not in its mission's list.
	ReadinessNotFound Readiness = "not found"

	// ReadinessUnclear: the evidence is incomplete, or the run has a status that this
	// package does not know.
	ReadinessUnclear Readiness = "unclear"
)

// A ResumeCheck is what stands between a run and its resumption, as far as the lists
// show. It is advice: the server checks again when it is asked to resume.
type ResumeCheck struct {
	Readiness Readiness
	Reasons   []string // why, one short sentence each

	Run             Run         // the run's row; zero unless Found
	Found           bool        // the run is in its mission's list
	WaitingApproval bool        // the run's status, or Options.ApprovalPending, tells of a pending approval
	OpenExceptions  []Exception // the run's open exceptions, newest first; with an error, those seen before it
}

// CheckResume finds out what still blocks the resumption of a run: it looks up the run
// among its mission's runs and reads all of the run's open exceptions, then looks once
// more for those that were raised meanwhile. So a run is called ready only if it had no
// open exception at the moment of that last look.
//
// If a list cannot be read to its end, CheckResume returns the error together with what
// was read, and the conclusion is [ReadinessUnclear]. A run that does not exist is no
// error but a conclusion. The identifiers follow the contract's rules; breaking them is
// an [*opsroom.InputError].
func (c *Client) CheckResume(ctx context.Context, missionID, runID string) (ResumeCheck, error) {
	check := ResumeCheck{Readiness: ReadinessUnclear}
	if err := checkRunNames("check_resume", missionID, runID); err != nil {
		return check, err
	}
	var err error
	if check.Run, check.Found, err = c.findRun(ctx, missionID, runID); err != nil {
		check.Reasons = []string{"the mission's runs could not be read"}
		return check, err
	}
	check.WaitingApproval = check.Found && c.approvalPending(check.Run)
	if check.OpenExceptions, err = c.openExceptions(ctx, runID); err != nil {
		check.Reasons = []string{fmt.Sprintf("the run's exceptions could not be read to the end (%d open ones seen)", len(check.OpenExceptions))}
		return check, err
	}
	check.conclude()
	return check, nil
}

func (c *Client) approvalPending(run Run) bool {
	return run.Status == RunWaitingApproval || c.options.ApprovalPending != nil && c.options.ApprovalPending(run)
}

// conclude judges complete evidence.
func (r *ResumeCheck) conclude() {
	status := r.Run.Status
	switch {
	case !r.Found:
		r.say(ReadinessNotFound, "the run is not in the mission's list of runs")
		return
	case status.Terminal():
		r.say(ReadinessEnded, "the run has ended: "+string(status))
		return
	}
	if n := len(r.OpenExceptions); n > 0 {
		r.say(ReadinessBlocked, fmt.Sprintf("%d open exception%s must be resolved", n, plural(n)))
	}
	if r.WaitingApproval {
		r.say(ReadinessBlocked, "an approval is pending")
	}
	switch {
	case r.Readiness == ReadinessBlocked:
	case status == RunRunning:
		r.say(ReadinessRunning, "the run is running")
	case status == RunBlocked:
		r.say(ReadinessReady, "the run is blocked and none of its exceptions is open")
	case status == "":
		r.say(ReadinessUnclear, "the run's row does not tell its status")
	default:
		r.say(ReadinessUnclear, "the run's status is not one that is known: "+quote.Short(string(status)))
	}
}

func (r *ResumeCheck) say(readiness Readiness, reason string) {
	r.Readiness = readiness
	r.Reasons = append(r.Reasons, reason)
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}

// openExceptions reads the run's open exceptions, and then the head of the list again: a
// walk promises nothing about rows that come in while it is under way.
func (c *Client) openExceptions(ctx context.Context, runID string) ([]Exception, error) {
	params := ListExceptionsParams{RunID: runID, Status: ExceptionOpen}
	var open, late []Exception
	seen := map[rowKey]bool{}
	for exception, err := range c.Exceptions(ctx, params) {
		if err != nil {
			return open, err
		}
		seen[c.exceptionKey(exception)] = true
		open = append(open, exception)
	}
	params.Limit = maxLimit
	head, err := c.ListExceptions(ctx, params)
	for _, exception := range head.Exceptions {
		if !seen[c.exceptionKey(exception)] {
			late = append(late, exception)
		}
	}
	return append(late, open...), err
}
