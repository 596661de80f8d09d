package main

import (
	"bytes"
	"flag"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom/agentctl/agentctltest"
	"github.com/opsroom-go/opsroom/attachments/attachmentstest"
)

// canary stands for what may be secret.
const canary = "synthetic-secret-5b1e"

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
		{map[string]string{"INSIGHTS_ROUTE": "sideways"}, nil, "quickstart: INSIGHTS_ROUTE must be direct, router, single or auto"},
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

func TestFlagsApplyToBackendsInMemoryToo(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"-mission", "m1"}, "list_agent_runs: 404"},
		{[]string{"-agent", "nobody"}, "list_agent_mcp_attachments: 404"},
		{[]string{"-insights-agent", "nobody"}, "agent_insights_get: the agent has no monitor"},
	} {
		code, _, stderr := runWith(t, nil, test.args...)
		require.Equal(t, 1, code, test.args)
		require.Contains(t, stderr, test.want)
	}
}

// bare is a backend that answers every request, and sends no more than the contracts name.
func bare(t *testing.T) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch {
		case r.Method == http.MethodPost:
			_, _ = io.WriteString(w, `{"exception":{}}`)
		case strings.HasSuffix(r.URL.Path, "/mcp-attachments"):
			_, _ = io.WriteString(w, `[{"name":"crm"}]`)
		case strings.HasSuffix(r.URL.Path, "/runs"):
			_, _ = io.WriteString(w, `{"runs":[{"id":"r","status":"running"}]}`)
		case r.FormValue("offset") != "":
			_, _ = io.WriteString(w, `{"exceptions":[]}`)
		default:
			_, _ = io.WriteString(w, `{"exceptions":[{}]}`)
		}
	}))
	t.Cleanup(server.Close)
	return server
}

func TestTourOnBackendsThatSendLittle(t *testing.T) {
	t.Parallel()
	server := bare(t)
	code, stdout, stderr := runWith(t, map[string]string{"AGENTCTL_API_URL": server.URL, "EVERRUNS_API_URL": server.URL},
		"-mission", "m", "-run", "r", "-agent", "a", "-raise")
	require.Empty(t, stderr)
	require.Zero(t, code)
	require.Contains(t, stdout, "   1 run, newest first:\n")
	require.Contains(t, stdout, "   1 open exception:\n")
	require.Contains(t, stdout, "   recorded\n")
	require.Contains(t, stdout, "   1 attachment:\n")
	require.Contains(t, stdout, "   there was none: the server knows even that agent\n")
}

func TestFailureOfABackendIsReported(t *testing.T) {
	t.Parallel()
	gone := httptest.NewServer(nil)
	gone.Close()
	code, _, stderr := runWith(t, map[string]string{"AGENTCTL_API_URL": gone.URL}, "-mission", "m", "-run", "r")
	require.Equal(t, 1, code)
	require.Contains(t, stderr, "quickstart: list_agent_runs: no complete answer: cannot connect to the server")
}
