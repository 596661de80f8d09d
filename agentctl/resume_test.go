package agentctl_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom/agentctl"
	"github.com/opsroom-go/opsroom/agentctl/agentctltest"
	"github.com/opsroom-go/opsroom/problem"
)

func TestResumeChecksConcludeFromStatusAndExceptions(t *testing.T) {
	t.Parallel()
	const one, two, approval = "1 open exception must be resolved", "2 open exceptions must be resolved", "an approval is pending"
	for _, test := range []struct {
		status    string // "" is a row without status, "-" no run at all
		open      int
		readiness agentctl.Readiness
		reasons   []string
	}{
		{"running", 0, agentctl.ReadinessRunning, []string{"the run is running"}},
		{"running", 1, agentctl.ReadinessBlocked, []string{one}},
		{"waiting_approval", 0, agentctl.ReadinessBlocked, []string{approval}},
		{"waiting_approval", 2, agentctl.ReadinessBlocked, []string{two, approval}},
		{"blocked", 0, agentctl.ReadinessReady, []string{"the run is blocked and none of its exceptions is open"}},
		{"blocked", 1, agentctl.ReadinessBlocked, []string{one}},
		{"blocked", 250, agentctl.ReadinessBlocked, []string{"250 open exceptions must be resolved"}},
		{"succeeded", 0, agentctl.ReadinessEnded, []string{"the run has ended: succeeded"}},
		{"succeeded", 1, agentctl.ReadinessEnded, []string{"the run has ended: succeeded"}},
		{"failed", 0, agentctl.ReadinessEnded, []string{"the run has ended: failed"}},
		{"failed", 1, agentctl.ReadinessEnded, []string{"the run has ended: failed"}},
		{"cancelled", 0, agentctl.ReadinessEnded, []string{"the run has ended: cancelled"}},
		{"cancelled", 1, agentctl.ReadinessEnded, []string{"the run has ended: cancelled"}},
		{"paused\u202e", 0, agentctl.ReadinessUnclear, []string{`the run's status is not one that is known: "paused\u202e"`}},
		{"paused", 1, agentctl.ReadinessBlocked, []string{one}},
		{"", 0, agentctl.ReadinessUnclear, []string{"the run's row does not tell its status"}},
		{"", 1, agentctl.ReadinessBlocked, []string{one}},
		{"-", 0, agentctl.ReadinessNotFound, []string{"the run is not in the mission's list of runs"}},
		{"-", 1, agentctl.ReadinessNotFound, []string{"the run is not in the mission's list of runs"}},
	} {
		t.Run(fmt.Sprint(test.status, " ", test.open), func(t *testing.T) {
			t.Parallel()
			server, client := newServer(t)
			server.AddMission("m1")
			switch test.status {
			case "-":
			case "":
				server.AddRun(agentctltest.Run{MissionID: "m1", Raw: json.RawMessage(`{"id":"r1"}`)})
			default:
				server.AddRun(agentctltest.Run{ID: "r1", MissionID: "m1", Status: test.status})
			}
			server.AddRun(agentctltest.Run{ID: "r2", MissionID: "m1"})
			for i := range 3 {
				server.AddException(agentctltest.Exception{RunID: "r2"})
				server.AddException(agentctltest.Exception{ID: fmt.Sprint("done", i), RunID: "r1", Status: "resolved"})
			}
			for i := range test.open {
				server.AddException(agentctltest.Exception{ID: fmt.Sprint("e", i+1), RunID: "r1"})
			}

			check, err := client.CheckResume(t.Context(), "m1", "r1")
			require.NoError(t, err)
			require.Equal(t, test.readiness, check.Readiness)
			require.Equal(t, test.reasons, check.Reasons)
			require.Equal(t, test.status != "-", check.Found)
			require.Equal(t, test.status == "waiting_approval", check.WaitingApproval)
			if check.Found {
				require.Equal(t, "r1", check.Run.ID)
			} else {
				require.Equal(t, agentctl.Run{}, check.Run)
			}
			var ids []string
			for _, exception := range check.OpenExceptions {
				ids = append(ids, exception.ID)
			}
			require.Equal(t, namesDown(test.open, 1), ids)
		})
	}
}

func TestAResumeCheckTakesThreeRequests(t *testing.T) {
	t.Parallel()
	server, _ := newServer(t)
	server.AddRun(agentctltest.Run{ID: "r/1", MissionID: "m1", Status: "blocked"})
	client := newClient(t, server.Endpoint(), &agentctl.Options{ReadAhead: 8})
	check, err := client.CheckResume(t.Context(), "m1", "r/1")
	require.NoError(t, err)
	require.Equal(t, agentctl.ReadinessReady, check.Readiness)
	require.Equal(t, []string{
		"/api/v1/agent/missions/m1/runs?limit=200",
		listPath + "?runId=r%2F1&status=open&limit=200",
		listPath + "?runId=r%2F1&status=open&limit=200",
	}, uris(server))
}

func TestIncompleteEvidenceIsNeverReady(t *testing.T) {
	t.Parallel()
	runs, exceptions := agentctltest.ListRuns, agentctltest.ListExceptions
	refused := agentctltest.Status(http.StatusForbidden)
	for name, test := range map[string]struct {
		operation agentctltest.Operation
		faults    []agentctltest.Fault
		found     bool
		open      int
		reason    string
	}{
		"no run could be read":       {runs, []agentctltest.Fault{refused}, false, 0, "the mission's runs could not be read"},
		"not all runs could be read": {runs, []agentctltest.Fault{{}, refused}, false, 0, "the mission's runs could not be read"},
		"no exception could be read": {exceptions, []agentctltest.Fault{refused}, true, 0, "the run's exceptions could not be read to the end (0 open ones seen)"},
		"not all exceptions":         {exceptions, []agentctltest.Fault{{}, refused}, true, 200, "the run's exceptions could not be read to the end (200 open ones seen)"},
		"the last look failed":       {exceptions, []agentctltest.Fault{{}, {}, {}, refused}, true, 250, "the run's exceptions could not be read to the end (250 open ones seen)"},
		"an answer is malformed":     {exceptions, []agentctltest.Fault{agentctltest.Answer(200, nil, `{"exceptions":{}}`)}, true, 0, "the run's exceptions could not be read to the end (0 open ones seen)"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, client := newServer(t)
			server.AddRun(agentctltest.Run{ID: "r1", MissionID: "m1", Status: "blocked"})
			if test.operation == runs {
				for range 250 { // so that the run is on the second page
					server.AddRun(agentctltest.Run{MissionID: "m1"})
				}
			}
			fill(server, 250)
			server.Fail(test.operation, test.faults...)
			check, err := client.CheckResume(t.Context(), "m1", "r1")
			require.Error(t, err)
			require.Equal(t, agentctl.ReadinessUnclear, check.Readiness)
			require.Equal(t, []string{test.reason}, check.Reasons)
			require.Equal(t, test.found, check.Found)
			require.Len(t, check.OpenExceptions, test.open)
		})
	}
}

func TestALastLookFailingAfterNoneWasOpenIsNotReady(t *testing.T) {
	t.Parallel()
	server, client := newServer(t)
	server.AddRun(agentctltest.Run{ID: "r1", MissionID: "m1", Status: "blocked"})
	server.Fail(agentctltest.ListExceptions, agentctltest.Fault{}, agentctltest.Status(http.StatusForbidden))
	check, err := client.CheckResume(t.Context(), "m1", "r1")
	require.ErrorIs(t, err, problem.Status(http.StatusForbidden))
	require.Equal(t, agentctl.ReadinessUnclear, check.Readiness)
}

func TestAnExceptionRaisedMeanwhileIsNotMissed(t *testing.T) {
	t.Parallel()
	for _, before := range []int{0, 1, 250} {
		server, client := newServer(t)
		server.AddRun(agentctltest.Run{ID: "r1", MissionID: "m1", Status: "blocked"})
		fill(server, before)
		_, err := client.CheckResume(t.Context(), "m1", "r1")
		require.NoError(t, err)
		last := len(server.Requests())
		server.ForgetRequests()
		server.BeforeRequest(func(n int, _ *http.Request) {
			if n == last { // after the walk, before the last look
				server.AddException(agentctltest.Exception{ID: "late", RunID: "r1"})
			}
		})
		check, err := client.CheckResume(t.Context(), "m1", "r1")
		require.NoError(t, err)
		require.Equal(t, agentctl.ReadinessBlocked, check.Readiness)
		require.Len(t, check.OpenExceptions, before+1)
		require.Equal(t, "late", check.OpenExceptions[0].ID, "newest first")
	}
}

func TestARunThatIsBlockedMayWaitForAnApprovalAsWell(t *testing.T) {
	t.Parallel()
	server, client := newServer(t)
	server.AddRun(agentctltest.Run{ID: "r1", MissionID: "m1", Status: "blocked"})
	server.RequestApproval("r1")
	check, err := client.CheckResume(t.Context(), "m1", "r1")
	require.NoError(t, err)
	require.Equal(t, agentctl.ReadinessReady, check.Readiness, "as far as the contract's members tell")

	client = newClient(t, server.Endpoint(), &agentctl.Options{ApprovalPending: func(run agentctl.Run) bool {
		var row struct {
			ControlRecords struct{ PendingApprovals int }
		}
		return run.Decode(&row) == nil && row.ControlRecords.PendingApprovals > 0
	}})
	check, err = client.CheckResume(t.Context(), "m1", "r1")
	require.NoError(t, err)
	require.Equal(t, agentctl.ReadinessBlocked, check.Readiness)
	require.True(t, check.WaitingApproval)
	require.Equal(t, []string{"an approval is pending"}, check.Reasons)
}

func TestRunsAreFoundByTheHostsIdentityToo(t *testing.T) {
	t.Parallel()
	server, client := newServer(t)
	server.AddRun(agentctltest.Run{MissionID: "m1", Raw: json.RawMessage(`{"runId":"r1","status":"blocked"}`)})
	check, err := client.CheckResume(t.Context(), "m1", "r1")
	require.NoError(t, err)
	require.True(t, check.Found, "runId is looked at where there is no id")

	client = newClient(t, server.Endpoint(), &agentctl.Options{RunID: func(agentctl.Run) string { return "seven" }})
	check, err = client.CheckResume(t.Context(), "m1", "seven")
	require.NoError(t, err)
	require.True(t, check.Found)
}

func TestResumeChecksRefuseWrongIdentifiers(t *testing.T) {
	t.Parallel()
	check, err := newSilent(t).CheckResume(t.Context(), "..", "")
	requireRefused(t, err, `check_resume`+refused+`missionId: must not be "..": a URL path cannot carry it; runId: is required`)
	require.Equal(t, agentctl.ReadinessUnclear, check.Readiness)
}

func TestAResumeCheckEndsWithItsContext(t *testing.T) {
	t.Parallel()
	server, client := newServer(t)
	server.AddRun(agentctltest.Run{ID: "r1", MissionID: "m1", Status: "blocked"})
	ctx, cancel := context.WithCancel(t.Context())
	server.BeforeRequest(func(n int, _ *http.Request) {
		if n == 2 {
			cancel()
		}
	})
	check, err := client.CheckResume(ctx, "m1", "r1")
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, agentctl.ReadinessUnclear, check.Readiness)
}
