package opsroom

import (
	"time"

	"golang.org/x/time/rate"
)

// What [Retry] means where it sets nothing.
const (
	DefaultAttempts  = 3
	DefaultBaseDelay = 200 * time.Millisecond
	DefaultMaxDelay  = 30 * time.Second
)

// Retry says how a GET is repeated after a transport error or one of the
// statuses 408, 429, 500, 502, 503 and 504. The zero value is up to
// three attempts; Retry{Attempts: 1} switches repeating off. A POST is never
// repeated, whatever is set here.
//
// Before attempt n+1 the client waits for a random time between zero and
// BaseDelay·2ⁿ⁻¹, MaxDelay at most, or for as long as the server asked for with
// Retry-After or retry_after_seconds if that is longer. It does not wait if that
// would pass the deadline of the call's context: then, as when the server asks
// for more than MaxDelay or the Budget is empty, the failure is returned at
// once, and [RequestError].GaveUp tells why.
type Retry struct {
	// Attempts is how often a request is sent at most, the first time included.
	// Zero means [DefaultAttempts]; one, or a negative number, means no repetition.
	Attempts int

	// BaseDelay bounds the first wait. Zero or less means [DefaultBaseDelay].
	BaseDelay time.Duration

	// MaxDelay bounds every wait. A server that asks for more ends the call at
	// once, with what it asked for in [RequestError].RetryAfter.
	// Zero or less means [DefaultMaxDelay].
	MaxDelay time.Duration

	// Budget is drawn on by every repetition of every call of the client; without a
	// token left, a failure is returned instead of repeated, so that an
	// outage of the server is not multiplied. Nil means a budget of the
	// client's own: 20 repetitions at once, refilled at two a second.
	// rate.NewLimiter(rate.Inf, 0) sets no bound. Clients may share one.
	Budget *rate.Limiter
}
