package agentctltest_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom/agentctl/agentctltest"
)

func TestTheDemoIsAsDocumented(t *testing.T) {
	t.Parallel()
	server := newServer(t, agentctltest.Demo())
	for i, status := range []string{"succeeded", "failed", "blocked", "cancelled", "waiting_approval", "running"} {
		id := fmt.Sprint("run_00000", i+1)
		run, found := server.Run(id)
		require.True(t, found)
		require.Equal(t, status, run.Status)
		require.Equal(t, agentctltest.DemoMission, run.MissionID)
		require.Equal(t, status == "waiting_approval", run.PendingApprovals == 1)
		require.Equal(t, []string{id}, ids(t, get(t, server, runsPath(agentctltest.DemoMission)+"?status="+status)))
		require.Equal(t, map[string]int{"blocked": 3, "running": 1}[status], run.OpenExceptions)
		require.NotEmpty(t, run.MandateID)
		require.Positive(t, run.Exceptions)
	}
	all := server.Exceptions()
	require.Len(t, all, 124)
	severities := map[string]int{}
	for i, e := range all {
		severities[e.Severity]++
		run, _ := server.Run(e.RunID)
		require.True(t, e.CreatedAt.After(run.CreatedAt), e.ID)
		require.False(t, e.CreatedAt.After(standingClock()))
		require.Equal(t, agentctltest.DemoMission, e.MissionID)
		require.Equal(t, fmt.Sprintf("exc_%06d", 124-i), e.ID)
		require.True(t, json.Valid(e.Raw))
		// Each could have been raised.
		body, err := json.Marshal(map[string]any{"category": e.Category, "severity": e.Severity, "message": e.Message, "stepId": e.StepID, "detail": e.Detail})
		require.NoError(t, err)
		require.Equal(t, 201, post(t, server, raisePath("run_000006"), string(body)).status)
	}
	require.Len(t, severities, 3)
	require.Len(t, ids(t, get(t, newServer(t, agentctltest.Demo()), exceptionsPath+"?limit=200&status=open")), 4)
}
