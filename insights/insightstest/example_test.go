package insightstest_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/opsroom-go/opsroom/insights"
	"github.com/opsroom-go/opsroom/insights/insightstest"
)

func Example() {
	const project = "https://acct.services.ai.azure.com/api/projects/p1"
	backend := insightstest.New(insightstest.Router)
	err := backend.AddInsights(project, "support-agent",
		json.RawMessage(`{"id":"insight_1","title":"Handle tool failures","status":"active"}`),
		json.RawMessage(`{"id":"insight_2","title":"Answer faster","status":"resolved"}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	client, err := insights.New(backend, &insights.Options{Route: backend.Route()})
	if err != nil {
		fmt.Println(err)
		return
	}
	found, err := client.Collect(context.Background(), insights.Query{
		ProjectEndpoint: project, AgentName: "support-agent", Status: insights.StatusActive,
	})
	fmt.Println(found.Insights[0].Title, err)
	fmt.Println(string(backend.Calls()[0].Parameters))
	// Output:
	// Handle tool failures <nil>
	// {"agentName":"support-agent","includeDetails":true,"limit":100,"order":"desc","projectEndpoint":"https://acct.services.ai.azure.com/api/projects/p1","status":"active"}
}

func ExampleBackend_Fail() {
	backend := insightstest.NewSample(insightstest.Direct)
	backend.Fail(insightstest.None, insightstest.RepeatedCursor)
	client, err := insights.New(backend, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	found, err := client.Collect(context.Background(), insights.Query{
		ProjectEndpoint: insightstest.SampleEndpoint, AgentName: insightstest.SampleAgent,
	})
	fmt.Println(errors.Is(err, insights.RepeatedCursor), len(found.Insights), found.Complete)
	// Output: true 200 false
}
