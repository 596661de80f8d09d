package agentctl_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom/agentctl"
	"github.com/opsroom-go/opsroom/agentctl/agentctltest"
)

// BenchmarkWalk compares, in one run, an exact walk with read-ahead to a loop over pages
// of the API's default size, on a server that takes 20 ms to answer. The metric "ratio"
// is the walk's share of the loop's time.
func BenchmarkWalk(b *testing.B) {
	server, _ := newServer(b)
	fill(server, 2000)
	server.FailFunc(func(agentctltest.Operation, int, *http.Request) agentctltest.Fault {
		return agentctltest.Delay(20 * time.Millisecond)
	})
	client := newClient(b, server.Endpoint(), &agentctl.Options{ReadAhead: 4})
	var loop, walk time.Duration
	for b.Loop() {
		start := time.Now()
		rows, err := sequentialWalk(b.Context(), client)
		require.NoError(b, err)
		require.Equal(b, 2000, rows)
		loop += time.Since(start)

		start = time.Now()
		rows = 0
		for _, err := range client.Exceptions(b.Context(), agentctl.ListExceptionsParams{}) {
			require.NoError(b, err)
			rows++
		}
		require.Equal(b, 2000, rows)
		walk += time.Since(start)
	}
	b.ReportMetric(walk.Seconds()/loop.Seconds(), "ratio")
	b.ReportMetric(float64(loop.Milliseconds())/float64(b.N), "loop-ms/op")
	b.ReportMetric(float64(walk.Milliseconds())/float64(b.N), "walk-ms/op")
}
