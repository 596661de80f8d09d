package agentctl_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"time"

	"github.com/opsroom-go/opsroom/agentctl"
	"github.com/opsroom-go/opsroom/agentctl/agentctltest"
)

// A model calls the tools with JSON and gets the server's JSON, or a text that it can act on.
func ExampleClient_Tools() {
	noon := func() time.Time { return time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC) }
	server := agentctltest.NewServer(agentctltest.Clock(noon))
	defer server.Close()
	server.AddRun(agentctltest.Run{ID: "run-7", MissionID: "payments", MandateID: "eu"})
	client, err := agentctl.New(server.Endpoint(), nil)
	if err != nil {
		log.Fatal(err)
	}

	calls := map[string]string{
		"list_agent_exceptions": `{"run_id":"run-7","status":"opened"}`,
		"raise_agent_exception": `{"runId":"run-7","category":"evidence.missing","severity":"info","message":"No delivery note.","detail":{"order":12345678901234567890}}`,
		"list_agent_runs":       `{"missionId":"payments","limit":1}`,
	}
	for _, tool := range client.Tools() {
		// The error is for the host; its text is that of the result.
		result, _ := tool.Call(context.Background(), json.RawMessage(calls[tool.Name]))
		fmt.Println(result.Text)
	}
	// Output:
	// list_agent_exceptions: invalid arguments, nothing was sent: status: must be open or resolved, not "opened"; run_id: is not a known member (did you mean "runId"?)
	// {"exception":{"id":"exc_000001","missionId":"payments","runId":"run-7","category":"evidence.missing","severity":"info","status":"open","message":"No delivery note.","detail":{"order":12345678901234567890},"createdAt":"2026-11-30T12:00:00Z"}}
	// {"runs":[{"id":"run-7","missionId":"payments","status":"blocked","mandate":{"id":"eu"},"controlRecords":{"exceptions":1,"openExceptions":1,"pendingApprovals":0},"createdAt":"2026-11-30T12:00:00Z"}]}
}
