package opsroom_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/agentctl"
)

// A host hands the fields of each tool to its framework. This framework, a map of
// functions from arguments to text, stands for any of them.
func ExampleTool() {
	client, err := agentctl.New(opsroom.Endpoint{BaseURL: "https://control.example.com"}, nil)
	if err != nil {
		log.Fatal(err)
	}
	registry := map[string]func(context.Context, json.RawMessage) string{}
	for _, tool := range client.Tools() {
		registry[tool.Name] = func(ctx context.Context, arguments json.RawMessage) string {
			// The error is for Go code; its text is that of the result.
			result, _ := tool.Call(ctx, arguments)
			return result.Text
		}
		fmt.Printf("%s, read only: %t\n", tool.Name, tool.Annotations.ReadOnly)
	}

	answer := registry["list_agent_runs"](context.Background(), json.RawMessage(`{"mission":"m1"}`))
	fmt.Println(answer)
	// Output:
	// list_agent_exceptions, read only: true
	// raise_agent_exception, read only: false
	// list_agent_runs, read only: true
	// list_agent_runs: invalid arguments, nothing was sent: missionId: is required; mission: is not a known member (did you mean "missionId"?)
}
