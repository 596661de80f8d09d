package agentctl

import (
	"context"
	"fmt"

	"github.com/opsroom-go/opsroom/internal/arguments"
	"github.com/opsroom-go/opsroom/internal/quote"
)

// A Readiness is what [Client.CheckResume] concludes.
type Readiness string

// The conclusions.
const (
	// ReadinessReady: the run is parked, none of its exceptions is open, and it
	// does not wait for an approval.
	ReadinessReady Readiness = "ready"

	// ReadinessBlocked: something has to be settled by a person first.
	ReadinessBlocked Readiness = "blocked"

	// ReadinessRunning: the run is not parked, so there is nothing to resume.
	ReadinessRunning Readiness = "running"

	// ReadinessEnded: the run has succeeded, failed or been cancelled.
	ReadinessEnded Readiness = "ended"

	// ReadinessNotFound: the run is not in its mission's list.
	ReadinessNotFound Readiness = "not found"

	// ReadinessUnclear: the evidence is incomplete, or the run has a
	// status that this package does not know.
	ReadinessUnclear Readiness = "unclear"
)

// A ResumeCheck is what stands between a run and its resumption, as far as the
// lists show. It is advice: the server checks again when it is asked to resume.
type ResumeCheck struct {
	Readiness Readiness
	Reasons   []string // why, one short sentence each

	Run             Run         // the run's row; zero unless Found
	Found           bool        // the run is in its mission's list
	WaitingApproval bool        // the run's status says that an approval is pending
	OpenExceptions  []Exception // the run's open exceptions, those seen before a failure included
}

// CheckResume finds out what still blocks the resumption of a run: it looks up
// the run among its mission's runs and reads all of the run's open exceptions, then looks
// once more for those that were raised meanwhile.
//
// If a list cannot be read to its end, CheckResume returns the error together
// with what was read, and the conclusion is never [ReadinessReady]. A run
// that does not exist is no error but a conclusion. The IDs follow the
// contract's rules; breaking them is an [*opsroom.InputError].
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
	check.WaitingApproval = check.Run.Status == RunWaitingApproval
	if check.OpenExceptions, err = c.openExceptions(ctx, runID); err != nil {
		check.Reasons = []string{fmt.Sprintf("the run's exceptions could not be read to the end (%d open ones seen)", len(check.OpenExceptions))}
		return check, err
	}
	check.conclude()
	return check, nil
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

// openExceptions reads the run's open exceptions, and then the head of the list
// again: a walk promises nothing about rows that come in while it is under way.
func (c *Client) openExceptions(ctx context.Context, runID string) (open []Exception, err error) {
	params := ListExceptionsParams{RunID: runID, Status: ExceptionOpen}
	seen := map[rowKey]bool{}
	for exception, err := range c.Exceptions(ctx, params) {
		if err != nil {
			return open, err
		}
		seen[c.exceptionKey(exception)] = true
		open = append(open, exception)
	}
	params.Limit = maxLimit
	page, err := c.ListExceptions(ctx, params)
	for _, exception := range page.Exceptions {
		if !seen[c.exceptionKey(exception)] {
			open = append(open, exception)
		}
	}
	return open, err
}

// findRun looks a run up among its mission's runs; the API has no other way.
func (c *Client) findRun(ctx context.Context, missionID, runID string) (run Run, found bool, err error) {
	for run, err := range c.Runs(ctx, ListRunsParams{MissionID: missionID}) {
		if err != nil {
			return Run{}, false, err
		}
		if c.runIdentity(run) == runID {
			return run, true, nil
		}
	}
	return Run{}, false, nil
}

// checkRunNames checks the two identifiers of an operation that is not a tool.
func checkRunNames(operation, missionID, runID string) error {
	check := arguments.FromValues(operation,
		arguments.StringValue("missionId", missionID), arguments.StringValue("runId", runID))
	check.Text("missionId", pathIdentifier)
	check.Text("runId", pathIdentifier)
	return check.Err()
}
