// Package operation gives an operation of a client its form as a tool.
package operation

import (
	"context"
	"embed"
	"encoding/json"

	"github.com/opsroom-go/opsroom"
)

// Call makes an [opsroom.Tool].Call of a function that runs an operation on raw
// arguments and returns its answer, a JSON object. A failure has text only:
// clients of the Model Context Protocol hold structured content against the
// output schema even when the result is an error.
func Call(run func(context.Context, json.RawMessage) (json.RawMessage, error)) func(context.Context, json.RawMessage) (opsroom.Result, error) {
	return func(ctx context.Context, arguments json.RawMessage) (opsroom.Result, error) {
		answer, err := run(ctx, arguments)
		if err != nil {
			return opsroom.Result{Text: err.Error(), IsError: true}, err
		}
		return opsroom.Result{Structured: answer, Text: string(answer)}, nil
	}
}

// Schema returns the schema in schemas/name.json. The files are part of the
// package that embeds them, whose tests read each of them; a file that is not
// there, or is no schema, gives the zero Schema.
func Schema(files embed.FS, name string) opsroom.Schema {
	raw, err := files.ReadFile("schemas/" + name + ".json")
	if err != nil {
		return opsroom.Schema{}
	}
	schema, err := opsroom.ParseSchema(raw)
	if err != nil {
		return opsroom.Schema{}
	}
	return schema
}
