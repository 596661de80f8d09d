package opsroom_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/agentctl"
	"github.com/opsroom-go/opsroom/agentctl/agentctltest"
	"github.com/opsroom-go/opsroom/problem"
)

// Only the base URL is needed. This host also names itself, keeps to ten
// attempts a second, and has less patience than the default.
func ExampleEndpoint() {
	server := agentctltest.NewServer(agentctltest.Token("secret"))
	defer server.Close()

	client, err := agentctl.New(opsroom.Endpoint{
		BaseURL:   server.URL,
		Authorize: opsroom.Bearer("secret"),
		UserAgent: "night-shift/1.4",
		Limiter:   rate.NewLimiter(10, 1),
		Timeout:   5 * time.Second,
		Retry:     opsroom.Retry{Attempts: 5, MaxDelay: 10 * time.Second},
	}, nil)
	if err != nil {
		log.Fatal(err)
	}
	page, err := client.ListExceptions(context.Background(), agentctl.ListExceptionsParams{})
	fmt.Println(len(page.Exceptions), err)
	// Output: 0 <nil>
}

// A tokenCache asks for a new token when it has none, and when the server has
// refused the one it has.
type tokenCache struct {
	mu    sync.Mutex
	token string
	fetch func(context.Context) (string, error)
}

func (c *tokenCache) Token(ctx context.Context) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.token != "" && !opsroom.Refused(ctx) {
		return c.token, nil
	}
	token, err := c.fetch(ctx)
	if err == nil {
		c.token = token
	}
	return token, err
}

// A token that has expired is renewed, and the GET that found out is repeated.
func ExampleBearerFunc() {
	server := agentctltest.NewServer(agentctltest.Token("second"))
	defer server.Close()

	cache := &tokenCache{token: "first", fetch: func(context.Context) (string, error) {
		fmt.Println("fetching a token")
		return "second", nil
	}}
	client, err := agentctl.New(opsroom.Endpoint{BaseURL: server.URL, Authorize: opsroom.BearerFunc(cache.Token)}, nil)
	if err != nil {
		log.Fatal(err)
	}
	for range 2 {
		_, err = client.ListExceptions(context.Background(), agentctl.ListExceptionsParams{})
		fmt.Println(err)
	}
	// Output:
	// fetching a token
	// <nil>
	// <nil>
}

// A server that asks to wait longer than the host is ready to is not waited
// for. The error says how long it would have been.
func ExampleRetry() {
	server := agentctltest.NewServer()
	defer server.Close()
	server.Fail(agentctltest.ListExceptions, agentctltest.Problem(problem.Problem{Status: 503, RetryAfterSeconds: 120}))

	client, err := agentctl.New(opsroom.Endpoint{BaseURL: server.URL, Retry: opsroom.Retry{MaxDelay: time.Minute}}, nil)
	if err != nil {
		log.Fatal(err)
	}
	_, err = client.ListExceptions(context.Background(), agentctl.ListExceptionsParams{})
	if failure, ok := errors.AsType[*opsroom.RequestError](err); ok {
		fmt.Println("come back in", failure.RetryAfter, "because", failure.GaveUp)
	}
	// Output: come back in 2m0s because the server asks to wait longer than is allowed
}

// Failures are told apart with errors.Is and errors.As.
func ExampleRequestError() {
	server := agentctltest.NewServer()
	defer server.Close()
	client, err := agentctl.New(opsroom.Endpoint{BaseURL: server.URL}, nil)
	if err != nil {
		log.Fatal(err)
	}

	_, err = client.ListRuns(context.Background(), agentctl.ListRunsParams{MissionID: "no-such-mission"})
	failure, ok := errors.AsType[*opsroom.RequestError](err)
	switch {
	case err == nil:
		fmt.Println("fine")
	case errors.Is(err, problem.Status(http.StatusNotFound)):
		fmt.Println("there is no such mission; operators know of it as request", failure.RequestID)
	case errors.Is(err, opsroom.ErrTimeout):
		fmt.Println("the server takes too long")
	case errors.Is(err, opsroom.ErrTransport):
		fmt.Println("the server cannot be reached")
	case ok:
		fmt.Println("something else:", failure)
	}
	// Output: there is no such mission; operators know of it as request req_000001
}
