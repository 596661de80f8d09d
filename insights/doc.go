// Package insights reads what Microsoft Foundry has found out about an agent:
// the insights that its monitor generated from the agent's traces, each with
// evidence and a proposed fix. They come from the MCP tool agent_insights_get,
// which the host's own MCP client calls; this package needs no SDK of its own.
//
//	client, err := insights.New(caller, &insights.Options{Route: insights.Router("foundry")})
//	…
//	query := insights.Query{ProjectEndpoint: endpoint, AgentName: "support-agent", Status: insights.StatusActive}
//	for insight, err := range client.All(ctx, query) {
//		if err != nil {
//			return err // what was yielded before stays good
//		}
//		fmt.Println(insight.Severity, insight.Title)
//	}
//
// Everything here reads. No monitor is created, no analysis started, no status
// changed, and a proposed fix is a suggestion to a person.
//
// # The host's MCP client
//
// A [Caller] is an adapter of a few lines around whatever MCP client the host
// has. It hands on structured content, every text block by itself, and isError;
// the examples of this module have ones for the official Go SDK and for mcp-go.
// The client should not advertise sampling.
//
// # Routes
//
// MCP servers offer the tool under its own name, with a prefix, behind the
// router tool of Azure MCP, or behind its single proxy tool. A [Route] says
// which: [Direct], [Router], [SingleProxy], with the name that the host knows
// the tool by. [Discover] picks the route from the names in tools/list.
//
// # One page or all
//
// [Client.Page] is one call and leaves every default to the service: 20
// insights, newest first, without details. [Client.Pages], [Client.All] and
// [Client.Collect] walk over all pages; where the query is silent they ask for
// details, newest first, 100 a page. [Query].Limit is the size of a page. To
// stop after so many insights, give Collect a [Total].
//
// A walk sends the same parameters with every page; only "after", and with a
// total "limit", changes. It cannot loop and does not end early in silence:
//
//   - has_more decides, and must be a boolean that is there;
//   - the next cursor is last_id, never the id of the last insight;
//   - a cursor that was sent before, the caller's own included, ends the walk;
//   - an empty page with a new cursor does not, but several pages in a row
//     without a new insight do;
//   - at most [Options].MaxPages pages are read;
//   - pages may overlap while an analysis is running; each id counts once;
//   - no page is asked for twice.
//
// Whatever keeps a walk from its end is an [*Incomplete]: why, how far it came,
// and the cursor to go on from. Insights that were read stay with the caller.
// An empty result that is complete means that nothing matches. It does not mean
// that the agent is healthy.
//
// # Failures
//
// Each has a [Kind], for errors.Is:
//
//	switch {
//	case errors.Is(err, insights.NoMonitor):       // a person has to set one up
//	case errors.Is(err, insights.ToolUnavailable): // no such tool, or the router does not know the command
//	case errors.Is(err, insights.InvalidArgument): // refused here or by the service
//	case errors.Is(err, insights.Unauthorized):    // not signed in, or not allowed
//	case errors.Is(err, insights.Backend):         // the service or the network
//	case errors.Is(err, insights.MalformedPage):   // and MissingCursor, RepeatedCursor, NoProgress, …
//	}
//
// A query that breaks a rule of the contract is refused before anything is
// sent; errors.As then finds an *opsroom.InputError with every failure in it.
//
// Azure's router reports most failures as ordinary text, without isError. They
// are recognised all the same. JSON counts only if it is a whole structured
// content or a whole text block: prose is not searched for it.
//
// # Insights
//
// An [Insight] has the published fields, and in Raw its exact bytes with
// whatever else the service sent. Nothing is filled in: absent details are nil,
// numbers that may be absent are pointers, and a value that may be any JSON is
// nil if absent and null if null. All texts are untrusted.
//
// Where a server sends a page both as structured content and as text, and the
// two are the same but for rounded numbers, the bytes of the text are kept: MCP
// clients decode structured content into float64.
//
// # Deviations and guesses
//
// The contract prints neither schemas nor annotations of the tool, so those of
// [Client.Tools] are written from its table of parameters. Free texts must not
// be empty.
//
// How the service words its failures is not published. Classification goes by
// status, error code and telling words, with addresses and what the caller itself
// sent left out of account; [Options].Classify replaces it. Of prose that nothing
// marks as a failure only the first line counts, if it is short: the rest may be
// an account of insights, which speak of failures a lot. A 404 by itself is
// [Backend], since it may mean that the feature is off. That the tool may answer
// in the envelope of Azure's own tools, {status, message, results, duration}, is
// a guess too.
//
// Package insightstest has the tool in memory, with every fault on demand.
package insights
