package opsroom_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom"
)

func parseSchema(t *testing.T, raw string) opsroom.Schema {
	t.Helper()
	schema, err := opsroom.ParseSchema([]byte(raw))
	require.NoError(t, err)
	return schema
}

func TestSchemaKeepsItsExactBytes(t *testing.T) {
	t.Parallel()
	const raw = `{"type":"object",  "properties":{"b":{"maximum":9007199254740991,"x-own":1.50},"a":{}}, "required":[]}`
	schema := parseSchema(t, "\n "+raw+"\n")
	require.Equal(t, raw, string(schema.JSON()))
	require.Equal(t, raw, schema.String())

	encoded, err := json.Marshal(map[string]opsroom.Schema{"inputSchema": schema})
	require.NoError(t, err)
	require.Equal(t, `{"inputSchema":{"type":"object","properties":{"b":{"maximum":9007199254740991,"x-own":1.50},"a":{}},"required":[]}}`, string(encoded))
}

func TestSchemaCannotBeChangedFromOutside(t *testing.T) {
	t.Parallel()
	raw := []byte(`{"type":"object"}`)
	schema, err := opsroom.ParseSchema(raw)
	require.NoError(t, err)
	raw[2] = 'X'
	schema.JSON()[2] = 'X'
	schema.Portable()[2] = 'X'
	schema.JSONSchema().Type = "string"
	require.Equal(t, `{"type":"object"}`, schema.String())
	require.Equal(t, "object", schema.JSONSchema().Type)
}

func TestZeroSchemaAcceptsEverything(t *testing.T) {
	t.Parallel()
	var schema opsroom.Schema
	require.Equal(t, "{}", schema.String())
	require.Equal(t, "{}", string(schema.Portable()))
	resolved, err := schema.JSONSchema().Resolve(nil)
	require.NoError(t, err)
	require.NoError(t, resolved.Validate("anything"))
}

func TestJSONSchemaCanBeResolvedManyTimes(t *testing.T) {
	t.Parallel()
	schema := parseSchema(t, `{"type":"object","properties":{"n":{"type":"integer","maximum":2}}}`)
	for range 2 {
		resolved, err := schema.JSONSchema().Resolve(nil)
		require.NoError(t, err)
		require.NoError(t, resolved.Validate(map[string]any{"n": 2.0}))
		require.Error(t, resolved.Validate(map[string]any{"n": 3.0}))
	}
}

func TestParseSchemaRefusesWhatIsNoSchema(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		``:                 "opsroom: schema: the document is empty",
		`true`:             "opsroom: schema: object expected, boolean found",
		`[]`:               "opsroom: schema: object expected, array found",
		`{"type":"x"} {`:   "opsroom: schema: data follows the JSON value",
		"{\"a\":\"\xff\"}": "opsroom: schema: the document is not valid UTF-8",
	} {
		_, err := opsroom.ParseSchema([]byte(raw))
		require.EqualError(t, err, want)
	}
	_, err := opsroom.ParseSchema([]byte(`{"type":5}`))
	require.ErrorContains(t, err, "opsroom: schema: ")
}

func TestPortableLeavesOutOnlyKeywords(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		`{ "$schema": "x", "type": "object", "additionalProperties": false }`: `{"type":"object"}`,
		// Properties may be called like keywords.
		`{"properties":{"default":{"default":1,"type":"integer"},"$schema":{}}}`: `{"properties":{"default":{"type":"integer"},"$schema":{}}}`,
		// So may members of values that are no schemas.
		`{"enum":[{"default":1}],"const":{"default":2},"examples":[{"$schema":3}]}`: `{"enum":[{"default":1}],"const":{"default":2},"examples":[{"$schema":3}]}`,
		// Schemas hide in many places.
		`{"items":{"default":1},"not":{"default":1},"if":{"default":1},"then":{"default":1},"else":{"default":1}}`:                    `{"items":{},"not":{},"if":{},"then":{},"else":{}}`,
		`{"anyOf":[{"default":1},true],"prefixItems":[ {"propertyNames":{}} , {"type":"null"} ]}`:                                     `{"anyOf":[{},true],"prefixItems":[{},{"type":"null"}]}`,
		`{"$defs":{"a":{"default":1}},"patternProperties":{"^x":{"additionalProperties":{}}},"dependentSchemas":{"b":{"default":1}}}`: `{"$defs":{"a":{}},"patternProperties":{"^x":{}},"dependentSchemas":{"b":{}}}`,
		// What is no schema where one belongs stays as it is.
		`{"properties":{"a":true,"b":{"items":false}}}`: `{"properties":{"a":true,"b":{"items":false}}}`,
	} {
		require.Equal(t, want, string(parseSchema(t, raw).Portable()))
	}
}

func FuzzSchema(f *testing.F) {
	for _, seed := range []string{
		`{}`, `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"a":{"default":{}}}}`,
		`{"properties":[]}`, `{"properties":5,"anyOf":{},"items":"x"}`, `{"allOf":[1,{"default":2}]}`, `{"\ud800":1}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		schema, err := opsroom.ParseSchema(raw)
		if err != nil {
			require.Equal(t, opsroom.Schema{}, schema)
			return
		}
		require.True(t, json.Valid(schema.JSON()))
		require.NotNil(t, schema.JSONSchema())
		portable := schema.Portable()
		require.True(t, json.Valid(portable))
		again, err := opsroom.ParseSchema(portable)
		require.NoError(t, err)
		require.Equal(t, string(portable), string(again.Portable()), "nothing is left to drop")
	})
}
