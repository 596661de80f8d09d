package agentctl_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"time"

	"github.com/opsroom-go/opsroom/agentctl"
	"github.com/opsroom-go/opsroom/agentctl/agentctltest"
)

func ExampleClient_ListRuns() {
	server := agentctltest.NewServer(agentctltest.Demo())
	defer server.Close()
	client, err := agentctl.New(server.Endpoint(), nil)
	if err != nil {
		log.Fatal(err)
	}

	page, err := client.ListRuns(context.Background(), agentctl.ListRunsParams{
		MissionID: agentctltest.DemoMission,
		Status:    agentctl.RunWaitingApproval,
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, run := range page.Runs {
		fmt.Println(run.ID, run.Status, "parked:", run.Status.Parked())
	}
	// Output:
	// run_000005 waiting_approval parked: true
}

func ExampleClient_Runs() {
	server := agentctltest.NewServer(agentctltest.Demo())
	defer server.Close()
	client, err := agentctl.New(server.Endpoint(), nil)
	if err != nil {
		log.Fatal(err)
	}

	for run, err := range client.Runs(context.Background(), agentctl.ListRunsParams{MissionID: agentctltest.DemoMission}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(run.ID, run.Status)
	}
	// Output:
	// run_000006 running
	// run_000005 waiting_approval
	// run_000004 cancelled
	// run_000003 blocked
	// run_000002 failed
	// run_000001 succeeded
}

func ExampleClient_CheckResume() {
	server := agentctltest.NewServer(agentctltest.Demo())
	defer server.Close()
	client, err := agentctl.New(server.Endpoint(), &agentctl.Options{
		// Where this control plane counts approvals; the contract does not say.
		ApprovalPending: func(run agentctl.Run) bool {
			var row struct {
				ControlRecords struct{ PendingApprovals int }
			}
			return run.Decode(&row) == nil && row.ControlRecords.PendingApprovals > 0
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	server.RequestApproval("run_000003")

	for _, runID := range []string{"run_000003", "run_000006", "run_000001", "run_000099"} {
		check, err := client.CheckResume(context.Background(), agentctltest.DemoMission, runID)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(runID, check.Readiness, check.Reasons)
	}
	// Output:
	// run_000003 blocked [3 open exceptions must be resolved an approval is pending]
	// run_000006 blocked [1 open exception must be resolved]
	// run_000001 ended [the run has ended: succeeded]
	// run_000099 not found [the run is not in the mission's list of runs]
}

func ExampleClient_WatchRun() {
	server := agentctltest.NewServer()
	defer server.Close()
	server.AddRun(agentctltest.Run{ID: "run-7", MissionID: "payments"})
	server.BeforeRequest(func(n int, _ *http.Request) { // what happens to the run meanwhile
		switch n {
		case 3:
			server.SetRunStatus("run-7", "compensating") // none of the contract's
		case 4:
			server.SetRunStatus("run-7", "waiting_approval")
		}
	})
	client, err := agentctl.New(server.Endpoint(), nil)
	if err != nil {
		log.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()

	for run, err := range client.WatchRun(ctx, "payments", "run-7", &agentctl.WatchOptions{Interval: time.Millisecond}) {
		switch {
		case errors.Is(err, context.DeadlineExceeded):
			fmt.Println("waited long enough; the run goes on:", run.Status)
		case err != nil:
			log.Fatal(err)
		case run.Status.Parked():
			fmt.Println(run.Status, "- a person is needed")
		default:
			fmt.Println(run.Status)
		}
	}
	// Output:
	// running
	// compensating
	// waiting_approval - a person is needed
}
