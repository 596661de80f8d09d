package opsroom_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/agentctl"
)

// Arguments are checked before anything is sent, and all failures are told at once.
func ExampleInputError() {
	client, err := agentctl.New(opsroom.Endpoint{BaseURL: "https://control.example.com"}, nil)
	if err != nil {
		log.Fatal(err)
	}
	_, err = client.ListExceptions(context.Background(), agentctl.ListExceptionsParams{Status: "opened", Limit: 1000})

	if input, ok := errors.AsType[*opsroom.InputError](err); ok {
		for _, failure := range input.Failures {
			fmt.Println(failure.Pointer, failure.Rule, "-", failure.Message)
		}
	}
	// Output:
	// /status enum - must be open or resolved, not "opened"
	// /limit maximum - must be at most 200
}
