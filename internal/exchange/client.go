package exchange

import (
	"cmp"
	"errors"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"

	"golang.org/x/time/rate"

	"github.com/opsroom-go/opsroom"
)

const defaultUserAgent = "opsroom-go"

// A Client sends the requests of one backend. It is safe for concurrent use.
type Client struct {
	base      string            // without trailing slash
	transport http.RoundTripper // nil is http.DefaultTransport
	jar       http.CookieJar    // may be nil
	authorize func(*http.Request) error
	limiter   *rate.Limiter
	attempts  int
	baseDelay time.Duration
	maxDelay  time.Duration
	budget    *rate.Limiter
	timeout   time.Duration // of an attempt; 0 is none
	maxBody   int64
	userAgent string
	logger    *slog.Logger

	jitter func(limit time.Duration) time.Duration // a random wait below limit
}

// New returns a client of the endpoint, or says what is wrong with it.
func New(endpoint opsroom.Endpoint) (*Client, error) {
	base, err := parseBase(endpoint.BaseURL)
	if err != nil {
		return nil, err
	}
	if endpoint.Authorize != nil && base.Scheme == "http" && !isLoopback(base.Hostname()) && !endpoint.AllowPlainHTTP {
		return nil, opsroom.ErrPlainHTTP
	}
	if !isHeaderValue(endpoint.UserAgent) {
		return nil, errors.New("UserAgent has control characters")
	}
	c := &Client{
		base:      strings.TrimRight(base.String(), "/"),
		authorize: endpoint.Authorize,
		limiter:   endpoint.Limiter,
		attempts:  max(1, cmp.Or(endpoint.Retry.Attempts, opsroom.DefaultAttempts)),
		baseDelay: positiveOr(endpoint.Retry.BaseDelay, opsroom.DefaultBaseDelay),
		maxDelay:  positiveOr(endpoint.Retry.MaxDelay, opsroom.DefaultMaxDelay),
		budget:    cmp.Or(endpoint.Retry.Budget, rate.NewLimiter(2, 20)),
		timeout:   max(0, cmp.Or(endpoint.Timeout, opsroom.DefaultTimeout)),
		maxBody:   positiveOr(endpoint.MaxBody, opsroom.DefaultMaxBody),
		userAgent: cmp.Or(endpoint.UserAgent, defaultUserAgent),
		logger:    endpoint.Logger,
		jitter:    rand.N[time.Duration],
	}
	c.use(endpoint.HTTPClient)
	return c, nil
}

// use takes over what counts of the host's client. Its Do is passed by, so that
// no redirect can be followed and no request built behind the exchange's back.
func (c *Client) use(host *http.Client) {
	if host == nil {
		return
	}
	c.transport, c.jar = host.Transport, host.Jar
	if host.Timeout > 0 && (c.timeout == 0 || host.Timeout < c.timeout) {
		c.timeout = host.Timeout
	}
}

func (c *Client) roundTripper() http.RoundTripper {
	if c.transport != nil {
		return c.transport
	}
	return http.DefaultTransport
}

func positiveOr[T time.Duration | int64](value, otherwise T) T {
	if value > 0 {
		return value
	}
	return otherwise
}
