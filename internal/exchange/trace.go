package exchange

import (
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
)

// A connectionTrace watches whether a request got hold of a connection. Before
// that, no byte of it can have left; after it, one may have, whatever error follows.
type connectionTrace struct{ asked, got atomic.Bool }

func traced(request *http.Request) (*http.Request, *connectionTrace) {
	t := &connectionTrace{}
	ctx := httptrace.WithClientTrace(request.Context(), &httptrace.ClientTrace{
		GetConn: func(string) { t.asked.Store(true) },
		GotConn: func(httptrace.GotConnInfo) { t.got.Store(true) },
	})
	return request.WithContext(ctx), t
}

// neverConnected needs proof: a host's own RoundTripper that reports no
// connections at all may have sent anything.
func (t *connectionTrace) neverConnected() bool {
	return t != nil && t.asked.Load() && !t.got.Load()
}
