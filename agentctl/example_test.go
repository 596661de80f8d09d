package agentctl_test

import (
	"context"
	"fmt"
	"log"
	"net/http"

	"github.com/opsroom-go/opsroom/agentctl"
	"github.com/opsroom-go/opsroom/agentctl/agentctltest"
)

// The story of a blocked run, from the exception that blocks it to its end. The server is
// the in-memory control plane for tests; what people and the run itself do is done to it
// directly.
func Example() {
	server := agentctltest.NewServer()
	defer server.Close()
	server.AddRun(agentctltest.Run{ID: "run-7", MissionID: "payments"})

	client, err := agentctl.New(server.Endpoint(), nil)
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()

	// The agent must not go on by itself.
	exception, err := client.RaiseException(ctx, agentctl.RaiseExceptionParams{
		RunID:    "run-7",
		Category: "policy.spend-limit",
		Severity: agentctl.SeverityCritical,
		Message:  "The payment is over the limit of the mandate.",
		Detail:   map[string]string{"invoice": "INV-20517"},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("raised:", exception.ID)

	// Not yet …
	check, err := client.CheckResume(ctx, "payments", "run-7")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("check:", check.Readiness, check.Reasons)

	// … but when a person has dealt with it.
	server.Resolve(exception.ID)
	check, err = client.CheckResume(ctx, "payments", "run-7")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("check:", check.Readiness, check.Reasons)

	// The person resumes the run, which comes to its end after a while.
	server.Resume("run-7")
	looks := 0
	server.BeforeRequest(func(int, *http.Request) {
		if looks++; looks == 2 {
			server.SetRunStatus("run-7", "succeeded")
		}
	})
	for run, err := range client.WatchRun(ctx, "payments", "run-7", &agentctl.WatchOptions{Interval: 1}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println("run:", run.Status)
	}
	// Output:
	// raised: exc_000001
	// check: blocked [1 open exception must be resolved]
	// check: ready [the run is blocked and none of its exceptions is open]
	// run: running
	// run: succeeded
}
