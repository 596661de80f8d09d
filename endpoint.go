package opsroom

import (
	"log/slog"
	"net/http"
	"time"

	"golang.org/x/time/rate"
)

// Limits that apply where an [Endpoint] sets none.
const (
	// DefaultTimeout bounds one attempt: from its start to the last byte of the answer.
	DefaultTimeout = 30 * time.Second

	// DefaultMaxBody is the largest answer that is read, in bytes after decompression.
	DefaultMaxBody = 16 << 20
)

// An Endpoint says where an HTTP backend is and how to talk to it. Only BaseURL
// is needed; the zero value of every other field is a useful default. Clients copy the Endpoint
// when they are made, so changing it afterwards has no effect on them.
type Endpoint struct {
	// BaseURL is the address that the operation's path is appended to, with or
	// without a trailing slash, for example "https://control.example.com".
	// It must be an absolute http or https URL without user information,
	// query or fragment.
	BaseURL string

	// Authorize adds credentials to a request that is about to be sent; [Bearer]
	// and [BearerFunc] make the usual ones. It is called for every attempt, from
	// the goroutine of the call, and sees the call's context through
	// [http.Request.Context], so that a host serving many tenants can pick the
	// tenant's token there. Its error ends the call before anything is sent.
	//
	// When a GET is answered with 401, Authorize is called once more, with a
	// context for which [Refused] is true. The request is repeated if the
	// credentials are then other ones.
	//
	// Nil sends no credentials.
	Authorize func(*http.Request) error

	// AllowPlainHTTP lets credentials travel over http to hosts that are not
	// loopback addresses. Only set it where something else protects the traffic.
	AllowPlainHTTP bool

	// HTTPClient carries the requests; nil means a client on
	// [http.DefaultTransport]. Its Transport is the place for tracing, proxies and TLS
	// settings. Redirects are followed by the library's own rules, whatever its CheckRedirect says.
	HTTPClient *http.Client

	// Limiter is waited for before each attempt. Nil sets no limit.
	Limiter *rate.Limiter

	// Retry says how failed GETs are repeated. Nothing else ever is.
	Retry Retry

	// Timeout bounds a single attempt, from its start to the last byte of the
	// answer. A GET that runs into it may be repeated. Zero means
	// [DefaultTimeout], a negative value no bound but the context's.
	Timeout time.Duration

	// MaxBody is the largest answer that is read, in bytes after decompression;
	// a larger one is [ErrBodyTooLarge]. Zero or less means [DefaultMaxBody].
	MaxBody int64

	// UserAgent is sent as User-Agent; empty means the library's own.
	UserAgent string

	// Logger gets one record at debug level for each attempt: operation, method,
	// path template, status, attempt, duration, wait and request id, never ids,
	// queries, bodies or headers. Nil logs nothing.
	Logger *slog.Logger
}
