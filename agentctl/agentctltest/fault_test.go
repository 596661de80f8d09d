package agentctltest_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	kit "github.com/opsroom-go/opsroom/agentctl/agentctltest"
	"github.com/opsroom-go/opsroom/problem"
)

// raiseRaw raises on a fresh connection, so that net/http repeats nothing.
func raiseRaw(ctx context.Context, server *kit.Server) (*http.Response, string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL+raisePath("r1"), strings.NewReader(goodRaise))
	if err != nil {
		return nil, "", err
	}
	request.Header.Set("Content-Type", "application/json")
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Do(request)
	if err != nil {
		return nil, "", err
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	return response, string(body), err
}

func TestARaiseGoesWrongBeforeOrAfterItsEffect(t *testing.T) {
	t.Parallel()
	whole := `{"exception":{"id":"exc_000001","missionId":"m1","runId":"r1","category":"a.b","severity":"info",` +
		`"status":"open","message":"m","detail":{},"createdAt":"2026-03-04T04:06:07.000008Z"}}`
	limited := problem.Problem{Status: 429, Code: "slow_down", RetryAfterSeconds: 7}
	tests := []struct {
		fault    kit.Fault
		name     string
		recorded bool
		status   int // 0 is no answer
		body     string
		err      error
	}{
		{kit.Fault{}, "no fault", true, 201, whole, nil},
		{kit.Fault{}.AfterEffect(), "no fault", true, 201, whole, nil},
		{kit.Status(503), "problem 503", false, 503, `{"title":"Service Unavailable","status":503}`, nil},
		{kit.Status(503).AfterEffect(), "problem 503 after the effect", true, 503, `{"title":"Service Unavailable","status":503}`, nil},
		{kit.Problem(limited), "problem 429", false, 429, `{"title":"Too Many Requests","status":429,"code":"slow_down","retry_after_seconds":7}`, nil},
		{kit.Answer(200, nil, "hello"), "answer 200", false, 200, "hello", nil},
		{kit.Answer(201, nil, "{}").AfterEffect(), "answer 201 after the effect", true, 201, "{}", nil},
		{kit.Cut(), "cut", false, 0, "", io.EOF},
		{kit.Cut().AfterEffect(), "cut after the effect", true, 0, "", io.EOF},
		{kit.CutBody(), "cut body", true, 201, whole[:len(whole)/2], io.ErrUnexpectedEOF},
		{kit.TruncateBody(), "truncated body", true, 201, whole[:len(whole)/2], nil},
		{kit.SlowBody(50, time.Microsecond), "slow body", true, 201, whole, nil},
		{kit.Delay(time.Microsecond), "delay", true, 201, whole, nil},
		{kit.PadBody(70_000), "body of 70000 bytes", true, 201, whole + strings.Repeat(" ", 70_000-len(whole)), nil},
		{kit.ContentType("text/html"), "content type text/html", true, 201, whole, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			server := newServer(t)
			addRun(server)
			server.Fail(kit.RaiseException, test.fault)
			require.Equal(t, test.name, test.fault.String())
			response, body, err := raiseRaw(t.Context(), server)
			require.ErrorIs(t, err, test.err)
			if test.status != 0 {
				require.Equal(t, test.status, response.StatusCode)
				require.Equal(t, "req_000001", response.Header.Get("X-Request-Id"))
			}
			require.Equal(t, test.body, body)
			run, _ := server.Run("r1")
			require.Equal(t, map[bool]string{true: "blocked", false: "running"}[test.recorded], run.Status)
			require.Equal(t, test.recorded, len(server.Exceptions()) == 1)
			require.Equal(t, 1, server.Count(kit.RaiseException))
			require.Equal(t, goodRaise, string(server.Requests()[0].Body))
		})
	}
}

func TestAProblemSaysWhenToRetry(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	server.Fail(kit.ListExceptions, kit.Problem(problem.Problem{Status: 503, RetryAfterSeconds: 7}), kit.ProxyPage(502))
	a := get(t, server, exceptionsPath)
	require.Equal(t, "7", a.header.Get("Retry-After"))
	a = get(t, server, exceptionsPath)
	require.Equal(t, 502, a.status)
	require.Equal(t, "text/html; charset=utf-8", a.header.Get("Content-Type"))
}

func TestAHangEndsWithTheClientOrTheServer(t *testing.T) {
	t.Parallel()
	for _, fault := range []kit.Fault{kit.Hang(), kit.Hang().AfterEffect()} {
		server := newServer(t)
		addRun(server)
		server.Fail(kit.RaiseException, fault, fault)
		ctx, cancel := context.WithCancel(t.Context())
		arrived := make(chan struct{})
		server.BeforeRequest(func(n int, _ *http.Request) {
			if n == 1 {
				cancel()
				return
			}
			close(arrived)
		})
		_, _, err := raiseRaw(ctx, server)
		require.ErrorIs(t, err, context.Canceled)

		ended := make(chan error, 1)
		go func() {
			_, _, err := raiseRaw(context.Background(), server)
			ended <- err
		}()
		<-arrived
		server.Close()
		server.Close()
		require.Error(t, <-ended)
	}
}

func TestAClosedPlaneStillServes(t *testing.T) {
	t.Parallel()
	plane := kit.New(kit.Demo())
	plane.Close()
	plane.Close()
	require.Equal(t, 200, serve(plane, "GET", exceptionsPath, "", "").Code)
}

func TestEachOperationHasItsOwnFaults(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	addRun(server)
	server.Fail(kit.ListExceptions, kit.Status(500), kit.Fault{}, kit.Status(502))
	server.Fail(kit.ListRuns, kit.Status(503))
	server.Fail("", kit.Status(504))
	server.Fail(kit.ListExceptions, kit.Status(429))
	var statuses []int
	for _, path := range []string{exceptionsPath, runsPath("m1"), exceptionsPath, exceptionsPath, "/", "/", exceptionsPath, exceptionsPath, runsPath("m1")} {
		statuses = append(statuses, get(t, server, path).status)
	}
	require.Equal(t, []int{500, 503, 200, 502, 504, 404, 429, 200, 200}, statuses)
}

func TestAFunctionMayPickFaults(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	addRun(server)
	var calls []string
	server.FailFunc(func(operation kit.Operation, n int, r *http.Request) kit.Fault {
		body, _ := io.ReadAll(r.Body)
		calls = append(calls, fmt.Sprint(operation, " ", n, " ", len(body)))
		if operation == kit.ListExceptions && n%2 == 0 {
			return kit.Status(503)
		}
		return kit.Fault{}
	})
	server.Fail(kit.ListExceptions, kit.Fault{}, kit.Status(500)) // these come first
	var statuses []int
	for range 5 {
		statuses = append(statuses, get(t, server, exceptionsPath).status)
	}
	require.Equal(t, []int{200, 500, 200, 503, 200}, statuses)
	require.Equal(t, 201, post(t, server, raisePath("r1"), goodRaise).status)
	require.Equal(t, 404, get(t, server, "/").status)
	server.FailFunc(nil)
	require.Equal(t, 200, get(t, server, exceptionsPath).status)
	require.Equal(t, []string{
		"list_agent_exceptions 3 0", "list_agent_exceptions 4 0", "list_agent_exceptions 5 0",
		fmt.Sprint("raise_agent_exception 1 ", len(goodRaise)), " 1 0",
	}, calls)
}

func TestListsGoWrongInWaysOfTheirOwn(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	for i := range 9 {
		server.AddException(kit.Exception{ID: fmt.Sprint(i)})
	}
	query := exceptionsPath + "?limit=3&offset=3"
	right := []string{"5", "4", "3"}
	require.Equal(t, right, ids(t, get(t, server, query)))
	server.Fail(kit.ListExceptions, kit.IgnoreOffset(), kit.CapLimit(2), kit.CapLimit(4), kit.CapLimit(0), kit.CapLimit(-1))
	require.Equal(t, []string{"8", "7", "6"}, ids(t, get(t, server, query)))
	require.Equal(t, right[:2], ids(t, get(t, server, query)))
	require.Equal(t, right, ids(t, get(t, server, query)))
	require.Empty(t, ids(t, get(t, server, query)))
	require.Empty(t, ids(t, get(t, server, query)))
	require.Equal(t, "ignored offset", kit.IgnoreOffset().String())
	require.Equal(t, "limit capped to 4", kit.CapLimit(4).String())
	require.Equal(t, "unstable order", kit.UnstableOrder(1).AfterEffect().String())

	// A fault of a list is none elsewhere, and what is wrong stays wrong.
	server.Fail(kit.ListExceptions, kit.CapLimit(1))
	require.Equal(t, 400, get(t, server, exceptionsPath+"?limit=0").status)
	addRun(server)
	server.Fail(kit.RaiseException, kit.CapLimit(1))
	require.Equal(t, 201, post(t, server, raisePath("r1"), goodRaise).status)
}

func TestOnlyTiesAreUnstable(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	for i := range 30 {
		server.AddException(kit.Exception{ID: fmt.Sprint("old", i)})
	}
	for i := range 30 {
		server.AddException(kit.Exception{ID: fmt.Sprint("new", i), CreatedAt: standingClock().Add(time.Minute)})
	}
	server.FailFunc(func(_ kit.Operation, n int, _ *http.Request) kit.Fault { return kit.UnstableOrder(uint64(n / 2)) })
	page := func() []string { return ids(t, get(t, server, exceptionsPath+"?limit=60")) }
	pages := [][]string{page(), page(), page()} // seeds 0, 1, 1
	require.NotEqual(t, pages[0], pages[1])
	require.Equal(t, pages[1], pages[2])
	for _, page := range pages {
		for i, id := range page {
			require.Equal(t, i < 30, strings.HasPrefix(id, "new"))
		}
		require.ElementsMatch(t, pages[0], page)
	}
	server.FailFunc(nil)
	require.Equal(t, "new29", page()[0])
}
