package insightstest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/opsroom-go/opsroom/insights"
	"github.com/opsroom-go/opsroom/internal/rawjson"
)

// The texts of Azure's router, as its public source has them. What they say
// comes without isError, unless noted.
const (
	learnText = "Here are the available commands and their input schema for 'foundry' tool.\n" +
		"Choose a command and call the tool again with it.\n\n" +
		`[{"command":"agent_get","description":"Gets an agent.","inputSchema":{"type":"object"}}]`

	noCommandText = `The "command" parameters are required when not learning`

	missingOptionsGuidance = "\n\nReview the command spec and call again with the missing options.\n" +
		`Command Spec: {"name":"agent_insights_get","inputSchema":{"type":"object"}}`
)

// routerError is the router's text about a call behind it that failed.
func routerError(message string) string {
	return "There was an error finding or calling tool and command.\n" +
		"Failed to call tool: foundry, command: agent_insights_get\n" +
		"Error: " + message + "\n\n" +
		`Run again with the "learn=true" to get a list of available commands.`
}

// unwrap finds the tool's own arguments in a call. If the call does not get
// that far, refusal or err is the answer.
func (b *Backend) unwrap(call Call) (parameters json.RawMessage, refusal *insights.ToolResult, err error) {
	if b.mode == Direct || b.mode == Prefixed {
		return call.Arguments, nil, nil
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(call.Arguments, &members); err != nil {
		return nil, nil, invalidParams("the arguments are no object")
	}
	command, tool := rawjson.Text(members["command"]), rawjson.Text(members["tool"])
	if command == "" && rawjson.Text(members["intent"]) == "" && members["learn"] == nil {
		return nil, &insights.ToolResult{Text: []string{noCommandText}}, nil
	}
	if err := b.checkRouterCall(members); err != nil {
		return nil, nil, err
	}
	switch {
	case string(members["learn"]) == "true", command == "":
		return nil, &insights.ToolResult{Text: []string{learnText}}, nil
	case b.mode == SingleProxy && tool != insights.RouterName:
		return nil, failure(fmt.Sprintf("The tool '%s.%s' was not found or does not support the specified command.", tool, command)), nil
	case !strings.EqualFold(command, insights.ToolName):
		return nil, &insights.ToolResult{Text: []string{learnText}}, nil
	}
	if !strings.HasPrefix(string(call.Parameters), "{") {
		return json.RawMessage("{}"), nil, nil // the router replaces what is no object
	}
	return call.Parameters, nil, nil
}

// checkRouterCall holds a call against the router's schema, which requires
// intent and knows no further members.
func (b *Backend) checkRouterCall(members map[string]json.RawMessage) error {
	known := []string{"intent", "command", "parameters", "learn"}
	if b.mode == SingleProxy {
		known = append(known, "tool")
	}
	for name := range members {
		if !slices.Contains(known, name) {
			return invalidParams(fmt.Sprintf("unknown property %q", name))
		}
	}
	if rawjson.Text(members["intent"]) == "" {
		return invalidParams("intent is required")
	}
	return nil
}

// unknownTool answers for a tool that the server lacks: Azure with a failed
// result, Foundry's own server with a JSON-RPC error.
func (b *Backend) unknownTool(name string) (insights.ToolResult, error) {
	switch b.mode {
	case Direct:
		return insights.ToolResult{}, invalidParams(fmt.Sprintf("Unknown tool: %q", name))
	case Prefixed:
		return *failure(fmt.Sprintf("The tool %s was not found in the tool registry.", name)), nil
	default:
		return *failure(fmt.Sprintf("The tool %s was not found", name)), nil
	}
}

func invalidParams(message string) error {
	return &insights.RPCError{Code: -32602, Message: message}
}

// passOn is what becomes of the tool's own failure on its way out: a router
// rewraps missing options and loses isError over it.
func (b *Backend) passOn(result insights.ToolResult) insights.ToolResult {
	behindRouter := b.mode == Router || b.mode == SingleProxy
	if behindRouter && len(result.Text) > 0 && strings.Contains(strings.ToLower(result.Text[0]), "missing required options") {
		return insights.ToolResult{Text: append([]string{result.Text[0] + missingOptionsGuidance}, result.Text...)}
	}
	return result
}
