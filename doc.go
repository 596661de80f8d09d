// Package opsroom is the vocabulary of a library for programs that host AI
// agents and have to watch and steer them. The operations are in the packages
// below; this one has what they share.
//
//   - agentctl: exceptions and runs of an agent control plane
//   - insights: generated insights about an agent, over the host's MCP client
//   - attachments: an agent's effective MCP attachments
//   - problem: problem details (RFC 9457), which is what errors of servers are
//
// # Two forms of each operation
//
// An operation is a method of a client, for business logic:
//
//	client, err := agentctl.New(opsroom.Endpoint{BaseURL: url, Authorize: opsroom.Bearer(token)}, nil)
//	…
//	page, err := client.ListRuns(ctx, agentctl.ListRunsParams{MissionID: "m1", Status: agentctl.RunBlocked})
//
// and a [Tool], for models: name, description, schemas, annotations and a
// function to call with the raw arguments.
//
//	for _, tool := range client.Tools() {
//		framework.Register(tool.Name, tool.Description, tool.InputSchema.JSON(),
//			func(ctx context.Context, arguments json.RawMessage) string {
//				result, _ := tool.Call(ctx, arguments)
//				return result.Text
//			})
//	}
//
// Both forms check the same arguments with the same code and send the same
// requests. The library registers nothing anywhere; how to do so in a given
// framework is shown in the examples directory.
//
// # Where and how to talk to a backend
//
// An [Endpoint] names the base URL and, if need be, credentials, an HTTP client,
// a rate limit, [Retry] and a logger. Everything but the URL has a useful zero
// value. Constructors are New(where, options) and return an error instead of
// panicking; nil options are the defaults.
//
// # Failures
//
// Every failure that a caller may want to tell apart can be told apart with
// [errors.Is] and [errors.As]:
//
//   - [*InputError]: arguments break the contract. Nothing was sent.
//   - [*RequestError]: an HTTP operation failed. Its cause is a *problem.Problem for an
//     error status, one of this package's Err values ([ErrTransport],
//     [ErrBodyTooLarge], …), or the context's error.
//   - agentctl.RaiseError, agentctl.UnstableError, insights.Error and
//     insights.Incomplete say more where there is more to say.
//
// Texts of errors are one line, made for people and models alike: they say what to
// do where something can be done, and never hold credentials, URLs with
// queries, bodies, or more than 40 characters of a value.
//
// # Exact bytes
//
// Contracts model some members and leave others open. So rows, pages and results keep
// the backend's bytes, and typed fields are read from them without changing
// anything: numbers beyond 2^53 and members that nobody knows arrive as they were sent.
//
// # Tests of your own
//
// Packages agentctl/agentctltest, insights/insightstest and attachments/attachmentstest
// are backends in memory, with faults on demand.
//
// # Concurrency
//
// Clients and tools are safe for concurrent use and need no closing. No
// goroutine outlives the call, or the range over a sequence, that started it.
package opsroom
