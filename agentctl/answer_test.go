package agentctl_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/agentctl"
	"github.com/opsroom-go/opsroom/problem"
)

// Answers with everything that encoding and decoding again would change.
const (
	oddRows = ` { "total" : 9007199254740993, "%[1]s" : [ 5 , null, "x",true,[1e400] ,` +
		"\n" + `{"id":"a","id":"b","n":90071992547409931,"f":1.50,"Severity":"no","severity":"odd","status":7,"detail":[1]}, {} ] ,"z":{"b":1,"a":2} , "total":1 }` + "\n"
	oddRecord = ` { "next" : null, "exception" : {"z":1,"id":"e1","n":9007199254740993,"severity":"critical","detail":{ "a":1.0 }} }`
)

func TestAnswersReachTheHostByteForByte(t *testing.T) {
	t.Parallel()
	for tool, test := range map[string]struct{ arguments, answer string }{
		"list_agent_exceptions": {`{}`, fmt.Sprintf(oddRows, "exceptions")},
		"list_agent_runs":       {`{"missionId":"m"}`, fmt.Sprintf(oddRows, "runs")},
		"raise_agent_exception": {`{"runId":"r","category":"a","severity":"info","message":"m"}`, oddRecord},
	} {
		for _, status := range []int{200, 201, 202} {
			client, requests := newAnswer(t, status, test.answer)
			result, err := call(t, client, tool, test.arguments)
			require.NoError(t, err)
			require.Equal(t, test.answer, string(result.Structured))
			require.Equal(t, test.answer, result.Text)
			require.False(t, result.IsError)
			require.Equal(t, int32(1), requests.Load())

			schema := toolOf(t, client, tool).OutputSchema
			object, fits := newOracle(t, schema).accepts(result.Structured)
			require.True(t, fits, "the answer fits the output schema")
			require.NotNil(t, object)
		}
	}
}

func TestPagesKeepTheirBytesAndRows(t *testing.T) {
	t.Parallel()
	answer := fmt.Sprintf(oddRows, "exceptions")
	client, _ := newAnswer(t, 200, answer)
	page, err := client.ListExceptions(t.Context(), agentctl.ListExceptionsParams{})
	require.NoError(t, err)
	require.Equal(t, answer, string(page.Raw))
	require.Equal(t, "req-7", page.RequestID)
	var rows []string
	for _, exception := range page.Exceptions {
		rows = append(rows, string(exception.Raw))
	}
	require.Equal(t, []string{
		`5`, `null`, `"x"`, `true`, `[1e400]`,
		`{"id":"a","id":"b","n":90071992547409931,"f":1.50,"Severity":"no","severity":"odd","status":7,"detail":[1]}`, `{}`,
	}, rows)
	require.Equal(t, agentctl.Exception{Raw: json.RawMessage("5")}, page.Exceptions[0], "a row that is no object has no members")
	odd := page.Exceptions[5]
	require.Equal(t, agentctl.Exception{ID: "b", Severity: "odd", Detail: json.RawMessage("[1]"), Raw: odd.Raw}, odd)

	client, _ = newAnswer(t, 200, fmt.Sprintf(oddRows, "runs"))
	runs, err := client.ListRuns(t.Context(), agentctl.ListRunsParams{MissionID: "m"})
	require.NoError(t, err)
	require.Equal(t, fmt.Sprintf(oddRows, "runs"), string(runs.Raw))
	require.Equal(t, "req-7", runs.RequestID)
	require.Len(t, runs.Runs, 7)
	require.Equal(t, agentctl.Run{ID: "b", Raw: odd.Raw}, runs.Runs[5])
}

func TestRowsOfTheUsualNamesAreReadAndDecoded(t *testing.T) {
	t.Parallel()
	const row = `{"id":"e1","missionId":"m1","runId":"r1","stepId":"s1","category":"a.b","severity":"info","status":"open","message":"é\n","detail":{"n":9007199254740993},"raisedBy":"agent-7"}`
	client, _ := newAnswer(t, 201, `{"exception":`+row+`}`)
	exception, err := client.RaiseException(t.Context(), agentctl.RaiseExceptionParams{RunID: "r1", Category: "a.b", Severity: agentctl.SeverityInfo, Message: "m"})
	require.NoError(t, err)
	require.Equal(t, agentctl.Exception{
		ID: "e1", MissionID: "m1", RunID: "r1", StepID: "s1", Category: "a.b", Severity: agentctl.SeverityInfo, Status: agentctl.ExceptionOpen,
		Message: "é\n", Detail: json.RawMessage(`{"n":9007199254740993}`), Raw: json.RawMessage(row),
	}, exception)
	var own struct{ RaisedBy string }
	require.NoError(t, exception.Decode(&own))
	require.Equal(t, "agent-7", own.RaisedBy)
	encoded, err := json.Marshal(exception)
	require.NoError(t, err)
	require.Equal(t, row, string(encoded))

	client, _ = newAnswer(t, 200, `{"runs":[{"runId":"r1","missionId":"m1","status":"paused","mandate":{"id":"x"}}]}`)
	page, err := client.ListRuns(t.Context(), agentctl.ListRunsParams{MissionID: "m1"})
	require.NoError(t, err)
	run := page.Runs[0]
	require.Equal(t, agentctl.Run{MissionID: "m1", Status: "paused", Raw: run.Raw}, run)
	require.False(t, run.Status.Terminal())
	require.False(t, run.Status.Parked())
	var mandate struct{ Mandate struct{ ID string } }
	require.NoError(t, run.Decode(&mandate))
	require.Equal(t, "x", mandate.Mandate.ID)
	encoded, err = json.Marshal(page.Runs)
	require.NoError(t, err)
	require.Equal(t, `[`+string(run.Raw)+`]`, string(encoded))
}

func TestZeroRowsEncodeAsNull(t *testing.T) {
	t.Parallel()
	encoded, err := json.Marshal([]any{agentctl.Exception{}, agentctl.Run{}})
	require.NoError(t, err)
	require.Equal(t, "[null,null]", string(encoded))
	require.Error(t, agentctl.Run{}.Decode(new(any)))
}

func TestStatusesAreTerminalOrParkedOnlyIfTheContractSaysSo(t *testing.T) {
	t.Parallel()
	for status, want := range map[agentctl.RunStatus][2]bool{
		agentctl.RunRunning: {}, agentctl.RunWaitingApproval: {false, true}, agentctl.RunBlocked: {false, true},
		agentctl.RunSucceeded: {true, false}, agentctl.RunFailed: {true, false}, agentctl.RunCancelled: {true, false},
		"": {}, "Succeeded": {}, "completed": {}, "paused": {},
	} {
		require.Equal(t, want, [2]bool{status.Terminal(), status.Parked()}, status)
	}
}

// malformed are answers of status 2xx that are not what the contract says, with a
// canary that no error may repeat.
func malformed(member, value string) map[string]string {
	const shape = "the answer is malformed: "
	return map[string]string{
		``:                           shape + "the document is empty",
		`<html>canary</html>`:        shape + "the document is not one complete JSON value",
		`{"` + member + `":` + value: shape + "the document is not one complete JSON value",
		`{"` + member + `":` + value + `} canary`:                shape + "data follows the JSON value",
		"{\"canary\":\"\xff\",\"" + member + "\":" + value + "}": shape + "the document is not valid UTF-8",
		`null`:         shape + "object expected, null found",
		`"canary"`:     shape + "object expected, string found",
		value:          shape + map[bool]string{true: `member "` + member + `" is missing`, false: "object expected, array found"}[value == "{}"],
		`{"canary":1}`: shape + `member "` + member + `" is missing`,
		`{"` + strings.ToUpper(member) + `":` + value + `}`:      shape + `member "` + member + `" is missing`,
		`{"` + member + `":null}`:                                shape + `member "` + member + `": ` + expected(value) + ` expected, null found`,
		`{"` + member + `":"canary"}`:                            shape + `member "` + member + `": ` + expected(value) + ` expected, string found`,
		`{"` + member + `":12345}`:                               shape + `member "` + member + `": ` + expected(value) + ` expected, number found`,
		`{"` + member + `":true,"` + member + `":` + value + `}`: shape + `member "` + member + `" is repeated`,
	}
}

func expected(value string) string {
	if value == "{}" {
		return "object"
	}
	return "array"
}

func TestMalformedAnswersAreTypedErrorsThatRepeatNothing(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ tool, arguments, member, value string }{
		{"list_agent_exceptions", `{}`, "exceptions", "[]"},
		{"list_agent_runs", `{"missionId":"m"}`, "runs", "[]"},
		{"raise_agent_exception", `{"runId":"r","category":"a","severity":"info","message":"m"}`, "exception", "{}"},
	} {
		for body, want := range malformed(test.member, test.value) {
			client, requests := newAnswer(t, 200, body)
			result, err := call(t, client, test.tool, test.arguments)
			require.ErrorIs(t, err, opsroom.ErrMalformedBody, body)
			failure, ok := errors.AsType[*opsroom.RequestError](err)
			require.True(t, ok)
			require.Equal(t, test.tool+": "+want+" (request id req-7)", failure.Error())
			require.Equal(t, 200, failure.Status)
			require.Equal(t, 1, failure.Attempts)
			require.False(t, failure.NotSent)
			require.Equal(t, int32(1), requests.Load(), "asked once")
			for _, text := range []string{err.Error(), result.Text, fmt.Sprintf("%+v", err), fmt.Sprintf("%#v", failure)} {
				require.NotContains(t, text, "canary")
				require.NotContains(t, text, "12345")
			}
			if raise, ok := errors.AsType[*agentctl.RaiseError](err); ok {
				require.Equal(t, agentctl.OutcomeAccepted, raise.Outcome)
			}
		}
	}
}

func TestProblemsReachTheHostAndTheModel(t *testing.T) {
	t.Parallel()
	server, client := newServer(t)
	_, err := client.ListRuns(t.Context(), agentctl.ListRunsParams{MissionID: "nobody"})
	require.ErrorIs(t, err, problem.Status(404))
	require.ErrorIs(t, err, problem.Code("mission_not_found"))
	require.Equal(t, 1, len(server.Requests()))

	result, err := call(t, client, "list_agent_runs", `{"missionId":"nobody"}`)
	require.Equal(t, err.Error(), result.Text)
	require.Nil(t, result.Structured)
	require.True(t, result.IsError)
	require.Contains(t, result.Text, "mission_not_found")
}
