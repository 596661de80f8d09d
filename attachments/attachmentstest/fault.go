package attachmentstest

import (
	"net/http"
	"time"

	"github.com/opsroom-go/opsroom/internal/faults"
	"github.com/opsroom-go/opsroom/problem"
)

// A Fault is one way for an answer to go wrong. The zero Fault is none: it lets
// a request pass before the next one fails. String names it.
type Fault = faults.Fault

// Fail makes the coming requests go wrong, one fault a request, in this order
// and after those that were given before. Whatever the client repeats is
// a request of its own.
func (s *Server) Fail(list ...Fault) { s.faults.Add(list...) }

// Pending returns how many of these faults no request has met yet.
func (s *Server) Pending() int { return s.faults.Len() }

// Status answers as the backend does with a status: the bodies and headers of
// 400 (several organisations), 401, 403, 404 (agent), 429, 500 and 503
// are those of the backend, any other status has a problem that says no more.
// A status that is none of an error counts as 500.
func Status(status int) Fault {
	if status < 400 || status > 599 {
		status = http.StatusInternalServerError
	}
	refused := standardRefusal(status)
	return faults.Answer(status, refused.header(), string(refused.body()))
}

// HarnessNotFound answers with the 404 that is not about the agent but about
// the harness it runs on.
func HarnessNotFound() Fault {
	refused := notFound("Harness not found", "not_found")
	return faults.Answer(refused.Status, refused.header(), string(refused.body()))
}

// Problem answers with a problem of the test's own.
func Problem(p problem.Problem) Fault { return faults.Problem(p) }

// Answer answers with any status, headers and body at all. No header is added;
// a nil header means an answer without a content type.
func Answer(status int, header http.Header, body string) Fault {
	return faults.Answer(status, header, body)
}

// ProxyPage answers with an HTML error page, as proxies do.
func ProxyPage(status int) Fault { return faults.ProxyPage(status) }

// Hang never answers: it lasts until the client gives up or the server is closed.
func Hang() Fault { return faults.Hang() }

// Cut closes the connection without a byte of an answer. On a connection that
// has served a request before, net/http's client sends the request a second
// time by itself.
func Cut() Fault { return faults.Cut() }

// CutBody closes the connection half way through the body.
func CutBody() Fault { return faults.CutBody() }

// Delay holds the answer back for d.
func Delay(d time.Duration) Fault { return faults.Delay(d) }

// SlowBody sends the body in pieces of size bytes, with a pause before each.
func SlowBody(size int, pause time.Duration) Fault { return faults.SlowBody(size, pause) }

// PadBody pads the body with white space to size bytes.
func PadBody(size int64) Fault { return faults.PadBody(size) }

// TruncateBody answers with the first half of the body, as if it were all.
func TruncateBody() Fault { return faults.TruncateBody() }

// ContentType labels the answer with another media type; "" means none.
func ContentType(mediaType string) Fault { return faults.ContentType(mediaType) }
