package exchange

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/problem"
)

// Do sends the request and returns its 2xx answer. Every error is an
// *opsroom.RequestError.
func (c *Client) Do(ctx context.Context, request Request) (*Response, error) {
	k := &call{client: c, request: &request}
	for {
		response, err := k.attempt(ctx)
		if err == nil {
			response.attempts = k.attempts
			return response, nil
		}
		if failure := k.next(ctx, err); failure != nil {
			return nil, failure
		}
	}
}

// A call is the state of one Do.
type call struct {
	client   *Client
	request  *Request
	attempts int           // begun
	wait     time.Duration // waited for before the coming attempt
	renewed  bool          // credentials were renewed after a 401
	left     bool          // something may have been sent
	answered bool          // the current attempt has had an answer

	// Of the last answer, and of the last that was a problem.
	status    int
	requestID string
	problem   *problem.Problem
}

// next waits until the attempt that ended with err may be repeated. If it may
// not, next returns what the call fails with.
func (k *call) next(ctx context.Context, err error) *opsroom.RequestError {
	var hint time.Duration
	if p := problemOf(err); p != nil {
		k.problem = p
		hint, _ = p.RetryAfter()
	}
	if !k.request.repeatable() || k.attempts >= k.client.attempts || ctx.Err() != nil || !isTransient(err) {
		return k.failure(err)
	}
	k.wait = max(hint, k.client.jitter(k.backoff()))
	if reason := k.giveUp(ctx, hint); reason != "" {
		failure := k.failure(err)
		failure.GaveUp = reason
		return failure
	}
	if !sleep(ctx, k.wait) {
		return k.failure(newContextError(ctx, err))
	}
	return nil
}

// giveUp says why a failure is returned that another attempt might mend.
func (k *call) giveUp(ctx context.Context, hint time.Duration) string {
	deadline, bounded := ctx.Deadline()
	switch {
	case hint > k.client.maxDelay:
		return "the server asks to wait longer than is allowed"
	case bounded && time.Until(deadline) <= k.wait:
		return "waiting would pass the call's deadline"
	case !k.client.budget.Allow():
		return "the retry budget is used up"
	}
	return ""
}

// backoff bounds the random wait after the attempts made so far.
func (k *call) backoff() time.Duration {
	limit := k.client.baseDelay
	for range k.attempts - 1 {
		if limit > k.client.maxDelay/2 {
			return k.client.maxDelay
		}
		limit *= 2
	}
	return min(limit, k.client.maxDelay)
}

var transient = []int{
	http.StatusRequestTimeout, http.StatusTooManyRequests, http.StatusInternalServerError,
	http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout,
}

// isTransient reports whether repeating a GET may help.
func isTransient(err error) bool {
	switch e := err.(type) {
	case *problem.Problem:
		return slices.Contains(transient, e.Status)
	case *transportError:
		return !e.permanent
	}
	return false
}

// sleep waits for d, and reports whether ctx let it.
func sleep(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
