// Package agentctl is a client of an agent control plane: the service that keeps account
// of what AI agents do, and through which people step in. It lists and raises exceptions,
// lists runs, and answers the questions that come with a run that is blocked.
//
// The control plane knows missions, which are worked on in runs. A run is running, or
// parked because it waits for an approval or is blocked, or it has ended. An exception is
// the record of something that an agent cannot or must not decide itself. It belongs to a
// run, blocks it, and is open until a person has resolved it.
//
// # The story of a blocked run
//
// All begins with a client. It is safe for concurrent use, so one for each control plane
// is enough:
//
//	client, err := agentctl.New(opsroom.Endpoint{
//		BaseURL:   "https://control.example.com",
//		Authorize: opsroom.Bearer(token),
//	}, nil)
//
// An agent is about to pay an invoice and finds that it is over its limit. It raises an
// exception, with a category for machines, a message for people, and facts in detail:
//
//	exception, err := client.RaiseException(ctx, agentctl.RaiseExceptionParams{
//		RunID:    runID,
//		Category: "policy.spend-limit",
//		Severity: agentctl.SeverityCritical,
//		Message:  "The payment is over the limit of the mandate.",
//		Detail:   map[string]string{"invoice": "INV-20517", "amount": "18250.00"},
//	})
//
// That blocks the run. It undoes nothing, and it does not find out how a payment ended
// that was already under way.
//
// A raise is sent once and never repeated: the API has no means to make a repetition
// harmless, and every open exception costs a person an action. So if something goes wrong,
// the [RaiseError] says what is known: not sent and rejected raises can be corrected and
// raised again; after an accepted one the server has reported success and only the answer
// is lost; after an unknown one the exception may or may not have been recorded. Then
// look for it:
//
//	if failure, ok := errors.AsType[*agentctl.RaiseError](err); ok && failure.Outcome == agentctl.OutcomeUnknown {
//		search, err := client.FindRaised(ctx, failure.Params, failure.Started)
//		…
//	}
//
// What is found need not be raised again. What is not found may still be under way, so
// in the end a person has to look; it is never proof that nothing was recorded.
//
// Meanwhile a person deals with the exception, and with whatever else was raised on the
// run. The host waits, and asks from time to time what is still in the way:
//
//	check, err := client.CheckResume(ctx, missionID, runID)
//	fmt.Println(check.Readiness, check.Reasons)
//
// When the check says [ReadinessReady], the run can be resumed. That is not
// an operation of this package; the control plane checks again when it is asked to.
// Afterwards the host watches the run until it has ended or is parked anew:
//
//	for run, err := range client.WatchRun(ctx, missionID, runID, nil) {
//		…
//	}
//
// # What an exact walk promises
//
// Lists come in pages, newest first, at offsets that are counted from the head. While one
// page is read, others raise exceptions and resolve them, and all that lies behind moves.
// A loop that asks for page after page then sees rows twice, or, far worse, not at all:
// with every row that leaves the list in front of it, it skips one. Asking for open
// exceptions before a run is resumed is where that happens most and hurts most.
//
// [Client.Exceptions] and [Client.Runs] are exact: every row that is in the list, as the
// parameters narrow it, from the beginning of the walk to its end is yielded once. To that
// end pages overlap by a few rows; a page that has no row in common with what was read
// before shows that something may have been skipped, and the walk goes back. If that does
// not help, because the list moves by more than a page between any two requests or the
// server does not honour offsets, the walk ends with [ErrUnstable]. It never ends well
// with rows missing.
//
// Three things are not promised. Rows that enter or leave the list during the walk may be
// yielded, once, or not. The rows are no snapshot: the first may have changed when the
// last is yielded. And all of this relies on the server keeping the order of the rows that
// stay, on its filling pages, be it to a bound of its own below the limit, and on rows
// being told apart by [Options].ExceptionID and [Options].RunID, or by their exact bytes
// where they have no identity. Where pages are short at random the walk looks for the end
// several times, but rows that leave meanwhile can hide it.
//
// # Rows are the server's
//
// The contract models requests and envelopes, and leaves rows open: a row may be any JSON.
// So an [Exception] and a [Run] are foremost their exact bytes, in Raw. Their fields are
// the members that carry the names which requests use, where those are there and are
// strings. Decode reads a row into a type of the host's own.
//
// What else the contract does not tell, this package does not make up:
//
//   - There is no way to read a single run or exception. Runs are looked up in the list.
//   - Whether a blocked run waits for an approval as well is in no field that is named;
//     see [Options].ApprovalPending.
//   - When a row was recorded is in no field that is named; see [Options].ExceptionTime.
//   - Statuses and severities are those of the contract in requests. In rows they may be
//     others, which are neither terminal nor parked.
//   - What a raise on a run does that is blocked already, is not said.
//   - How errors look is not said. Whatever has a status outside 2xx becomes a problem, see
//     package problem.
//
// # Tools
//
// [Client.Tools] has the three operations in the form that agent frameworks register, for
// models to call. They check their arguments and send the same requests as the methods.
//
// # Errors
//
// Arguments that break the contract's rules are an [*opsroom.InputError], which lists all
// that is wrong, before anything is sent. What goes wrong from then on is an
// [*opsroom.RequestError], whose cause may be a *problem.Problem. Lists are repeated after
// failures that may pass, as [opsroom.Retry] says. A raise wraps either in a [*RaiseError].
// Walks add [*UnstableError], watches [ErrRunNotFound].
package agentctl
