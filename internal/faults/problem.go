package faults

import (
	"fmt"

	"github.com/opsroom-go/opsroom/problem"
)

// Problem answers with a problem details document (RFC 9457) instead of the
// operation, which does not take effect: see [problem.Write] for what is sent.
// Later changes of p do not matter.
func Problem(p problem.Problem) Fault {
	return Fault{name: fmt.Sprintf("problem %d", p.Status), serve: func(m *meeting) {
		m.drain()
		served := p
		_ = problem.Write(m.w, m.r, &served) // an error means that the client has gone
	}}
}
