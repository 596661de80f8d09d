package exchange

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/opsroom-go/opsroom"
)

// attempt waits for the limiter and sends the request once, with the few
// further requests that a GET may take: renewed credentials, redirects.
func (k *call) attempt(ctx context.Context) (*Response, error) {
	limited, err := k.client.admit(ctx)
	if err != nil {
		return nil, err
	}
	k.attempts++
	k.answered = false
	bounded, cancel := k.client.bound(ctx)
	defer cancel()
	log := k.record(ctx, limited)
	response, err := k.follow(bounded)
	if err != nil {
		err = k.endedBy(ctx, err)
	}
	log(err)
	return response, err
}

// bound applies the timeout of a single attempt.
func (c *Client) bound(ctx context.Context) (context.Context, context.CancelFunc) {
	if c.timeout == 0 {
		return ctx, func() {}
	}
	return context.WithTimeoutCause(ctx, c.timeout, opsroom.ErrTimeout)
}

// admit waits until the host's limiter lets an attempt through, and returns how
// long that took.
func (c *Client) admit(ctx context.Context) (time.Duration, error) {
	if ctx.Err() != nil {
		return 0, newContextError(ctx, nil)
	}
	if c.limiter == nil {
		return 0, nil
	}
	started := time.Now()
	if err := c.limiter.Wait(ctx); err != nil {
		if ctx.Err() != nil {
			return 0, newContextError(ctx, nil)
		}
		_, bounded := ctx.Deadline()
		return 0, &limiterError{cause: err, deadline: bounded && c.limiter.Burst() > 0}
	}
	return time.Since(started), nil
}

// follow sends the request, and goes where a redirect leads if it may.
func (k *call) follow(ctx context.Context) (*Response, error) {
	address := k.client.base + k.request.Path
	if k.request.Query != "" {
		address += "?" + k.request.Query
	}
	for hops := 0; ; hops++ {
		answer, err := k.send(ctx, address)
		if err != nil {
			return nil, err
		}
		if !isRedirect(answer) {
			return k.read(ctx, answer)
		}
		discard(answer)
		address, err = k.request.redirect(answer, hops)
		if err != nil {
			return nil, err
		}
	}
}

// send sends one request. After a 401 it sends a GET once more if there are
// other credentials to be had.
func (k *call) send(ctx context.Context, address string) (*http.Response, error) {
	first, err := k.client.build(ctx, k.request, address)
	if err != nil {
		return nil, err
	}
	answer, err := k.roundTrip(first)
	if err != nil || answer.StatusCode != http.StatusUnauthorized ||
		k.client.authorize == nil || k.renewed || !k.request.repeatable() {
		return answer, err
	}
	k.renewed = true
	second, err := k.client.build(opsroom.WithRefused(ctx), k.request, address)
	if err != nil || sameCredentials(first, second) {
		return answer, nil // the 401 says more than what became of the renewal
	}
	discard(answer)
	return k.roundTrip(second)
}

// sameCredentials compares all that an Authorize function may have set.
func sameCredentials(a, b message) bool {
	return a.URL.String() == b.URL.String() && maps.EqualFunc(a.Header, b.Header, slices.Equal[[]string])
}

// roundTrip sends one message, and notes what is known of it and of its answer.
func (k *call) roundTrip(m message) (*http.Response, error) {
	answer, err := k.client.roundTripper().RoundTrip(m.Request)
	if err == nil && answer == nil {
		err = errNoAnswer
	}
	if err != nil {
		k.left = k.left || m.delivery == nil || !m.delivery.withdraw()
		return nil, newTransportError(m.Context(), err)
	}
	k.left, k.answered = true, true
	k.status, k.requestID = answer.StatusCode, requestID(answer.Header)
	answer.Request = m.Request // a transport of the host's own may leave it out, or name another
	if answer.Body == nil {
		answer.Body = http.NoBody
	}
	if k.client.jar != nil {
		k.client.jar.SetCookies(m.URL, answer.Cookies())
	}
	return answer, nil
}

var errNoAnswer = errors.New("the transport returned neither an answer nor an error")
