package insights_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/insights"
)

const arguments = `{"projectEndpoint":"https://acct.services.ai.azure.com/api/projects/p1","agentName":"support-agent"}`

func TestToolResultIsThePageByteForByteWhateverTheRoute(t *testing.T) {
	t.Parallel()
	const raw = `{ "has_more" : false, "data":[{"z":1.50,"id":"a","n":9007199254740993}], "extra":"\u00e9" }`
	for name, a := range map[string]answer{
		"text":       text(" \ufeff" + raw + "\n"),
		"structured": structured(raw),
		"both":       {result: insights.ToolResult{Structured: json.RawMessage(raw), Text: []string{raw}}},
		"envelope":   text(`{"status":200,"message":"Success","results":` + raw + `,"duration":1}`),
	} {
		s := &script{answers: []answer{a}}
		tool := s.client(t, &insights.Options{Route: insights.Router("foundry")}).Tools()[0]
		result, err := tool.Call(t.Context(), json.RawMessage(arguments))
		require.NoError(t, err, name)
		require.Equal(t, opsroom.Result{Structured: json.RawMessage(raw), Text: raw}, result, name)
	}
}

func TestToolSendsArgumentsUnchangedAndOneCallOnly(t *testing.T) {
	t.Parallel()
	s := &script{answers: []answer{page(true, "c1", "a")}}
	tool := s.client(t, nil).Tools()[0]
	_, err := tool.Call(t.Context(), json.RawMessage(`{"agentName":"support-agent","limit":5.0,"projectEndpoint":"`+query.ProjectEndpoint+`","includeDetails":false,"after":"c0"}`))
	require.NoError(t, err)
	require.Equal(t, []map[string]any{{"projectEndpoint": query.ProjectEndpoint, "agentName": "support-agent",
		"limit": int64(5), "includeDetails": false, "after": "c0"}}, s.calls)
}

func TestToolAnswersEveryKindOfArguments(t *testing.T) {
	t.Parallel()
	s := &script{answers: []answer{page(false, "")}}
	tool := s.client(t, nil).Tools()[0]
	for _, raw := range []string{``, `null`, `{}`, `[]`, `"x"`, `1`, `{`, "\xff", `{"agentName":null}`} {
		result, err := tool.Call(t.Context(), json.RawMessage(raw))
		var input *opsroom.InputError
		require.ErrorAs(t, err, &input, raw)
		require.Equal(t, opsroom.Result{Text: err.Error(), IsError: true}, result)
	}
	require.Empty(t, s.calls)
}

func TestToolFailureIsTextForTheModelAndAnErrorForTheHost(t *testing.T) {
	t.Parallel()
	s := &script{answers: []answer{flagged("No monitor was found.")}}
	result, err := s.client(t, nil).Tools()[0].Call(t.Context(), json.RawMessage(arguments))
	require.ErrorIs(t, err, insights.NoMonitor)
	require.True(t, result.IsError)
	require.Nil(t, result.Structured)
	require.Equal(t, "agent_insights_get: the agent has no monitor; one must be set up in Foundry before there can be insights: No monitor was found.", result.Text)
}

func TestEveryPageThatIsReadPassesTheOutputSchema(t *testing.T) {
	t.Parallel()
	s := &script{}
	tool := s.client(t, nil).Tools()[0]
	schema, err := tool.OutputSchema.JSONSchema().Resolve(nil)
	require.NoError(t, err)
	for _, raw := range []string{
		`{"data":[],"has_more":false}`, `{"data":[{"id":"a","x":[]}],"first_id":null,"last_id":7,"has_more":false,"more":{}}`,
		`{"data":[{"id":"a"}],"last_id":"a","has_more":true}`,
	} {
		s.answers = []answer{text(raw)}
		result, err := tool.Call(t.Context(), json.RawMessage(arguments))
		require.NoError(t, err)
		var value any
		require.NoError(t, json.Unmarshal(result.Structured, &value))
		require.NoError(t, schema.Validate(value), raw)
	}
}
