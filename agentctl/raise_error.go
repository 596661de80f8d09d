package agentctl

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/internal/quote"
)

// An Outcome is what is known about a raise that did not return a record.
type Outcome string

const (
	// OutcomeNotSent: the request never left, so nothing happened. Raising again, with
	// corrected arguments where those were at fault, is safe.
	OutcomeNotSent Outcome = "not sent"

	// OutcomeRejected: the server refused it with a status of the 400s. What to correct
	// is in the problem. The server does not promise that a 429 means untouched, though
	// that is its usual meaning.
	OutcomeRejected Outcome = "rejected"

	// OutcomeUnknown: the request may have been recorded. Do not raise again: look with
	// [Client.FindRaised], and leave to a person what that does not find.
	OutcomeUnknown Outcome = "unknown"

	// OutcomeAccepted: the server reported success by its status, but the answer could not
	// be read. The exception is recorded then and the run blocked, unless the answer is
	// not the control plane's, such as a login page. Do not raise again: look with
	// [Client.FindRaised].
	OutcomeAccepted Outcome = "accepted"
)

// A RaiseError is every error of [Client.RaiseException]. Its Outcome is decided from
// what happened on the connection, not from the texts of errors.
type RaiseError struct {
	Outcome Outcome

	// Params is what was to be raised, which is what [Client.FindRaised] looks for. Its
	// Detail holds the JSON that was sent, as a json.RawMessage.
	Params RaiseExceptionParams

	// Started is when the raise began, by this machine's clock.
	Started time.Time

	// Err is the cause: an *opsroom.InputError or an *opsroom.RequestError.
	Err error
}

// Error says what happened and what that means for raising again.
func (e *RaiseError) Error() string {
	text := raiseException + ": " + string(e.Outcome)
	if e.Err != nil {
		text = strings.TrimSuffix(e.Err.Error(), ".")
	}
	where := listExceptions + " and " + e.runID()
	switch e.Outcome {
	case OutcomeUnknown:
		return text + ". The exception may have been recorded: do not raise it again. Look for it with " + where +
			" without a status filter; if it is not there, a person has to settle it."
	case OutcomeAccepted:
		return text + ". The server reported success, only its answer could not be read: do not raise it again. " +
			"Look for it with " + where + " without a status filter; if it is not there, a person has to settle it."
	case OutcomeNotSent:
		// Not errors.AsType: the host's Authorize may fail with an InputError of its own.
		if _, refused := e.Err.(*opsroom.InputError); !refused {
			return text + ". Nothing was sent: raising again is safe."
		}
	}
	return text
}

// runID names the run to look at. Part of an identifier would lead nowhere.
func (e *RaiseError) runID() string {
	if utf8.RuneCountInString(e.Params.RunID) > quote.Max {
		return "the same runId"
	}
	return "runId " + quote.Short(e.Params.RunID)
}

// Unwrap returns the cause.
func (e *RaiseError) Unwrap() error { return e.Err }

// Format prints the text of Error for every verb, so that %+v and %#v do not tell what
// was to be raised. It has a value receiver so that this holds for a RaiseError that is
// no pointer too.
func (e RaiseError) Format(s fmt.State, verb rune) {
	if verb == 'v' {
		_, _ = io.WriteString(s, e.Error())
		return
	}
	_, _ = fmt.Fprintf(s, fmt.FormatString(s, verb), e.Error())
}

func newRaiseError(params RaiseExceptionParams, started time.Time, err error) *RaiseError {
	return &RaiseError{Outcome: outcomeOf(err), Params: params, Started: started, Err: err}
}

func outcomeOf(err error) Outcome {
	failure, ok := errors.AsType[*opsroom.RequestError](err)
	switch {
	case !ok:
		return OutcomeUnknown
	case failure.NotSent:
		return OutcomeNotSent
	case failure.Status >= 200 && failure.Status <= 299:
		return OutcomeAccepted
	case failure.Status >= 400 && failure.Status <= 499 && failure.Status != http.StatusRequestTimeout:
		return OutcomeRejected
	default:
		return OutcomeUnknown
	}
}
