package agentctl

import (
	"context"
	"embed"
	"encoding/json"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/internal/arguments"
)

//go:embed schemas/*.json
var schemas embed.FS

// Tools returns the three operations as tools, in a new slice:
// list_agent_exceptions, raise_agent_exception, list_agent_runs.
//
// They are the typed methods in another form, with the same checks
// and the same requests. Result.Structured is the server's answer, byte for byte.
func (c *Client) Tools() []opsroom.Tool {
	return []opsroom.Tool{
		{
			Name:  listExceptions,
			Title: "List agent exceptions",
			Description: "Lists the tenant's agent exceptions, newest first, narrowed by mission, run, status or severity. " +
				"Check with it before a run is to be resumed: each open exception and each pending approval has to be settled on its own. " +
				"An empty list says that nothing matches, not that all is well.",
			Annotations:  opsroom.Annotations{ReadOnly: true},
			InputSchema:  schema("list_agent_exceptions.input"),
			OutputSchema: schema("list_agent_exceptions.output"),
			Call: call(listExceptions, func(ctx context.Context, check *arguments.Check) (json.RawMessage, error) {
				page, err := c.exceptionPage(ctx, check)
				return page.Raw, err
			}),
		},
		{
			Name:  raiseException,
			Title: "Raise an agent exception",
			Description: "Records an operational, policy or evidence exception on an active run and blocks that run until a person has resolved it. " +
				"It undoes nothing that the run has done elsewhere and does not find out how that ended. " +
				"Raise once: if the outcome is unknown, look with list_agent_exceptions instead of raising again.",
			Annotations:  opsroom.Annotations{Destructive: true},
			InputSchema:  schema("raise_agent_exception.input"),
			OutputSchema: schema("raise_agent_exception.output"),
			Call: call(raiseException, func(ctx context.Context, check *arguments.Check) (json.RawMessage, error) {
				_, answer, err := c.raise(ctx, check)
				return answer, err
			}),
		},
		{
			Name:  listRuns,
			Title: "List agent runs",
			Description: "Lists the runs of one mission, newest first, each with the mandate it is bound to and the counts of its control records. " +
				"Narrow by status to find runs that wait for an approval or are blocked by an exception.",
			Annotations:  opsroom.Annotations{ReadOnly: true},
			InputSchema:  schema("list_agent_runs.input"),
			OutputSchema: schema("list_agent_runs.output"),
			Call: call(listRuns, func(ctx context.Context, check *arguments.Check) (json.RawMessage, error) {
				page, err := c.runPage(ctx, check)
				return page.Raw, err
			}),
		},
	}
}

// call makes a tool's Call of an operation.
func call(name string, operation func(context.Context, *arguments.Check) (json.RawMessage, error)) func(context.Context, json.RawMessage) (opsroom.Result, error) {
	return func(ctx context.Context, raw json.RawMessage) (opsroom.Result, error) {
		answer, err := operation(ctx, arguments.FromJSON(name, raw))
		if err != nil {
			return opsroom.NewErrorResult(err), err
		}
		return opsroom.NewResult(answer), nil
	}
}

// schema returns an embedded schema. The files are part of the package, and its
// tests read each of them.
func schema(name string) opsroom.Schema {
	raw, err := schemas.ReadFile("schemas/" + name + ".json")
	if err != nil {
		return opsroom.Schema{}
	}
	s, _ := opsroom.ParseSchema(raw)
	return s
}
