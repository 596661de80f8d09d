package agentctl

import (
	"context"
	"net/http"

	"github.com/opsroom-go/opsroom/internal/arguments"
	"github.com/opsroom-go/opsroom/internal/exchange"
	"github.com/opsroom-go/opsroom/internal/rawjson"
)

const listExceptions = "list_agent_exceptions"

// ListExceptionsParams selects exceptions. Every field is optional; a field with its zero
// value is not sent.
type ListExceptionsParams struct {
	MissionID string          // 1 to 128 characters
	RunID     string          // 1 to 128 characters
	Status    ExceptionStatus // ExceptionOpen or ExceptionResolved
	Severity  Severity        // SeverityInfo, SeverityWarning or SeverityCritical
	Limit     int             // rows on the page, 1 to 200; the API's default is 50
	Offset    int64           // rows to skip, up to 9007199254740991
}

// ListExceptions returns one page of the tenant's exceptions, newest first. To read them
// all use [Client.Exceptions]: pages asked for one after the other miss rows when others
// are resolved meanwhile.
//
// It fails with an [*opsroom.InputError] if params break the contract's rules, before
// anything is sent, and with an [*opsroom.RequestError] otherwise.
//
// Contract: list_agent_exceptions, GET /api/v1/agent/exceptions.
func (c *Client) ListExceptions(ctx context.Context, params ListExceptionsParams) (ExceptionPage, error) {
	return c.exceptionPage(ctx, params.arguments())
}

func (p ListExceptionsParams) arguments() *arguments.Check {
	var m []rawjson.Member
	m = appendText(m, "missionId", p.MissionID)
	m = appendText(m, "runId", p.RunID)
	m = appendText(m, "status", string(p.Status))
	m = appendText(m, "severity", string(p.Severity))
	m = appendInteger(m, "limit", int64(p.Limit))
	m = appendInteger(m, "offset", p.Offset)
	return arguments.FromValues(listExceptions, m...)
}

func (c *Client) exceptionPage(ctx context.Context, check *arguments.Check) (ExceptionPage, error) {
	request, err := exceptionsRequest(check)
	if err != nil {
		return ExceptionPage{}, err
	}
	response, rows, err := c.list(ctx, request, "exceptions")
	if err != nil {
		return ExceptionPage{}, err
	}
	return ExceptionPage{
		Exceptions: rowsOf(rows, newException),
		Raw:        response.Body,
		RequestID:  response.RequestID,
	}, nil
}

// exceptionsRequest checks the arguments in the order of the input schema, which is the
// order of the query too.
func exceptionsRequest(check *arguments.Check) (exchange.Request, error) {
	var q query
	q.text(check, "missionId", identifier)
	q.text(check, "runId", identifier)
	q.text(check, "status", arguments.Text{OneOf: exceptionStatuses})
	q.text(check, "severity", arguments.Text{OneOf: severities})
	q.page(check)
	return exchange.Request{
		Operation: listExceptions,
		Method:    http.MethodGet,
		Template:  "/api/v1/agent/exceptions",
		Path:      "/api/v1/agent/exceptions",
		Query:     q.String(),
	}, check.Err()
}
