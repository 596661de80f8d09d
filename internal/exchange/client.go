package exchange

import (
	"cmp"
	"errors"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/time/rate"

	"github.com/opsroom-go/opsroom"
)

const defaultUserAgent = "opsroom-go"

// A Client sends the requests of one backend. It is safe for concurrent use.
type Client struct {
	base      string // without trailing slash
	authorize func(*http.Request) error
	http      *http.Client
	limiter   *rate.Limiter
	attempts  int
	baseDelay time.Duration
	maxDelay  time.Duration
	budget    *rate.Limiter
	timeout   time.Duration // 0 is none
	maxBody   int64
	userAgent string
	logger    *slog.Logger

	jitter func(limit time.Duration) time.Duration // a random wait in [0, limit]
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
	if strings.ContainsFunc(endpoint.UserAgent, func(c rune) bool { return c < ' ' || c == 0x7f }) {
		return nil, errors.New("UserAgent has control characters")
	}
	c := &Client{
		base:      strings.TrimRight(base.String(), "/"),
		authorize: endpoint.Authorize,
		http:      plainClient(endpoint.HTTPClient),
		limiter:   endpoint.Limiter,
		attempts:  max(1, cmp.Or(endpoint.Retry.Attempts, opsroom.DefaultAttempts)),
		baseDelay: positiveOr(endpoint.Retry.BaseDelay, opsroom.DefaultBaseDelay),
		maxDelay:  positiveOr(endpoint.Retry.MaxDelay, opsroom.DefaultMaxDelay),
		budget:    endpoint.Retry.Budget,
		timeout:   max(0, cmp.Or(endpoint.Timeout, opsroom.DefaultTimeout)),
		maxBody:   positiveOr(endpoint.MaxBody, opsroom.DefaultMaxBody),
		userAgent: cmp.Or(endpoint.UserAgent, defaultUserAgent),
		logger:    endpoint.Logger,
		jitter:    fullJitter,
	}
	if c.budget == nil {
		c.budget = rate.NewLimiter(2, 20)
	}
	return c, nil
}

func positiveOr[T time.Duration | int64](value, otherwise T) T {
	if value > 0 {
		return value
	}
	return otherwise
}

func fullJitter(limit time.Duration) time.Duration {
	return time.Duration(rand.Int64N(int64(limit) + 1))
}

// plainClient returns a copy of the host's client that follows no redirect: the
// exchange follows them by its own rules, with fresh credentials on each request.
func plainClient(host *http.Client) *http.Client {
	var client http.Client
	if host != nil {
		client = *host
	}
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &client
}

// parseBase checks a BaseURL. Its errors do not repeat it: it may hold a password.
func parseBase(raw string) (*url.URL, error) {
	if raw == "" {
		return nil, errors.New("BaseURL is empty")
	}
	base, err := url.Parse(raw)
	switch {
	case err != nil:
		return nil, errors.New("BaseURL is not a valid URL")
	case base.Scheme != "http" && base.Scheme != "https":
		return nil, errors.New("BaseURL must start with http:// or https://")
	case base.Hostname() == "":
		return nil, errors.New("BaseURL has no host")
	case base.User != nil:
		return nil, errors.New("BaseURL must not hold user information: use Authorize")
	case base.RawQuery != "" || base.ForceQuery || base.Fragment != "":
		return nil, errors.New("BaseURL must not have a query or a fragment")
	}
	return base, nil
}

// isLoopback reports whether a host name can only mean this machine (RFC 6761
// section 6.3 for names below localhost).
func isLoopback(host string) bool {
	name := strings.ToLower(strings.TrimSuffix(host, "."))
	if name == "localhost" || strings.HasSuffix(name, ".localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}
