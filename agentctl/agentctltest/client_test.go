package agentctltest_test

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/agentctl"
	"github.com/opsroom-go/opsroom/agentctl/agentctltest"
	"github.com/opsroom-go/opsroom/problem"
)

func TestTheClientAndTheKitAgree(t *testing.T) {
	t.Parallel()
	server := newServer(t, agentctltest.Token("secret"))
	server.AddRun(agentctltest.Run{ID: "r:1@ü/x~*!", MissionID: "m 1&=+~*"})
	client, err := agentctl.New(server.Endpoint(), nil)
	require.NoError(t, err)

	raised, err := client.RaiseException(t.Context(), agentctl.RaiseExceptionParams{
		RunID: "r:1@ü/x~*!", Category: "a1.b_c:d-e", Severity: agentctl.SeverityWarning, Message: "say \"é\"\n😀",
		Detail: map[string]any{"n": 1}, StepID: "s~*",
	})
	require.NoError(t, err)
	require.Equal(t, "exc_000001", raised.ID)
	exceptions, err := client.ListExceptions(t.Context(), agentctl.ListExceptionsParams{
		MissionID: "m 1&=+~*", RunID: "r:1@ü/x~*!", Status: agentctl.ExceptionOpen, Severity: agentctl.SeverityWarning, Limit: 200,
	})
	require.NoError(t, err)
	require.Equal(t, []agentctl.Exception{raised}, exceptions.Exceptions)
	require.Equal(t, "req_000002", exceptions.RequestID)
	runs, err := client.ListRuns(t.Context(), agentctl.ListRunsParams{MissionID: "m 1&=+~*", Status: agentctl.RunBlocked, Limit: 1})
	require.NoError(t, err)
	require.Equal(t, "r:1@ü/x~*!", runs.Runs[0].ID)

	uris := []string{}
	for _, request := range server.Requests() {
		uris = append(uris, request.URI)
	}
	require.Equal(t, []string{
		"/api/v1/agent/runs/r%3A1%40%C3%BC%2Fx~*!/exceptions",
		"/api/v1/agent/exceptions?missionId=m+1%26%3D%2B%7E*&runId=r%3A1%40%C3%BC%2Fx%7E*%21&status=open&severity=warning&limit=200",
		"/api/v1/agent/missions/m%201%26%3D%2B~*/runs?status=blocked&limit=1",
	}, uris)
	require.Equal(t, `{"category":"a1.b_c:d-e","severity":"warning","message":"say \"é\"\n😀","detail":{"n":1},"stepId":"s~*"}`, string(server.Requests()[0].Body))

	_, err = client.ListRuns(t.Context(), agentctl.ListRunsParams{MissionID: "unknown"})
	require.ErrorIs(t, err, problem.Code("mission_not_found"))
	require.ErrorIs(t, err, problem.Status(http.StatusNotFound))
	server.SetToken("other")
	_, err = client.ListRuns(t.Context(), agentctl.ListRunsParams{MissionID: "m"})
	require.ErrorIs(t, err, problem.Status(http.StatusUnauthorized))
}

func TestTheClientWaitsInFakeTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := agentctltest.NewServer(agentctltest.Pipe(), agentctltest.Demo())
		defer server.Close()
		server.Fail(agentctltest.ListExceptions, agentctltest.Problem(problem.Problem{Status: 503, RetryAfterSeconds: 20}), agentctltest.Hang())
		endpoint := server.Endpoint()
		endpoint.Timeout = time.Minute
		client, err := agentctl.New(endpoint, nil)
		require.NoError(t, err)
		start := time.Now()
		page, err := client.ListExceptions(t.Context(), agentctl.ListExceptionsParams{})
		require.NoError(t, err)
		require.Len(t, page.Exceptions, 50)
		require.Equal(t, 80*time.Second, time.Since(start).Truncate(time.Second))
		require.Equal(t, 3, server.Count(agentctltest.ListExceptions))

		server.Fail(agentctltest.RaiseException, agentctltest.Hang().AfterEffect())
		_, err = client.RaiseException(t.Context(), agentctl.RaiseExceptionParams{RunID: "run_000006", Category: "a", Severity: agentctl.SeverityInfo, Message: "m"})
		require.ErrorIs(t, err, opsroom.ErrTimeout)
		require.Len(t, server.Exceptions(), 125)
	})
}
