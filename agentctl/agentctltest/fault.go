package agentctltest

import (
	"cmp"
	"fmt"
	"net/http"
	"time"

	"github.com/opsroom-go/opsroom/internal/faults"
	"github.com/opsroom-go/opsroom/problem"
)

// A Fault is one way for a request to go wrong. The zero Fault is none, which
// lets a request pass before the next one fails. A Fault can be used any number
// of times.
type Fault struct {
	wire   faults.Fault
	window func(*window) // of a fault that changes which rows are listed
	name   string        // of such a fault
}

// Fail makes the coming requests of an operation meet the faults, one each, in
// the order in which they are given. For example, Fail(op, Cut(), Fault{},
// Hang()) spoils the first and the third.
func (p *ControlPlane) Fail(operation Operation, list ...Fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.traffic.faults[operation] = append(p.traffic.faults[operation], list...)
}

// FailFunc sets a function that picks the fault of each request which meets
// none given to [ControlPlane.Fail]. It gets the number of the request among
// those of its operation, counted from 1, and may read the request's body.
// Operation is "" for requests of no operation.
//
// The function is called by one goroutine at a time, so it must not wait for
// another request. Nil removes it.
func (p *ControlPlane) FailFunc(pick func(operation Operation, n int, r *http.Request) Fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.traffic.failFunc = pick
}

// takeFault takes the next fault that waits for a request of the operation.
func (p *ControlPlane) takeFault(operation Operation) (Fault, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	waiting := p.traffic.faults[operation]
	if len(waiting) == 0 {
		return Fault{}, false
	}
	p.traffic.faults[operation] = waiting[1:]
	return waiting[0], true
}

// narrow changes what a list request is answered with.
func (f Fault) narrow(w window) window {
	if f.window != nil {
		f.window(&w)
	}
	return w
}

// AfterEffect returns a fault that lets the operation take effect first, throws
// its answer away, and then goes wrong as f does. Cut().AfterEffect(), for
// example, is the raise that was recorded though its caller never hears of it.
func (f Fault) AfterEffect() Fault {
	f.wire = f.wire.AfterEffect()
	return f
}

// String names the fault, for test logs.
func (f Fault) String() string { return cmp.Or(f.name, f.wire.String()) }

// Problem answers with a problem (RFC 9457), and a Retry-After header if it
// says when to retry. The operation does not take effect.
func Problem(p problem.Problem) Fault { return Fault{wire: faults.Problem(p)} }

// Status answers with a problem that says no more than its status. The
// operation does not take effect.
func Status(status int) Fault { return Problem(problem.Problem{Status: status}) }

// Answer answers with this status, header and body. The operation does not take
// effect. A status below 200 counts as 500.
func Answer(status int, header http.Header, body string) Fault {
	return Fault{wire: faults.Answer(status, header, body)}
}

// ProxyPage answers with an HTML error page, as proxies do. The operation does
// not take effect.
func ProxyPage(status int) Fault { return Fault{wire: faults.ProxyPage(status)} }

// Hang reads the request and never answers, until the client gives up or the
// control plane is closed. The operation does not take effect.
func Hang() Fault { return Fault{wire: faults.Hang()} }

// Cut reads the request and closes the connection without a byte of an answer.
// The operation does not take effect.
//
// Note that net/http's client repeats a GET by itself when this happens on a
// connection that has served a request before.
func Cut() Fault { return Fault{wire: faults.Cut()} }

// CutBody closes the connection in the middle of the answer's body.
func CutBody() Fault { return Fault{wire: faults.CutBody()} }

// TruncateBody answers with the first half of the body, correctly framed, so
// that what arrives whole is broken JSON.
func TruncateBody() Fault { return Fault{wire: faults.TruncateBody()} }

// Delay holds the answer back for d.
func Delay(d time.Duration) Fault { return Fault{wire: faults.Delay(d)} }

// SlowBody sends the body of the answer in pieces of size bytes, with a pause
// before each.
func SlowBody(size int, pause time.Duration) Fault {
	return Fault{wire: faults.SlowBody(size, pause)}
}

// PadBody pads the body of the answer with white space to size bytes, without
// announcing its length.
func PadBody(size int64) Fault { return Fault{wire: faults.PadBody(size)} }

// ContentType labels the answer with another media type; "" is none.
func ContentType(mediaType string) Fault { return Fault{wire: faults.ContentType(mediaType)} }

// IgnoreOffset answers a list as if offset were 0.
func IgnoreOffset() Fault {
	return Fault{name: "ignored offset", window: func(w *window) { w.offset = 0 }}
}

// CapLimit answers a list with no more than limit rows, as a server with a
// lower maximum does without a word.
func CapLimit(limit int) Fault {
	return Fault{name: fmt.Sprintf("limit capped to %d", limit), window: func(w *window) {
		w.limit = min(w.limit, int64(max(0, limit)))
	}}
}

// UnstableOrder answers a list with the rows of one CreatedAt in a random order
// that follows from seed, as a server without a tie-break does. It takes rows
// that were added with one CreatedAt, or a [Clock] that stands still.
func UnstableOrder(seed uint64) Fault {
	return Fault{name: "unstable order", window: func(w *window) { w.unstable, w.seed = true, seed }}
}
