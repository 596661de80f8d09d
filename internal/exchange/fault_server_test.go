package exchange_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
)

// A wireServer serves bytes, not HTTP: what it answers is up to a function that
// gets each connection.
type wireServer struct {
	listener net.Listener
	seen     atomic.Int64 // requests of which the head was read
	accepted atomic.Int64
	handlers sync.WaitGroup
	ctx      context.Context
	stop     context.CancelFunc
}

// newWireServer listens on a loopback port and gives each connection to serve,
// which may return without closing it.
func newWireServer(serve func(*peer), tlsConfig *tls.Config) (*wireServer, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &wireServer{listener: listener}
	s.ctx, s.stop = context.WithCancel(context.Background())
	s.handlers.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			p := &peer{server: s, nth: int(s.accepted.Add(1)), tcp: conn.(*net.TCPConn), Conn: conn}
			if tlsConfig != nil {
				p.Conn = tls.Server(conn, tlsConfig)
			}
			p.reader = bufio.NewReader(p.Conn)
			s.handlers.Go(func() {
				defer context.AfterFunc(s.ctx, func() { _ = conn.Close() })()
				defer func() { _ = p.Conn.Close() }()
				serve(p)
			})
		}
	})
	return s, nil
}

func (s *wireServer) address() string { return s.listener.Addr().String() }

// close ends all connections and waits for their handlers.
func (s *wireServer) close() {
	s.stop()
	_ = s.listener.Close()
	s.handlers.Wait()
}

// A peer is the server's side of one connection.
type peer struct {
	net.Conn
	tcp    *net.TCPConn
	reader *bufio.Reader
	server *wireServer
	nth    int // of the server's connections, from 1
}

// head reads the head of a request and counts it. It returns nil when there is none.
func (p *peer) head() *http.Request {
	r, err := http.ReadRequest(p.reader)
	if err != nil {
		return nil
	}
	p.server.seen.Add(1)
	return r
}

// request reads a whole request and counts it. It returns nil when there is none.
func (p *peer) request() *http.Request {
	r := p.head()
	if r == nil {
		return nil
	}
	if _, err := io.Copy(io.Discard, r.Body); err != nil {
		return nil
	}
	return r
}

func (p *peer) say(text string) { _, _ = io.WriteString(p.Conn, text) }

// reset ends the connection with RST instead of FIN.
func (p *peer) reset() {
	_ = p.tcp.SetLinger(0)
	_ = p.tcp.Close()
}

// hang waits until the client has given up.
func (p *peer) hang() { _, _ = io.Copy(io.Discard, p.reader) }

// leaked is in everything that must not come to light.
const leaked = "CANARY"

// goodBody is a right answer to both operations.
const goodBody = `{"exceptions":[{"id":"exc-1"}],"exception":{"id":"exc-1"},"session":"` + leaked + `"}`

// secretHeaders come with each answer. All but the last must not come to light.
const secretHeaders = "Set-Cookie: session=" + leaked + "; Path=/\r\nX-Echo: Bearer " + leaked + "\r\nX-Request-Id: req-1\r\n"

// reply returns a whole HTTP/1.1 answer. Lines of further headers end in \r\n.
func reply(status int, headers, body string) string {
	return fmt.Sprintf("HTTP/1.1 %d %s\r\n%s%sContent-Length: %d\r\n\r\n%s",
		status, http.StatusText(status), secretHeaders, headers, len(body), body)
}

var good = reply(200, "Content-Type: application/json\r\n", goodBody)

// problemBody tells nothing in the members that are shown, and all in one that is not.
func problemBody(status int) string {
	return fmt.Sprintf(`{"title":"Fault","status":%d,"detail":"on purpose","secret":"%s"}`, status, leaked)
}

func problemReply(status int, headers string) string {
	return reply(status, "Content-Type: application/problem+json\r\n"+headers, problemBody(status))
}

// always answers each request on each connection with text.
func always(text string) func(*peer) {
	return func(p *peer) {
		for p.request() != nil {
			p.say(text)
		}
	}
}

// saying answers the first request of each connection with text and hangs up.
func saying(text string) func(*peer) {
	return func(p *peer) {
		if p.request() != nil {
			p.say(text)
		}
	}
}

// stalling answers the first request with text, which is not all there is to
// come, and leaves the client waiting.
func stalling(text string) func(*peer) {
	return func(p *peer) {
		if p.request() != nil {
			p.say(text)
			p.hang()
		}
	}
}

// redirecting answers with a redirect to location, and well at /moved.
func redirecting(status int, location string) func(*peer) {
	return func(p *peer) {
		for r := p.request(); r != nil; r = p.request() {
			if r.URL.Path == "/moved" {
				p.say(good)
				continue
			}
			p.say(reply(status, location, "<a>"+leaked+"</a>"))
		}
	}
}

// onReused serves the first request of each connection well, and does fault
// with the second.
func onReused(fault func(*peer)) func(*peer) {
	return func(p *peer) {
		if p.request() != nil {
			p.say(good)
			fault(p)
		}
	}
}

// untrustedTLS is the configuration of a TLS server that no client trusts
// unless it is told to.
var untrustedTLS = sync.OnceValue(func() *tls.Config {
	server := httptest.NewTLSServer(nil)
	defer server.Close()
	return &tls.Config{Certificates: server.TLS.Certificates}
})

// chunk returns one chunk of a chunked body.
func chunk(text string) string { return fmt.Sprintf("%x\r\n%s\r\n", len(text), text) }

// manyHeaders returns header lines of about size bytes.
func manyHeaders(size int) string {
	const line = "X-Padding: " + leaked + "0123456789012345678901234567890123456789\r\n"
	return strings.Repeat(line, size/len(line)+1)
}

// cut takes n bytes off the end of an answer.
func cut(text string, n int) string { return text[:len(text)-n] }
