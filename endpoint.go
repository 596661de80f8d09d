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
// is needed; the zero value of every other field is a useful default. Clients
// copy the Endpoint when they are made, so changing it afterwards has no effect
// on them.
//
// What a client does with it on the wire, fault by fault, is in the table of the
// package documentation.
type Endpoint struct {
	// BaseURL is the address that the operation's path is appended to, with or
	// without a trailing slash, for example "https://control.example.com".
	// It must be an absolute http or https URL without user information,
	// query or fragment.
	BaseURL string

	// Authorize adds credentials to a request that is about to be sent; [Bearer]
	// and [BearerFunc] make the usual ones. It is called for every request that a
	// call takes, from the goroutine of the call, and sees the call's context
	// through [http.Request.Context], so that a host serving many tenants can pick
	// the tenant's token there. Its error ends the call before anything is sent,
	// with [ErrAuthorize]. It has to return when the context ends.
	//
	// It may set headers, and parameters in the URL; a function that signs requests
	// reads the body through GetBody. Changes to the body are dropped. So are
	// Idempotency-Key and X-Idempotency-Key on a POST: no backend documents them,
	// and HTTP stacks take them as leave to send a POST again.
	//
	// When a GET is answered with 401, Authorize is called once more, with a
	// context for which [Refused] is true. The request is repeated if the
	// credentials are then other ones.
	//
	// Where the server repeats credentials in the texts of a problem, errors show
	// "[credential]" in their place.
	//
	// Nil sends no credentials.
	Authorize func(*http.Request) error

	// AllowPlainHTTP lets credentials travel over http to hosts that are not
	// loopback addresses. Only set it where something else protects the traffic.
	AllowPlainHTTP bool

	// HTTPClient gives the Transport that carries the requests, which is the place
	// for tracing, proxies, TLS settings and connection limits; the cookie Jar; and
	// a Timeout, which counts for an attempt if it is shorter than the one below.
	// CheckRedirect is not asked: a GET follows up to three redirects within
	// its origin, a POST none.
	//
	// A Transport must not send a POST twice. Those that would, fail: the body can
	// be read once only. One that keeps a copy of the body could, so keep
	// retrying transports away from an Endpoint.
	//
	// Nil means [http.DefaultTransport], no cookies and no further timeout.
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
	// Of an error answer no more than 1 MiB is read.
	MaxBody int64

	// UserAgent is sent as User-Agent; empty means the library's own.
	UserAgent string

	// Logger gets one record at debug level for each attempt: operation, method,
	// path template, status, attempt, duration, wait, request id, and what failed
	// if there was no answer. It never gets ids of the operation, queries, bodies or
	// headers. Nil logs nothing.
	Logger *slog.Logger
}
