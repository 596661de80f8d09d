package exchange_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// A fault is one way in which the exchange with a server goes wrong, and what
// is to come of it.
type fault struct {
	name  string
	serve func(*peer)
	tls   *tls.Config // of the server, which then is asked for by https

	// adjust changes the client's transport. It gets the server's address.
	adjust func(transport *http.Transport, address string)

	slow   bool // the client has to lose patience
	renews bool // the client has other credentials after a 401
	reused bool // the client has used the connection for a request that went well
	down   bool // nobody listens

	get  getCell
	post postCell
}

// A getCell is what comes of a GET.
type getCell struct {
	requests int    // seen by the server
	result   string // as resultOf says it
}

// A postCell is what comes of a POST.
type postCell struct {
	requests int
	outcome  string // an agentctl.Outcome, or "recorded"
	result   string
}

const answered = "answered" // the result of a call without an error

// maxBody is the bound of the clients in the matrix.
const maxBody = 64 << 10

var faults = sync.OnceValue(func() []fault {
	var all []fault
	for _, group := range [][]fault{
		connectionFaults(), requestFaults(), answerFaults(), bodyFaults(), statusFaults(), redirectFaults(), http2Faults(),
	} {
		all = append(all, group...)
	}
	return all
})

func failed(requests int, result string) getCell { return getCell{requests, result} }

func notSent(result string) postCell { return postCell{0, "not sent", result} }

// Before there is a connection.
func connectionFaults() []fault {
	return []fault{
		{
			name: "connection refused", down: true,
			get: failed(0, "ErrTransport"), post: notSent("ErrTransport"),
		},
		{
			name: "dial without end", slow: true,
			adjust: func(t *http.Transport, _ string) {
				t.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
					<-ctx.Done()
					return nil, ctx.Err()
				}
			},
			get: failed(0, "ErrTimeout"), post: notSent("ErrTimeout"),
		},
		{
			name: "host name unknown",
			adjust: func(t *http.Transport, _ string) {
				t.DialContext = func(context.Context, string, string) (net.Conn, error) {
					return nil, &net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Name: leaked, Err: "no such host", IsNotFound: true}}
				}
			},
			get: failed(0, "ErrTransport"), post: notSent("ErrTransport"),
		},
		{
			name: "proxy refuses to connect", tls: untrustedTLS(),
			adjust: func(t *http.Transport, address string) {
				t.Proxy = http.ProxyURL(&url.URL{Scheme: "http", Host: address, User: url.UserPassword("user", leaked)})
			},
			serve: func(p *peer) { _, _ = p.tcp.Write([]byte("HTTP/1.1 403 " + leaked + "\r\n\r\n")) },
			get:   failed(0, "ErrTransport"), post: notSent("ErrTransport"),
		},
		{
			name: "TLS to a server without TLS", tls: untrustedTLS(),
			serve: func(p *peer) { _, _ = p.tcp.Write([]byte("HTTP/1.0 400 " + leaked + "\r\n\r\n")) },
			get:   failed(0, "ErrTransport"), post: notSent("ErrTransport"),
		},
		{
			name: "TLS certificate not trusted", tls: untrustedTLS(),
			serve: always(good),
			get:   failed(0, "ErrTransport"), post: notSent("ErrTransport"),
		},
		{
			name: "TLS handshake cut", tls: untrustedTLS(),
			serve: func(p *peer) { _, _ = p.tcp.Read(make([]byte, 5)); p.reset() },
			get:   failed(0, "ErrTransport"), post: notSent("ErrTransport"),
		},
		{
			name: "TLS handshake without end", tls: untrustedTLS(), slow: true,
			serve: func(p *peer) {
				for buffer := make([]byte, 512); ; {
					if _, err := p.tcp.Read(buffer); err != nil {
						return
					}
				}
			},
			get: failed(0, "ErrTimeout"), post: notSent("ErrTimeout"),
		},
	}
}

func unknown(requests int, result string) postCell { return postCell{requests, "unknown", result} }

// Between the request and its answer.
func requestFaults() []fault {
	return []fault{
		{
			name: "closed before the request is read", serve: func(*peer) {},
			get: failed(0, "ErrTransport"), post: unknown(0, "ErrTransport"),
		},
		{
			name: "reset before the request is read", serve: func(p *peer) { _, _ = p.reader.Peek(1); p.reset() },
			get: failed(0, "ErrTransport"), post: unknown(0, "ErrTransport"),
		},
		{
			name: "reset after the request's headers", serve: func(p *peer) { p.head(); p.reset() },
			get: failed(3, "ErrTransport"), post: unknown(1, "ErrTransport"),
		},
		{
			name: "closed after the request is read", serve: saying(""),
			get: failed(3, "ErrTransport"), post: unknown(1, "ErrTransport"),
		},
		{
			name: "reset after the request is read", serve: func(p *peer) { p.request(); p.reset() },
			get: failed(3, "ErrTransport"), post: unknown(1, "ErrTransport"),
		},
		{
			name: "no answer", serve: stalling(""), slow: true,
			get: failed(3, "ErrTimeout"), post: unknown(1, "ErrTimeout"),
		},
		{
			name: "used connection: closed after request", reused: true, serve: onReused(func(p *peer) { p.request() }),
			get: failed(2, answered), post: unknown(1, "ErrTransport"),
		},
		{
			name: "used connection: reset after request", reused: true,
			serve: onReused(func(p *peer) { p.request(); p.reset() }),
			get:   failed(2, answered), post: unknown(1, "ErrTransport"),
		},
		{
			name: "used connection: no answer", reused: true, slow: true,
			serve: onReused(func(p *peer) { p.request(); p.hang() }),
			get:   failed(2, answered), post: unknown(1, "ErrTimeout"),
		},
	}
}

// In the head of the answer.
func answerFaults() []fault {
	transport := func(name string, serve func(*peer)) fault {
		return fault{name: name, serve: serve, get: failed(3, "ErrTransport"), post: unknown(1, "ErrTransport")}
	}
	success := func(name string, serve func(*peer)) fault {
		return fault{name: name, serve: serve, get: failed(1, answered), post: postCell{1, "recorded", answered}}
	}
	stalled := func(name string, serve func(*peer)) fault {
		return fault{name: name, serve: serve, slow: true, get: failed(3, "ErrTimeout"), post: unknown(1, "ErrTimeout")}
	}
	large := transport("headers larger than the transport takes", saying(reply(200, manyHeaders(64<<10), goodBody)))
	large.adjust = func(t *http.Transport, _ string) { t.MaxResponseHeaderBytes = 32 << 10 }
	return []fault{
		transport("no HTTP at all", saying("SSH-2.0-"+leaked+"\r\n")),
		transport("status that is no number", saying("HTTP/1.1 "+leaked+" OK\r\n\r\n")),
		transport("header line without colon", saying("HTTP/1.1 200 OK\r\n"+leaked+"\r\n\r\n")),
		transport("contradicting lengths", saying("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n"+goodBody)),
		transport("negative length", saying("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n"+goodBody)),
		transport("unknown transfer coding", saying("HTTP/1.1 200 OK\r\nTransfer-Encoding: "+leaked+"\r\n\r\n"+goodBody)),
		transport("cut in the status line", saying("HTTP/1.")),
		transport("cut in the headers", saying(good[:60])),
		stalled("stalled in the headers", stalling(good[:60])),
		large,
		success("100 before the answer", saying("HTTP/1.1 100 Continue\r\n\r\n"+good)),
		success("103 before the answer", saying("HTTP/1.1 103 Early Hints\r\nLink: <"+leaked+">\r\n\r\n"+good)),
		transport("1xx and no answer", saying("HTTP/1.1 103 Early Hints\r\n\r\n")),
		stalled("1xx and then silence", stalling("HTTP/1.1 103 Early Hints\r\n\r\n")),
		{
			name:  "101, then the bare connection",
			serve: stalling("HTTP/1.1 101 Switching Protocols\r\n" + secretHeaders + "Connection: Upgrade\r\nUpgrade: other\r\n\r\n"),
			get:   failed(1, "problem 101"), post: unknown(1, "problem 101"),
		},
	}
}

func accepted(result string) postCell { return postCell{1, "accepted", result} }

// In the body of a successful answer.
func bodyFaults() []fault {
	transport := func(name string, serve func(*peer)) fault {
		return fault{name: name, serve: serve, get: failed(3, "ErrTransport"), post: accepted("ErrTransport")}
	}
	malformed := func(name, text string) fault {
		return fault{name: name, serve: always(text), get: failed(1, "ErrMalformedBody"), post: accepted("ErrMalformedBody")}
	}
	tooLarge := func(name string, serve func(*peer)) fault {
		return fault{name: name, serve: serve, get: failed(1, "ErrBodyTooLarge"), post: accepted("ErrBodyTooLarge")}
	}
	const chunked = "HTTP/1.1 200 OK\r\n" + secretHeaders + "Transfer-Encoding: chunked\r\n"
	half := goodBody[:len(goodBody)/2]
	zipped := compress(goodBody)
	corrupt := bytes.Clone(zipped)
	corrupt[len(corrupt)-8] ^= 0xff // in the checksum
	return []fault{
		transport("body cut", saying(cut(good, 9))),
		transport("body reset", func(p *peer) { p.request(); p.say(cut(good, 9)); p.reset() }),
		{
			name: "body stalled", serve: stalling(cut(good, 9)), slow: true,
			get: failed(3, "ErrTimeout"), post: accepted("ErrTimeout"),
		},
		transport("chunked body cut in a chunk", saying(chunked+"\r\n"+chunk(goodBody)[:20])),
		transport("chunked body without its end", saying(chunked+"\r\n"+chunk(goodBody))),
		transport("chunk size that is no number", saying(chunked+"\r\n"+leaked+"\r\n"+goodBody)),
		transport("gzip cut", saying(reply(200, "Content-Encoding: gzip\r\n", cut(string(zipped), 12)))),
		malformed("gzip corrupt", reply(200, "Content-Encoding: gzip\r\n", string(corrupt))),
		malformed("gzip that is none", reply(200, "Content-Encoding: gzip\r\n", goodBody)),
		malformed("content coding not asked for", reply(200, "Content-Encoding: br\r\n", goodBody)),
		malformed("length too short", misframed(goodBody, len(goodBody)-9)),
		transport("length too long", saying(misframed(goodBody, len(goodBody)+9))),
		tooLarge("body over the limit, announced", saying(reply(200, "", strings.Repeat(" ", maxBody)+goodBody))),
		tooLarge("body over the limit, in chunks", saying(chunked+"\r\n"+strings.Repeat(chunk(strings.Repeat(" ", 1<<10)), 80))),
		tooLarge("gzip bomb", saying(reply(200, "Content-Encoding: gzip\r\n", string(compress(strings.Repeat(" ", 8<<20)))))),
		malformed("204 without a body", "HTTP/1.1 204 No Content\r\n"+secretHeaders+"\r\n"),
		malformed("empty body", reply(200, "", "")),
		malformed("HTML page", reply(200, "Content-Type: text/html\r\n", "<html>"+leaked+"</html>")),
		malformed("JSON cut, but framed", reply(200, "", half)),
		malformed("JSON with trailing data", reply(200, "", goodBody+leaked)),
		malformed("JSON in invalid UTF-8", reply(200, "", strings.Replace(goodBody, "exc-1", "\xff", 1))),
		malformed("brackets nested without end", reply(200, "", strings.Repeat("[", maxBody))),
		malformed("envelope of another kind", reply(200, "", "["+goodBody+"]")),
		malformed("envelope without its member", reply(200, "", `{"`+leaked+`":[]}`)),
		malformed("member of another kind", reply(200, "", `{"exceptions":{},"exception":["`+leaked+`"]}`)),
		{
			name: "bytes after the body", serve: saying(reply(200, "Connection: close\r\n", goodBody) + leaked),
			get: failed(1, answered), post: postCell{1, "recorded", answered},
		},
	}
}

// misframed returns an answer whose Content-Length is not that of its body.
func misframed(body string, length int) string {
	return fmt.Sprintf("HTTP/1.1 200 OK\r\n%sConnection: close\r\nContent-Length: %d\r\n\r\n%s", secretHeaders, length, body)
}

func compress(text string) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write([]byte(text))
	_ = w.Close()
	return b.Bytes()
}

func rejected(result string) postCell { return postCell{1, "rejected", result} }

// In the status of the answer.
func statusFaults() []fault {
	var all []fault
	for _, status := range []int{408, 429, 500, 502, 503, 504} {
		all = append(all, fault{
			name: fmt.Sprint(status), serve: always(problemReply(status, "")),
			get: failed(3, fmt.Sprint("problem ", status)), post: unknown(1, fmt.Sprint("problem ", status)),
		})
	}
	all[1].post.outcome = "rejected" // 429
	for _, status := range []int{400, 401, 403, 404, 409, 413, 422, 425} {
		all = append(all, fault{
			name: fmt.Sprint(status), serve: always(problemReply(status, "")),
			get: failed(1, fmt.Sprint("problem ", status)), post: rejected(fmt.Sprint("problem ", status)),
		})
	}
	for _, status := range []int{300, 501, 599, 799} {
		all = append(all, fault{
			name: fmt.Sprint(status), serve: always(problemReply(status, "")),
			get: failed(1, fmt.Sprint("problem ", status)), post: unknown(1, fmt.Sprint("problem ", status)),
		})
	}
	return append(all,
		fault{
			name: "401, then well with other credentials", renews: true, serve: func(p *peer) {
				for r := p.request(); r != nil; r = p.request() {
					if r.Header.Get("Authorization") == renewed {
						p.say(good)
					} else {
						p.say(problemReply(401, ""))
					}
				}
			},
			get: failed(2, answered), post: rejected("problem 401"),
		},
		fault{
			name: "401 whatever the credentials", renews: true, serve: always(problemReply(401, "")),
			get: failed(2, "problem 401"), post: rejected("problem 401"),
		},
		fault{
			name: "401 with its body stalled", renews: true, slow: true, serve: func(p *peer) {
				if r := p.request(); r != nil && r.Header.Get("Authorization") == renewed {
					p.say(good)
				} else if r != nil {
					p.say(cut(problemReply(401, ""), 3))
					p.hang()
				}
			},
			get: failed(2, answered), post: rejected("problem 401"),
		},
		fault{
			name: "304 to who has nothing", serve: always("HTTP/1.1 304 Not Modified\r\n" + secretHeaders + "\r\n"),
			get: failed(1, "problem 304"), post: unknown(1, "problem 304"),
		},
		fault{
			name: "503, then well", serve: func(p *peer) {
				if p.nth == 1 {
					saying(problemReply(503, "Connection: close\r\n"))(p)
				} else {
					always(good)(p)
				}
			},
			get: failed(2, answered), post: unknown(1, "problem 503"),
		},
		fault{
			name: "503 with a Retry-After over the cap", serve: always(problemReply(503, "Retry-After: 3600\r\n")),
			get: failed(1, "problem 503"), post: unknown(1, "problem 503"),
		},
		fault{
			name: "503 with its body cut", serve: saying(cut(problemReply(503, ""), 9)),
			get: failed(3, "problem 503"), post: unknown(1, "problem 503"),
		},
		fault{
			name: "503 with its body stalled", serve: stalling(cut(problemReply(503, ""), 9)), slow: true,
			get: failed(3, "problem 503"), post: unknown(1, "problem 503"),
		},
		fault{
			name: "400 with its body stalled", serve: stalling(cut(problemReply(400, ""), 9)), slow: true,
			get: failed(1, "problem 400"), post: rejected("problem 400"),
		},
		fault{
			name: "400 with a gzip bomb", serve: saying(reply(400, "Content-Encoding: gzip\r\n", string(compress(strings.Repeat(" ", 8<<20))))),
			get: failed(1, "problem 400"), post: rejected("problem 400"),
		},
		fault{
			name: "413 before the request is read", serve: func(p *peer) { p.head(); p.say(problemReply(413, "Connection: close\r\n")) },
			get: failed(1, "problem 413"), post: rejected("problem 413"),
		},
	)
}

// Where the answer leads elsewhere.
func redirectFaults() []fault {
	var all []fault
	for _, status := range []int{301, 302, 303, 307, 308} {
		all = append(all, fault{
			name: fmt.Sprint(status, " to the same origin"), serve: redirecting(status, "Location: /moved?key="+leaked+"\r\n"),
			get: failed(2, answered), post: unknown(1, "ErrRedirect"),
		}, fault{
			name: fmt.Sprint(status, " to another origin"), serve: redirecting(status, "Location: http://user:"+leaked+"@other.invalid/moved?key="+leaked+"\r\n"),
			get: failed(1, "ErrRedirect"), post: unknown(1, "ErrRedirect"),
		})
	}
	return append(all,
		fault{
			name: "302 to another port", serve: redirecting(302, "Location: http://127.0.0.1:1/moved\r\n"),
			get: failed(1, "ErrRedirect"), post: unknown(1, "ErrRedirect"),
		},
		fault{
			name: "302 to https", serve: redirecting(302, "Location: https://127.0.0.1/moved\r\n"),
			get: failed(1, "ErrRedirect"), post: unknown(1, "ErrRedirect"),
		},
		fault{
			name: "302 in circles", serve: redirecting(302, "Location: /again\r\n"),
			get: failed(4, "ErrRedirect"), post: unknown(1, "ErrRedirect"),
		},
		fault{
			name: "302 without Location", serve: redirecting(302, ""),
			get: failed(1, "ErrRedirect"), post: unknown(1, "ErrRedirect"),
		},
		fault{
			name: "302 with a broken Location", serve: redirecting(302, "Location: http://[::1/"+leaked+"\r\n"),
			get: failed(1, "ErrRedirect"), post: unknown(1, "ErrRedirect"),
		},
		fault{
			name: "302 with its body stalled", serve: func(p *peer) {
				if r := p.request(); r != nil && r.URL.Path == "/moved" {
					p.say(good)
				} else if r != nil {
					p.say(cut(reply(302, "Location: /moved\r\n", leaked), 3))
					p.hang()
				}
			},
			get: failed(2, answered), post: unknown(1, "ErrRedirect"),
		},
	)
}

// On HTTP/2 streams.
func http2Faults() []fault {
	once := func(fault func(http2Peer, uint32)) func(*peer) {
		return overHTTP2(func(h http2Peer, stream uint32, before int) {
			if h.nth == 1 && before == 0 {
				fault(h, stream)
			} else {
				h.answer(stream)
			}
		})
	}
	each := func(fault func(http2Peer, uint32)) func(*peer) {
		return overHTTP2(func(h http2Peer, stream uint32, _ int) { fault(h, stream) })
	}
	all := []fault{
		{
			name: "HTTP/2: stream refused once", serve: once(func(h http2Peer, s uint32) { h.resetStream(s, codeRefused) }),
			get: failed(2, answered), post: unknown(1, "ErrTransport"),
		},
		{
			name: "HTTP/2: every stream refused", slow: true, serve: each(func(h http2Peer, s uint32) { h.resetStream(s, codeRefused) }),
			get: failed(6, "ErrTimeout"), post: unknown(1, "ErrTransport"),
		},
		{
			name: "HTTP/2: GOAWAY, request not processed", serve: once(func(h http2Peer, _ uint32) { h.goAway(0, codeNone) }),
			get: failed(2, answered), post: unknown(1, "ErrTransport"),
		},
		{
			name: "HTTP/2: GOAWAY, then closed", serve: each(func(h http2Peer, s uint32) { h.goAway(s, codeNone); _ = h.Close() }),
			get: failed(3, "ErrTransport"), post: unknown(1, "ErrTransport"),
		},
		{
			name: "HTTP/2: stream reset, PROTOCOL_ERROR", serve: once(func(h http2Peer, s uint32) { h.resetStream(s, codeProtocol) }),
			get: failed(2, answered), post: unknown(1, "ErrTransport"),
		},
		{
			name: "HTTP/2: stream reset, INTERNAL_ERROR", serve: each(func(h http2Peer, s uint32) { h.resetStream(s, codeInternal) }),
			get: failed(3, "ErrTransport"), post: unknown(1, "ErrTransport"),
		},
		{
			name: "HTTP/2: stream reset in the body", serve: each(func(h http2Peer, s uint32) {
				h.begin(s)
				h.frame(frameData, 0, s, []byte(goodBody[:9]))
				h.resetStream(s, codeInternal)
			}),
			get: failed(3, "ErrTransport"), post: accepted("ErrTransport"),
		},
		{
			name: "HTTP/2: connection closed", serve: each(func(h http2Peer, _ uint32) { _ = h.Close() }),
			get: failed(3, "ErrTransport"), post: unknown(1, "ErrTransport"),
		},
		{
			name: "HTTP/2: no answer", slow: true, serve: each(func(http2Peer, uint32) {}),
			get: failed(3, "ErrTimeout"), post: unknown(1, "ErrTimeout"),
		},
		{
			name: "HTTP/2: HTTP/1.1 spoken", serve: func(p *peer) {
				_, _ = p.reader.Peek(1)
				p.say(good)
			},
			get: failed(0, "ErrTransport"), post: unknown(0, "ErrTransport"),
		},
	}
	for i := range all {
		all[i].adjust = func(t *http.Transport, _ string) {
			t.Protocols = new(http.Protocols)
			t.Protocols.SetUnencryptedHTTP2(true)
		}
	}
	return all
}

// patience is the timeout of an attempt where the client has to lose it.
const patience = 250 * time.Millisecond
