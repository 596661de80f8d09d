package agentctl_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/agentctl"
	"github.com/opsroom-go/opsroom/agentctl/agentctltest"
	"github.com/opsroom-go/opsroom/problem"
)

func TestARaiseIsRecordedAndReturned(t *testing.T) {
	t.Parallel()
	for _, status := range []int{200, 201, 202} {
		server, client := newServer(t, agentctltest.RaiseStatus(status))
		server.AddRun(agentctltest.Run{ID: "r1", MissionID: "m1"})
		exception, err := client.RaiseException(t.Context(), overLimit)
		require.NoError(t, err)
		require.Equal(t, "exc_000001", exception.ID)
		require.Equal(t, `{"amount":9007199254740993,"currency":"EUR"}`, string(exception.Detail))
		run, _ := server.Run("r1")
		require.Equal(t, "blocked", run.Status)
		require.Len(t, server.Requests(), 1)
	}
}

const (
	unknownAdvice = ". The exception may have been recorded: do not raise it again. Look for it with list_agent_exceptions and runId \"r1\" " +
		"without a status filter; if it is not there, a person has to settle it."
	acceptedAdvice = ". The server reported success, only its answer could not be read: do not raise it again. Look for it with " +
		"list_agent_exceptions and runId \"r1\" without a status filter; if it is not there, a person has to settle it."
	notSentAdvice = ". Nothing was sent: raising again is safe."
)

func TestARaiseThatFailsTellsItsOutcome(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		fault   agentctltest.Fault
		outcome agentctl.Outcome
		is      error
		advice  string
	}{
		"refused": {
			agentctltest.Problem(problem.Problem{Status: 409, Code: "run_ended", Detail: "The run has ended."}), agentctl.OutcomeRejected, problem.Status(409), "",
		},
		"too many":        {agentctltest.Status(429), agentctl.OutcomeRejected, problem.Status(429), ""},
		"unauthorized":    {agentctltest.Status(401), agentctl.OutcomeRejected, problem.Status(401), ""},
		"request timeout": {agentctltest.Status(408), agentctl.OutcomeUnknown, problem.Status(408), unknownAdvice},
		"server error":    {agentctltest.Status(500), agentctl.OutcomeUnknown, problem.Status(500), unknownAdvice},
		"proxy":           {agentctltest.ProxyPage(502), agentctl.OutcomeUnknown, problem.Status(502), unknownAdvice},
		"redirect":        {agentctltest.Answer(307, http.Header{"Location": {"/elsewhere"}}, ``), agentctl.OutcomeUnknown, opsroom.ErrRedirect, unknownAdvice},
		"cut":             {agentctltest.Cut(), agentctl.OutcomeUnknown, opsroom.ErrTransport, unknownAdvice},
		"cut afterwards":  {agentctltest.Cut().AfterEffect(), agentctl.OutcomeUnknown, opsroom.ErrTransport, unknownAdvice},
		"body cut":        {agentctltest.CutBody(), agentctl.OutcomeAccepted, opsroom.ErrTransport, acceptedAdvice},
		"body truncated":  {agentctltest.TruncateBody(), agentctl.OutcomeAccepted, opsroom.ErrMalformedBody, acceptedAdvice},
		"body too large":  {agentctltest.PadBody(2 << 20), agentctl.OutcomeAccepted, opsroom.ErrBodyTooLarge, acceptedAdvice},
		"login page":      {agentctltest.Answer(200, http.Header{"Content-Type": {"text/html"}}, `<!doctype html><title>Sign in</title>`), agentctl.OutcomeAccepted, opsroom.ErrMalformedBody, acceptedAdvice},
		"no record":       {agentctltest.Answer(201, nil, `{"exception":[]}`), agentctl.OutcomeAccepted, opsroom.ErrMalformedBody, acceptedAdvice},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, _ := newServer(t)
			server.AddRun(agentctltest.Run{ID: "r1", MissionID: "m1"})
			server.Fail(agentctltest.RaiseException, test.fault)
			endpoint := server.Endpoint()
			endpoint.MaxBody = 1 << 20
			client := newClient(t, endpoint, nil)
			before := time.Now()
			_, err := client.RaiseException(t.Context(), overLimit)
			failure, ok := errors.AsType[*agentctl.RaiseError](err)
			require.True(t, ok)
			require.Equal(t, test.outcome, failure.Outcome)
			require.ErrorIs(t, err, test.is)
			require.Equal(t, failure.Err.Error()+test.advice, err.Error())
			require.NotContains(t, err.Error(), overLimit.Message)
			require.Equal(t, "r1", failure.Params.RunID)
			require.Equal(t, overLimit.Message, failure.Params.Message)
			require.WithinRange(t, failure.Started, before, time.Now())
			require.Len(t, server.Requests(), 1, "sent once")
		})
	}
}

func TestARaiseThatNeverLeftMayBeRepeated(t *testing.T) {
	t.Parallel()
	server := agentctltest.NewServer()
	closed := server.Endpoint()
	server.Close()
	denied := errors.New("the vault is closed")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, test := range map[string]struct {
		ctx      context.Context
		endpoint opsroom.Endpoint
		is       error
	}{
		"nobody listens":        {t.Context(), closed, opsroom.ErrTransport},
		"no credentials":        {t.Context(), opsroom.Endpoint{BaseURL: closed.BaseURL, Authorize: func(*http.Request) error { return denied }}, denied},
		"the context had ended": {ended, closed, context.Canceled},
	} {
		_, err := newClient(t, test.endpoint, nil).RaiseException(test.ctx, overLimit)
		failure, ok := errors.AsType[*agentctl.RaiseError](err)
		require.True(t, ok, name)
		require.Equal(t, agentctl.OutcomeNotSent, failure.Outcome, name)
		require.ErrorIs(t, err, test.is, name)
		require.EqualError(t, err, failure.Err.Error()+notSentAdvice, name)
	}
}

func TestAnErrorWithoutACauseStillTellsTheOutcome(t *testing.T) {
	t.Parallel()
	failure := &agentctl.RaiseError{Outcome: agentctl.OutcomeUnknown, Params: overLimit}
	require.EqualError(t, failure, "raise_agent_exception: unknown"+unknownAdvice)
	require.Equal(t, failure.Error(), fmt.Sprintf("%+v", failure))
}

func TestARefusalOfTheHostsOwnCredentialsIsNoRefusalOfTheArguments(t *testing.T) {
	t.Parallel()
	denied := &opsroom.InputError{Operation: "get_token"}
	endpoint := opsroom.Endpoint{BaseURL: "http://127.0.0.1:1", Authorize: func(*http.Request) error { return denied }}
	_, err := newClient(t, endpoint, nil).RaiseException(t.Context(), overLimit)
	require.ErrorIs(t, err, denied)
	require.EqualError(t, err, "raise_agent_exception: no credentials could be had"+notSentAdvice)
}

func TestAdviceNeverNamesOnlyPartOfARun(t *testing.T) {
	t.Parallel()
	server, client := newServer(t)
	params := overLimit
	params.RunID = strings.Repeat("r", 41)
	server.AddRun(agentctltest.Run{ID: params.RunID, MissionID: "m1"})
	server.Fail(agentctltest.RaiseException, agentctltest.Cut())
	_, err := client.RaiseException(t.Context(), params)
	require.ErrorContains(t, err, "Look for it with list_agent_exceptions and the same runId without a status filter;")
}

func TestADeadlineLeavesTheOutcomeUnknown(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := agentctltest.NewServer(agentctltest.Pipe())
		defer server.Close()
		server.AddRun(agentctltest.Run{ID: "r1", MissionID: "m1"})
		server.Fail(agentctltest.RaiseException, agentctltest.Hang().AfterEffect())
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		begun := time.Now()
		_, err := newClient(t, server.Endpoint(), nil).RaiseException(ctx, overLimit)
		require.Equal(t, 5*time.Second, time.Since(begun))
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.EqualError(t, err, "raise_agent_exception: the call's deadline passed"+unknownAdvice)
		failure, ok := errors.AsType[*agentctl.RaiseError](err)
		require.True(t, ok)
		require.Equal(t, agentctl.OutcomeUnknown, failure.Outcome)
		require.Equal(t, begun, failure.Started)
		require.Len(t, server.Exceptions(), 1)
	})
}

func TestAToolTellsAModelWhatToDoAboutAnUnknownOutcome(t *testing.T) {
	t.Parallel()
	server, client := newServer(t)
	server.AddRun(agentctltest.Run{ID: "r1", MissionID: "m1"})
	server.Fail(agentctltest.RaiseException, agentctltest.Cut().AfterEffect())
	result, err := call(t, client, "raise_agent_exception", `{"runId":"r1","category":"a","severity":"info","message":"m","detail":{"a": 1}}`)
	failure, ok := errors.AsType[*agentctl.RaiseError](err)
	require.True(t, ok)
	require.Equal(t, agentctl.RaiseExceptionParams{
		RunID: "r1", Category: "a", Severity: "info", Message: "m", Detail: json.RawMessage(`{"a": 1}`),
	}, failure.Params, "what to look for is at hand")
	require.Equal(t, opsroom.Result{Text: err.Error(), IsError: true}, result)
	require.True(t, strings.HasSuffix(result.Text, unknownAdvice))
}
