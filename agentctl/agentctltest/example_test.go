package agentctltest_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/agentctl"
	"github.com/opsroom-go/opsroom/agentctl/agentctltest"
)

// A run is blocked by an exception that the program under test raises; the test
// plays the people who resolve it and resume the run.
func Example() {
	ctx := context.Background()
	server := agentctltest.NewServer()
	defer server.Close()
	run := server.AddRun(agentctltest.Run{MissionID: "mission_1"})

	client, err := agentctl.New(server.Endpoint(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	exception, err := client.RaiseException(ctx, agentctl.RaiseExceptionParams{
		RunID: run.ID, Category: "policy.spend-limit", Severity: agentctl.SeverityCritical, Message: "Over the limit.",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	run, _ = server.Run(run.ID)
	fmt.Println(exception.ID, "is", exception.Status, "and", run.ID, "is", run.Status)

	fmt.Println("resumed:", server.Resume(run.ID))
	server.Resolve(exception.ID)
	fmt.Println("resumed:", server.Resume(run.ID))

	request := server.Requests()[0]
	fmt.Println(request.Method, request.URI)
	fmt.Println(string(request.Body))
	// Output:
	// exc_000001 is open and run_000001 is blocked
	// resumed: false
	// resumed: true
	// POST /api/v1/agent/runs/run_000001/exceptions
	// {"category":"policy.spend-limit","severity":"critical","message":"Over the limit."}
}

func ExampleDemo() {
	server := agentctltest.NewServer(agentctltest.Demo(), agentctltest.Token("demo"))
	defer server.Close()
	client, err := agentctl.New(server.Endpoint(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	page, err := client.ListRuns(context.Background(), agentctl.ListRunsParams{MissionID: agentctltest.DemoMission})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, run := range page.Runs {
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

// What goes wrong for the caller of a raise may have gone right on the server.
func ExampleFault_AfterEffect() {
	server := agentctltest.NewServer()
	defer server.Close()
	run := server.AddRun(agentctltest.Run{MissionID: "mission_1"})
	server.Fail(agentctltest.RaiseException, agentctltest.Cut().AfterEffect())

	client, err := agentctl.New(server.Endpoint(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = client.RaiseException(context.Background(), agentctl.RaiseExceptionParams{
		RunID: run.ID, Category: "provider.timeout", Severity: agentctl.SeverityWarning, Message: "No answer.",
	})
	if failure, ok := errors.AsType[*agentctl.RaiseError](err); ok {
		fmt.Println("for the caller:", failure.Outcome)
	}
	fmt.Println("on the server:", len(server.Exceptions()), "recorded, after", server.Count(agentctltest.RaiseException), "request")
	// Output:
	// for the caller: unknown
	// on the server: 1 recorded, after 1 request
}

// Rows that are resolved between two pages make a plain loop miss others, and
// Client.Exceptions not.
func ExampleControlPlane_BeforeRequest() {
	ctx := context.Background()
	server := agentctltest.NewServer()
	defer server.Close()
	client, err := agentctl.New(server.Endpoint(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 300 {
		server.AddException(agentctltest.Exception{})
	}
	resolveTheNewest := func(n int, _ *http.Request) {
		if n == 2 {
			server.Resolve("exc_000300")
		}
	}
	params := agentctl.ListExceptionsParams{Status: agentctl.ExceptionOpen, Limit: 100}

	server.BeforeRequest(resolveTheNewest)
	loop := map[string]bool{}
	for {
		page, err := client.ListExceptions(ctx, params)
		if err != nil || len(page.Exceptions) == 0 {
			break
		}
		for _, exception := range page.Exceptions {
			loop[exception.ID] = true
		}
		params.Offset += int64(len(page.Exceptions))
	}
	fmt.Println("the loop missed one:", !loop["exc_000200"])

	server.Reopen("exc_000300")
	server.ForgetRequests() // so that the next request is number 1
	walk := map[string]bool{}
	params.Offset = 0
	for exception, err := range client.Exceptions(ctx, params) {
		if err != nil {
			fmt.Println(err)
			return
		}
		walk[exception.ID] = true
	}
	fmt.Println("the walk missed one:", !walk["exc_000200"])
	// Output:
	// the loop missed one: true
	// the walk missed one: false
}

// Every second list request fails, which the client's retries make good.
func ExampleControlPlane_FailFunc() {
	server := agentctltest.NewServer(agentctltest.Demo())
	defer server.Close()
	server.FailFunc(func(operation agentctltest.Operation, n int, _ *http.Request) agentctltest.Fault {
		if operation == agentctltest.ListExceptions && n%2 == 1 {
			return agentctltest.Status(http.StatusServiceUnavailable)
		}
		return agentctltest.Fault{}
	})
	client, err := agentctl.New(server.Endpoint(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	page, err := client.ListExceptions(context.Background(), agentctl.ListExceptionsParams{Limit: 3})
	fmt.Println(len(page.Exceptions), err, "after", server.Count(agentctltest.ListExceptions), "requests")
	// Output:
	// 3 <nil> after 2 requests
}

// A control plane without a listener goes where the host wants it.
func ExampleNew() {
	plane := agentctltest.New(agentctltest.Clock(func() time.Time { return time.Unix(0, 0) }))
	defer plane.Close()
	plane.AddRun(agentctltest.Run{MissionID: "mission_1"})

	mux := http.NewServeMux()
	mux.Handle("/control/", http.StripPrefix("/control", plane))
	host := httptest.NewServer(mux)
	defer host.Close()

	client, err := agentctl.New(opsroom.Endpoint{BaseURL: host.URL + "/control"}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	page, err := client.ListRuns(context.Background(), agentctl.ListRunsParams{MissionID: "mission_1"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(page.Runs[0].Raw))
	// Output:
	// {"id":"run_000001","missionId":"mission_1","status":"running","mandate":null,"controlRecords":{"exceptions":0,"openExceptions":0,"pendingApprovals":0},"createdAt":"1970-01-01T00:00:00Z"}
}
