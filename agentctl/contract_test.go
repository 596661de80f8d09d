package agentctl_test

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom"
)

// The files in testdata/contract are the schemas that the contracts print, without
// their descriptions.

var (
	descriptions = regexp.MustCompile(`(?m)^ *"description": ".*",\n`)
	closedRoot   = regexp.MustCompile(`,\n  "additionalProperties": false\n\}$`)
)

func contractSchema(t testing.TB, name string) string {
	t.Helper()
	raw, err := os.ReadFile("testdata/contract/" + name + ".json")
	require.NoError(t, err)
	return strings.TrimSpace(string(raw))
}

func TestSchemasAreTheContractsKeywordForKeyword(t *testing.T) {
	t.Parallel()
	for _, tool := range newSilent(t).Tools() {
		input := tool.InputSchema.String()
		require.Regexp(t, closedRoot, input, "no other members are allowed")
		ours := closedRoot.ReplaceAllString(descriptions.ReplaceAllString(input, ""), "\n}")
		require.Equal(t, contractSchema(t, tool.Name+".input"), ours)
		require.Equal(t, contractSchema(t, tool.Name+".output"), descriptions.ReplaceAllString(tool.OutputSchema.String(), ""))
	}
}

func TestEveryArgumentIsDescribed(t *testing.T) {
	t.Parallel()
	for _, tool := range newSilent(t).Tools() {
		for name, property := range tool.InputSchema.JSONSchema().Properties {
			require.NotEmpty(t, property.Description, "%s: %s", tool.Name, name)
		}
	}
}

func TestPortableSchemasHaveNothingThatServicesRefuse(t *testing.T) {
	t.Parallel()
	for _, tool := range newSilent(t).Tools() {
		for _, schema := range []opsroom.Schema{tool.InputSchema, tool.OutputSchema} {
			portable := string(schema.Portable())
			require.True(t, json.Valid([]byte(portable)))
			for _, keyword := range []string{"$schema", "propertyNames", "default", "additionalProperties"} {
				require.NotContains(t, portable, `"`+keyword+`"`)
			}
		}
		require.Equal(t, tool.InputSchema.JSONSchema().Required, parseSchema(t, tool.InputSchema.Portable()).JSONSchema().Required)
		require.Len(t, parseSchema(t, tool.InputSchema.Portable()).JSONSchema().Properties, len(tool.InputSchema.JSONSchema().Properties))
	}
}

func parseSchema(t testing.TB, raw []byte) opsroom.Schema {
	t.Helper()
	schema, err := opsroom.ParseSchema(raw)
	require.NoError(t, err)
	return schema
}

func TestToolsAreThoseOfTheContracts(t *testing.T) {
	t.Parallel()
	tools := newSilent(t).Tools()
	want := []struct {
		name        string
		annotations opsroom.Annotations
	}{
		{"list_agent_exceptions", opsroom.Annotations{ReadOnly: true, Destructive: false, Idempotent: false, OpenWorld: false}},
		{"raise_agent_exception", opsroom.Annotations{ReadOnly: false, Destructive: true, Idempotent: false, OpenWorld: false}},
		{"list_agent_runs", opsroom.Annotations{ReadOnly: true, Destructive: false, Idempotent: false, OpenWorld: false}},
	}
	require.Len(t, tools, len(want))
	for i, tool := range tools {
		require.Equal(t, want[i].name, tool.Name)
		require.Equal(t, want[i].annotations, tool.Annotations)
		require.NotEmpty(t, tool.Title)
		require.NotEmpty(t, tool.Description)
		require.NotNil(t, tool.Call)
	}
	tools[0].Name = "changed"
	require.Equal(t, "list_agent_exceptions", newSilent(t).Tools()[0].Name, "each slice is a new one")
}
