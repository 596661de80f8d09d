package main

import (
	"bytes"
	"flag"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom/agentctl/agentctltest"
	"github.com/opsroom-go/opsroom/attachments/attachmentstest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func runWith(t *testing.T, environment map[string]string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, failures bytes.Buffer
	code = run(t.Context(), args, func(name string) string { return environment[name] }, &out, &failures)
	return code, out.String(), failures.String()
}

func TestTourOnBackendsInMemory(t *testing.T) {
	t.Parallel()
	code, stdout, stderr := runWith(t, nil)
	require.Empty(t, stderr)
	require.Zero(t, code)
	golden := filepath.Join("testdata", "tour.txt")
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(stdout), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), stdout)
}

func TestTourOnRealBackendsRaisesOnlyWhenTold(t *testing.T) {
	t.Parallel()
	control := agentctltest.NewServer(agentctltest.Demo(), agentctltest.Token("control-token"))
	defer control.Close()
	everruns := attachmentstest.NewServer()
	defer everruns.Close()
	everruns.AddAgent("helper", attachmentstest.Fixtures()...)
	environment := map[string]string{
		"AGENTCTL_API_URL": control.URL, "AGENTCTL_API_KEY": "control-token",
		"EVERRUNS_API_URL": everruns.URL, "EVERRUNS_API_KEY": attachmentstest.DefaultToken,
		"EVERRUNS_ORG_ID": attachmentstest.DefaultOrgID,
	}
	args := []string{"-mission", agentctltest.DemoMission, "-run", "run_000006", "-agent", "helper"}

	code, stdout, stderr := runWith(t, environment, args...)
	require.Empty(t, stderr)
	require.Zero(t, code)
	require.Contains(t, stdout, control.URL)
	require.Contains(t, stdout, "skipped: give -raise")
	require.Contains(t, stdout, "404 Not Found")
	require.Zero(t, control.Count(agentctltest.RaiseException))
	require.NotContains(t, stdout, "control-token")
	for _, request := range everruns.Requests() {
		require.Equal(t, attachmentstest.DefaultOrgID, request.Header.Get("X-Org-Id"))
	}

	code, _, stderr = runWith(t, environment, append(args, "-raise")...)
	require.Empty(t, stderr)
	require.Zero(t, code)
	require.Equal(t, 1, control.Count(agentctltest.RaiseException))
}

func TestWrongUsageIsExplained(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		environment map[string]string
		args        []string
		want        string
	}{
		{nil, []string{"extra"}, `quickstart: unexpected argument "extra"`},
		{map[string]string{"AGENTCTL_API_KEY": "k"}, nil, "quickstart: AGENTCTL_API_KEY is set, but AGENTCTL_API_URL is not"},
		{map[string]string{"INSIGHTS_MCP_URL": "https://mcp.example"}, nil, "quickstart: -project and -insights-agent are needed with a real MCP server"},
		{map[string]string{"INSIGHTS_MCP_COMMAND": " "}, []string{"-project", "p", "-insights-agent", "a"}, "quickstart: INSIGHTS_MCP_COMMAND names no program"},
		{nil, []string{"-agentctl", "https://control.example"}, "quickstart: -mission and -run are needed with a real control plane"},
		{nil, []string{"-everruns", "https://everruns.example/api"}, "quickstart: -agent is needed with a real Everruns API"},
		{map[string]string{"EVERRUNS_API_URL": "ftp://x"}, []string{"-agent", "a"}, "quickstart: attachments: BaseURL must start with http:// or https://"},
	} {
		code, stdout, stderr := runWith(t, test.environment, test.args...)
		require.Equal(t, 2, code)
		require.Empty(t, stdout)
		require.Contains(t, stderr, test.want)
	}
}

func TestFailureOfABackendIsReported(t *testing.T) {
	t.Parallel()
	gone := httptest.NewServer(nil)
	gone.Close()
	code, _, stderr := runWith(t, map[string]string{"AGENTCTL_API_URL": gone.URL}, "-mission", "m", "-run", "r")
	require.Equal(t, 1, code)
	require.Contains(t, stderr, "quickstart: list_agent_runs: no complete answer: cannot connect to the server")
}
