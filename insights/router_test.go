package insights_test

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/opsroom-go/opsroom/insights"
)

// What Azure's router writes, as its public source has it.
const (
	learnText = "Here are the available commands and their input schema for 'foundry' tool.\n" +
		"If you do not find a suitable command, run again with \"learn=true\".\n\n" +
		`[{"command":"agent_insights_get","description":"{\"data\":[],\"has_more\":false}","inputSchema":{"type":"object"}}]`
	specText = "\n- Review the following command spec and identify the required options and input arguments for the next call.\n" +
		"- Omit any arguments that are not required or do not apply.\n\nCommand Spec:\n" +
		`{"name":"agent_insights_get","inputSchema":{"type":"object"}}`
	readOnlyText = "Tool 'foundry agent_insights_get' is not available. This server is configured in read-only mode and this tool is not a read-only tool."
)

func routerText(message string) string {
	return "There was an error finding or calling tool and command.\nFailed to call tool: foundry, command: agent_insights_get\n" +
		"Error: " + message + "\n\nRun again with the \"learn=true\" to get a list of available commands and the parameters that are required."
}

func TestRouterAndServerAnswers(t *testing.T) {
	t.Parallel()
	good := pageOf(false, "", "b")
	quoting := `{"data":[{"id":"a","title":"Unauthorized: no monitor found, invalid"}],"has_more":false}`
	spoken := `{"data":[{"id":"b","description":"The call failed: Missing required options: order. Unauthorized."}],"has_more":false}`
	tests := []struct {
		name   string
		answer answer
		kind   insights.Kind // "" is success
	}{
		// The router's table.
		{"success as text", text(good), ""},
		{"success as structured content", structured(good), ""},
		{"success in both forms", answer{result: insights.ToolResult{Structured: []byte(good), Text: []string{good}}}, ""},
		{"success with text that people read", answer{result: insights.ToolResult{Structured: []byte(good), Text: []string{"1 insight"}}}, ""},
		{"the tool reports an error", flagged("Something broke."), insights.Backend},
		{"the tool reports an error in the shape of a page", flagged(good), insights.Backend},
		{"the tool reports an error beside a page", answer{result: insights.ToolResult{Structured: []byte(good), Text: []string{"boom"}, IsError: true}}, insights.Backend},
		{"learn text", text(learnText), insights.ToolUnavailable},
		{"learn text with an empty list", text("Here are the available commands and their input schema for 'foundry' tool.\n\n[]"), insights.ToolUnavailable},
		{"no client, for a network reason", flagged("Failed to create MCP client for registry server 'foundry': No such host is known. (mcp.ai.azure.com:443)"), insights.Backend},
		{"no client, for a sign-in reason", flagged("Failed to create MCP client for registry server 'foundry': Azure CLI not installed; DefaultAzureCredential failed to retrieve a token; authentication failed."), insights.Unauthorized},
		{"no client, for status 401", flagged("Failed to create MCP client for registry server 'foundry': Response status code does not indicate success: 401 (Unauthorized)."), insights.Unauthorized},
		{"router error about parameters", text(routerText("Request failed (remote): Invalid params")), insights.InvalidArgument},
		{"router error about 401", text(routerText("Response status code does not indicate success: 401 (Unauthorized).")), insights.Unauthorized},
		{"router error about 403", text(routerText("Response status code does not indicate success: 403 (Forbidden).")), insights.Unauthorized},
		{"router error about 500", text(routerText("Response status code does not indicate success: 500 (Internal Server Error).")), insights.Backend},
		{"router error about a timeout", text(routerText("The operation has timed out.")), insights.Backend},
		{"router error about a monitor", text(routerText("Request failed (remote): Monitor for agent 'support-agent' not found.")), insights.NoMonitor},
		{"router error about who knows what", text(routerText("Object reference not set to an instance of an object.")), insights.Backend},
		{"router error without a message", text("There was an error finding or calling tool and command."), insights.Backend},
		{"router error with the line ends of Windows", text(strings.ReplaceAll(routerText("Object reference not set to an instance of an object."), "\n", "\r\n")), insights.Backend},
		{"missing options on a later line, rewrapped", text("Something is wrong.\nMissing required options: --agent-name" + specText), insights.InvalidArgument},
		{"missing options on a later line of prose", text("These are the insights.\nMissing required options: --agent-name"), insights.MalformedPage},
		{"missing options within JSON, rewrapped", text(`{"status":400,"message":"Missing Required options: --agent-name"}`+specText, `{"status":400,"message":"Missing Required options: --agent-name"}`), insights.InvalidArgument},
		{"missing options, rewrapped", text("Missing Required options: --agent-name"+specText, "Missing Required options: --agent-name"), insights.InvalidArgument},
		{"a page that speaks of missing options, rewrapped", text(spoken+specText, spoken), ""},
		{"unknown server key", flagged("The tool 'foundry.agent_insights_get' was not found or does not support the specified command. Please ensure the tool name and command are correct."), insights.ToolUnavailable},
		{"neither command nor intent", text(`The "command" parameters are required when not learning`), insights.InvalidArgument},
		{"read-only mode", flagged(readOnlyText), insights.ToolUnavailable},
		{"tool that must run locally", flagged("Tool 'foundry' is not available. This server is running in HTTP mode and this tool requires local execution."), insights.ToolUnavailable},
		{"namespace not loaded", flagged("The tool foundry was not found"), insights.ToolUnavailable},
		{"loaders failed", flagged("Failed to initialize tool loaders: boom"), insights.ToolUnavailable},

		// Azure's mode "all".
		{"unknown tool", flagged("The tool foundry_agent_insights_get was not found in the tool registry."), insights.ToolUnavailable},
		{"filtered tool", flagged("Tool 'foundry_agent_insights_get' is not available. This server is configured to only expose the tools: 'storage_account_get'"), insights.ToolUnavailable},
		{"invoking failed, with message", flagged("An error occurred invoking 'foundry_agent_insights_get': Monitor not found."), insights.NoMonitor},
		{"invoking failed, without message", flagged("An error occurred invoking 'foundry_agent_insights_get'."), insights.Backend},

		// JSON-RPC and session errors.
		{"-32602", rpc(-32602, "Invalid params"), insights.InvalidArgument},
		{"-32602 in words of its own", rpc(-32602, "limit"), insights.InvalidArgument},
		{"-32602 in the words of another kind", rpc(-32602, "Failed to read limit"), insights.InvalidArgument},
		{"-32602 about the tool", rpc(-32602, `Unknown tool: "agent_insights_get"`), insights.ToolUnavailable},
		{"-32602 about the tool, go-sdk", rpc(-32602, `unknown tool "agent_insights_get"`), insights.ToolUnavailable},
		{"-32602 about the tool, mcp-go", rpc(-32602, "tool 'agent_insights_get' not found: tool not found"), insights.ToolUnavailable},
		{"-32602 about the monitor", rpc(-32602, "No monitor exists"), insights.NoMonitor},
		{"-32601", rpc(-32601, "Method not found"), insights.ToolUnavailable},
		{"-32603", rpc(-32603, "Internal error"), insights.Backend},
		{"-32603 about access", rpc(-32603, "Unauthorized"), insights.Unauthorized},
		{"-32700", rpc(-32700, "Parse error"), insights.Backend},
		{"wrapped", failing(fmt.Errorf("calling: %w", &insights.RPCError{Code: -32602, Message: "x"})), insights.InvalidArgument},
		{"an error without a code", failing(errors.New(`calling "tools/call": invalid params: limit`)), insights.InvalidArgument},
		{"HTTP 401 of the session", failing(errors.New("401 Unauthorized")), insights.Unauthorized},
		{"connection refused", failing(&url.Error{Op: "Post", URL: "https://mcp.example/?key=SECRET", Err: errors.New("connection refused")}), insights.Backend},
		{"an adapter that knows", failing(fmt.Errorf("%w: not in tools/list", insights.ToolUnavailable)), insights.ToolUnavailable},

		// The contract's outcomes in other words.
		{"no monitor", flagged("No monitor was found for agent 'support-agent'."), insights.NoMonitor},
		{"no monitor, unflagged", text("No existing agent insight monitor."), insights.NoMonitor},
		{"monitor does not exist", flagged("The insight monitor for this agent does not exist."), insights.NoMonitor},
		{"could not find", flagged("Could not find an agent_insight_monitor."), insights.NoMonitor},
		{"no monitor with 404", flagged(`{"error":{"code":"not_found","message":"No monitor found.","type":"invalid_request_error"},"status":404}`), insights.NoMonitor},
		{"404 alone", flagged(`{"error":"missing","status":404}`), insights.Backend},
		{"404 alone, in prose", flagged("Response status code does not indicate success: 404 (Not Found)."), insights.Backend},
		{"404 alone, with the address", flagged("GET https://acct.services.ai.azure.com/api/projects/p1/agent_insight_monitors returned 404 (Not Found)."), insights.Backend},
		{"404 alone, before the address", flagged("404 (Not Found): https://acct/api/projects/p1/agent_insight_monitors"), insights.Backend},
		{"404 alone, with the path", flagged("Request to '/agent_insight_monitors' failed: not found"), insights.Backend},
		{"monitor of another name", flagged("Agent 'support-agent' has no configured insight monitor."), insights.NoMonitor},
		{"monitor required", flagged("An existing monitor is required."), insights.NoMonitor},
		{"agent that requires a monitor", flagged("The agent requires an insight monitor."), insights.NoMonitor},
		{"monitor not enabled", flagged("The monitor is not enabled for this agent."), insights.NoMonitor},
		{"monitor deleted", flagged("The agent's monitor has been deleted."), insights.NoMonitor},
		{"monitor service down", flagged("No insights could be read because the monitor service is down."), insights.Backend},
		{"no data from the monitor", flagged("No data from the monitor yet."), insights.Backend},
		{"after not found in a monitor's items", flagged("Given after argument was not found in monitor items"), insights.InvalidArgument},
		{"agent not found", text("Agent 'support-agent' was not found."), insights.Backend},
		{"no response from the monitor", flagged("There was no response from the monitor service."), insights.Backend},
		{"denied", text(`{"error":"denied"}`), insights.Unauthorized},
		{"error null", text(`{"error":null}`), insights.MalformedPage},
		{"boom", text(`{"error":"boom"}`), insights.Backend},
		{"REST error body", flagged(`{"error":{"code":null,"message":"Invalid value for status","param":"status","type":"invalid_request_error"}}`), insights.InvalidArgument},
		{"REST error as structured content", answer{result: insights.ToolResult{Structured: []byte(`{"error":{"code":"Forbidden","message":""}}`), IsError: true}}, insights.Unauthorized},
		{"code that tells more than the message", flagged(`{"error":{"code":"PermissionDenied","message":"The principal lacks a data action."}}`), insights.Unauthorized},
		{"code of an error within a success", flagged(`{"status":200,"error":{"code":401,"message":"Sorry."}}`), insights.Unauthorized},
		{"level in brackets", flagged("[Error] No monitor exists."), insights.NoMonitor},
		{"status in brackets", flagged("[401] Sorry."), insights.Unauthorized},
		{"list cut short, which speaks of access", flagged(`[ {"id":"a","title":"Unauthorized`), insights.Backend},
		{"code that is a status", flagged(`{"error":{"code":"401","message":"Sorry."}}`), insights.Unauthorized},
		{"no right to read monitors", flagged("The client does not have authorization to perform action 'monitors/read'; no monitor was read."), insights.Unauthorized},
		{"invalid token", flagged("Invalid token"), insights.Unauthorized},
		{"expired token", flagged("The token has expired."), insights.Unauthorized},
		{"invalid continuation token", flagged("Invalid continuation token"), insights.InvalidArgument},
		{"continuation token that is invalid", flagged("The continuation token is invalid."), insights.InvalidArgument},
		{"log that is no login", flagged("Something broke; see the log in the portal."), insights.Backend},
		{"login", flagged("Please run az login."), insights.Unauthorized},
		{"not logged in", flagged("You are not logged in."), insights.Unauthorized},
		{"no credential", flagged("DefaultAzureCredential failed to retrieve a token."), insights.Unauthorized},
		{"complaint in a long text", flagged("No monitor exists." + strings.Repeat(" Padding.", 100_000)), insights.NoMonitor},
		{"complaint too late in a long text", flagged(strings.Repeat("Padding. ", 100_000) + "Unauthorized"), insights.Backend},
		{"after not found", flagged("Given after argument was not found in items"), insights.InvalidArgument},
		{"limit of 500", flagged("limit must be between 1 and 100, got 500"), insights.InvalidArgument},
		{"HTTP 400", flagged("HTTP 400: status=open"), insights.InvalidArgument},
		{"throttled", flagged("HTTP/1.1 429 Too Many Requests"), insights.Backend},

		// Azure's envelope.
		{"envelope", text(`{"status":200,"message":"Success","results":` + good + `,"duration":5}`), ""},
		{"envelope with the page a level down", text(`{"status":200,"message":"","results":{"data":` + good + `},"duration":5}`), ""},
		{"envelope as structured content", structured(`{"status":200,"message":"Success","results":` + good + `,"duration":5}`), ""},
		{"envelope of a failure that holds a page", text(`{"status":500,"message":"boom","results":` + good + `,"duration":5}`), insights.Backend},
		{"envelope with 401", text(`{"status":401,"message":"Sorry","duration":5}`), insights.Unauthorized},
		{"envelope with 403", flagged(`{"status":403,"message":"Sorry","results":{"message":"x","type":"y"},"duration":5}`), insights.Unauthorized},
		{"envelope with 400", flagged(`{"status":400,"message":"Missing Required options: --agent-name","duration":0}`), insights.InvalidArgument},
		{"envelope with 500", flagged(`{"status":500,"message":"x","results":{"message":"x","type":"Exception"},"duration":0}`), insights.Backend},
		{"envelope without a status", text(`{"message":"Success","results":` + good + `,"duration":5}`), insights.MalformedPage},
		{"envelope with a failure of no known kind", text(`{"status":409,"message":"Sorry.","duration":5}`), insights.Backend},
		{"envelope of a bad page", text(`{"status":200,"message":"Authentication succeeded","results":{"data":[{"id":"a"}]},"duration":5}`), insights.MalformedPage},
		{"envelope of a bad page a level down", text(`{"status":200,"message":"Authentication succeeded","results":{"data":{"data":{},"has_more":false}},"duration":5}`), insights.MalformedPage},
		{"error beside data that is null", text(`{"error":{"code":"Unauthorized","message":"Sorry."},"data":null}`), insights.Unauthorized},
		{"error of no known kind beside data that is null", text(`{"data":null,"error":"boom"}`), insights.Backend},
		{"error that is null beside data that is null", text(`{"data":null,"error":null}`), insights.MalformedPage},
		{"envelope without results", text(`{"status":200,"message":"Success","duration":5}`), insights.MalformedPage},

		// Where a page is, and where none is.
		{"byte order mark and white space", text("\ufeff \n" + good + "\r\n"), ""},
		{"second of several blocks", text("Here you are:", good, "Bye."), ""},
		{"first valid page of several", text(`{"data":[],"has_more":"no"}`, good), ""},
		{"structured content that is no page beside a text that is", answer{result: insights.ToolResult{Structured: []byte(`{"result":1}`), Text: []string{good}}}, ""},
		{"structured content that is a bad page beside a text that is a good one", answer{result: insights.ToolResult{Structured: []byte(`{"data":[],"has_more":"false"}`), Text: []string{good}}}, insights.MalformedPage},
		{"structured content null", answer{result: insights.ToolResult{Structured: []byte(`null`), Text: []string{good}}}, ""},
		{"structured content that is no JSON", answer{result: insights.ToolResult{Structured: []byte(`{`), Text: []string{good}}}, ""},
		{"page within prose", text("Here you are: " + good), insights.MalformedPage},
		{"page within a code fence", text("```json\n" + good + "\n```"), insights.MalformedPage},
		{"page within an array", text("[" + good + "]"), insights.MalformedPage},
		{"page within a string", text(fmt.Sprintf("%q", good)), insights.MalformedPage},
		{"page spread over two blocks", text(good[:10], good[10:]), insights.MalformedPage},
		{"two pages in one block", text(good + good), insights.MalformedPage},
		{"page cut short, which speaks of access", text(`{"data":[{"id":"a","title":"Unauthorized: no monitor, invalid","descr`), insights.MalformedPage},
		{"page within prose, which speaks of access", text("Here you are: " + quoting), insights.MalformedPage},
		{"page within a code fence, which speaks of access", text("```json\n" + quoting + "\n```"), insights.MalformedPage},
		{"page within a string, which speaks of access", text(fmt.Sprintf("%q", quoting)), insights.MalformedPage},
		{"page spread over two blocks, which speaks of access", text(quoting[:30], quoting[30:]), insights.MalformedPage},
		{"page spread over three blocks, which speaks of access", text("Here:", quoting[:20], quoting[20:40], quoting[40:]), insights.MalformedPage},
		{"failed page spread over two blocks, which speaks of access", flagged(quoting[:30], quoting[30:]), insights.Backend},
		{"insights as prose, which speak of access", text("# Agent insights\n\n1. Unauthorized calls of a tool\n2. No monitor found\n"), insights.MalformedPage},
		{"insights in one long line of prose", text("These are the insights. " + strings.Repeat("The agent waits too long for its tools. ", 5) + "Unauthorized."), insights.MalformedPage},
		{"insights one a block, which speak of access", text(`{"id":"a","title":"Unauthorized","status":"active"}`, `{"id":"b","title":"No monitor found"}`), insights.MalformedPage},
		{"bad page, which speaks of access", text(`{"data":[{"id":"a","title":"Unauthorized: no monitor"}],"message":"401"}`), insights.MalformedPage},
		{"invalid UTF-8", text("{\"data\":[{\"id\":\"a\",\"title\":\"\xff\"}],\"has_more\":false}"), insights.MalformedPage},
		{"no content", answer{}, insights.MalformedPage},
		{"empty text", text(""), insights.MalformedPage},
		{"prose", text("Everything is fine."), insights.MalformedPage},
		{"nothing but an error flag", answer{result: insights.ToolResult{IsError: true}}, insights.Backend},
	}
	for _, test := range tests {
		for _, position := range []string{"first page", "second page"} {
			t.Run(test.name+"/"+position, func(t *testing.T) {
				t.Parallel()
				want := walkCase{
					options: insights.Options{Route: insights.Router("foundry")}, answers: []answer{test.answer},
					cursors: []string{""}, kind: test.kind, stop: insights.StopEnd, pages: 1, ids: "b",
				}
				if position == "second page" {
					want.answers = []answer{page(true, "c1", "a"), test.answer}
					want.cursors, want.pages, want.ids = []string{"", "c1"}, 2, "a b"
				}
				if test.kind != "" {
					want.pages--
					want.ids = strings.TrimSpace(strings.TrimSuffix(want.ids, "b"))
					if want.pages > 0 {
						want.after, want.hasMore = "c1", true
					}
				}
				want.run(t)
			})
		}
	}
}
