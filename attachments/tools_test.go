package attachments_test

import (
	"encoding/json"
	"errors"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/attachments"
	"github.com/opsroom-go/opsroom/attachments/attachmentstest"
)

func theTool(t *testing.T, server *attachmentstest.Server) opsroom.Tool {
	t.Helper()
	tools := newClient(t, server.Endpoint(), nil).Tools()
	require.Len(t, tools, 1)
	return tools[0]
}

func TestTheToolIsDescribedInFull(t *testing.T) {
	t.Parallel()
	tool := theTool(t, newServer(t))
	require.Equal(t, "list_agent_mcp_attachments", tool.Name)
	require.Equal(t, "List an agent's MCP attachments", tool.Title)
	require.NotEmpty(t, tool.Description)
	require.Equal(t, opsroom.Annotations{ReadOnly: true, Idempotent: true}, tool.Annotations)
	for which, schema := range map[string]opsroom.Schema{"input": tool.InputSchema, "output": tool.OutputSchema} {
		file, err := os.ReadFile("schemas/list_agent_mcp_attachments." + which + ".json")
		require.NoError(t, err)
		require.Equal(t, strings.TrimSpace(string(file)), schema.String())
		require.Equal(t, "https://json-schema.org/draft/2020-12/schema", schema.JSONSchema().Schema)
		require.Equal(t, "object", schema.JSONSchema().Type)
		_, err = schema.JSONSchema().Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true})
		require.NoError(t, err)
	}
	require.JSONEq(t, `{
		"$schema": "https://json-schema.org/draft/2020-12/schema",
		"type": "object",
		"properties": {"agent_id": {"description": "The agent: its id (agent_…) or its name.", "type": "string", "minLength": 1}},
		"required": ["agent_id"],
		"additionalProperties": false
	}`, tool.InputSchema.String())
}

// members are the 21 of the contract.
var members = []string{
	"action", "acts_as", "can_revoke", "connect_in_chat", "connected_as", "connection_provider", "contributor", "deferred", "editable",
	"header_names", "name", "overridden_sources", "preset_id", "preset_name", "service_connection_provider", "source", "source_label",
	"state", "tools", "tools_available", "url",
}

func TestTheOutputSchemaHasTheContractsMembers(t *testing.T) {
	t.Parallel()
	schema := theTool(t, newServer(t)).OutputSchema.JSONSchema()
	require.Equal(t, []string{"attachments"}, schema.Required)
	row := schema.Properties["attachments"].Items
	require.Equal(t, members, slices.Sorted(maps.Keys(row.Properties)))
	for name, values := range map[string][]any{
		"action":          {"none", "connect", "authorize", "ask_admin"},
		"acts_as":         {"none", "service", "user", "user_or_service"},
		"connect_in_chat": {"ask", "never"},
		"source":          {"capability", "harness", "agent"},
		"state":           {"ready", "connection_missing", "preset_missing"},
	} {
		require.Equal(t, values, row.Properties[name].Examples, name)
	}
	optional := []string{"connected_as", "connection_provider", "contributor", "preset_id", "preset_name", "service_connection_provider", "url"}
	for name, property := range row.Properties {
		require.Equal(t, slices.Contains(optional, name), slices.Contains(property.Types, "null"), name)
		require.NotEmpty(t, property.Description, name)
	}
}

func TestTheOutputSchemaRefusesNothingThatTheBackendMaySend(t *testing.T) {
	t.Parallel()
	resolved, err := theTool(t, newServer(t)).OutputSchema.JSONSchema().Resolve(nil)
	require.NoError(t, err)
	fixtures, err := json.Marshal(attachmentstest.Fixtures())
	require.NoError(t, err)
	for name, array := range map[string]string{
		"every fixture":                string(fixtures),
		"every member, and a new one":  "[" + everything + "]",
		"none":                         `[]`,
		"no members":                   `[{}]`,
		"unknown values":               `[{"state":"x","action":"x","acts_as":"x","source":"x","connect_in_chat":"x","overridden_sources":[{"source":"x","more":1}]}]`,
		"null for what is optional":    `[{"connected_as":null,"connection_provider":null,"contributor":null,"preset_id":null,"preset_name":null,"service_connection_provider":null,"url":null}]`,
		"links added to a contributor": `[{"contributor":{"id":"agent_x","name":"n","href":"/h","self_url":"s","view_url":"v","ui_link":"u"}}]`,
		"links added to the element":   `[{"name":"n","self_url":"s"}]`,
	} {
		var value any
		require.NoError(t, json.Unmarshal([]byte(`{"attachments":`+array+`,"more":1}`), &value))
		require.NoError(t, resolved.Validate(value), name)
	}
}

func TestTheToolReturnsTheExactArray(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	rows := []string{
		`{"name":"a","n":9007199254740993,"z":1e400, "y" : [1.0,"\u00e9"],"name":"a"}`,
		`{"url":null,"name":"b"}`,
	}
	agent := server.AddAgent("bot", attachments.Attachment{Raw: json.RawMessage(rows[1])}, attachments.Attachment{Raw: json.RawMessage(rows[0])})
	result, err := theTool(t, server).Call(t.Context(), json.RawMessage(`{"agent_id":"`+agent.ID+`"}`))
	require.NoError(t, err)
	want := `{"attachments":[` + strings.Join(rows, ",") + `]}`
	require.Equal(t, opsroom.Result{Structured: json.RawMessage(want), Text: want}, result)
}

func TestTheToolShowsFailuresToTheModelAndToTheHost(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	result, err := theTool(t, server).Call(t.Context(), json.RawMessage(`{"agent_id":"nobody"}`))
	const text = "list_agent_mcp_attachments: 404 Not Found: Agent not found (request id " + requestID + ")"
	require.EqualError(t, err, text)
	require.Equal(t, opsroom.Result{Text: text, IsError: true}, result)
}

func TestOddArgumentsGetAnAnswerAndSendNothing(t *testing.T) {
	t.Parallel()
	const prefix = "list_agent_mcp_attachments: invalid arguments, nothing was sent: "
	server := newServer(t)
	tool := theTool(t, server)
	for arguments, want := range map[string]string{
		"":                                    "agent_id: is required",
		"null":                                "agent_id: is required",
		" null ":                              "agent_id: is required",
		"{}":                                  "agent_id: is required",
		"[]":                                  "arguments: must be a JSON object, not an array",
		`"x"`:                                 "arguments: must be a JSON object, not a string",
		"7":                                   "arguments: must be a JSON object, not a number",
		"{":                                   "arguments: must be one JSON object: the document is not one complete JSON value",
		`{"agent_id":"a"} {}`:                 "arguments: must be one JSON object: data follows the JSON value",
		`{"agent_id":null}`:                   "agent_id: must be a string, not null",
		`{"agent_id":7}`:                      "agent_id: must be a string, not a number",
		`{"agent_id":["a"]}`:                  "agent_id: must be a string, not an array",
		`{"agent_id":""}`:                     "agent_id: must have at least 1 character, has 0",
		`{"agent_id":"."}`:                    `agent_id: must not be ".": a URL path cannot carry it`,
		`{"agent_id":"\u002e\u002e"}`:         `agent_id: must not be "..": a URL path cannot carry it`,
		`{"agent_id":"\ud800"}`:               "agent_id: must be valid Unicode text",
		`{"agent_id":"a","agent_id":"a"}`:     "agent_id: must be given only once",
		`{"agentId":"a"}`:                     `agent_id: is required; agentId: is not a known member (did you mean "agent_id"?)`,
		`{"agent_id":"","X-Org-Id":1,"q":{}}`: `agent_id: must have at least 1 character, has 0; X-Org-Id: is not a known member; q: is not a known member`,
	} {
		result, err := tool.Call(t.Context(), json.RawMessage(arguments))
		require.EqualError(t, err, prefix+want, arguments)
		_, ok := errors.AsType[*opsroom.InputError](err)
		require.True(t, ok)
		require.Equal(t, opsroom.Result{Text: prefix + want, IsError: true}, result)
	}
	require.Empty(t, server.Requests())
}

func TestALongValueIsNotEchoed(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("secret", 1000)
	_, err := theTool(t, newServer(t)).Call(t.Context(), json.RawMessage(`{"agent_id":1,"`+long+`":"`+long+`"}`))
	require.Error(t, err)
	require.Less(t, len(err.Error()), 250)
}

func TestToolsMayBeCalledConcurrently(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	agent := server.AddAgent("bot", attachmentstest.Fixtures()...)
	tool := theTool(t, server)
	done := make(chan error)
	for range 20 {
		go func() {
			_, err := tool.Call(t.Context(), json.RawMessage(`{"agent_id":"`+agent.Name+`"}`))
			done <- err
		}()
	}
	for range 20 {
		require.NoError(t, <-done)
	}
	require.Len(t, server.Requests(), 20)
}
