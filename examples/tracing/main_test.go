package main

import (
	"context"
	"encoding/json"
	"errors"
	"log"
	"net/http"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/codes"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/agentctl"
	"github.com/opsroom-go/opsroom/agentctl/agentctltest"
)

func Example() {
	if err := run(context.Background(), os.Stdout); err != nil {
		log.Fatal(err)
	}
	// Output:
	// list_agent_exceptions
	//   HTTP GET 200
	// raise_agent_exception
	//   HTTP POST 201
	// list_agent_runs
	//   HTTP GET 503
	//   HTTP GET 200
}

func newRecorder(t *testing.T) (*tracetest.SpanRecorder, *sdktrace.TracerProvider) {
	t.Helper()
	recorder := tracetest.NewSpanRecorder()
	provider := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(recorder))
	t.Cleanup(func() { _ = provider.Shutdown(context.Background()) })
	return recorder, provider
}

func TestEachAttemptHasItsOwnTraceparent(t *testing.T) {
	recorder, provider := newRecorder(t)
	server := agentctltest.NewServer()
	defer server.Close()
	var parents []string
	server.BeforeRequest(func(_ int, r *http.Request) { parents = append(parents, r.Header.Get("Traceparent")) })
	server.Fail(agentctltest.ListExceptions, agentctltest.Status(502))
	endpoint := server.Endpoint()
	endpoint.HTTPClient = tracedClient(endpoint.HTTPClient.Transport, provider)
	client, err := agentctl.New(endpoint, nil)
	require.NoError(t, err)
	ctx, span := provider.Tracer("host").Start(t.Context(), "host")
	_, err = client.ListExceptions(ctx, agentctl.ListExceptionsParams{})
	span.End()
	require.NoError(t, err)

	spans := recorder.Ended()
	require.Len(t, spans, 3)
	require.Len(t, parents, 2)
	for i, attempt := range spans[:2] {
		require.Equal(t, span.SpanContext().SpanID(), attempt.Parent().SpanID())
		require.Equal(t, span.SpanContext().TraceID(), attempt.SpanContext().TraceID())
		require.Contains(t, parents[i], attempt.SpanContext().SpanID().String())
	}
}

// A transport of the host's own does not blur what is known about a raise.
func TestOutcomesAreKnownThroughTracing(t *testing.T) {
	for outcome, spoil := range map[agentctl.Outcome]func(*agentctltest.Server){
		agentctl.OutcomeNotSent:  func(s *agentctltest.Server) { s.Close() },
		agentctl.OutcomeUnknown:  func(s *agentctltest.Server) { s.Fail(agentctltest.RaiseException, agentctltest.Cut()) },
		agentctl.OutcomeRejected: func(s *agentctltest.Server) { s.Fail(agentctltest.RaiseException, agentctltest.Status(403)) },
		agentctl.OutcomeAccepted: func(s *agentctltest.Server) { s.Fail(agentctltest.RaiseException, agentctltest.CutBody()) },
	} {
		t.Run(string(outcome), func(t *testing.T) {
			recorder, provider := newRecorder(t)
			server := agentctltest.NewServer()
			defer server.Close()
			run := server.AddRun(agentctltest.Run{MissionID: "mission-1"})
			endpoint := server.Endpoint()
			endpoint.HTTPClient = tracedClient(endpoint.HTTPClient.Transport, provider)
			client, err := agentctl.New(endpoint, nil)
			require.NoError(t, err)
			spoil(server)

			raise := tracedTool(toolNamed(t, client.Tools(), "raise_agent_exception"), provider.Tracer("host"))
			arguments, err := json.Marshal(map[string]string{"runId": run.ID, "category": "a.b", "severity": "info", "message": "m"})
			require.NoError(t, err)
			result, err := raise.Call(t.Context(), arguments)
			failure, ok := errors.AsType[*agentctl.RaiseError](err)
			require.True(t, ok)
			require.Equal(t, outcome, failure.Outcome)
			require.True(t, result.IsError)

			spans := recorder.Ended()
			require.Len(t, spans, 2, "one request, once")
			require.Equal(t, codes.Error, spans[1].Status().Code)
			require.Equal(t, err.Error(), spans[1].Status().Description)
			require.Equal(t, string(outcome), spans[1].Attributes()[0].Value.AsString())
		})
	}
}

func toolNamed(t *testing.T, tools []opsroom.Tool, name string) opsroom.Tool {
	t.Helper()
	for _, tool := range tools {
		if tool.Name == name {
			return tool
		}
	}
	require.Fail(t, "no such tool", name)
	return opsroom.Tool{}
}
