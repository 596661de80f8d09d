// Package caller lets package insights call tools through the official Go MCP
// SDK: [New] turns a client session into an [insights.Caller].
//
//	client := mcp.NewClient(implementation, &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}})
//	session, err := client.Connect(ctx, caller.Exact(transport), nil)
//	…
//	names, err := caller.ToolNames(ctx, session)
//	route, err := insights.Discover(names)
//	…
//	insightsClient, err := insights.New(caller.New(session), &insights.Options{Route: route})
//
// The client should have no CreateMessageHandler, so that it does not advertise
// sampling: with it, Azure's router may have a model swap a command that it does
// not know for another one.
//
// # What is exact
//
// Arguments and text blocks go through the SDK unchanged. Structured content
// does not: the SDK decodes it into Go values, where numbers are float64 and
// members have no order. What package insights gets of it is therefore
//
//   - exact over a transport that was wrapped with [Exact]: stdio, a command, an
//     in-memory pipe;
//   - exact over any transport if the tool repeats the page in a text block, as
//     MCP asks tools to do. Package insights then takes the text;
//   - otherwise the same JSON value with integers above 2^53 rounded and the
//     members of objects in alphabetical order. That is left for streamable HTTP
//     with a tool that sends no text.
//
// A number that float64 cannot hold at all, such as 1e400, makes the SDK refuse
// the whole result, over any transport.
package caller
