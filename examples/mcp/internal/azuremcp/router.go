package azuremcp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/opsroom-go/opsroom/insights"
)

// commands is what the router lists for a model to choose from.
const commands = `[{"command":"agent_get","description":"Gets an agent.","inputSchema":{"type":"object"}},` +
	`{"command":"agent_insights_get","description":"Gets insights.","inputSchema":{"type":"object"}}]`

// learnText is what the router answers when it is to explain itself. It is no error.
func learnText(commands string) string {
	return "Here are the available commands and their input schema for 'foundry' tool.\n" +
		`If you do not find a suitable "command", run again with the "learn=true" to get a list of available commands and their parameters.` + "\n" +
		`Next, identify the command you want to execute and run again with the "command" and "parameters" arguments, respecting "required" parameters if present.` + "\n\n" +
		commands
}

// callFailedText is what the router says of an exception behind it, without isError.
func callFailedText(message string) string {
	return "There was an error finding or calling tool and command.\n" +
		"Failed to call tool: foundry, command: agent_insights_get\n" +
		"Error: " + message + "\n\n" +
		`Run again with the "learn=true" to get a list of available commands and their parameters.`
}

const noCommandText = `The "command" parameters are required when not learning` + "\n" +
	`Run again with the "learn" argument to get a list of available tools and their parameters.` + "\n" +
	`To learn about a specific tool, use the "tool" argument with the name of the tool.`

const missingOptionsText = "Missing Required options: agentName"

// missingOptionsAdvice is the block that the router puts before the tool's own.
const missingOptionsAdvice = `The 'agent_insights_get' command is missing required parameters.

- Review the following command spec and identify the required arguments from the input schema.
- Omit any arguments that are not required or do not apply to your use case.
- Wrap all command arguments into the root "parameters" argument.
- If required data is missing infer the data from your context or prompt the user as needed.
- Run the tool again with the "command" and root "parameters" object.

Command Spec:
{"name":"agent_insights_get","description":"Gets insights.","inputSchema":{"type":"object"}}`

func notFoundText(tool, command string) string {
	return fmt.Sprintf("The tool '%s.%s' was not found or does not support the specified command.\n", tool, command) +
		"Please ensure the tool name and command are correct.\n" +
		`If you want to learn about available tools, run again with the "learn=true" argument.`
}

// routed are the situations in which the answer does not depend on the call.
var routed = map[Situation]*mcp.CallToolResult{
	Learn:             text(learnText(commands)),
	NoClient:          failed("Failed to create MCP client for registry server 'foundry': No such host is known. (mcp.ai.azure.com:443)"),
	NullClient:        text(learnText("[]")),
	CallFailed:        text(callFailedText("The operation has timed out.")),
	CallRefused:       text(callFailedText("Response status code does not indicate success: 401 (Unauthorized).")),
	CallInvalid:       text(callFailedText("Request failed (remote): Invalid params")),
	MissingOptions:    text(missingOptionsAdvice, missingOptionsText),
	UnknownServer:     failed(notFoundText("foundry", insights.ToolName)),
	NoCommand:         text(noCommandText),
	ReadOnly:          failed("Tool 'foundry agent_insights_get' is not available. This server is configured in read-only mode and this tool is not a read-only tool."),
	LocalOnly:         failed("Tool 'foundry agent_insights_get' is not available. This server is running in HTTP mode and this tool requires local execution."),
	NotLoaded:         failed("The tool foundry was not found"),
	LoadersNotStarted: failed("Failed to initialize tool loaders: The registry could not be read."),
}

// A routerCall is the arguments of a router.
type routerCall struct {
	Intent     string          `json:"intent"`
	Tool       string          `json:"tool"`
	Command    string          `json:"command"`
	Parameters json.RawMessage `json:"parameters"`
	Learn      bool            `json:"learn"`
}

func (s *server) route(ctx context.Context, session *mcp.ServerSession, arguments json.RawMessage) (*mcp.CallToolResult, error) {
	if answer, ok := routed[s.options.Situation]; ok {
		return always(answer), nil
	}
	var call routerCall
	if len(arguments) > 0 {
		if err := json.Unmarshal(arguments, &call); err != nil {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "Invalid params"}
		}
	}
	switch {
	case call.Learn, call.Command == "" && call.Intent != "":
		return text(learnText(commands)), nil
	case call.Command == "":
		return text(noCommandText), nil
	case s.options.Mode == Single && call.Tool != insights.RouterName:
		return failed(notFoundText(call.Tool, call.Command)), nil
	case s.options.Situation == UnknownCommand, !strings.EqualFold(call.Command, insights.ToolName):
		return s.guess(ctx, session, call)
	}
	return s.passOn(ctx, call.Parameters)
}

// guess is what the router does with a command that it does not know. A client
// that advertises sampling lets it ask a model, which here leaves the filters out.
func (s *server) guess(ctx context.Context, session *mcp.ServerSession, call routerCall) (*mcp.CallToolResult, error) {
	//lint:ignore SA1019 deprecated or not, it is what the router goes by
	if session.InitializeParams().Capabilities.Sampling == nil || strings.TrimSpace(call.Intent) == "" {
		return text(learnText(commands)), nil
	}
	var parameters map[string]json.RawMessage
	if err := json.Unmarshal(call.Parameters, &parameters); err != nil {
		return nil, err
	}
	for _, filter := range []string{"category", "severity", "status"} {
		delete(parameters, filter)
	}
	other, err := json.Marshal(parameters)
	if err != nil {
		return nil, err
	}
	return s.passOn(ctx, other)
}

// passOn calls the tool. Exceptions become text, and parameters that are no
// object become an empty one.
func (s *server) passOn(ctx context.Context, parameters json.RawMessage) (*mcp.CallToolResult, error) {
	if !strings.HasPrefix(string(parameters), "{") {
		parameters = json.RawMessage("{}")
	}
	answer, err := s.callFoundry(ctx, parameters)
	if err != nil {
		return text(callFailedText("Request failed (remote): " + err.Error())), nil
	}
	for _, content := range answer.Content {
		if block, ok := content.(*mcp.TextContent); ok && strings.Contains(strings.ToLower(block.Text), "missing required options") {
			advised := text(missingOptionsAdvice) // isError is lost
			advised.Content = append(advised.Content, answer.Content...)
			return advised, nil
		}
	}
	return answer, nil
}
