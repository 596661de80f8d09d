package exchange_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"runtime/metrics"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/time/rate"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/agentctl"
	"github.com/opsroom-go/opsroom/problem"
)

const mebibyte = 1 << 20

// However much a server sends, and however well it is packed, a call keeps
// within a fraction of it. These tests do not run in parallel with others: they measure
// the heap of the whole process.
func TestHeapStaysBoundedWhateverIsSent(t *testing.T) {
	spaces := []byte(strings.Repeat(" ", mebibyte))
	plain := func(size int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { repeat(w, spaces, size) }
	}
	zeros := zippedMebibyte(t)
	bomb := func(status int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			w.Header().Set("X-Request-Id", "req-1")
			w.WriteHeader(status)
			_, _ = w.Write(zeros.head)
			repeat(w, zeros.each, 200)
		}
	}
	brackets := strings.Repeat("[", mebibyte)
	for name, test := range map[string]struct {
		handler http.HandlerFunc
		is      error
	}{
		"40 MiB":                       {plain(40), opsroom.ErrBodyTooLarge},
		"40 MiB, announced":            {announced(40*mebibyte, plain(40)), opsroom.ErrBodyTooLarge},
		"16 MiB of white space":        {plain(16), opsroom.ErrMalformedBody},
		"200 MiB in a gzip bomb":       {bomb(200), opsroom.ErrBodyTooLarge},
		"200 MiB in a problem":         {bomb(400), problem.Status(400)},
		"200 MiB in a 503, repeatedly": {bomb(503), problem.Status(503)},
		"1 MiB of open brackets":       {sending(brackets), opsroom.ErrMalformedBody},
		"1 MiB of nested brackets":     {sending(strings.Repeat("[", mebibyte/2) + strings.Repeat("]", mebibyte/2)), opsroom.ErrMalformedBody},
		"1 MiB of brackets as rows":    {sending(`{"exceptions":` + brackets), opsroom.ErrMalformedBody},
		"1 MiB of brackets in a problem": {
			func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", problem.MediaTypeJSON)
				w.WriteHeader(400)
				_, _ = io.WriteString(w, `{"title":`+brackets)
			}, problem.Status(400),
		},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(test.handler)
			defer server.Close()
			client, err := agentctl.New(opsroom.Endpoint{
				BaseURL: server.URL, HTTPClient: server.Client(),
				Retry: opsroom.Retry{BaseDelay: time.Microsecond, Budget: rate.NewLimiter(rate.Inf, 0)},
			}, nil)
			require.NoError(t, err)
			for kind, call := range map[string]func(context.Context) error{
				"GET": func(ctx context.Context) error {
					_, err := client.ListExceptions(ctx, agentctl.ListExceptionsParams{})
					return err
				},
				"POST": func(ctx context.Context) error {
					_, err := client.RaiseException(ctx, agentctl.RaiseExceptionParams{RunID: "r", Category: "a.b", Severity: agentctl.SeverityInfo, Message: "m"})
					return err
				},
			} {
				growth := heapGrowth(func() { err = call(t.Context()) })
				require.ErrorIs(t, err, test.is, kind)
				require.Less(t, growth, uint64(64*mebibyte), "%s: the heap grew by %d MiB", kind, growth/mebibyte)
				t.Logf("%s: the heap grew by %.1f MiB at most", kind, float64(growth)/mebibyte)
			}
		})
	}
}

func sending(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, body) }
}

func announced(length int, handler http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", strconv.Itoa(length))
		handler(w, r)
	}
}

// repeat writes p n times, or until the client is gone.
func repeat(w io.Writer, p []byte, n int) {
	for range n {
		if _, err := w.Write(p); err != nil {
			return
		}
	}
}

// A zipped body is a gzip stream of which one part can be repeated.
type zipped struct{ head, each []byte }

// zippedMebibyte compresses a mebibyte of zeros so that it can follow itself: what
// is in front of it is zeros too.
func zippedMebibyte(t *testing.T) zipped {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	zeros := make([]byte, mebibyte)
	var ends []int
	for range 3 {
		_, err := w.Write(zeros)
		require.NoError(t, errors.Join(err, w.Flush()))
		ends = append(ends, b.Len())
	}
	return zipped{head: b.Bytes()[:ends[1]], each: b.Bytes()[ends[1]:ends[2]]}
}

// heapGrowth returns by how much the heap has grown at the worst while f ran.
func heapGrowth(f func()) uint64 {
	runtime.GC()
	start := heapBytes()
	stop, peak := make(chan struct{}), make(chan uint64)
	go func() {
		var most uint64
		for {
			most = max(most, heapBytes())
			select {
			case <-stop:
				peak <- most
				return
			case <-time.After(100 * time.Microsecond):
			}
		}
	}()
	f()
	close(stop)
	return max(<-peak, start) - start
}

func heapBytes() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
