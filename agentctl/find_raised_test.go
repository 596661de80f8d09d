package agentctl_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/agentctl"
	"github.com/opsroom-go/opsroom/agentctl/agentctltest"
	"github.com/opsroom-go/opsroom/problem"
)

var overLimit = agentctl.RaiseExceptionParams{
	RunID: "r1", Category: "policy.spend-limit", Severity: agentctl.SeverityCritical, Message: "Over the limit.", StepID: "s1",
	Detail: map[string]any{"amount": int64(9007199254740993), "currency": "EUR"},
}

// raiseUnknown raises into a fault and returns the error, whose outcome must be unknown.
func raiseUnknown(t *testing.T, server *agentctltest.Server, client *agentctl.Client, fault agentctltest.Fault) *agentctl.RaiseError {
	t.Helper()
	server.Fail(agentctltest.RaiseException, fault)
	_, err := client.RaiseException(t.Context(), overLimit)
	failure, ok := errors.AsType[*agentctl.RaiseError](err)
	require.True(t, ok, "%v", err)
	require.Equal(t, agentctl.OutcomeUnknown, failure.Outcome)
	return failure
}

func TestARaiseThatWasCutOffIsFoundIfItWasRecorded(t *testing.T) {
	t.Parallel()
	server, client := newServer(t)
	server.AddRun(agentctltest.Run{ID: "r1", MissionID: "m1"})

	failure := raiseUnknown(t, server, client, agentctltest.Cut())
	search, err := client.FindRaised(t.Context(), failure.Params, failure.Started)
	require.NoError(t, err)
	require.Equal(t, agentctl.RaiseSearch{Finding: agentctl.FindingNotFound}, search, "cut before the effect")

	failure = raiseUnknown(t, server, client, agentctltest.Cut().AfterEffect())
	search, err = client.FindRaised(t.Context(), failure.Params, failure.Started)
	require.NoError(t, err)
	require.Equal(t, agentctl.FindingFound, search.Finding)
	require.Len(t, search.Matches, 1)
	require.Equal(t, "exc_000001", search.Matches[0].ID)

	raiseUnknown(t, server, client, agentctltest.Status(http.StatusBadGateway).AfterEffect())
	search, err = client.FindRaised(t.Context(), failure.Params, failure.Started)
	require.NoError(t, err)
	require.Equal(t, agentctl.FindingAmbiguous, search.Finding)
	require.Len(t, search.Matches, 2)
	require.Equal(t, "exc_000002", search.Matches[0].ID, "newest first")
	require.Equal(t, 3, server.Count(agentctltest.RaiseException), "nothing is ever raised again")
}

func TestFindingLooksWithoutAStatusFilter(t *testing.T) {
	t.Parallel()
	server, client := newServer(t)
	server.AddRun(agentctltest.Run{ID: "r1", MissionID: "m1"})
	failure := raiseUnknown(t, server, client, agentctltest.Cut().AfterEffect())
	server.Resolve("exc_000001")
	server.ForgetRequests()
	search, err := client.FindRaised(t.Context(), failure.Params, failure.Started)
	require.NoError(t, err)
	require.Equal(t, agentctl.FindingFound, search.Finding)
	require.Equal(t, agentctl.ExceptionResolved, search.Matches[0].Status)
	require.Equal(t, []string{listPath + "?runId=r1&limit=200", listPath + "?runId=r1&limit=200&offset=1"}, uris(server))
}

// raisedRow is a row that a raise of overLimit leaves, but for some members.
func raisedRow(changes map[string]any) json.RawMessage {
	row := map[string]any{
		"id": "e1", "runId": "r1", "category": "policy.spend-limit", "severity": "critical", "message": "Over the limit.", "stepId": "s1",
		"detail": json.RawMessage(`{"currency":"\u0045UR", "amount":9007199254740992}`),
	}
	for name, value := range changes {
		if row[name] = value; value == nil {
			delete(row, name)
		}
	}
	raw, _ := json.Marshal(row)
	return raw
}

func TestRowsMatchByWhatWasRaised(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 30, 12, 0, 0, 900_000_000, time.UTC)
	without := func(change func(*agentctl.RaiseExceptionParams)) agentctl.RaiseExceptionParams {
		params := overLimit
		change(&params)
		return params
	}
	noDetail := without(func(p *agentctl.RaiseExceptionParams) { p.Detail = nil })
	noStep := without(func(p *agentctl.RaiseExceptionParams) { p.StepID = "" })
	emptyDetail := without(func(p *agentctl.RaiseExceptionParams) { p.Detail = json.RawMessage(`{ }`) })
	hugeDetail := without(func(p *agentctl.RaiseExceptionParams) { p.Detail = json.RawMessage(`{"n":1e400}`) })
	for name, test := range map[string]struct {
		params  agentctl.RaiseExceptionParams
		since   time.Time
		row     json.RawMessage
		matches bool
	}{
		"alike, as a server rounds numbers": {overLimit, now, raisedRow(nil), true},
		"more members":                      {overLimit, now, raisedRow(map[string]any{"status": "resolved", "note": 1}), true},
		"another category":                  {overLimit, now, raisedRow(map[string]any{"category": "policy"}), false},
		"another severity":                  {overLimit, now, raisedRow(map[string]any{"severity": "info"}), false},
		"another message":                   {overLimit, now, raisedRow(map[string]any{"message": "Over the limit"}), false},
		"another run, from a server that ignores the filter": {overLimit, now, raisedRow(map[string]any{"runId": "r2"}), false},
		"no run in the row":              {overLimit, now, raisedRow(map[string]any{"runId": nil}), true},
		"another step":                   {overLimit, now, raisedRow(map[string]any{"stepId": "s2"}), false},
		"no step in the row":             {overLimit, now, raisedRow(map[string]any{"stepId": nil}), false},
		"a step that was not given":      {noStep, now, raisedRow(nil), true},
		"another detail":                 {overLimit, now, raisedRow(map[string]any{"detail": map[string]any{"amount": 1}}), false},
		"no detail in the row":           {overLimit, now, raisedRow(map[string]any{"detail": nil}), false},
		"a detail that was not given":    {noDetail, now, raisedRow(nil), true},
		"an empty detail that is listed": {emptyDetail, now, raisedRow(map[string]any{"detail": map[string]any{}}), true},
		"an empty detail that is not":    {emptyDetail, now, raisedRow(map[string]any{"detail": nil}), true},
		"a number beyond all doubles":    {hugeDetail, now, raisedRow(map[string]any{"detail": json.RawMessage(`{"n": 1e400}`)}), true},
		"a row that is no object":        {overLimit, now, json.RawMessage(`"policy.spend-limit"`), false},
		"later":                          {overLimit, now, raisedRow(map[string]any{"createdAt": "2026-11-30T13:00:00+01:00"}), true},
		"in seconds, cut off":            {overLimit, now, raisedRow(map[string]any{"createdAt": "2026-11-30T12:00:00Z"}), true},
		"a clock that is a bit behind":   {overLimit, now, raisedRow(map[string]any{"createdAt": "2026-11-30T11:59:56Z"}), true},
		"earlier":                        {overLimit, now, raisedRow(map[string]any{"createdAt": "2026-11-30T11:59:55Z"}), false},
		"earlier, but nobody asks":       {overLimit, time.Time{}, raisedRow(map[string]any{"createdAt": "2001-01-01T00:00:00Z"}), true},
		"a time that is none":            {overLimit, now, raisedRow(map[string]any{"createdAt": "yesterday"}), true},
		"a time of another type":         {overLimit, now, raisedRow(map[string]any{"createdAt": 5}), true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, client := newServer(t)
			server.AddException(agentctltest.Exception{RunID: "r1", Raw: test.row})
			search, err := client.FindRaised(t.Context(), test.params, test.since)
			require.NoError(t, err)
			want := agentctl.FindingNotFound
			if test.matches {
				want = agentctl.FindingFound
			}
			require.Equal(t, want, search.Finding)
		})
	}
}

func TestTheHostTellsTheTimeOfARow(t *testing.T) {
	t.Parallel()
	server, _ := newServer(t)
	server.AddException(agentctltest.Exception{RunID: "r1", Raw: raisedRow(map[string]any{"raised": 1_000})})
	server.AddException(agentctltest.Exception{RunID: "r1", Raw: raisedRow(map[string]any{"id": "e2", "raised": 2_000})})
	server.AddException(agentctltest.Exception{RunID: "r1", Raw: raisedRow(map[string]any{"id": "e3", "createdAt": "2001-01-01T00:00:00Z"})})
	client := newClient(t, server.Endpoint(), &agentctl.Options{ExceptionTime: func(e agentctl.Exception) (time.Time, bool) {
		var row struct{ Raised int64 }
		_ = e.Decode(&row)
		return time.Unix(row.Raised, 0), row.Raised != 0
	}})
	search, err := client.FindRaised(t.Context(), overLimit, time.Unix(1_500, 0))
	require.NoError(t, err)
	require.Equal(t, agentctl.FindingAmbiguous, search.Finding)
	require.Equal(t, []string{"e3", "e2"}, []string{search.Matches[0].ID, search.Matches[1].ID}, "a row without a time counts")
}

func TestFindingReadsAllPages(t *testing.T) {
	t.Parallel()
	server, client := newServer(t)
	server.AddException(agentctltest.Exception{RunID: "r1", Raw: raisedRow(nil)})
	for i := range 450 {
		server.AddException(agentctltest.Exception{ID: fmt.Sprint("x", i), RunID: "r1", Category: "other"})
	}
	search, err := client.FindRaised(t.Context(), overLimit, time.Time{})
	require.NoError(t, err)
	require.Equal(t, agentctl.FindingFound, search.Finding)

	server.Fail(agentctltest.ListExceptions, agentctltest.Fault{}, agentctltest.Status(403))
	search, err = client.FindRaised(t.Context(), overLimit, time.Time{})
	require.ErrorIs(t, err, problem.Status(403))
	require.Equal(t, agentctl.RaiseSearch{}, search)
}

func TestFindingRefusesWhatCouldNotHaveBeenRaised(t *testing.T) {
	t.Parallel()
	search, err := newSilent(t).FindRaised(t.Context(), agentctl.RaiseExceptionParams{RunID: "r1"}, time.Time{})
	input, ok := errors.AsType[*opsroom.InputError](err)
	require.True(t, ok)
	require.Len(t, input.Failures, 3)
	require.Equal(t, agentctl.RaiseSearch{}, search)
}
