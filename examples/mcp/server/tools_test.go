package main

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom"
)

type listedTool struct {
	Name, Title, Description string
	InputSchema              json.RawMessage
	OutputSchema             json.RawMessage
	Annotations              json.RawMessage
}

func list(t *testing.T, p *process) map[string]listedTool {
	t.Helper()
	var got struct {
		Tools      []listedTool
		NextCursor *string
	}
	require.NoError(t, json.Unmarshal(p.request("tools/list", "").Result, &got))
	require.Nil(t, got.NextCursor)
	tools := map[string]listedTool{}
	for _, tool := range got.Tools {
		tools[tool.Name] = tool
	}
	require.Len(t, tools, len(got.Tools))
	return tools
}

func TestListOfTools(t *testing.T) {
	t.Parallel()
	tools := list(t, start(t))
	names := []string{}
	for name := range tools {
		names = append(names, name)
	}
	slices.Sort(names)
	require.Equal(t, []string{"agent_insights_get", "list_agent_exceptions", "list_agent_mcp_attachments", "list_agent_runs", "raise_agent_exception"}, names)

	for _, own := range ownTools(t) {
		listed := tools[own.Name]
		require.Equal(t, own.Title, listed.Title)
		require.Equal(t, own.Description, listed.Description)
		require.Equal(t, onTheWire(t, own.InputSchema), string(listed.InputSchema), own.Name)
		require.Equal(t, onTheWire(t, own.OutputSchema), string(listed.OutputSchema), own.Name)
	}
}

// onTheWire is the schema without white space, and with the escapes that
// encoding/json puts for <, > and &. Keywords and their order are as they are.
func onTheWire(t *testing.T, schema opsroom.Schema) string {
	t.Helper()
	var compact, escaped bytes.Buffer
	require.NoError(t, json.Compact(&compact, schema.JSON()))
	json.HTMLEscape(&escaped, compact.Bytes())
	return escaped.String()
}

func TestKeywordsThatOthersDropAreListed(t *testing.T) {
	t.Parallel()
	tools := list(t, start(t))
	raise := string(tools["raise_agent_exception"].InputSchema)
	for _, keyword := range []string{`"$schema":"https://json-schema.org/draft/2020-12/schema"`, `"propertyNames":`, `"default":{}`, `"pattern":`, `"additionalProperties":false`} {
		require.Contains(t, raise, keyword)
	}
	require.Contains(t, string(tools["list_agent_exceptions"].InputSchema), `"maximum":9007199254740991`)
}

func TestAllFourHintsAreListed(t *testing.T) {
	t.Parallel()
	tools := list(t, start(t))
	for name, hints := range map[string]string{
		"list_agent_exceptions":      `{"readOnlyHint":true,"destructiveHint":false,"idempotentHint":false,"openWorldHint":false}`,
		"raise_agent_exception":      `{"readOnlyHint":false,"destructiveHint":true,"idempotentHint":false,"openWorldHint":false}`,
		"list_agent_runs":            `{"readOnlyHint":true,"destructiveHint":false,"idempotentHint":false,"openWorldHint":false}`,
		"agent_insights_get":         `{"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":true}`,
		"list_agent_mcp_attachments": `{"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false}`,
	} {
		require.JSONEq(t, hints, string(tools[name].Annotations), name)
	}
}
