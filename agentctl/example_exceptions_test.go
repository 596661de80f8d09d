package agentctl_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/agentctl"
	"github.com/opsroom-go/opsroom/agentctl/agentctltest"
	"github.com/opsroom-go/opsroom/problem"
)

func ExampleClient_ListExceptions() {
	server := agentctltest.NewServer(agentctltest.Demo())
	defer server.Close()
	client, err := agentctl.New(server.Endpoint(), nil)
	if err != nil {
		log.Fatal(err)
	}

	page, err := client.ListExceptions(context.Background(), agentctl.ListExceptionsParams{
		RunID:  "run_000003",
		Status: agentctl.ExceptionOpen,
		Limit:  2,
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, exception := range page.Exceptions {
		fmt.Println(exception.Severity, exception.Category)
	}
	// Output:
	// warning evidence.missing
	// warning supplier.bank-details-changed
}

// A walk is exact although the list changes meanwhile. Here the ten newest exceptions are
// resolved while the second page is asked for, so that all others move up by ten: a loop
// over pages would skip ten that are still open.
func ExampleClient_Exceptions() {
	server := agentctltest.NewServer()
	defer server.Close()
	for i := range 100 {
		server.AddException(agentctltest.Exception{ID: fmt.Sprint("e", i)})
	}
	server.BeforeRequest(func(n int, _ *http.Request) {
		if n == 2 {
			for i := range 10 {
				server.Resolve(fmt.Sprint("e", 99-i))
			}
		}
	})
	client, err := agentctl.New(server.Endpoint(), nil)
	if err != nil {
		log.Fatal(err)
	}

	seen := map[string]bool{}
	params := agentctl.ListExceptionsParams{Status: agentctl.ExceptionOpen, Limit: 25}
	for exception, err := range client.Exceptions(context.Background(), params) {
		if err != nil {
			log.Fatal(err)
		}
		seen[exception.ID] = true
	}
	missed := 0
	for _, exception := range server.Exceptions() {
		if exception.Status == "open" && !seen[exception.ID] {
			missed++
		}
	}
	fmt.Println(len(seen), "seen,", missed, "missed")
	// Output:
	// 100 seen, 0 missed
}

func ExampleClient_RaiseException() {
	server := agentctltest.NewServer()
	defer server.Close()
	server.AddRun(agentctltest.Run{ID: "run-7", MissionID: "payments"})
	client, err := agentctl.New(server.Endpoint(), nil)
	if err != nil {
		log.Fatal(err)
	}

	exception, err := client.RaiseException(context.Background(), agentctl.RaiseExceptionParams{
		RunID:    "run-7",
		Category: "evidence.missing",
		Severity: agentctl.SeverityWarning,
		Message:  "No purchase order could be found for the invoice.",
		Detail:   map[string]any{"invoice": "INV-20517", "searched": []string{"mail", "archive"}},
		StepID:   "collect-evidence",
	})
	if err != nil {
		log.Fatal(err)
	}
	run, _ := server.Run("run-7")
	fmt.Println(exception.ID, exception.Status, string(exception.Detail))
	fmt.Println("the run is", run.Status)
	// Output:
	// exc_000001 open {"invoice":"INV-20517","searched":["mail","archive"]}
	// the run is blocked
}

// What a failed raise means depends on how far it got.
func ExampleRaiseError() {
	server := agentctltest.NewServer()
	defer server.Close()
	server.AddRun(agentctltest.Run{ID: "run-7", MissionID: "payments"})
	client, err := agentctl.New(server.Endpoint(), nil)
	if err != nil {
		log.Fatal(err)
	}
	raise := func(runID string) {
		_, err := client.RaiseException(context.Background(), agentctl.RaiseExceptionParams{
			RunID: runID, Category: "provider.timeout", Severity: agentctl.SeverityCritical, Message: "The bank did not answer.",
		})
		failure, ok := errors.AsType[*agentctl.RaiseError](err)
		if !ok {
			return // it is recorded
		}
		switch failure.Outcome {
		case agentctl.OutcomeNotSent:
			if input, ok := errors.AsType[*opsroom.InputError](err); ok {
				fmt.Println("correct it and raise it again:", input.Failures[0])
			}
		case agentctl.OutcomeRejected:
			fmt.Println("the server says no; unknown run:", errors.Is(err, problem.Code("run_not_found")))
		case agentctl.OutcomeUnknown:
			fmt.Println("look for it with FindRaised")
		case agentctl.OutcomeAccepted:
			fmt.Println("the server reported success, the answer is lost")
		}
	}

	raise("..")
	raise("run-8")
	server.Fail(agentctltest.RaiseException, agentctltest.Cut().AfterEffect(), agentctltest.TruncateBody())
	raise("run-7")
	raise("run-7")
	// Output:
	// correct it and raise it again: runId: must not be "..": a URL path cannot carry it
	// the server says no; unknown run: true
	// look for it with FindRaised
	// the server reported success, the answer is lost
}

// The connection breaks after the exception was recorded, before the answer arrives.
func ExampleClient_FindRaised() {
	server := agentctltest.NewServer()
	defer server.Close()
	server.AddRun(agentctltest.Run{ID: "run-7", MissionID: "payments"})
	server.Fail(agentctltest.RaiseException, agentctltest.Cut().AfterEffect())
	client, err := agentctl.New(server.Endpoint(), nil)
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()

	_, err = client.RaiseException(ctx, agentctl.RaiseExceptionParams{
		RunID: "run-7", Category: "provider.timeout", Severity: agentctl.SeverityCritical, Message: "The bank did not answer.",
	})
	if failure, ok := errors.AsType[*agentctl.RaiseError](err); ok && failure.Outcome == agentctl.OutcomeUnknown {
		search, err := client.FindRaised(ctx, failure.Params, failure.Started)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(search.Finding, search.Matches[0].ID)
	}
	// Output:
	// found exc_000001
}

// Rows have members that the contract does not model. Decode reads them.
func ExampleException_Decode() {
	server := agentctltest.NewServer()
	defer server.Close()
	server.AddException(agentctltest.Exception{Raw: []byte(`{"id":"e1","status":"open","owner":{"team":"finance"}}`)})
	client, err := agentctl.New(server.Endpoint(), nil)
	if err != nil {
		log.Fatal(err)
	}

	for exception, err := range client.Exceptions(context.Background(), agentctl.ListExceptionsParams{}) {
		if err != nil {
			log.Fatal(err)
		}
		var row struct {
			Owner struct{ Team string }
		}
		if err := exception.Decode(&row); err != nil {
			log.Fatal(err)
		}
		fmt.Println(exception.ID, row.Owner.Team)
	}
	// Output:
	// e1 finance
}

// A control plane may call the identity of its rows otherwise.
func ExampleOptions() {
	server := agentctltest.NewServer()
	defer server.Close()
	for i := range 3 {
		server.AddException(agentctltest.Exception{Raw: fmt.Appendf(nil, `{"number":%d,"views":%d}`, i, i*i)})
	}
	client, err := agentctl.New(server.Endpoint(), &agentctl.Options{
		ExceptionID: func(e agentctl.Exception) string {
			var row struct{ Number *int }
			if e.Decode(&row) != nil || row.Number == nil {
				return ""
			}
			return fmt.Sprint(*row.Number)
		},
		ReadAhead: 2,
	})
	if err != nil {
		log.Fatal(err)
	}
	for exception, err := range client.Exceptions(context.Background(), agentctl.ListExceptionsParams{}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(string(exception.Raw))
	}
	// Output:
	// {"number":2,"views":4}
	// {"number":1,"views":1}
	// {"number":0,"views":0}
}
