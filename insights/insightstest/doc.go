// Package insightstest is the tool agent_insights_get in memory, for tests of
// programs that use package insights.
//
//	backend := insightstest.New(insightstest.Router)
//	err := backend.AddInsights(endpoint, "support-agent", insightstest.Samples(250)...)
//	…
//	client, err := insights.New(backend, &insights.Options{Route: backend.Route()})
//	…
//	backend.Fail(insightstest.None, insightstest.BackendError) // the second page fails
//
// # State
//
// A [Backend] has projects, agents with or without a monitor, and insights,
// which are kept byte for byte. Its list honours filters, order, cursor and
// limit, sends 20 insights unless told otherwise, and leaves details out unless
// asked for them. [Backend.AddInsights], [Backend.ClearInsights] and
// [Backend.RemoveMonitor] change it at any time, also from within
// [Backend.BeforeCall], which is how insights come and go during a walk.
// [NewSample] has a project to try things out on.
//
// # Strictness
//
// Arguments are held against the tool's published input schema, by
// jsonschema-go; those of a router against the router's. Failures come as the
// servers of each [Mode] send them: behind a router mostly as ordinary text
// without isError. [Backend.Calls] tells what was received, as JSON.
//
// # Faults
//
// [Backend.Fail] makes the coming calls go wrong, one [Fault] each;
// [Backend.FailAlways] all of them. There is one for each failure in the
// contract's error table, for each kind of malformed page and unusable cursor,
// and for sound answers of unusual form. [Fault.Kind] says what a client
// reports, so that a test can go through [Faults]. For an answer of one's own,
// wrap the Backend in an [insights.CallerFunc].
//
// # How sure it is
//
// The shape of a page and the parameters are the contract's, the router's texts
// those of its public source. How the service itself words its failures is not
// published: those texts are made up, and tests should rely on the kind of an
// error rather than on its text.
package insightstest
