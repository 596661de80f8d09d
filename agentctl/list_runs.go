package agentctl

import (
	"context"
	"net/http"

	"github.com/opsroom-go/opsroom/internal/arguments"
	"github.com/opsroom-go/opsroom/internal/escape"
	"github.com/opsroom-go/opsroom/internal/exchange"
	"github.com/opsroom-go/opsroom/internal/rawjson"
)

const listRuns = "list_agent_runs"

// ListRunsParams selects runs of a mission. Only MissionID is required; any other field
// with its zero value is not sent.
type ListRunsParams struct {
	MissionID string    // 1 to 128 characters, but not "." or ".."
	Status    RunStatus // one of the RunStatus constants
	Limit     int       // rows on the page, 1 to 200; the API's default is 50
	Offset    int64     // rows to skip, up to 9007199254740991
}

// ListRuns returns one page of a mission's runs, newest first. To read them all use
// [Client.Runs].
//
// It fails with an [*opsroom.InputError] if params break the contract's rules, before
// anything is sent, and with an [*opsroom.RequestError] otherwise.
//
// Contract: list_agent_runs, GET /api/v1/agent/missions/{missionId}/runs.
func (c *Client) ListRuns(ctx context.Context, params ListRunsParams) (RunPage, error) {
	return c.runPage(ctx, params.arguments())
}

func (p ListRunsParams) arguments() *arguments.Check {
	var m []rawjson.Member
	m = appendText(m, "missionId", p.MissionID)
	m = appendText(m, "status", string(p.Status))
	m = appendInteger(m, "limit", int64(p.Limit))
	m = appendInteger(m, "offset", p.Offset)
	return arguments.FromValues(listRuns, m...)
}

func (c *Client) runPage(ctx context.Context, check *arguments.Check) (RunPage, error) {
	request, err := runsRequest(check)
	if err != nil {
		return RunPage{}, err
	}
	response, rows, err := c.list(ctx, request, "runs")
	if err != nil {
		return RunPage{}, err
	}
	return RunPage{
		Runs:      rowsOf(rows, newRun),
		Raw:       response.Body,
		RequestID: response.RequestID,
	}, nil
}

func runsRequest(check *arguments.Check) (exchange.Request, error) {
	missionID, _ := check.Text("missionId", pathIdentifier)
	var q query
	q.text(check, "status", arguments.Text{OneOf: runStatuses})
	q.page(check)
	return exchange.Request{
		Operation: listRuns,
		Method:    http.MethodGet,
		Template:  "/api/v1/agent/missions/{missionId}/runs",
		Path:      "/api/v1/agent/missions/" + escape.PathSegment(missionID) + "/runs",
		Query:     q.String(),
	}, check.Err()
}
