package environment_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom/agentctl"
	"github.com/opsroom-go/opsroom/agentctl/agentctltest"
	"github.com/opsroom-go/opsroom/attachments/attachmentstest"
	"github.com/opsroom-go/opsroom/examples/mcp/internal/azuremcp"
	"github.com/opsroom-go/opsroom/examples/mcp/internal/environment"
	"github.com/opsroom-go/opsroom/insights"
	"github.com/opsroom-go/opsroom/insights/insightstest"
)

// TestMain lets the test binary be the programs that the tests start.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "fakeazure":
			os.Exit(azuremcp.Main(os.Args[2:]))
		case "no-server":
			os.Exit(1)
		case "environment":
			_, _ = os.Stderr.WriteString(strings.Join(os.Environ(), "\n"))
			os.Exit(1)
		}
	}
	// The race detector lets every process sleep for a second at its end.
	if err := os.Setenv("GORACE", "atexit_sleep_ms=0"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

type variables map[string]string

func (v variables) get(name string) string { return v[name] }

// canary is in every value that must not be shown.
const canary = "synthetic-secret-7f3a"

var query = insights.Query{ProjectEndpoint: insightstest.SampleEndpoint, AgentName: insightstest.SampleAgent}

func TestNothingSetIsAllEmbedded(t *testing.T) {
	t.Parallel()
	backends, err := environment.Open(t.Context(), variables{}.get)
	require.NoError(t, err)
	t.Cleanup(backends.Close)
	require.Equal(t, "control plane: embedded, with made-up data; insights: embedded, with made-up data; "+
		"attachments: embedded, with made-up data", backends.String())

	runs, err := backends.ControlPlane.ListRuns(t.Context(), agentctl.ListRunsParams{MissionID: agentctltest.DemoMission})
	require.NoError(t, err)
	require.NotEmpty(t, runs.Runs)
	found, err := backends.Insights.Page(t.Context(), query)
	require.NoError(t, err)
	require.NotEmpty(t, found.Insights)
	list, err := backends.Attachments.List(t.Context(), environment.DemoAgent)
	require.NoError(t, err)
	require.NotEmpty(t, list.Attachments)
}

func TestEachBackendIsRealOrEmbeddedByItself(t *testing.T) {
	t.Parallel()
	controlPlane := agentctltest.NewServer(agentctltest.Token(canary))
	t.Cleanup(controlPlane.Close)
	everruns := attachmentstest.NewServer()
	t.Cleanup(everruns.Close)
	everruns.AddAgent("own-agent", attachmentstest.Connected())

	tests := map[string]struct {
		variables variables
		shown     string
	}{
		"control plane": {variables{"AGENTCTL_API_URL": controlPlane.URL, "AGENTCTL_API_KEY": canary},
			"control plane: " + controlPlane.URL + "; insights: embedded, with made-up data; attachments: embedded, with made-up data"},
		"attachments": {variables{"EVERRUNS_API_URL": everruns.URL, "EVERRUNS_API_KEY": attachmentstest.DefaultToken, "EVERRUNS_ORG_ID": attachmentstest.DefaultOrgID},
			"control plane: embedded, with made-up data; insights: embedded, with made-up data; attachments: " + strings.TrimSuffix(everruns.URL, "/api")},
		"attachments of the production API": {variables{"EVERRUNS_API_KEY": canary},
			"control plane: embedded, with made-up data; insights: embedded, with made-up data; attachments: https://app.everruns.com"},
		"a control plane without credentials": {variables{"AGENTCTL_API_URL": controlPlane.URL},
			"control plane: " + controlPlane.URL + "; insights: embedded, with made-up data; attachments: embedded, with made-up data"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			backends, err := environment.Open(t.Context(), test.variables.get)
			require.NoError(t, err)
			t.Cleanup(backends.Close)
			require.Equal(t, test.shown, backends.String())
			_, err = backends.ControlPlane.ListExceptions(t.Context(), agentctl.ListExceptionsParams{})
			if name == "a control plane without credentials" {
				require.Error(t, err)
			} else {
				require.NoError(t, err)
			}
			if name == "attachments" {
				list, err := backends.Attachments.List(t.Context(), "own-agent")
				require.NoError(t, err)
				require.Len(t, list.Attachments, 1)
				received := everruns.Requests()
				require.Equal(t, attachmentstest.DefaultOrgID, received[len(received)-1].Header.Get("X-Org-Id"))
			}
		})
	}
}

func TestBadValuesAreNamedAndNotRepeated(t *testing.T) {
	t.Parallel()
	tests := []struct {
		variable  string // that is to blame
		reason    string
		variables variables
	}{
		{"AGENTCTL_API_URL", "an address is required where AGENTCTL_API_KEY is set", variables{"AGENTCTL_API_KEY": canary}},
		{"AGENTCTL_API_URL", "credentials are not sent over plain http", variables{"AGENTCTL_API_URL": "http://example.com", "AGENTCTL_API_KEY": canary}},
		{"AGENTCTL_API_URL", "agentctl: ", variables{"AGENTCTL_API_URL": canary}},
		{"AGENTCTL_API_KEY", "characters that a header cannot carry", variables{"AGENTCTL_API_URL": "https://example.com", "AGENTCTL_API_KEY": canary + "\n"}},
		{"EVERRUNS_API_URL", "attachments: ", variables{"EVERRUNS_API_URL": "ftp://" + canary, "EVERRUNS_API_KEY": canary}},
		{"EVERRUNS_API_KEY", "characters that a header cannot carry", variables{"EVERRUNS_API_KEY": canary + " "}},
		{"EVERRUNS_ORG_ID", "OrgID has characters that a header cannot carry", variables{"EVERRUNS_API_KEY": canary, "EVERRUNS_ORG_ID": canary + "\n"}},
		{"INSIGHTS_ROUTE", "must be direct, router, single or auto", variables{"INSIGHTS_ROUTE": canary}},
		{"INSIGHTS_MCP_URL", "cannot be set together with INSIGHTS_MCP_COMMAND", variables{"INSIGHTS_MCP_COMMAND": "x", "INSIGHTS_MCP_URL": "https://example.com"}},
		{"INSIGHTS_MCP_URL", "must be an absolute http or https URL", variables{"INSIGHTS_MCP_URL": canary}},
		{"INSIGHTS_MCP_URL", "must be an absolute http or https URL", variables{"INSIGHTS_MCP_URL": "https://%zz" + canary}},
		{"INSIGHTS_MCP_URL", "must not hold a user or a password", variables{"INSIGHTS_MCP_URL": "https://u:" + canary + "@example.com"}},
		{"INSIGHTS_MCP_COMMAND", "a quote is not closed", variables{"INSIGHTS_MCP_COMMAND": `x "` + canary}},
		{"INSIGHTS_MCP_COMMAND", "names no program", variables{"INSIGHTS_MCP_COMMAND": " "}},
	}
	for _, test := range tests {
		t.Run(test.variable+" "+test.reason, func(t *testing.T) {
			t.Parallel()
			_, err := environment.Open(t.Context(), test.variables.get)
			failure, ok := errors.AsType[*environment.ValueError](err)
			require.True(t, ok, "%v", err)
			require.Equal(t, test.variable, failure.Variable)
			require.ErrorContains(t, err, test.variable+": ")
			require.ErrorContains(t, err, test.reason)
			require.NotContains(t, err.Error(), canary)
		})
	}
}

func TestRoutesAreAsSet(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		mode  azuremcp.Mode
		way   string
		shown string
	}{
		{azuremcp.Namespace, "", `router "foundry"`},
		{azuremcp.Namespace, "auto", `router "foundry"`},
		{azuremcp.Namespace, "router", `router "foundry"`},
		{azuremcp.Single, "auto", `single proxy "azure"`},
		{azuremcp.Single, "single", `single proxy "azure"`},
		{azuremcp.All, "auto", `direct "foundry_agent_insights_get"`},
		{azuremcp.Foundry, "auto", `direct "agent_insights_get"`},
		{azuremcp.Foundry, "direct", `direct "agent_insights_get"`},
	} {
		t.Run(string(test.mode)+"/"+test.way, func(t *testing.T) {
			t.Parallel()
			address := overHTTP(t, azuremcp.Options{Mode: test.mode, Insights: 3}, nil)
			client, source := open(t, variables{"INSIGHTS_MCP_URL": address + "/mcp?code=" + canary, "INSIGHTS_ROUTE": test.way})
			require.Equal(t, address+" ("+test.shown+")", source.String())
			found, err := client.Collect(t.Context(), query)
			require.NoError(t, err)
			require.Len(t, found.Insights, 3)
		})
	}
	for _, way := range []string{"", "auto", "direct", "router", "single"} {
		client, source := open(t, variables{"INSIGHTS_ROUTE": way})
		require.Equal(t, "embedded, with made-up data", source.String())
		_, err := client.Page(t.Context(), query)
		require.NoError(t, err, way)
	}
}

func TestServerThatCannotBeUsedFailsTheCalls(t *testing.T) {
	t.Parallel()
	unauthorized := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }))
	t.Cleanup(unauthorized.Close)
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	endless := overHTTP(t, azuremcp.Options{Situation: azuremcp.ToolsMissing}, func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, request mcp.Request) (mcp.Result, error) {
			if params, ok := request.GetParams().(*mcp.ListToolsParams); ok {
				params.Cursor = ""
			}
			result, err := next(ctx, method, request)
			if list, ok := result.(*mcp.ListToolsResult); ok && err == nil {
				list.NextCursor = "again"
			}
			return result, err
		}
	})
	refusing := overHTTP(t, azuremcp.Options{}, func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, request mcp.Request) (mcp.Result, error) {
			if method == "tools/list" {
				return nil, errors.New("not today")
			}
			return next(ctx, method, request)
		}
	})
	tests := map[string]struct {
		variables variables
		kind      insights.Kind
		message   string
	}{
		"no such program":  {variables{"INSIGHTS_MCP_COMMAND": "no-such-program --key " + canary}, insights.Backend, "executable file not found"},
		"no MCP server":    {variables{"INSIGHTS_MCP_COMMAND": command("no-server")}, insights.Backend, ""},
		"nobody listens":   {variables{"INSIGHTS_MCP_URL": closed.URL + "/?key=" + canary}, insights.Backend, "connection refused"},
		"HTTP 401":         {variables{"INSIGHTS_MCP_URL": unauthorized.URL + "/?key=" + canary}, insights.Unauthorized, "Unauthorized"},
		"the tool is gone": {variables{"INSIGHTS_MCP_COMMAND": command("fakeazure", "-situation", "tools-missing")}, insights.ToolUnavailable, "none of 2 tools leads to agent_insights_get"},
		"an endless list":  {variables{"INSIGHTS_MCP_URL": endless}, insights.ToolUnavailable, "none of 4 tools leads to agent_insights_get, and the server's list of tools does not end: 4 tools in 2 pages so far"},
		"no list at all":   {variables{"INSIGHTS_MCP_URL": refusing}, insights.Backend, "not today"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client, source := open(t, test.variables)
			require.Contains(t, source.String(), "(no session)")
			_, err := client.Page(t.Context(), query)
			require.Equal(t, test.kind, insights.KindOf(err), "%v", err)
			require.ErrorContains(t, err, test.message)
			require.NotContains(t, err.Error(), canary)
			require.NotContains(t, source.String(), canary)
			require.Equal(t, 1, strings.Count(err.Error(), insights.ToolName+": "), "%v", err)
		})
	}
}

func TestInsightsServerDoesNotInheritTheKeys(t *testing.T) {
	for _, name := range []string{"AGENTCTL_API_KEY", "EVERRUNS_API_KEY", "INSIGHTS_MCP_COMMAND", "INSIGHTS_ROUTE"} {
		t.Setenv(name, canary)
	}
	t.Setenv("OTHER_VARIABLE", "kept")
	read, write, err := os.Pipe()
	require.NoError(t, err)
	stderr := os.Stderr
	os.Stderr = write
	t.Cleanup(func() { os.Stderr = stderr })
	_, source := open(t, variables{"INSIGHTS_MCP_COMMAND": command("environment")})
	require.Contains(t, source.String(), "(no session)")
	require.NoError(t, write.Close())
	environ, err := io.ReadAll(read)
	require.NoError(t, err)
	require.Contains(t, string(environ), "OTHER_VARIABLE=kept")
	require.NotContains(t, string(environ), canary)
}

func open(t *testing.T, variables variables) (*insights.Client, environment.Source) {
	t.Helper()
	client, source, err := environment.Insights(t.Context(), variables.get)
	require.NoError(t, err)
	t.Cleanup(source.Close)
	return client, source
}

// overHTTP serves an imitated Azure MCP server and returns its address.
func overHTTP(t *testing.T, options azuremcp.Options, middleware mcp.Middleware) string {
	t.Helper()
	server, err := azuremcp.New(options)
	require.NoError(t, err)
	if middleware != nil {
		server.AddReceivingMiddleware(middleware)
	}
	listening := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil))
	t.Cleanup(listening.Close)
	return listening.URL
}

// command is a command line that starts this test binary.
func command(words ...string) string {
	line := "'" + os.Args[0] + "'"
	for _, word := range words {
		line += " '" + word + "'"
	}
	return line
}
