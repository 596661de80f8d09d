package exchange_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/time/rate"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/agentctl"
)

// A flaky control plane fails one request in five, in one of several ways, and
// remembers each raise that it has seen.
type flaky struct {
	mu     sync.Mutex
	faults *rand.Rand
	gets   int
	raises map[string]int // by step id
}

func (f *flaky) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var raise struct{ StepID string }
	body, _ := io.ReadAll(r.Body)
	_ = json.Unmarshal(body, &raise)
	f.mu.Lock()
	if r.Method == http.MethodPost {
		f.raises[raise.StepID]++
	} else {
		f.gets++
	}
	fault := f.faults.IntN(5 * 8)
	f.mu.Unlock()
	switch fault {
	case 0:
		w.WriteHeader(http.StatusServiceUnavailable)
	case 1:
		w.Header().Set("Retry-After", "0")
		w.WriteHeader(http.StatusTooManyRequests)
	case 2:
		panic(http.ErrAbortHandler) // cut
	case 3:
		conn, _, _ := http.NewResponseController(w).Hijack()
		_ = conn.(*net.TCPConn).SetLinger(0)
		_ = conn.Close() // reset
	case 4:
		w.Header().Set("Content-Length", "1000")
		_, _ = io.WriteString(w, goodBody)
		panic(http.ErrAbortHandler) // cut in the body
	case 5:
		_, _ = io.WriteString(w, "<html>")
	case 6:
		http.Redirect(w, r, r.URL.Path, http.StatusTemporaryRedirect)
	case 7:
		w.WriteHeader(http.StatusNotFound)
	default:
		_, _ = io.WriteString(w, goodBody)
	}
}

// Two hundred goroutines share one client. Each of their calls ends, as it
// says it did, and no raise gets through twice.
func TestACrowdOnOneClient(t *testing.T) {
	const goroutines, calls = 200, 50
	before := runtime.NumGoroutine()
	plane := &flaky{faults: rand.New(rand.NewPCG(1, 2)), raises: map[string]int{}}
	server := httptest.NewUnstartedServer(plane)
	server.Config.ErrorLog = nil
	server.Start()
	transport := &http.Transport{MaxIdleConnsPerHost: 64, MaxConnsPerHost: 64}
	client, err := agentctl.New(opsroom.Endpoint{
		BaseURL: server.URL, Authorize: opsroom.Bearer("token"), HTTPClient: &http.Client{Transport: transport},
		Retry: opsroom.Retry{BaseDelay: time.Microsecond, Budget: rate.NewLimiter(rate.Inf, 0)},
	}, nil)
	require.NoError(t, err)

	var mu sync.Mutex
	lists, raises := map[string]int{}, map[string]string{}
	var crowd sync.WaitGroup
	for g := range goroutines {
		crowd.Go(func() {
			for i := range calls {
				ctx, cancel := context.WithCancel(context.Background())
				if i%9 == 8 { // and one call in nine is cut off
					time.AfterFunc(time.Duration(g)*10*time.Microsecond, cancel)
				}
				if i%2 == 0 {
					_, err := client.ListExceptions(ctx, agentctl.ListExceptionsParams{})
					mu.Lock()
					lists[resultOfCall(err)]++
					mu.Unlock()
				} else {
					step := fmt.Sprintf("step-%d-%d", g, i)
					_, err := client.RaiseException(ctx, agentctl.RaiseExceptionParams{
						RunID: "run-1", Category: "a.b", Severity: agentctl.SeverityInfo, Message: "m", StepID: step,
					})
					mu.Lock()
					raises[step] = outcomeOf(err)
					mu.Unlock()
				}
				cancel()
			}
		})
	}
	crowd.Wait()
	transport.CloseIdleConnections()
	server.Close()

	require.Len(t, raises, goroutines*calls/2)
	outcomes := map[string]int{}
	for step, outcome := range raises {
		outcomes[outcome]++
		seen := plane.raises[step]
		switch outcome {
		case "recorded", "accepted", "rejected":
			require.Equal(t, 1, seen, "%s of %s", outcome, step)
		case "not sent":
			require.Zero(t, seen, step)
		case "unknown":
			require.LessOrEqual(t, seen, 1, step)
		default:
			require.Fail(t, "no such outcome", outcome)
		}
	}
	require.Equal(t, goroutines*calls/2, lists["answered"]+lists["failed"]+lists["cancelled"])
	require.Greater(t, plane.gets, lists["answered"], "some had to be repeated")
	for _, outcome := range []string{"recorded", "accepted", "rejected", "unknown"} {
		require.Positive(t, outcomes[outcome], outcome)
	}
	t.Logf("lists %v in %d requests, raises %v", lists, plane.gets, outcomes)

	deadline := time.Now().Add(10 * time.Second)
	for runtime.NumGoroutine() > before && time.Now().Before(deadline) {
		runtime.Gosched()
	}
	require.LessOrEqual(t, runtime.NumGoroutine(), before, "goroutines are left")
}

func resultOfCall(err error) string {
	failure, ok := errors.AsType[*opsroom.RequestError](err)
	switch {
	case err == nil:
		return "answered"
	case errors.Is(err, context.Canceled):
		return "cancelled"
	case ok && failure.Attempts > 0:
		return "failed"
	default:
		return err.Error()
	}
}
