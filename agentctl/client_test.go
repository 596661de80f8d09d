package agentctl_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/agentctl"
	"github.com/opsroom-go/opsroom/agentctl/agentctltest"
)

func TestNewRefusesEndpointsThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	for _, base := range []string{"", "control.example.com", "ftp://control.example.com", "https://user:canary@control.example.com", "https://control.example.com?canary=1"} {
		client, err := agentctl.New(opsroom.Endpoint{BaseURL: base}, nil)
		require.ErrorContains(t, err, "agentctl: ")
		require.NotContains(t, err.Error(), "canary")
		require.Nil(t, client)
	}
	_, err := agentctl.New(opsroom.Endpoint{BaseURL: "http://control.example.com", Authorize: opsroom.Bearer("t")}, nil)
	require.ErrorIs(t, err, opsroom.ErrPlainHTTP)
}

func TestOptionsAreCopied(t *testing.T) {
	t.Parallel()
	server, _ := newServer(t)
	server.AddRun(agentctltest.Run{ID: "r1", MissionID: "m1", Status: "blocked"})
	options := &agentctl.Options{RunID: func(r agentctl.Run) string { return "x" + r.ID }}
	client := newClient(t, server.Endpoint(), options)
	options.RunID = nil
	check, err := client.CheckResume(t.Context(), "m1", "xr1")
	require.NoError(t, err)
	require.True(t, check.Found)
}

// Credentials, arguments and answers must not turn up in errors, results or logs.
func TestNoSecretIsToldByErrorsOrLogs(t *testing.T) {
	t.Parallel()
	const canary = "canary"
	var log bytes.Buffer
	server, _ := newServer(t, agentctltest.Token(canary))
	endpoint := server.Endpoint()
	endpoint.Logger = slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	endpoint.Timeout = time.Second
	client := newClient(t, endpoint, nil)

	faults := []agentctltest.Fault{
		agentctltest.Status(500), agentctltest.Cut(), agentctltest.CutBody(), agentctltest.TruncateBody(),
		agentctltest.Answer(500, nil, `{"`+canary+`":1}`), agentctltest.Answer(200, nil, `{"`+canary+`":1}`),
		agentctltest.Answer(302, http.Header{"Location": {"https://elsewhere.example/" + canary}}, ``),
	}
	for i := range faults {
		server.FailFunc(func(agentctltest.Operation, int, *http.Request) agentctltest.Fault { return faults[i] })
		_, raise := client.RaiseException(t.Context(), agentctl.RaiseExceptionParams{
			RunID: "r1", Category: "a", Severity: agentctl.SeverityInfo, Message: canary, Detail: map[string]string{canary: canary}, StepID: canary,
		})
		_, list := client.ListExceptions(t.Context(), agentctl.ListExceptionsParams{MissionID: canary, RunID: canary})
		_, resume := client.CheckResume(t.Context(), "m-"+canary, "r1")
		for _, err := range []error{raise, list, resume} {
			require.Error(t, err)
			for e := err; e != nil; e = errors.Unwrap(e) {
				require.NotContains(t, e.Error(), canary)
				require.NotContains(t, fmt.Sprintf("%+v", e), canary)
			}
			request, ok := errors.AsType[*opsroom.RequestError](err)
			require.True(t, ok)
			require.NotContains(t, fmt.Sprintf("%#v", request), canary)
		}
	}
	require.NotContains(t, fmt.Sprintf("%+v %#v", client, client), canary)
	require.NotEmpty(t, log.String())
	require.NotContains(t, log.String(), canary)
}

func TestAClientMayBeSharedByGoroutines(t *testing.T) {
	t.Parallel()
	server, _ := newServer(t)
	server.AddRun(agentctltest.Run{ID: "r1", MissionID: "m1"})
	fill(server, 300)
	client := newClient(t, server.Endpoint(), &agentctl.Options{ReadAhead: 1})
	walk := client.Exceptions(t.Context(), agentctl.ListExceptionsParams{})
	errs := make([]error, 8)
	var running sync.WaitGroup
	for i := range errs {
		running.Go(func() {
			rows := 0
			for _, err := range walk {
				errs[i] = errors.Join(errs[i], err)
				rows++
			}
			_, err := client.CheckResume(t.Context(), "m1", "r1")
			errs[i] = errors.Join(errs[i], err)
			if rows != 300 {
				errs[i] = errors.Join(errs[i], fmt.Errorf("%d rows", rows))
			}
		})
	}
	running.Wait()
	for _, err := range errs {
		require.NoError(t, err)
	}
}
