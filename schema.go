package opsroom

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/opsroom-go/opsroom/internal/rawjson"
)

// A Schema is a JSON Schema (draft 2020-12) in three forms: the exact published bytes, a
// [jsonschema.Schema], and a portable subset for services that refuse some keywords. It
// cannot be changed and is safe for concurrent use.
//
// The zero Schema accepts everything: its JSON is "{}".
type Schema struct{ text string }

// ParseSchema returns the schema with the given bytes, white space around them aside. It
// is an error if they are not a JSON object that jsonschema-go can read.
func ParseSchema(raw []byte) (Schema, error) {
	if err := rawjson.Check(raw); err != nil {
		return Schema{}, fmt.Errorf("opsroom: schema: %w", err)
	}
	if kind := rawjson.KindOf(raw); kind != rawjson.Object {
		return Schema{}, fmt.Errorf("opsroom: schema: object expected, %s found", kind)
	}
	if err := json.Unmarshal(raw, new(jsonschema.Schema)); err != nil {
		return Schema{}, fmt.Errorf("opsroom: schema: %w", err)
	}
	return Schema{text: string(bytes.TrimSpace(raw))}, nil
}

// JSON returns the exact bytes of the schema. The caller owns them.
func (s Schema) JSON() json.RawMessage {
	if s.text == "" {
		return json.RawMessage("{}")
	}
	return json.RawMessage(s.text)
}

// String returns the exact text of the schema.
func (s Schema) String() string { return string(s.JSON()) }

// MarshalJSON returns the bytes of the schema, so that a Schema can be part of any value
// that is encoded as JSON. Note that encoding/json compacts them.
func (s Schema) MarshalJSON() ([]byte, error) { return s.JSON(), nil }

// JSONSchema returns the schema in the form that the official Go MCP SDK and ADK take.
// Each call returns a new value, since jsonschema-go refuses to resolve one that is used
// in two places.
//
// Encoding that value again does not give the bytes of [Schema.JSON]: jsonschema-go
// orders keywords in its own way and writes "{}" as true.
func (s Schema) JSONSchema() *jsonschema.Schema {
	schema := new(jsonschema.Schema)
	if err := json.Unmarshal(s.JSON(), schema); err != nil {
		// ParseSchema has read these very bytes before.
		return new(jsonschema.Schema)
	}
	return schema
}

// Portable returns the schema without the keywords for which some model services refuse a
// whole batch of tools: "$schema", "propertyNames", "default" and "additionalProperties".
// The order and everything else stay; white space goes.
//
// Dropping them loosens what is advertised, not what is accepted: [Tool].Call checks its
// arguments against the full schema either way.
func (s Schema) Portable() json.RawMessage {
	var reduced, compact bytes.Buffer
	writePortable(&reduced, s.JSON())
	_ = json.Compact(&compact, reduced.Bytes()) // fails only on what is no JSON
	return compact.Bytes()
}

// unportable are the keywords that Portable leaves out.
var unportable = map[string]bool{
	"$schema": true, "propertyNames": true, "default": true, "additionalProperties": true,
}

// A nesting is how the value of a keyword holds further schemas. Only those are
// rewritten: a property that happens to be called "default" is no keyword.
type nesting int

const (
	noSchema nesting = iota
	oneSchema
	schemaList
	schemaMap
)

var nestings = map[string]nesting{
	"properties": schemaMap, "patternProperties": schemaMap, "dependentSchemas": schemaMap, "$defs": schemaMap,
	"allOf": schemaList, "anyOf": schemaList, "oneOf": schemaList, "prefixItems": schemaList,
	"items": oneSchema, "contains": oneSchema, "not": oneSchema, "if": oneSchema, "then": oneSchema, "else": oneSchema,
	"unevaluatedItems": oneSchema, "unevaluatedProperties": oneSchema, "contentSchema": oneSchema,
}

func writePortable(out *bytes.Buffer, schema json.RawMessage) {
	members, err := rawjson.Members(schema)
	if err != nil { // true and false are schemas too
		out.Write(schema)
		return
	}
	writeObject(out, members, func(m rawjson.Member) bool {
		return !unportable[m.Name]
	}, func(m rawjson.Member) {
		switch nestings[m.Name] {
		case oneSchema:
			writePortable(out, m.Value)
		case schemaList:
			writePortableList(out, m.Value)
		case schemaMap:
			writePortableMap(out, m.Value)
		default:
			out.Write(m.Value)
		}
	})
}

func writePortableMap(out *bytes.Buffer, schemas json.RawMessage) {
	members, err := rawjson.Members(schemas)
	if err != nil {
		out.Write(schemas)
		return
	}
	writeObject(out, members, func(rawjson.Member) bool { return true }, func(m rawjson.Member) {
		writePortable(out, m.Value)
	})
}

func writePortableList(out *bytes.Buffer, schemas json.RawMessage) {
	elements, err := rawjson.Elements(schemas)
	if err != nil {
		out.Write(schemas)
		return
	}
	out.WriteByte('[')
	for i, element := range elements {
		if i > 0 {
			out.WriteByte(',')
		}
		writePortable(out, element)
	}
	out.WriteByte(']')
}

// writeObject writes the members that keep selects, each with its value written by value.
func writeObject(out *bytes.Buffer, members []rawjson.Member, keep func(rawjson.Member) bool, value func(rawjson.Member)) {
	out.WriteByte('{')
	first := true
	for _, m := range members {
		if !keep(m) {
			continue
		}
		if !first {
			out.WriteByte(',')
		}
		first = false
		out.Write(rawjson.Quote(m.Name))
		out.WriteByte(':')
		value(m)
	}
	out.WriteByte('}')
}
