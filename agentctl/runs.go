package agentctl

import (
	"context"
	"iter"

	"github.com/opsroom-go/opsroom/internal/arguments"
)

// Runs walks over all runs of a mission that params select, newest first. It is as exact
// as [Client.Exceptions], and ends in the same ways.
func (c *Client) Runs(ctx context.Context, params ListRunsParams) iter.Seq2[Run, error] {
	return c.runsWalk(params, c.options.ReadAhead).rows(ctx)
}

func (c *Client) runsWalk(params ListRunsParams, ahead int) walk[Run] {
	return walk[Run]{
		operation: listRuns,
		page: func(ctx context.Context, limit int, offset int64) ([]Run, error) {
			p := params
			p.Limit, p.Offset = limit, offset
			page, err := c.ListRuns(ctx, p)
			return page.Runs, err
		},
		key:    c.runKey,
		limit:  params.Limit,
		offset: params.Offset,
		ahead:  ahead,
	}
}

// findRun looks a run up among its mission's runs; the API has no other way. It reads
// nothing ahead: the run that is asked for is mostly among the first.
func (c *Client) findRun(ctx context.Context, missionID, runID string) (run Run, found bool, err error) {
	for run, err := range c.runsWalk(ListRunsParams{MissionID: missionID}, 0).rows(ctx) {
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
	members := appendText(nil, "missionId", missionID)
	check := arguments.FromValues(operation, appendText(members, "runId", runID)...)
	check.Text("missionId", pathIdentifier)
	check.Text("runId", arguments.Text{Required: true, Min: 1, Max: 128}) // never part of a path here
	return check.Err()
}
