package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom/examples/mcp/internal/azuremcp"
	"github.com/opsroom-go/opsroom/insights"
	"github.com/opsroom-go/opsroom/insights/insightstest"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestMain lets the test binary be the report itself, and the MCP server that
// it starts.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "fakeazure":
			os.Exit(azuremcp.Main(os.Args[2:]))
		case "insightsreport":
			os.Args = append(os.Args[:1], os.Args[2:]...)
			main()
		}
	}
	// The race detector lets every process sleep for a second at its end.
	if err := os.Setenv("GORACE", "atexit_sleep_ms=0"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// agent is how the report is asked for the sample agent.
var agent = []string{"-endpoint", insightstest.SampleEndpoint, "-agent", insightstest.SampleAgent}

// runReport runs the report on an imitated Azure MCP server in a process of its own.
func runReport(t *testing.T, options azuremcp.Options, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	environ := map[string]string{"INSIGHTS_MCP_COMMAND": command(options, "")}
	var out, errors bytes.Buffer
	p := program{getenv: func(name string) string { return environ[name] }, stdout: &out, stderr: &errors}
	code = p.run(t.Context(), append(agent, args...))
	return code, out.String(), errors.String()
}

// command is the command line that starts the server.
func command(options azuremcp.Options, log string) string {
	line := "'" + os.Args[0] + "' fakeazure"
	for _, word := range options.Args(log) {
		line += " '" + word + "'"
	}
	return line
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}

// Pages with all that a terminal or a decoder could stumble over.
var strange = []json.RawMessage{json.RawMessage(`{"data":[` +
	`{"id":"1","title":"Red \u001b[31malert\u001b[0m\u202e \t and\nlines","severity":"future-severity","status":"","category":"a category that is longer than its column","trace_count":9007199254740993},` +
	`{"title":"` + strings.Repeat("Long titles are cut. ", 9) + `","id":"2","trace_count":5.0,"unknown":{"n":1e300,"a":1,"a":2}},` +
	`{"id":"3"}],"has_more":false}`)}

var reports = []struct {
	name    string
	options azuremcp.Options
	args    []string
	code    int
}{
	{"complete", azuremcp.Options{Insights: 6}, nil, 0},
	{"limited", azuremcp.Options{Insights: 6}, []string{"-total", "4"}, 0},
	{"filtered", azuremcp.Options{Insights: 12}, []string{"-severity", "high", "-category", "tool_call_failures", "-status", "active", "-order", "asc", "-after", "insight_000000000000000000000001"}, 0},
	{"empty", azuremcp.Options{Insights: 6}, []string{"-category", "nothing"}, 0},
	{"strange", azuremcp.Options{Pages: strange}, nil, 0},
	{"incomplete-cursor", azuremcp.Options{Insights: 3, Faults: []insightstest.Fault{insightstest.MissingCursor}}, nil, 3},
	{"incomplete-page", azuremcp.Options{Pages: []json.RawMessage{
		json.RawMessage(`{"data":[{"id":"1","title":"First"}],"last_id":"page-2","has_more":true}`),
		json.RawMessage(`{"data":[{"id":"2"}]}`),
	}}, nil, 3},
	{"no-monitor", azuremcp.Options{Always: insightstest.NoMonitor, Insights: 1}, nil, 1},
	{"refused", azuremcp.Options{Insights: 1}, []string{"-status", "open"}, 2},
}

func TestReportsAreAsRecorded(t *testing.T) {
	t.Parallel()
	for _, test := range reports {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			code, stdout, stderr := runReport(t, test.options, test.args...)
			golden(t, test.name+".txt", fmt.Sprintf("%sstderr: %s\nexit code: %d\n", stdout, stderr, code))
			require.Equal(t, test.code, code)

			code, stdout, stderr = runReport(t, test.options, append(test.args, "-json")...)
			golden(t, test.name+".json", stdout)
			require.Equal(t, test.code, code)
			require.Equal(t, code != 0, stderr != "", stderr)
		})
	}
}

// What must be true of every JSON report, whatever is recorded.
func TestJSONReportHasItsMembers(t *testing.T) {
	t.Parallel()
	for _, test := range reports {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			code, stdout, _ := runReport(t, test.options, append(test.args, "-json")...)
			var names []string
			decoder := json.NewDecoder(strings.NewReader(stdout))
			_, err := decoder.Token()
			require.NoError(t, err)
			for decoder.More() {
				name, err := decoder.Token()
				require.NoError(t, err)
				names = append(names, name.(string))
				require.NoError(t, decoder.Decode(new(json.RawMessage)))
			}
			require.Equal(t, []string{"complete", "hasMore", "count", "pages", "stopReason", "error", "filters", "insights"}, names)

			var got struct {
				Complete   bool
				HasMore    bool
				Count      int
				StopReason string
				Error      *struct{ Kind, Message string }
				Insights   []json.RawMessage
			}
			require.NoError(t, json.Unmarshal([]byte(stdout), &got))
			require.NotNil(t, got.Insights)
			require.Len(t, got.Insights, got.Count)
			require.Equal(t, got.StopReason == "end", got.Complete)
			require.Equal(t, code == 0, got.Error == nil)
			if got.Error != nil {
				require.Equal(t, got.Error.Kind, got.StopReason)
				require.NotEmpty(t, got.Error.Message)
			}
		})
	}
}

func TestJSONRowsAreTheServicesOwnBytes(t *testing.T) {
	t.Parallel()
	_, stdout, _ := runReport(t, azuremcp.Options{Pages: strange}, "-json")
	require.Contains(t, stdout, "\n"+`{"title":"`+strings.Repeat("Long titles are cut. ", 9)+`","id":"2","trace_count":5.0,"unknown":{"n":1e300,"a":1,"a":2}},`+"\n")
	require.Contains(t, stdout, `"trace_count":9007199254740993`)
}

func TestJSONFiltersAreAsGiven(t *testing.T) {
	t.Parallel()
	_, stdout, _ := runReport(t, azuremcp.Options{Insights: 1}, "-json", "-category", "cost & <time>", "-order", "asc", "-total", "7")
	require.Contains(t, stdout, `"filters":{"projectEndpoint":"`+insightstest.SampleEndpoint+`","agentName":"`+insightstest.SampleAgent+
		`","category":"cost & <time>","order":"asc","total":7}`)
}

func TestTableObeysNoEscapes(t *testing.T) {
	t.Parallel()
	_, stdout, _ := runReport(t, azuremcp.Options{Pages: strange})
	require.NotContains(t, stdout, "\x1b")
	require.NotContains(t, stdout, "\u202e")
	require.Len(t, strings.Split(stdout, "\n"), 7, "one line for each insight")
}

// Each way of failing has a message that a person can act on.
func TestFailuresSayWhatToDo(t *testing.T) {
	t.Parallel()
	var recorded strings.Builder
	for _, situation := range azuremcp.Situations() {
		options := azuremcp.Options{Situation: situation, Insights: 1}
		switch situation {
		case azuremcp.UnknownTool, azuremcp.Filtered, azuremcp.ProtocolError, azuremcp.ToolException, azuremcp.OtherException:
			options.Mode = azuremcp.All
		}
		code, stdout, stderr := runReport(t, options)
		require.Equal(t, exitFailed, code, situation)
		require.Empty(t, stdout, situation)
		fmt.Fprintf(&recorded, "%s\n  %s", situation, stderr)
	}
	golden(t, "failures.txt", recorded.String())
}

func TestUsage(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		args   []string
		code   int
		stderr string
	}{
		"no flags":           {nil, 2, "insightsreport: -endpoint and -agent are required\nUsage: insightsreport -endpoint URL -agent NAME [flags]"},
		"no agent":           {agent[:2], 2, "-endpoint and -agent are required"},
		"unknown flag":       {append(agent, "-limit", "3"), 2, "flag provided but not defined: -limit"},
		"a word too many":    {append(agent, "more"), 2, `unexpected argument "more"`},
		"total of no number": {append(agent, "-total", "x"), 2, `invalid value "x" for flag -total`},
		"negative total":     {append(agent, "-total", "-1"), 2, "the total must be at least 1, not -1"},
		"unknown order":      {append(agent, "-order", "newest"), 2, "order: must be asc or desc"},
		"help":               {[]string{"-help"}, 0, "Usage: insightsreport"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var stdout, stderr bytes.Buffer
			p := program{getenv: func(string) string { return "" }, stdout: &stdout, stderr: &stderr}
			require.Equal(t, test.code, p.run(t.Context(), test.args))
			require.Contains(t, stderr.String(), test.stderr)
			require.Empty(t, stdout.String())
		})
	}
}

func TestBadVariableIsWrongUsage(t *testing.T) {
	t.Parallel()
	var stdout, stderr bytes.Buffer
	p := program{getenv: func(string) string { return "?" }, stdout: &stdout, stderr: &stderr}
	require.Equal(t, exitUsage, p.run(t.Context(), agent))
	require.Equal(t, "insightsreport: INSIGHTS_ROUTE: must be direct, router, single or auto\n", stderr.String())
}

func TestEmbeddedBackendIsSaidToBeOne(t *testing.T) {
	t.Parallel()
	var stdout, stderr bytes.Buffer
	p := program{getenv: func(string) string { return "" }, stdout: &stdout, stderr: &stderr}
	require.Equal(t, exitOK, p.run(t.Context(), agent))
	require.Equal(t, "insightsreport: reading the embedded backend, whose data are made up\n", stderr.String())
	require.True(t, strings.HasSuffix(stdout.String(), "\ncomplete: 230 insights in 3 pages\n"))
}

func TestProgressGoesToATerminal(t *testing.T) {
	t.Parallel()
	var stdout, stderr bytes.Buffer
	p := program{getenv: func(string) string { return "" }, stdout: &stdout, stderr: &stderr, terminal: true}
	require.Equal(t, exitOK, p.run(t.Context(), append(agent, "-total", "101")))
	require.Contains(t, stderr.String(), "page 1: 100 insights so far\npage 2: 101 insights so far\n")
}

func TestInterruptedReportKeepsWhatWasRead(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	var stdout bytes.Buffer
	stderr := writerFunc(func(text []byte) (int, error) {
		if bytes.HasPrefix(text, []byte("page 1:")) {
			cancel()
		}
		return len(text), nil
	})
	p := program{getenv: func(string) string { return "" }, stdout: &stdout, stderr: stderr, terminal: true}
	require.Equal(t, exitIncomplete, p.run(ctx, agent))
	require.Contains(t, stdout.String(), "\nINCOMPLETE after 1 page and 100 insights: agent_insights_get: the call was ended before all was read: context canceled; go on with -after insight_")
}

func TestOutputThatCannotBeWrittenIsAFailure(t *testing.T) {
	t.Parallel()
	for _, format := range [][]string{nil, {"-json"}} {
		broken := writerFunc(func([]byte) (int, error) { return 0, errors.New("disk full") })
		var stderr bytes.Buffer
		p := program{getenv: func(string) string { return "" }, stdout: broken, stderr: &stderr}
		require.Equal(t, exitFailed, p.run(t.Context(), append(agent, format...)))
		require.Contains(t, stderr.String(), "insightsreport: disk full")
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// The exit codes as a shell sees them, and nothing but the report on stdout.
func TestProcess(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		options azuremcp.Options
		args    []string
		code    int
	}{
		{"complete", azuremcp.Options{Insights: 6}, agent, 0},
		{"failed", azuremcp.Options{Insights: 1, Situation: azuremcp.NoClient}, agent, 1},
		{"usage", azuremcp.Options{Insights: 1}, nil, 2},
		{"incomplete", azuremcp.Options{Insights: 3, Faults: []insightstest.Fault{insightstest.RepeatedCursor, insightstest.RepeatedCursor}, Always: insightstest.MissingCursor}, append(agent, "-json"), 3},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			log := filepath.Join(t.TempDir(), "log")
			process := exec.Command(os.Args[0], append([]string{"insightsreport"}, test.args...)...)
			process.Env = append(os.Environ(), "INSIGHTS_MCP_COMMAND="+command(test.options, log))
			var stdout, stderr bytes.Buffer
			process.Stdout, process.Stderr = &stdout, &stderr
			err := process.Run()
			require.Equal(t, test.code, process.ProcessState.ExitCode(), "%v: %s", err, stderr.String())
			switch test.code {
			case exitOK:
				require.Contains(t, stdout.String(), "\ncomplete: 6 insights in 1 page\n")
				require.Empty(t, stderr.String())
			case exitIncomplete:
				require.True(t, json.Valid(stdout.Bytes()))
				require.Contains(t, stderr.String(), "INCOMPLETE after ")
			default:
				require.Empty(t, stdout.String())
				require.NotEmpty(t, stderr.String())
			}
			if test.code == exitUsage {
				require.NoFileExists(t, log, "the server was not even started")
			}
		})
	}
}

func TestOnlyHarmlessCursorsAreOffered(t *testing.T) {
	t.Parallel()
	for cursor, offered := range map[string]bool{
		"insight_1": true, "b64+/==": true, "a-b": true, "": false, "-x": false, "$(reboot)": false,
		"a b": false, "a'b": false, "é": false, "\x1b[0m": false, strings.Repeat("x", 600): false,
	} {
		got := goOn(insights.Collection{After: cursor})
		require.Equal(t, offered, got == "; go on with -after "+cursor, cursor)
		if !offered {
			require.Empty(t, got)
		}
	}
}
