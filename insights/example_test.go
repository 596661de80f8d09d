package insights_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/opsroom-go/opsroom/insights"
	"github.com/opsroom-go/opsroom/insights/insightstest"
)

// sample stands for the adapter around the host's MCP client.
var sample = insightstest.NewSample(insightstest.Router)

func Example() {
	route, err := insights.Discover(sample.ToolNames()) // the names in tools/list
	if err != nil {
		fmt.Println(err)
		return
	}
	client, err := insights.New(sample, &insights.Options{Route: route})
	if err != nil {
		fmt.Println(err)
		return
	}
	found, err := client.Collect(context.Background(), insights.Query{
		ProjectEndpoint: insightstest.SampleEndpoint,
		AgentName:       insightstest.SampleAgent,
		Severity:        insights.SeverityHigh,
		Status:          insights.StatusActive,
	}, insights.Total(3))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, insight := range found.Insights {
		fmt.Println(insight.Severity, insight.CreatedAt.Format("2 Jan 15:04"), insight.Title)
	}
	fmt.Println("more remain:", found.HasMore)
	// Output:
	// high 10 Aug 20:00 Handle failures of the order lookup
	// high 10 Aug 12:00 Handle failures of the order lookup
	// high 10 Aug 08:00 Handle failures of the order lookup
	// more remain: true
}

func ExampleClient_Page() {
	client, err := insights.New(sample, &insights.Options{Route: sample.Route()})
	if err != nil {
		fmt.Println(err)
		return
	}
	page, err := client.Page(context.Background(), insights.Query{
		ProjectEndpoint: insightstest.SampleEndpoint,
		AgentName:       insightstest.SampleAgent,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(page.Insights), page.HasMore, page.Insights[0].Details == nil)
	// Output: 20 true true
}

func ExampleClient_All() {
	backend := insightstest.NewSample(insightstest.Direct)
	backend.Fail(insightstest.None, insightstest.Unauthorized) // the second page
	client, err := insights.New(backend, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	query := insights.Query{ProjectEndpoint: insightstest.SampleEndpoint, AgentName: insightstest.SampleAgent}
	count := 0
	for insight, err := range client.All(context.Background(), query) {
		if incomplete, ok := errors.AsType[*insights.Incomplete](err); ok {
			fmt.Println("stopped:", string(incomplete.Reason), "after", incomplete.Pages, "page")
			query.After = incomplete.After // where to go on later
			break
		}
		_ = insight // hand it to whoever is to read it
		count++
	}
	fmt.Println(count, "insights were read")
	// Output:
	// stopped: unauthorized after 1 page
	// 100 insights were read
}

func ExampleClient_Collect() {
	client, err := insights.New(sample, &insights.Options{Route: sample.Route()})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, agent := range []string{insightstest.SampleAgent, insightstest.QuietAgent, insightstest.UnwatchedAgent} {
		found, err := client.Collect(context.Background(), insights.Query{
			ProjectEndpoint: insightstest.SampleEndpoint,
			AgentName:       agent,
		})
		switch {
		case errors.Is(err, insights.NoMonitor):
			fmt.Println(agent, "has no monitor")
		case err != nil:
			fmt.Println(err)
		case len(found.Insights) == 0:
			fmt.Println(agent, "has no matching insights")
		default:
			fmt.Println(agent, "has", len(found.Insights), "insights on", found.Pages, "pages")
		}
	}
	// Output:
	// support-agent has 230 insights on 3 pages
	// quiet-agent has no matching insights
	// unwatched-agent has no monitor
}

func ExampleClient_Tools() {
	client, err := insights.New(sample, &insights.Options{Route: sample.Route()})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, tool := range client.Tools() {
		fmt.Println(tool.Name, tool.Annotations.ReadOnly)
		result, err := tool.Call(context.Background(), json.RawMessage(`{"agentName":"support-agent","status":"open"}`))
		fmt.Println(result.IsError, errors.Is(err, insights.InvalidArgument))
		fmt.Println(result.Text)
	}
	// Output:
	// agent_insights_get true
	// true true
	// agent_insights_get: invalid arguments, nothing was sent: projectEndpoint: is required; status: must be active, resolved or ignored, not "open"
}

func ExampleDiscover() {
	for _, names := range [][]string{
		{"storage", "foundry"},
		{"mcp_azure_mcp_foundry", "mcp_azure_mcp_storage"},
		{"storage"},
	} {
		route, err := insights.Discover(names)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(route)
	}
	// Output:
	// router "foundry"
	// router "mcp_azure_mcp_foundry"
	// agent_insights_get: the insights tool is not available; check that the MCP server offers it and under which name: none of 1 tool leads to agent_insights_get
}

func ExampleCallerFunc() {
	// An adapter hands on every text block by itself, and isError.
	caller := insights.CallerFunc(func(_ context.Context, name string, arguments map[string]any) (insights.ToolResult, error) {
		fmt.Println("calling", name, "for", arguments["agentName"])
		return insights.ToolResult{Text: []string{`{"data":[{"id":"insight_1","title":"Handle tool failures"}],"has_more":false}`}}, nil
	})
	client, err := insights.New(caller, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	page, err := client.Page(context.Background(), insights.Query{ProjectEndpoint: "https://example.com/p", AgentName: "a"})
	fmt.Println(page.Insights[0].Title, err)
	// Output:
	// calling agent_insights_get for a
	// Handle tool failures <nil>
}
