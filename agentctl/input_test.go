package agentctl_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/agentctl"
)

func requireRefused(t *testing.T, err error, want string) {
	t.Helper()
	require.EqualError(t, err, want)
	_, ok := errors.AsType[*opsroom.InputError](err)
	require.True(t, ok)
}

const refused = ": invalid arguments, nothing was sent: "

// refusals are calls that must fail before anything is sent: by the typed method, if
// it can be called so, and by the tool, with the same text.
var refusals = map[string]struct {
	tool      string
	arguments string
	params    any
	want      string
}{
	"everything wrong about exceptions": {
		"list_agent_exceptions",
		`{"x":1,"offset":9007199254740992,"limit":201,"severity":"high","status":"closed","runId":"` + strings.Repeat("漢", 129) + `","missionId":"` + strings.Repeat("😀", 129) + `"}`,
		nil,
		`missionId: must have at most 128 characters, has 129; runId: must have at most 128 characters, has 129; ` +
			`status: must be open or resolved, not "closed"; severity: must be info, warning or critical, not "high"; ` +
			`limit: must be at most 200; offset: must be at most 9007199254740991; x: is not a known member`,
	},
	"everything that can be wrong about typed exceptions": {
		"list_agent_exceptions",
		`{"missionId":"` + strings.Repeat("漢", 129) + `","status":"closed","severity":"high","limit":-1,"offset":-1}`,
		agentctl.ListExceptionsParams{MissionID: strings.Repeat("漢", 129), Status: "closed", Severity: "high", Limit: -1, Offset: -1},
		`missionId: must have at most 128 characters, has 129; status: must be open or resolved, not "closed"; ` +
			`severity: must be info, warning or critical, not "high"; limit: must be at least 1; offset: must be at least 0`,
	},
	"text that is not valid": {
		"list_agent_exceptions", "{\"missionId\":\"\xff\",\"runId\":\"\xed\xa0\x80\"}",
		agentctl.ListExceptionsParams{MissionID: "\xff", RunID: "\xed\xa0\x80"},
		`missionId: must be valid Unicode text; runId: must be valid Unicode text`,
	},
	"numbers of the wrong kind": {
		"list_agent_exceptions", `{"limit":"5","offset":1.5}`, nil,
		`limit: must be a number, not a string; offset: must be an integer, not "1.5"`,
	},
	"a limit of zero": {
		"list_agent_exceptions", `{"limit":0}`, nil, `limit: must be at least 1`,
	},
	"empty texts": {
		"list_agent_exceptions", `{"missionId":"","runId":"","status":"","severity":""}`, nil,
		`missionId: must have at least 1 character, has 0; runId: must have at least 1 character, has 0; ` +
			`status: must be open or resolved, not ""; severity: must be info, warning or critical, not ""`,
	},
	"nulls": {
		"list_agent_exceptions", `{"missionId":null,"limit":null}`, nil,
		`missionId: must be a string, not null; limit: must be a number, not null`,
	},
	"no mission": {
		"list_agent_runs", `{}`, agentctl.ListRunsParams{}, `missionId: is required`,
	},
	"an empty mission": {
		"list_agent_runs", `{"missionId":""}`, nil, `missionId: must have at least 1 character, has 0`,
	},
	"a dot": {
		"list_agent_runs", `{"missionId":"."}`, agentctl.ListRunsParams{MissionID: "."}, `missionId: must not be ".": a URL path cannot carry it`,
	},
	"two dots": {
		"list_agent_runs", `{"missionId":".\u002e"}`, agentctl.ListRunsParams{MissionID: ".."}, `missionId: must not be "..": a URL path cannot carry it`,
	},
	"another status of runs": {
		"list_agent_runs", `{"missionId":"m","status":"open"}`, agentctl.ListRunsParams{MissionID: "m", Status: "open"},
		`status: must be running, waiting_approval, blocked, succeeded, failed or cancelled, not "open"`,
	},
	"nothing to raise": {
		"raise_agent_exception", `{}`, agentctl.RaiseExceptionParams{},
		`runId: is required; category: is required; severity: is required; message: is required`,
	},
	"everything wrong about a raise": {
		"raise_agent_exception",
		`{"runId":"..","category":"Policy","severity":"fatal","message":"` + strings.Repeat("😀", 2001) + `","detail":[],"stepId":"` + strings.Repeat("s", 129) + `"}`,
		agentctl.RaiseExceptionParams{
			RunID: "..", Category: "Policy", Severity: "fatal", Message: strings.Repeat("😀", 2001), Detail: []string{}, StepID: strings.Repeat("s", 129),
		},
		`runId: must not be "..": a URL path cannot carry it; ` +
			`category: must be lower-case words of letters and digits joined by one of . _ : - (such as "policy.spend-limit"), not "Policy"; ` +
			`severity: must be info, warning or critical, not "fatal"; ` +
			`message: must have at most 2000 characters, has 2001; ` +
			`detail: must be an object, not an array; ` +
			`stepId: must have at most 128 characters, has 129`,
	},
	"detail is null": {
		"raise_agent_exception", `{"runId":"r","category":"a","severity":"info","message":"m","detail":null}`,
		agentctl.RaiseExceptionParams{RunID: "r", Category: "a", Severity: "info", Message: "m", Detail: json.RawMessage("null")},
		`detail: must be an object, not null`,
	},
	"detail is a text": {
		"raise_agent_exception", `{"runId":"r","category":"a","severity":"info","message":"m","detail":"x"}`,
		agentctl.RaiseExceptionParams{RunID: "r", Category: "a", Severity: "info", Message: "m", Detail: "x"},
		`detail: must be an object, not a string`,
	},
	"detail that is no valid text": {
		"raise_agent_exception", "{\"runId\":\"r\",\"category\":\"a\",\"severity\":\"info\",\"message\":\"m\",\"detail\":{\"a\":\"\xff\"}}",
		agentctl.RaiseExceptionParams{RunID: "r", Category: "a", Severity: "info", Message: "m", Detail: json.RawMessage("{\"a\":\"\xff\"}")},
		`detail: must hold only valid Unicode text`,
	},
	"detail that is no JSON": {
		"", ``,
		agentctl.RaiseExceptionParams{RunID: "r", Category: "a", Severity: "info", Message: "m", Detail: json.RawMessage(`{"a":`), StepID: "\xff"},
		`detail: must be a JSON object: the document is not one complete JSON value; stepId: must be valid Unicode text`,
	},
	"detail that cannot be encoded": {
		"", ``,
		agentctl.RaiseExceptionParams{RunID: "r", Severity: "info", Message: "m", Detail: map[string]any{"secret": func() {}}},
		`category: is required; detail: cannot be encoded as JSON`,
	},
	"a lone surrogate": {
		"raise_agent_exception", `{"runId":"r\ud800","category":"a","severity":"info","message":"\udc00"}`, nil,
		`runId: must be valid Unicode text; message: must be valid Unicode text`,
	},
	"misspelt members": {
		"raise_agent_exception", `{"run_id":"r","Category":"a","severity":"info","message":"m","details":{},"stepID":"s","idempotencyKey":"k"}`, nil,
		`runId: is required; category: is required; run_id: is not a known member (did you mean "runId"?); ` +
			`Category: is not a known member (did you mean "category"?); details: is not a known member (did you mean "detail"?); ` +
			`stepID: is not a known member (did you mean "stepId"?); idempotencyKey: is not a known member`,
	},
	"members given twice": {
		"raise_agent_exception", `{"runId":"r","category":"a","severity":"info","message":"m","severity":"info","run\u0049d":"r"}`, nil,
		`runId: must be given only once; severity: must be given only once`,
	},
	"long values": {
		"raise_agent_exception", `{"runId":"r","category":"` + strings.Repeat("A", 120) + `","severity":"` + strings.Repeat("s", 500) + `","message":"m","` + strings.Repeat("n", 300) + `":1}`, nil,
		`category: must be lower-case words of letters and digits joined by one of . _ : - (such as "policy.spend-limit"), not "` + strings.Repeat("A", 40) + `"…; ` +
			`severity: must be info, warning or critical, not "` + strings.Repeat("s", 40) + `"…; "` + strings.Repeat("n", 40) + `"…: is not a known member`,
	},
}

func TestWrongArgumentsAreRefusedAtOnceAndAlike(t *testing.T) {
	t.Parallel()
	for name, test := range refusals {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := newSilent(t)
			if test.tool != "" {
				result, err := call(t, client, test.tool, test.arguments)
				requireRefused(t, err, test.tool+refused+test.want)
				require.True(t, result.IsError)
				require.Nil(t, result.Structured)
				require.Equal(t, err.Error(), result.Text)
			}
			var err error
			operation := ""
			switch params := test.params.(type) {
			case agentctl.ListExceptionsParams:
				operation = "list_agent_exceptions"
				_, err = client.ListExceptions(t.Context(), params)
			case agentctl.ListRunsParams:
				operation = "list_agent_runs"
				_, err = client.ListRuns(t.Context(), params)
			case agentctl.RaiseExceptionParams:
				operation = "raise_agent_exception"
				_, err = client.RaiseException(t.Context(), params)
			default:
				return
			}
			requireRefused(t, err, operation+refused+test.want)
		})
	}
}

func TestLongestTextsAreAccepted(t *testing.T) {
	t.Parallel()
	for _, character := range []string{"x", "é", "漢", "😀"} {
		client, requests := newAnswer(t, 200, `{"exceptions":[],"runs":[],"exception":{}}`)
		id, category := strings.Repeat(character, 128), "a"+strings.Repeat(".b", 59)+"c"
		require.Len(t, category, 120)
		_, err := client.ListExceptions(t.Context(), agentctl.ListExceptionsParams{MissionID: id, RunID: id})
		require.NoError(t, err)
		_, err = client.ListRuns(t.Context(), agentctl.ListRunsParams{MissionID: id})
		require.NoError(t, err)
		_, err = client.RaiseException(t.Context(), agentctl.RaiseExceptionParams{
			RunID: id, Category: category, Severity: agentctl.SeverityInfo, Message: strings.Repeat(character, 2000), StepID: id,
		})
		require.NoError(t, err)
		require.Equal(t, int32(3), requests.Load())
	}
}

func TestCategoriesFollowThePattern(t *testing.T) {
	t.Parallel()
	raise := func(client *agentctl.Client, category string) error {
		_, err := client.RaiseException(t.Context(), agentctl.RaiseExceptionParams{
			RunID: "r", Category: category, Severity: agentctl.SeverityInfo, Message: "m",
		})
		return err
	}
	for _, category := range []string{"a", "a1", "a.b", "a_b:c-d.e", "a1.2", "z9-0"} {
		client, _ := newAnswer(t, 201, `{"exception":{}}`)
		require.NoError(t, raise(client, category), category)
	}
	for _, category := range []string{"A", "1a", "a.", ".a", "a..b", "a.-b", "a b", "a\n", "é", "a/b", "a.B", "-"} {
		require.ErrorContains(t, raise(newSilent(t), category), "category: must be lower-case words", category)
	}
}

func TestNoArgumentsAreAnsweredByEveryTool(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"list_agent_exceptions", "raise_agent_exception", "list_agent_runs"} {
		for _, arguments := range []string{"", "null", "{}", " \n"} {
			client, requests := newAnswer(t, 200, `{"exceptions":[]}`)
			result, err := call(t, client, tool, arguments)
			if tool == "list_agent_exceptions" {
				require.NoError(t, err)
				require.Equal(t, `{"exceptions":[]}`, result.Text)
				require.Equal(t, int32(1), requests.Load())
			} else {
				require.ErrorContains(t, err, "is required")
				require.Zero(t, requests.Load())
			}
		}
		for arguments, kind := range map[string]string{`[]`: "an array", `"x"`: "a string", `1`: "a number", `true`: "a boolean"} {
			_, err := call(t, newSilent(t), tool, arguments)
			requireRefused(t, err, tool+refused+"arguments: must be a JSON object, not "+kind)
		}
		for _, arguments := range []string{"{", "{}x", "\xff", "undefined"} {
			_, err := call(t, newSilent(t), tool, arguments)
			require.ErrorContains(t, err, tool+refused+"arguments: must be one JSON object: ")
		}
	}
}

func TestARaiseThatIsRefusedWasNotSent(t *testing.T) {
	t.Parallel()
	_, err := newSilent(t).RaiseException(t.Context(), agentctl.RaiseExceptionParams{RunID: "r", Message: "m"})
	failure, ok := errors.AsType[*agentctl.RaiseError](err)
	require.True(t, ok)
	require.Equal(t, agentctl.OutcomeNotSent, failure.Outcome)
	require.Equal(t, "r", failure.Params.RunID)
	require.False(t, failure.Started.IsZero())
}
