package opsroom_test

import (
	"fmt"
	"log"

	"github.com/opsroom-go/opsroom"
)

// A schema comes in the form that each framework takes.
func ExampleSchema() {
	schema, err := opsroom.ParseSchema([]byte(`{
		"$schema": "https://json-schema.org/draft/2020-12/schema",
		"type": "object",
		"properties": {"detail": {"type": "object", "default": {}}},
		"additionalProperties": false
	}`))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(schema.JSON()), "bytes as published")
	fmt.Println(schema.JSONSchema().Properties["detail"].Type, "in the form of jsonschema-go")
	fmt.Println(string(schema.Portable()))
	// Output:
	// 180 bytes as published
	// object in the form of jsonschema-go
	// {"type":"object","properties":{"detail":{"type":"object"}}}
}
