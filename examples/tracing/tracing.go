package main

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/agentctl"
)

// tracedClient returns an HTTP client whose requests are spans. The library calls
// its transport once for each request, so every attempt, renewed token and
// redirect is a span of its own, and carries a traceparent header of its own.
//
// Mind that otelhttp records the whole URL, queries included, which
// the library keeps out of its own logs and errors.
func tracedClient(base http.RoundTripper, provider trace.TracerProvider) *http.Client {
	return &http.Client{Transport: otelhttp.NewTransport(base,
		otelhttp.WithTracerProvider(provider),
		otelhttp.WithPropagators(propagation.TraceContext{}),
	)}
}

// tracedTool returns the tool with a span around each call, which is the parent of
// the spans of its requests.
func tracedTool(tool opsroom.Tool, tracer trace.Tracer) opsroom.Tool {
	call := tool.Call
	tool.Call = func(ctx context.Context, arguments json.RawMessage) (opsroom.Result, error) {
		ctx, span := tracer.Start(ctx, tool.Name)
		defer span.End()
		result, err := call(ctx, arguments)
		if err != nil {
			// Texts of the library's errors hold no secrets, so they may be recorded.
			span.SetStatus(codes.Error, err.Error())
		}
		if raise, ok := errors.AsType[*agentctl.RaiseError](err); ok {
			span.SetAttributes(attribute.String("raise.outcome", string(raise.Outcome)))
		}
		return result, err
	}
	return tool
}
