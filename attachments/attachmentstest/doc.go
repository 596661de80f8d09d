// Package attachmentstest is an Everruns API in memory, for tests of programs
// that use package attachments. It answers the one operation of that package
// over real loopback HTTP.
//
//	server := attachmentstest.NewServer()
//	defer server.Close()
//	agent := server.AddAgent("support-desk", attachmentstest.Fixtures()...)
//	client, err := attachments.New(server.Endpoint(), nil)
//	…
//	list, err := client.List(ctx, agent.ID) // or agent.Name
//
// # State
//
// A server has agents, callers and organisations. An [Agent] is found by its id
// or its name, within the organisation that the request is for; its attachments come
// back sorted by name. [Agent.Attach] takes them by value: [Fixtures] are
// complete ones, and whatever lacks a State is resolved for the caller as the
// backend would, from the accounts that were connected with [Server.Connect] and
// [Agent.Connect] and from [Caller].Manager. So a test can let its user log in
// between two calls and see the attachment turn ready.
//
// # Strictness
//
// The server refuses what the backend refuses: an address or method that it
// does not have (404 and 405 without a body), missing and unusable credentials
// (401), an organisation that is not the caller's (404) or not named where it
// has to be (400), an agent that is not there (404), a caller without the right
// to see agents (403). [Server.Requests] tells what it received, byte for byte.
//
// # Faults
//
// [Server.Fail] makes the coming requests go wrong, one fault a request: a
// [Status] in the backend's own words, any [Problem] or [Answer], a [ProxyPage];
// no answer at all with [Hang] and [Cut]; a spoilt one with [CutBody],
// [SlowBody], [Delay], [PadBody], [TruncateBody] and [ContentType].
//
// The retries of a client meet the next fault, or none: to see a failure that is
// worth repeating arrive at the caller, give it as often as the client tries,
// or set Retry{Attempts: 1} on the endpoint.
//
// # How sure it is
//
// The contract names the operation, its members and three statuses. The rest, in
// particular how logins turn into states and how credentials are checked, is
// modelled on the publisher's open-source server, and some of it is inferred.
// Tests should lean on what a host sees, not on details of this server.
package attachmentstest
