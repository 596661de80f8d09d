package agentctl

import (
	"context"
	"embed"
	"encoding/json"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/internal/arguments"
	"github.com/opsroom-go/opsroom/internal/operation"
)

//go:embed schemas/*.json
var schemas embed.FS

// Tools returns the three operations as tools, in a new slice: list_agent_exceptions,
// raise_agent_exception, list_agent_runs.
//
// They are the typed methods in another form, with the same checks and the same requests.
// Result.Structured is the server's answer, byte for byte.
func (c *Client) Tools() []opsroom.Tool {
	return []opsroom.Tool{
		{
			Name:  listExceptions,
			Title: "List agent exceptions",
			Description: "Lists the tenant's agent exceptions, newest first, narrowed by mission, run, status or severity. " +
				"Check with it before a run is to be resumed: each open exception and each pending approval has to be settled on its own. " +
				"An empty list says that nothing matches, not that all is well.",
			Annotations:  opsroom.Annotations{ReadOnly: true},
			InputSchema:  operation.Schema(schemas, listExceptions+".input"),
			OutputSchema: operation.Schema(schemas, listExceptions+".output"),
			Call: operation.Call(func(ctx context.Context, raw json.RawMessage) (json.RawMessage, error) {
				page, err := c.exceptionPage(ctx, arguments.FromJSON(listExceptions, raw))
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
			InputSchema:  operation.Schema(schemas, raiseException+".input"),
			OutputSchema: operation.Schema(schemas, raiseException+".output"),
			Call: operation.Call(func(ctx context.Context, raw json.RawMessage) (json.RawMessage, error) {
				_, answer, err := c.raise(ctx, arguments.FromJSON(raiseException, raw))
				return answer, err
			}),
		},
		{
			Name:  listRuns,
			Title: "List agent runs",
			Description: "Lists the runs of one mission, newest first, each with the mandate it is bound to and the counts of its control records. " +
				"Narrow by status to find runs that wait for an approval or are blocked by an exception.",
			Annotations:  opsroom.Annotations{ReadOnly: true},
			InputSchema:  operation.Schema(schemas, listRuns+".input"),
			OutputSchema: operation.Schema(schemas, listRuns+".output"),
			Call: operation.Call(func(ctx context.Context, raw json.RawMessage) (json.RawMessage, error) {
				page, err := c.runPage(ctx, arguments.FromJSON(listRuns, raw))
				return page.Raw, err
			}),
		},
	}
}
