// Package agentctltest is an agent control plane in memory, for tests of
// programs that use package agentctl, and for demonstrations. It answers the
// three operations over real loopback HTTP and has state: a raised exception
// appears in the list, and its run turns blocked.
//
//	server := agentctltest.NewServer()
//	defer server.Close()
//	run := server.AddRun(agentctltest.Run{MissionID: "m1"})
//	client, err := agentctl.New(server.Endpoint(), nil)
//	…
//	_, err = client.RaiseException(ctx, agentctl.RaiseExceptionParams{RunID: run.ID, …})
//	…
//	run, _ = server.Run(run.ID) // run.Status is "blocked", run.OpenExceptions 1
//
// A [Server] follows the habits of net/http/httptest and needs no testing.T, so
// it serves main programs too; with [Demo] it comes with a small world to try
// things out on. A [ControlPlane] is the same without a listener: an
// http.Handler to mount where the host likes.
//
// # State
//
// [ControlPlane.AddRun] and [ControlPlane.AddException] put rows in, as plain
// structs or as any JSON in Raw, which is then listed byte for byte.
// [ControlPlane.Resolve], [ControlPlane.Reopen], [ControlPlane.Delete],
// [ControlPlane.SetRunStatus] and their like do what other people do to a
// control plane meanwhile. [ControlPlane.BeforeRequest] is the place to call
// them between two requests of a client, for instance between two pages of a
// walk:
//
//	server.BeforeRequest(func(n int, r *http.Request) {
//		if n == 2 {
//			server.Resolve("exc_000007")
//		}
//	})
//
// Identifiers are numbered (exc_000001, run_000001, and req_000001 in
// X-Request-Id), and [Clock] sets the time, so that tests can expect exact
// values.
//
// # Strictness
//
// What the contracts forbid is refused with a problem (RFC 9457) that has a
// code and a detail: unknown, repeated and empty query parameters, values out
// of their range, numbers that are not plain decimal digits, bodies with
// unknown members or wrong values, lengths in code points. So a test fails
// where a real server might let things pass. [ControlPlane.Requests] tells what
// arrived, byte for byte.
//
//	status  code                    when
//	400     invalid_query           a query parameter is wrong
//	400     invalid_path            the identifier in the path is too long or no UTF-8
//	400     invalid_json            the body of a raise is not one JSON value
//	400     unexpected_body         a list request has a body
//	400     body_incomplete         the body broke off
//	401     unauthorized            the bearer token is missing or wrong
//	404     route_not_found         no operation has the path, or its identifier is "", "." or ".."
//	404     mission_not_found       the runs of an unknown mission are listed *
//	404     run_not_found           an exception is raised on an unknown run
//	405     method_not_allowed      another operation's method; Allow has the right one
//	409     run_ended               an exception is raised on a run that has ended *
//	409     run_blocked             the same on a blocked run, with RefuseBlockedRuns *
//	413     body_too_large          the body has more than 16 MiB *
//	415     unsupported_media_type  the body of a raise is not application/json
//	422     invalid_body            the body of a raise breaks the contract
//
// # Faults
//
// [ControlPlane.Fail] makes the coming requests of an operation go wrong, one
// fault a request; [ControlPlane.FailFunc] decides for each request. [Status],
// [Problem], [Answer] and [ProxyPage] answer something else; [Hang] and [Cut]
// do not answer; [CutBody], [SlowBody], [Delay], [PadBody], [TruncateBody] and
// [ContentType] spoil the answer of an operation that took effect;
// [IgnoreOffset], [CapLimit] and [UnstableOrder] are the ways of lists. The
// most instructive one for a raise is Cut().AfterEffect(): recorded, but nobody
// was told.
//
// The retries of a client meet the next fault, or none. To see a failure that
// is worth repeating arrive at the caller, add it as often as the client tries,
// or set Retry{Attempts: 1} on the endpoint.
//
// # Fake time
//
// Within a bubble of testing/synctest use [Pipe]: time advances while all
// goroutines wait, and waiting for a loopback connection does not count as
// waiting there. The server has to be made, and closed, within the bubble.
//
// # What is made up
//
// The contracts model requests, envelopes, and no rows. So the members of rows
// are this package's invention, but for the names that requests use; so are the
// codes and texts of problems, and what is marked with * above: the contracts
// do not say. The same goes for what happens to a run when approvals are
// granted and when it is resumed, which no operation here does. Real control
// planes will differ: tests should lean on what agentctl makes of a row, not on
// its bytes. [ExceptionRows] and [RunRows] bring the kit's rows into the shape
// of the host's real backend; [RaiseStatus] and [RefuseBlockedRuns] change what
// is left open. There is one tenant; a host that has several starts several
// servers.
package agentctltest
