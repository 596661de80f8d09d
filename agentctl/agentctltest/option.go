package agentctltest

import (
	"encoding/json"
	"net/http"
	"time"
)

// An Option adjusts a [ControlPlane] when it is made.
type Option func(*settings)

type settings struct {
	token         string
	clock         func() time.Time
	demo          bool
	pipe          bool
	raiseStatus   int
	refuseBlocked bool
	exceptionRow  func(Exception) json.RawMessage
	runRow        func(Run) json.RawMessage
}

// Token makes the control plane demand a bearer token (RFC 6750) of every
// request. Without it every request is let in.
func Token(token string) Option {
	return func(s *settings) { s.token = token }
}

// Clock sets where creation times come from; without it that is [time.Now]. The
// function must not call the control plane.
func Clock(now func() time.Time) Option {
	return func(s *settings) {
		if now != nil {
			s.clock = now
		}
	}
}

// RaiseStatus sets the status of a successful raise, which the contract leaves
// open. Without it, and for what is no success, that is 201 Created.
func RaiseStatus(status int) Option {
	return func(s *settings) {
		if status >= http.StatusOK && status <= 299 {
			s.raiseStatus = status
		}
	}
}

// RefuseBlockedRuns makes a raise on a run that is blocked already a 409
// problem. Without it a second exception is recorded. The contract does not say
// what a control plane does there, so code should be fine with both.
func RefuseBlockedRuns() Option {
	return func(s *settings) { s.refuseBlocked = true }
}

// ExceptionRows replaces the kit's shape of exception rows, which is made up,
// by the host's own: row returns the row for an exception. It is called again
// whenever the exception changes, and must not call the control plane.
func ExceptionRows(row func(Exception) json.RawMessage) Option {
	return func(s *settings) { s.exceptionRow = row }
}

// RunRows replaces the kit's shape of run rows, as [ExceptionRows] does that of
// exceptions.
func RunRows(row func(Run) json.RawMessage) Option {
	return func(s *settings) { s.runRow = row }
}
