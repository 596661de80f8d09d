package exchange

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/problem"
)

// Do sends the request and returns its 2xx answer. Every error is an
// *opsroom.RequestError.
func (c *Client) Do(ctx context.Context, request Request) (*Response, error) {
	call := &call{client: c, request: &request}
	for {
		response, err := call.attempt(ctx)
		if err == nil {
			response.attempts = call.sent
			return response, nil
		}
		if stop := call.next(ctx, err); stop != nil {
			return nil, stop
		}
	}
}

// A call is the state of one Do.
type call struct {
	client    *Client
	request   *Request
	tries     int           // attempts made
	sent      int           // requests sent or begun
	wait      time.Duration // waited for before the coming attempt
	refreshed bool          // credentials were renewed after a 401
	status    int           // of the last answer
	requestID string        // of the last answer
}

// next waits until the attempt that ended with err may be repeated. If it may
// not, next returns what the call fails with.
func (k *call) next(ctx context.Context, err error) *opsroom.RequestError {
	hint := retryHint(err)
	failure := &opsroom.RequestError{
		Operation: k.request.Operation, Status: k.status, RequestID: k.requestID,
		Attempts: k.sent, RetryAfter: hint, NotSent: isNotSent(err), Err: err,
	}
	if k.request.Method != http.MethodGet || k.tries >= k.client.attempts || ctx.Err() != nil || !isTransient(err) {
		return failure
	}
	wait := max(hint, k.client.jitter(k.backoff()))
	switch deadline, bounded := ctx.Deadline(); {
	case hint > k.client.maxDelay:
		failure.GaveUp = "the server asks to wait longer than is allowed"
	case bounded && time.Until(deadline) <= wait:
		failure.GaveUp = "waiting would pass the call's deadline"
	case !k.client.budget.Allow():
		failure.GaveUp = "the retry budget is used up"
	default:
		k.wait = wait
		if err := sleep(ctx, wait); err != nil {
			failure.Err = &contextError{err: err, cause: context.Cause(ctx), last: failure.Err}
			return failure
		}
		return nil
	}
	return failure
}

// backoff bounds the random wait after the attempts made so far.
func (k *call) backoff() time.Duration {
	limit := k.client.baseDelay
	for range k.tries - 1 {
		if limit >= k.client.maxDelay/2 {
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
	if p, ok := errors.AsType[*problem.Problem](err); ok {
		return slices.Contains(transient, p.Status)
	}
	t, ok := errors.AsType[*transportError](err)
	return ok && !t.permanent
}

func retryHint(err error) time.Duration {
	if p, ok := errors.AsType[*problem.Problem](err); ok {
		hint, _ := p.RetryAfter()
		return hint
	}
	return 0
}

func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
