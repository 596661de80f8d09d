package insights

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/internal/rawjson"
)

const (
	testEndpoint = "https://acct.services.ai.azure.com/api/projects/p1"
	testAgent    = "support-agent"
)

var testQuery = Query{ProjectEndpoint: testEndpoint, AgentName: testAgent}

func TestQuerySendsWhatIsSetAndNothingElse(t *testing.T) {
	t.Parallel()
	parameters, err := testQuery.parameters()
	require.NoError(t, err)
	require.Equal(t, map[string]any{"projectEndpoint": testEndpoint, "agentName": testAgent}, parameters)

	full := Query{
		ProjectEndpoint: testEndpoint, AgentName: testAgent, Category: "latency", Severity: "future-severity",
		Status: StatusIgnored, IncludeDetails: new(false), Order: OldestFirst, After: "cursor", Limit: 100,
	}
	parameters, err = full.parameters()
	require.NoError(t, err)
	require.Equal(t, map[string]any{
		"projectEndpoint": testEndpoint, "agentName": testAgent, "category": "latency", "severity": "future-severity",
		"status": "ignored", "includeDetails": false, "order": "asc", "after": "cursor", "limit": int64(100),
	}, parameters)
	raw, err := json.Marshal(parameters)
	require.NoError(t, err)
	require.Contains(t, string(raw), `"limit":100,`)
}

func TestQueryBreakingRulesIsRefusedWithEveryFailureInSchemaOrder(t *testing.T) {
	t.Parallel()
	_, err := Query{Status: "open", Order: "newest", Limit: 101, Category: "bad\xff"}.parameters()
	require.ErrorIs(t, err, InvalidArgument)
	var input *opsroom.InputError
	require.ErrorAs(t, err, &input)
	require.Equal(t, []opsroom.InputFailure{
		{Pointer: "/projectEndpoint", Rule: opsroom.RuleRequired, Message: "is required"},
		{Pointer: "/agentName", Rule: opsroom.RuleRequired, Message: "is required"},
		{Pointer: "/category", Rule: opsroom.RuleUnicode, Message: "must be valid Unicode text"},
		{Pointer: "/status", Rule: opsroom.RuleEnum, Message: `must be active, resolved or ignored, not "open"`},
		{Pointer: "/order", Rule: opsroom.RuleEnum, Message: `must be asc or desc, not "newest"`},
		{Pointer: "/limit", Rule: opsroom.RuleMaximum, Message: "must be at most 100"},
	}, input.Failures)
	require.Equal(t, input.Error(), err.Error())

	_, err = Query{ProjectEndpoint: testEndpoint, AgentName: testAgent, Limit: -1}.parameters()
	require.ErrorContains(t, err, "limit: must be at least 1")
}

func TestToolArgumentsAreCheckedAndSentExactly(t *testing.T) {
	t.Parallel()
	with := func(member string) string {
		return `{"projectEndpoint":"` + testEndpoint + `","agentName":"` + testAgent + `"` + member + `}`
	}
	sent := map[string]string{
		``:                                 `{"agentName":"support-agent","projectEndpoint":"` + testEndpoint + `"}`,
		`,"limit":5.0`:                     `{"agentName":"support-agent","limit":5,"projectEndpoint":"` + testEndpoint + `"}`,
		`,"limit":1e2`:                     `{"agentName":"support-agent","limit":100,"projectEndpoint":"` + testEndpoint + `"}`,
		`,"includeDetails":true`:           `{"agentName":"support-agent","includeDetails":true,"projectEndpoint":"` + testEndpoint + `"}`,
		`,"status":"active","order":"asc"`: `{"agentName":"support-agent","order":"asc","projectEndpoint":"` + testEndpoint + `","status":"active"}`,
	}
	for member, want := range sent {
		parameters, err := parseParameters(json.RawMessage(with(member)))
		require.NoError(t, err, member)
		got, err := json.Marshal(parameters)
		require.NoError(t, err)
		require.Equal(t, want, string(got), member)
	}
	refusals := map[string]string{
		`{"projectEndpoint":"","agentName":"a"}`: "projectEndpoint: must have at least 1 character, has 0",
		with(`,"status":"open"`):                 `status: must be active, resolved or ignored, not "open"`,
		with(`,"limit":0`):                       "limit: must be at least 1",
		with(`,"limit":1.5`):                     "limit: must be an integer",
		with(`,"limit":"5"`):                     "limit: must be a number, not a string",
		with(`,"after":null`):                    "after: must be a string, not null",
		with(`,"includeDetails":"true"`):         "includeDetails: must be a boolean, not a string",
		with(`,"include_details":true`):          `include_details: is not a known member (did you mean "includeDetails"?)`,
		with(`,"before":"x"`):                    "before: is not a known member",
		with(`,"agentName":"twice"`):             "agentName: must be given only once",
		with(`,"category":"\ud800"`):             "category: must be valid Unicode text",
		with(`,"Limit":5`):                       `Limit: is not a known member (did you mean "limit"?)`,
		`[]`:                                     "arguments: must be a JSON object, not an array",
		`"x"`:                                    "arguments: must be a JSON object, not a string",
		``:                                       "projectEndpoint: is required; agentName: is required",
		`null`:                                   "projectEndpoint: is required; agentName: is required",
		`{}`:                                     "projectEndpoint: is required; agentName: is required",
		`{"projectEndpoint":`:                    "arguments: must be one JSON object",
	}
	for arguments, want := range refusals {
		_, err := parseParameters(json.RawMessage(arguments))
		require.ErrorIs(t, err, InvalidArgument, arguments)
		require.ErrorContains(t, err, want, arguments)
	}
}

// FuzzInputAgainstSchema holds the check against the published schema as
// jsonschema-go reads it. The two may differ only where the check says that it
// is stricter: text that is no Unicode, and members given twice.
func FuzzInputAgainstSchema(f *testing.F) {
	client, err := New(CallerFunc(nil), nil)
	require.NoError(f, err)
	schema, err := client.Tools()[0].InputSchema.JSONSchema().Resolve(nil)
	require.NoError(f, err)
	for _, seed := range []string{
		`{}`, `null`, `[]`, `"x"`, `1`, ``, ` `, `{"projectEndpoint":"https://x","agentName":"a"}`,
		`{"projectEndpoint":"p","agentName":"a","limit":5.0}`, `{"projectEndpoint":"p","agentName":"a","limit":100.00000000000001}`,
		`{"projectEndpoint":"p","agentName":"a","limit":1e400}`, `{"projectEndpoint":"p","agentName":"a","limit":-0}`,
		`{"projectEndpoint":"p","agentName":"a","limit":0.1e1}`, `{"projectEndpoint":"p","agentName":"a","limit":101}`,
		`{"projectEndpoint":"p","agentName":"a","status":"open"}`, `{"projectEndpoint":"p","agentName":"a","status":""}`,
		`{"projectEndpoint":"p","agentName":"a","order":"DESC"}`, `{"projectEndpoint":"p","agentName":"a","after":""}`,
		`{"projectEndpoint":"p","agentName":"a","includeDetails":null}`, `{"projectEndpoint":"p","agentName":"a","x":{}}`,
		`{"projectEndpoint":"p","agentName":"a","agentName":"b"}`, `{"projectEndpoint":"p","agentName":"\ud800"}`,
		`{"projectEndpoint":"p","agentName":"\ud83d\ude00","category":"\u0000"}`, `{"":"","projectEndpoint":"p","agentName":"a"}`,
		`{"projectEndpoint":1,"agentName":[],"limit":{},"category":true}`, "{\"projectEndpoint\":\"p\",\"agentName\":\"\xff\"}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		_, err := parseParameters(raw)
		want, comparable := oracle(schema, raw)
		if comparable {
			require.Equal(t, want, err == nil, "schema and check disagree on %q: %v", raw, err)
		}
		if err == nil {
			require.True(t, want)
			return
		}
		require.ErrorIs(t, err, InvalidArgument)
		require.True(t, utf8.ValidString(err.Error()))
	})
}

// oracle returns the schema's verdict on arguments, and whether the check has
// to give the same.
func oracle(schema *jsonschema.Resolved, raw []byte) (valid, comparable bool) {
	if strings.TrimSpace(string(raw)) == "" || strings.TrimSpace(string(raw)) == "null" {
		raw = []byte("{}")
	}
	if rawjson.Check(raw) != nil {
		return false, true
	}
	var value any
	if err := json.Unmarshal(raw, &value); err != nil {
		return false, false // numbers that float64 cannot hold
	}
	return schema.Validate(value) == nil, !stricter(raw)
}

// stricter reports whether the arguments have what only the check refuses.
func stricter(raw []byte) bool {
	members, err := rawjson.Members(raw)
	if err != nil {
		return false
	}
	names := map[string]bool{}
	for _, m := range members {
		if names[m.Name] {
			return true
		}
		names[m.Name] = true
		if strings.Contains(rawjson.Text(m.Value), "\uFFFD") {
			return true
		}
	}
	return false
}

func TestRouteNamesAndWrapsTheTool(t *testing.T) {
	t.Parallel()
	parameters := map[string]any{"agentName": "a", "limit": int64(9007199254740991)}
	tests := []struct {
		route Route
		name  string
		text  string
		sent  string
	}{
		{Route{}, "agent_insights_get", `direct "agent_insights_get"`, `{"agentName":"a","limit":9007199254740991}`},
		{Direct(PrefixedToolName), "foundry_agent_insights_get", `direct "foundry_agent_insights_get"`, `{"agentName":"a","limit":9007199254740991}`},
		{Router("mcp_azure_mcp_foundry"), "mcp_azure_mcp_foundry", `router "mcp_azure_mcp_foundry"`,
			`{"command":"agent_insights_get","intent":"` + intent + `","parameters":{"agentName":"a","limit":9007199254740991}}`},
		{SingleProxy("azure"), "azure", `single proxy "azure"`,
			`{"command":"agent_insights_get","intent":"` + intent + `","parameters":{"agentName":"a","limit":9007199254740991},"tool":"foundry"}`},
	}
	for _, test := range tests {
		require.Equal(t, test.name, test.route.Name())
		require.Equal(t, test.text, test.route.String())
		sent, err := json.Marshal(test.route.wrap(parameters))
		require.NoError(t, err)
		require.Equal(t, test.sent, string(sent))
	}
}

func TestDiscoverPicksTheShortestWay(t *testing.T) {
	t.Parallel()
	tests := []struct {
		names []string
		want  Route
	}{
		{[]string{"agent_insights_get"}, Direct("agent_insights_get")},
		{[]string{"azure", "foundry", "foundry_agent_insights_get", "agent_insights_get"}, Direct("agent_insights_get")},
		{[]string{"foundry", "foundry_agent_insights_get"}, Direct("foundry_agent_insights_get")},
		{[]string{"storage", "foundry", "azure"}, Router("foundry")},
		{[]string{"azure"}, SingleProxy("azure")},
		{[]string{"mcp_azure_mcp_foundry", "mcp_azure_mcp_storage"}, Router("mcp_azure_mcp_foundry")},
		{[]string{"mcp_x_foundry_agent_insights_get", "mcp_x_foundry_agent_get"}, Direct("mcp_x_foundry_agent_insights_get")},
		{[]string{"azure.foundry", "azure.foundry"}, Router("azure.foundry")},
		{[]string{"mcp__tools__foundry"}, Router("mcp__tools__foundry")},
		{[]string{"deploy_to_foundry", "Azure-MCP_foundry"}, Router("Azure-MCP_foundry")},
		{[]string{"mcp_azure_mcp_foundry", "azure"}, SingleProxy("azure")},
	}
	for _, test := range tests {
		got, err := Discover(test.names)
		require.NoError(t, err, test.names)
		require.Equal(t, test.want, got, test.names)
	}
	for _, names := range [][]string{
		nil, {"storage"}, {"notfoundry"}, {"Foundry"}, {"_"}, {""}, {"my_azure"}, {"insights_get"},
		{"mcp_a_foundry", "mcp_b_foundry"}, {"deploy_to_foundry"}, {"cloud-foundry"}, {"query_palantir_foundry"}, {"foundry_agent_insights_gets"},
	} {
		_, err := Discover(names)
		require.ErrorIs(t, err, ToolUnavailable, names)
	}
	_, err := Discover([]string{"mcp_a_foundry", "mcp_b_foundry"})
	require.ErrorContains(t, err, "2 tools could lead to agent_insights_get; name one of them as the route")
	_, err = Discover([]string{"x"})
	require.ErrorContains(t, err, "none of 1 tool leads to agent_insights_get")
}

func TestNewRefusesWhatCannotWork(t *testing.T) {
	t.Parallel()
	caller := CallerFunc(func(context.Context, string, map[string]any) (ToolResult, error) { return ToolResult{}, nil })
	for text, make := range map[string]func() (*Client, error){
		"a Caller is required":     func() (*Client, error) { return New(nil, nil) },
		"tool name is empty":       func() (*Client, error) { return New(caller, &Options{Route: Router("")}) },
		"MaxPages is negative":     func() (*Client, error) { return New(caller, &Options{MaxPages: -1}) },
		"MaxIdlePages is negative": func() (*Client, error) { return New(caller, &Options{MaxIdlePages: math.MinInt}) },
	} {
		_, err := make()
		require.ErrorContains(t, err, text)
	}
	client, err := New(CallerFunc(nil), nil)
	require.NoError(t, err)
	_, err = client.Page(t.Context(), testQuery)
	require.ErrorContains(t, err, "the CallerFunc is nil")
}

func TestSchemaNamesEveryMemberInTheOrderOfTheCheck(t *testing.T) {
	t.Parallel()
	client, err := New(CallerFunc(nil), nil)
	require.NoError(t, err)
	tool := client.Tools()[0]
	require.Equal(t, "agent_insights_get", tool.Name)
	require.Equal(t, opsroom.Annotations{ReadOnly: true, Idempotent: true, OpenWorld: true}, tool.Annotations)
	schema := tool.InputSchema.JSONSchema()
	require.Equal(t, "https://json-schema.org/draft/2020-12/schema", schema.Schema)
	require.Equal(t, []string{"projectEndpoint", "agentName"}, schema.Required)
	require.Equal(t, []any{"active", "resolved", "ignored"}, schema.Properties["status"].Enum)
	require.Equal(t, []any{"asc", "desc"}, schema.Properties["order"].Enum)
	require.Equal(t, 1.0, *schema.Properties["limit"].Minimum)
	require.Equal(t, 100.0, *schema.Properties["limit"].Maximum)
	require.Equal(t, "integer", schema.Properties["limit"].Type)

	members, err := rawjson.Members(tool.InputSchema.JSON())
	require.NoError(t, err)
	properties, found := rawjson.Lookup(members, "properties")
	require.True(t, found)
	inSchema, err := rawjson.Members(properties)
	require.NoError(t, err)
	full := Query{ProjectEndpoint: "p", AgentName: "a", Category: "c", Severity: "s", Status: StatusActive,
		IncludeDetails: new(true), Order: NewestFirst, After: "x", Limit: 1}.members()
	name := func(m rawjson.Member) string { return m.Name }
	require.Equal(t, names(inSchema, name), names(full, name))
	additional, found := rawjson.Lookup(members, "additionalProperties")
	require.True(t, found)
	require.Equal(t, "false", string(additional))
	require.Equal(t, "https://json-schema.org/draft/2020-12/schema", tool.OutputSchema.JSONSchema().Schema)
}

func names[T any](list []T, name func(T) string) []string {
	return slices.Collect(func(yield func(string) bool) {
		for _, item := range list {
			if !yield(name(item)) {
				return
			}
		}
	})
}
