package exchange

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom"
)

// pageOf returns a page of so many rows of about 460 bytes.
func pageOf(rows int) string {
	row := `{"id":"exc-0000","runId":"run-1","severity":"critical","detail":{"text":"` + strings.Repeat("x", 384) + `"}}`
	return `{"exceptions":[` + strings.TrimSuffix(strings.Repeat(row+",", rows), ",") + `]}`
}

const benchQuery = "status=open&limit=50"

// bare returns the GET of a careful program that has net/http alone: the same
// headers, a context, a look at the status, and the whole body, read by read.
func bare(base string, host *http.Client, read func(*http.Response) error) func(context.Context) error {
	return func(ctx context.Context) error {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/api/v1/agent/exceptions?"+benchQuery, nil)
		if err != nil {
			return err
		}
		r.Header.Set("Accept", "application/json, application/problem+json")
		r.Header.Set("User-Agent", "opsroom-go")
		r.Header.Set("Authorization", "Bearer token")
		answer, err := host.Do(r)
		if err != nil {
			return err
		}
		defer func() { _ = answer.Body.Close() }()
		if answer.StatusCode != http.StatusOK {
			return errors.New(answer.Status)
		}
		return read(answer)
	}
}

// readAll reads as most programs do.
func readAll(answer *http.Response) error {
	_, err := io.ReadAll(answer.Body)
	return err
}

// readSized reads as programs do that have been tuned, and trust the server.
func readSized(answer *http.Response) error {
	_, err := io.ReadFull(answer.Body, make([]byte, answer.ContentLength))
	return err
}

// carried returns the same GET through the exchange, with all defaults on.
func carried(t testing.TB, base string, host *http.Client) func(context.Context) error {
	client, err := New(opsroom.Endpoint{BaseURL: base, Authorize: opsroom.Bearer("token"), HTTPClient: host})
	require.NoError(t, err)
	request := Request{
		Operation: "list_agent_exceptions", Method: http.MethodGet, Template: "/api/v1/agent/exceptions",
		Path: "/api/v1/agent/exceptions", Query: benchQuery,
	}
	return func(ctx context.Context) error {
		_, err := client.Do(ctx, request)
		return err
	}
}

// BenchmarkGet takes three ways to do one GET in turn, so that whatever else the
// machine does hits all alike, and reports their medians: net/http with a
// timeout and ReadAll, net/http without a timeout and with a buffer of the
// announced size, and the exchange, which has both and a bound.
func BenchmarkGet(b *testing.B) {
	for _, rows := range []int{0, 50} {
		page := pageOf(rows)
		b.Run(fmt.Sprintf("%dbytes", len(page)), func(b *testing.B) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Length", fmt.Sprint(len(page)))
				_, _ = io.WriteString(w, page)
			}))
			defer server.Close()
			patient := *server.Client()
			patient.Timeout = opsroom.DefaultTimeout
			medians := inTurns(b,
				bare(server.URL, &patient, readAll),
				bare(server.URL, server.Client(), readSized),
				carried(b, server.URL, server.Client()))
			b.ReportMetric(medians[0], "bare-ns")
			b.ReportMetric(medians[1], "tuned-ns")
			b.ReportMetric(medians[2], "exchange-ns")
			b.ReportMetric(100*(medians[2]/medians[0]-1), "%over-bare")
			b.ReportMetric(100*(medians[2]/medians[1]-1), "%over-tuned")
		})
	}
}

// inTurns returns the median time of each way, in nanoseconds.
func inTurns(b *testing.B, ways ...func(context.Context) error) []float64 {
	times := make([][]time.Duration, len(ways))
	for n := 0; b.Loop(); n++ {
		for i := range ways {
			way := (n + i) % len(ways)
			start := time.Now()
			if err := ways[way](b.Context()); err != nil {
				b.Fatal(err)
			}
			times[way] = append(times[way], time.Since(start))
		}
	}
	medians := make([]float64, len(ways))
	for i := range times {
		slices.Sort(times[i])
		medians[i] = float64(times[i][len(times[i])/2])
	}
	return medians
}

// Over a transport that does nothing, allocations can be counted exactly.
func TestTheExchangeAllocatesLittleMoreThanNetHTTP(t *testing.T) {
	page := []byte(pageOf(50))
	host := &http.Client{Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
		return &http.Response{
			StatusCode: http.StatusOK, Header: http.Header{}, ContentLength: int64(len(page)),
			Body: io.NopCloser(bytes.NewReader(page)), Request: r,
		}, nil
	})}
	count := func(way func(context.Context) error) float64 {
		return testing.AllocsPerRun(200, func() {
			if err := way(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	sized := count(bare("http://127.0.0.1", host, readSized))
	exchange := count(carried(t, "http://127.0.0.1", host))
	t.Logf("net/http %v, exchange %v allocations", sized, exchange)
	require.LessOrEqual(t, exchange, sized+12)
}
