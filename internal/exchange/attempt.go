package exchange

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/opsroom-go/opsroom"
)

// attempt waits for the limiter and sends the request once, with the few
// further requests that a GET may take: renewed credentials, redirects.
func (k *call) attempt(ctx context.Context) (*Response, error) {
	k.tries++
	k.status, k.requestID = 0, ""
	waited, err := k.client.waitForLimiter(ctx)
	if err != nil {
		return nil, err
	}
	bounded, cancel := k.client.bound(ctx)
	defer cancel()
	started := time.Now()
	response, err := k.follow(bounded)
	if err != nil {
		err = withContext(ctx, err)
	}
	k.log(ctx, waited, started, err)
	return response, err
}

// bound applies the timeout of a single attempt.
func (c *Client) bound(ctx context.Context) (context.Context, context.CancelFunc) {
	if c.timeout == 0 {
		return ctx, func() {}
	}
	return context.WithTimeoutCause(ctx, c.timeout, opsroom.ErrTimeout)
}

func (c *Client) waitForLimiter(ctx context.Context) (time.Duration, error) {
	if err := ctx.Err(); err != nil {
		return 0, &contextError{err: err, cause: context.Cause(ctx), notSent: true}
	}
	if c.limiter == nil {
		return 0, nil
	}
	started := time.Now()
	if err := c.limiter.Wait(ctx); err != nil {
		if ctx.Err() != nil {
			return 0, &contextError{err: ctx.Err(), cause: context.Cause(ctx), notSent: true}
		}
		return 0, &limiterError{cause: err, deadline: hasDeadline(ctx)}
	}
	return time.Since(started), nil
}

func hasDeadline(ctx context.Context) bool {
	_, ok := ctx.Deadline()
	return ok
}

// maxRedirects is how many redirects a GET follows.
const maxRedirects = 3

// follow sends the request and whatever it leads to.
func (k *call) follow(ctx context.Context) (*Response, error) {
	address := k.client.base + k.request.Path
	if k.request.Query != "" {
		address += "?" + k.request.Query
	}
	for redirects := 0; ; {
		answer, err := k.send(ctx, address)
		if err != nil {
			return nil, err
		}
		if k.request.Method == http.MethodGet && isRedirect(answer) && redirects < maxRedirects {
			if target := sameOrigin(answer); target != "" {
				discard(answer.Body)
				address = target
				redirects++
				continue
			}
		}
		return k.read(answer)
	}
}

// send sends one request. After a 401 it sends a GET once more if there are
// other credentials to be had.
func (k *call) send(ctx context.Context, address string) (*http.Response, error) {
	request, err := k.client.build(ctx, k.request, address)
	if err != nil {
		return nil, err
	}
	answer, err := k.roundTrip(request)
	if err != nil || answer.StatusCode != http.StatusUnauthorized ||
		k.client.authorize == nil || k.refreshed || k.request.Method != http.MethodGet {
		return answer, err
	}
	k.refreshed = true
	renewed, err := k.client.build(opsroom.WithRefused(ctx), k.request, address)
	if err != nil || sameHeaders(renewed.Header, request.Header) {
		return answer, nil
	}
	discard(answer.Body)
	return k.roundTrip(renewed)
}

func sameHeaders(a, b http.Header) bool { return maps.EqualFunc(a, b, slices.Equal[[]string]) }

func (k *call) roundTrip(request *http.Request) (*http.Response, error) {
	var connection *connectionTrace
	if request.Method != http.MethodGet {
		request, connection = traced(request)
	}
	k.sent++
	answer, err := k.client.http.Do(request)
	if err != nil {
		return nil, newTransportError(request.Context(), err, connection)
	}
	k.status = answer.StatusCode
	k.requestID = requestID(answer.Header)
	return answer, nil
}
