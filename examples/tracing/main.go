// Command tracing shows the requests of agentctl as OpenTelemetry spans. The
// library knows nothing of OpenTelemetry: the host plugs otelhttp into
// Endpoint.HTTPClient, and puts a span around each tool.
//
// It runs against an embedded control plane that fails the first request, and
// prints the spans that were recorded, in memory, as a tree.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/opsroom-go/opsroom/agentctl"
	"github.com/opsroom-go/opsroom/agentctl/agentctltest"
)

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, out io.Writer) error {
	recorder := tracetest.NewSpanRecorder()
	provider := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(recorder))
	defer func() { _ = provider.Shutdown(ctx) }()

	server := agentctltest.NewServer()
	defer server.Close()
	run := server.AddRun(agentctltest.Run{MissionID: "mission-1"})
	server.Fail(agentctltest.ListRuns, agentctltest.Status(503))

	endpoint := server.Endpoint()
	endpoint.HTTPClient = tracedClient(endpoint.HTTPClient.Transport, provider)
	client, err := agentctl.New(endpoint, nil)
	if err != nil {
		return err
	}
	arguments := map[string]string{
		"list_agent_runs":       `{"missionId":"mission-1"}`,
		"raise_agent_exception": `{"runId":"` + run.ID + `","category":"policy.spend-limit","severity":"critical","message":"over budget"}`,
		"list_agent_exceptions": `{"runId":"` + run.ID + `"}`,
	}
	tracer := provider.Tracer("example")
	for _, tool := range client.Tools() {
		if _, err := tracedTool(tool, tracer).Call(ctx, json.RawMessage(arguments[tool.Name])); err != nil {
			return err
		}
	}
	printTree(out, recorder.Ended())
	return nil
}

// printTree prints each root span, with the spans below it in the order in
// which they ended.
func printTree(out io.Writer, spans []sdktrace.ReadOnlySpan) {
	for _, root := range spans {
		if root.Parent().IsValid() {
			continue
		}
		_, _ = fmt.Fprintln(out, root.Name())
		for _, span := range spans {
			if span.Parent().SpanID() == root.SpanContext().SpanID() {
				_, _ = fmt.Fprintln(out, "  "+span.Name(), statusOf(span))
			}
		}
	}
}

func statusOf(span sdktrace.ReadOnlySpan) string {
	for _, a := range span.Attributes() {
		if a.Key == "http.response.status_code" {
			return a.Value.String()
		}
	}
	return "no answer"
}
