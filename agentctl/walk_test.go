package agentctl_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/time/rate"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/agentctl"
	"github.com/opsroom-go/opsroom/agentctl/agentctltest"
	"github.com/opsroom-go/opsroom/problem"
)

// fill adds exceptions e1, e2 and so on; the last is the newest.
func fill(plane interface {
	AddException(agentctltest.Exception) agentctltest.Exception
}, n int) {
	for i := range n {
		plane.AddException(agentctltest.Exception{ID: fmt.Sprint("e", i+1), RunID: "r1"})
	}
}

// namesDown returns e<from> down to e<to>.
func namesDown(from, to int) (names []string) {
	for i := from; i >= to; i-- {
		names = append(names, fmt.Sprint("e", i))
	}
	return names
}

// drain returns the ids that a walk yields, and its error, which must come last.
func drain(t testing.TB, walk iter.Seq2[agentctl.Exception, error]) (ids []string, err error) {
	t.Helper()
	for exception, failure := range walk {
		require.NoError(t, err, "an error is the last thing that a walk yields")
		if failure != nil {
			require.Equal(t, agentctl.Exception{}, exception)
			err = failure
			continue
		}
		ids = append(ids, exception.ID)
	}
	return ids, err
}

func uris(server *agentctltest.Server) (uris []string) {
	for _, request := range server.Requests() {
		uris = append(uris, request.URI)
	}
	return uris
}

const listPath = "/api/v1/agent/exceptions"

func TestAQuietWalkOfAThousandRowsTakesSevenRequests(t *testing.T) {
	t.Parallel()
	server, client := newServer(t)
	fill(server, 1000)
	ids, err := drain(t, client.Exceptions(t.Context(), agentctl.ListExceptionsParams{}))
	require.NoError(t, err)
	require.Equal(t, namesDown(1000, 1), ids)
	require.Equal(t, []string{
		listPath + "?limit=200",
		listPath + "?limit=200&offset=190",
		listPath + "?limit=200&offset=380",
		listPath + "?limit=200&offset=570",
		listPath + "?limit=200&offset=760",
		listPath + "?limit=200&offset=950",
		listPath + "?limit=200&offset=1000",
	}, uris(server))

	rows := 0
	for _, request := range server.Requests() {
		u, err := url.Parse(request.URI)
		require.NoError(t, err)
		offset, _ := strconv.Atoi(u.Query().Get("offset"))
		rows += min(200, 1000-offset)
	}
	require.LessOrEqual(t, rows, 1100, "the overlap costs a tenth at most")
}

func TestOverlapsCostAtMostATenthAtAnyUsualPageSize(t *testing.T) {
	t.Parallel()
	for _, size := range []int{20, 25, 50, 100, 150, 200} {
		server, client := newServer(t)
		fill(server, 1000)
		ids, err := drain(t, client.Exceptions(t.Context(), agentctl.ListExceptionsParams{Limit: size}))
		require.NoError(t, err)
		require.Len(t, ids, 1000)
		require.LessOrEqual(t, server.Count(agentctltest.ListExceptions), (1000+99)/size+4, "page size %d", size)
	}
}

func TestWalksKeepTheFiltersOfTheirParameters(t *testing.T) {
	t.Parallel()
	server, client := newServer(t)
	server.AddRun(agentctltest.Run{ID: "r1", MissionID: "m1", Status: "blocked"})
	_, err := drain(t, client.Exceptions(t.Context(), agentctl.ListExceptionsParams{
		MissionID: "m1", RunID: "r1", Status: agentctl.ExceptionOpen, Severity: agentctl.SeverityInfo, Limit: 7,
	}))
	require.NoError(t, err)
	var runs []string
	for run, err := range client.Runs(t.Context(), agentctl.ListRunsParams{MissionID: "m1", Status: agentctl.RunBlocked}) {
		require.NoError(t, err)
		runs = append(runs, run.ID)
	}
	require.Equal(t, []string{"r1"}, runs)
	require.Equal(t, []string{
		listPath + "?missionId=m1&runId=r1&status=open&severity=info&limit=7",
		"/api/v1/agent/missions/m1/runs?status=blocked&limit=200",
		"/api/v1/agent/missions/m1/runs?status=blocked&limit=200&offset=1",
	}, uris(server))
}

func TestAnEmptyListTakesOneRequest(t *testing.T) {
	t.Parallel()
	server, _ := newServer(t)
	client := newClient(t, server.Endpoint(), &agentctl.Options{ReadAhead: 4})
	ids, err := drain(t, client.Exceptions(t.Context(), agentctl.ListExceptionsParams{}))
	require.NoError(t, err)
	require.Empty(t, ids)
	require.Len(t, server.Requests(), 1)
}

func TestAWalkMayBeginFurtherOn(t *testing.T) {
	t.Parallel()
	server, client := newServer(t)
	fill(server, 300)
	params := agentctl.ListExceptionsParams{Offset: 100, Limit: 50}
	walk := client.Exceptions(t.Context(), params)
	for range 2 {
		ids, err := drain(t, walk)
		require.NoError(t, err)
		require.Equal(t, namesDown(200, 1), ids)
	}
	require.Equal(t, agentctl.ListExceptionsParams{Offset: 100, Limit: 50}, params)

	ids, err := drain(t, client.Exceptions(t.Context(), agentctl.ListExceptionsParams{Offset: 300}))
	require.NoError(t, err)
	require.Empty(t, ids)
}

func TestTwoRangesOverOneSequenceAreTwoWalks(t *testing.T) {
	t.Parallel()
	server, client := newServer(t)
	fill(server, 120)
	walk := client.Exceptions(t.Context(), agentctl.ListExceptionsParams{Limit: 50})
	next, stop := iter.Pull2(walk)
	defer stop()
	var pulled []string
	for range 60 {
		exception, err, ok := next()
		require.True(t, ok)
		require.NoError(t, err)
		pulled = append(pulled, exception.ID)
	}
	ids, err := drain(t, walk)
	require.NoError(t, err)
	require.Equal(t, namesDown(120, 1), ids)
	for {
		exception, err, ok := next()
		if !ok {
			break
		}
		require.NoError(t, err)
		pulled = append(pulled, exception.ID)
	}
	require.Equal(t, ids, pulled)
}

func TestAWalkThatIsLeftAsksForNoFurtherPage(t *testing.T) {
	t.Parallel()
	server, client := newServer(t)
	fill(server, 500)
	for range client.Exceptions(t.Context(), agentctl.ListExceptionsParams{}) {
		break
	}
	require.Len(t, server.Requests(), 1)
}

func TestAnErrorIsYieldedOnceAndLast(t *testing.T) {
	t.Parallel()
	for _, ahead := range []int{0, 3} {
		server, _ := newServer(t)
		fill(server, 1000)
		client := newClient(t, server.Endpoint(), &agentctl.Options{ReadAhead: ahead})
		server.FailFunc(func(_ agentctltest.Operation, _ int, r *http.Request) agentctltest.Fault {
			if r.URL.Query().Get("offset") == "380" {
				return agentctltest.Status(http.StatusForbidden)
			}
			return agentctltest.Fault{}
		})
		ids, err := drain(t, client.Exceptions(t.Context(), agentctl.ListExceptionsParams{}))
		require.ErrorIs(t, err, problem.Status(http.StatusForbidden))
		require.Equal(t, namesDown(1000, 611), ids, "what came before the failure was yielded")

		_, err = drain(t, client.Exceptions(t.Context(), agentctl.ListExceptionsParams{}))
		require.Error(t, err, "another range is another walk")
	}
}

func TestWrongParametersEndAWalkBeforeAnythingIsSent(t *testing.T) {
	t.Parallel()
	client := newSilent(t)
	for _, params := range []agentctl.ListExceptionsParams{
		{Limit: 201}, {Limit: -1}, {Offset: -1}, {Offset: 1 << 53}, {Status: "closed"}, {RunID: "\xff"},
	} {
		ids, err := drain(t, client.Exceptions(t.Context(), params))
		require.Empty(t, ids)
		_, want := client.ListExceptions(t.Context(), params)
		require.Error(t, want)
		require.Equal(t, want, err, "%+v", params)
	}
	for _, err := range client.Runs(t.Context(), agentctl.ListRunsParams{}) {
		requireRefused(t, err, "list_agent_runs"+refused+"missionId: is required")
	}
}

func TestAWalkEndsWithItsContext(t *testing.T) {
	t.Parallel()
	for _, ahead := range []int{0, 2} {
		server, _ := newServer(t)
		fill(server, 1000)
		client := newClient(t, server.Endpoint(), &agentctl.Options{ReadAhead: ahead})
		ctx, cancel := context.WithCancelCause(t.Context())
		reason := errors.New("shift over")
		var ids []string
		var failures []error
		for exception, err := range client.Exceptions(ctx, agentctl.ListExceptionsParams{}) {
			if err != nil {
				failures = append(failures, err)
				continue
			}
			ids = append(ids, exception.ID)
			if len(ids) == 250 {
				cancel(reason)
			}
		}
		require.Len(t, failures, 1)
		require.ErrorIs(t, failures[0], context.Canceled)
		require.ErrorIs(t, failures[0], reason)
		require.Equal(t, namesDown(1000, 1000-len(ids)+1), ids)
		cancel(nil)
	}
}

func TestAnIgnoredOffsetIsFoundOut(t *testing.T) {
	t.Parallel()
	for _, rows := range []int{1, 5, 30, 200, 500} {
		server, client := newServer(t)
		fill(server, rows)
		server.FailFunc(func(agentctltest.Operation, int, *http.Request) agentctltest.Fault {
			return agentctltest.IgnoreOffset()
		})
		ids, err := drain(t, client.Exceptions(t.Context(), agentctl.ListExceptionsParams{}))
		require.ErrorIs(t, err, agentctl.ErrUnstable)
		require.Equal(t, namesDown(rows, max(1, rows-199)), ids)
		unstable, ok := errors.AsType[*agentctl.UnstableError](err)
		require.True(t, ok)
		require.Equal(t, len(ids), unstable.Rows)
		require.Equal(t, len(server.Requests()), unstable.Requests)
		require.LessOrEqual(t, unstable.Requests, 10)
		require.EqualError(t, err, fmt.Sprintf("list_agent_exceptions: the list cannot be read without gaps: "+
			"it changes faster than it is read, or the server does not honour offset (%d rows in %d requests, more may exist; "+
			"try again later or narrow the filter)", unstable.Rows, unstable.Requests))
	}
}

func TestAServerThatRunsPastTheLargestOffsetIsLeft(t *testing.T) {
	t.Parallel()
	client, requests := newAnswer(t, 200, `{"exceptions":[{"id":"a"}]}`)
	ids, err := drain(t, client.Exceptions(t.Context(), agentctl.ListExceptionsParams{Offset: 1<<53 - 1}))
	require.ErrorIs(t, err, agentctl.ErrUnstable)
	require.Equal(t, []string{"a"}, ids)
	require.Equal(t, int32(1), requests.Load())
}

func TestPagesMayBeShorterThanAsked(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for name, fault := range map[string]func() agentctltest.Fault{
		"two":      func() agentctltest.Fault { return agentctltest.CapLimit(2) },
		"seven":    func() agentctltest.Fault { return agentctltest.CapLimit(7) },
		"fifty":    func() agentctltest.Fault { return agentctltest.CapLimit(50) },
		"any many": func() agentctltest.Fault { return agentctltest.CapLimit(1 + random.IntN(40)) },
	} {
		server, client := newServer(t)
		fill(server, 230)
		server.FailFunc(func(agentctltest.Operation, int, *http.Request) agentctltest.Fault { return fault() })
		ids, err := drain(t, client.Exceptions(t.Context(), agentctl.ListExceptionsParams{}))
		require.NoError(t, err, name)
		require.Equal(t, namesDown(230, 1), ids, name)
	}
}

// Without an order nothing can be exact; the walk must end all the same.
func TestAListWithoutOrderIsReadWithoutRepetitionsAndEnds(t *testing.T) {
	t.Parallel()
	noon := func() time.Time { return time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC) }
	for _, size := range []int{3, 50, 200} {
		server, client := newServer(t, agentctltest.Clock(noon))
		fill(server, 400)
		server.FailFunc(func(_ agentctltest.Operation, n int, _ *http.Request) agentctltest.Fault {
			return agentctltest.UnstableOrder(uint64(n))
		})
		ids, err := drain(t, client.Exceptions(t.Context(), agentctl.ListExceptionsParams{Limit: size}))
		if err != nil {
			require.ErrorIs(t, err, agentctl.ErrUnstable)
		}
		slices.Sort(ids)
		require.Len(t, slices.Compact(ids), len(ids))
		require.Less(t, len(server.Requests()), 400)
	}
}

func TestRowsWithoutIdentityAreToldApartByTheirBytes(t *testing.T) {
	t.Parallel()
	server, client := newServer(t)
	var want []string
	for i := range 500 {
		raw := []string{fmt.Sprint(i), fmt.Sprintf(`{"n":%d}`, i), fmt.Sprintf(`{ "n":%d}`, i), fmt.Sprintf(`[%d]`, i), fmt.Sprintf(`{"id":%d}`, i)}[i%5]
		server.AddException(agentctltest.Exception{Raw: json.RawMessage(raw)})
		want = append(want, raw)
	}
	server.AddException(agentctltest.Exception{Raw: json.RawMessage("null")})
	server.AddException(agentctltest.Exception{Raw: json.RawMessage("null")})
	want = append(want, "null") // rows that are alike in every byte are one
	slices.Reverse(want)
	var rows []string
	for exception, err := range client.Exceptions(t.Context(), agentctl.ListExceptionsParams{}) {
		require.NoError(t, err)
		rows = append(rows, string(exception.Raw))
	}
	require.Equal(t, want, rows)
}

func TestIdentitiesThatTextCannotHoldTellRowsApart(t *testing.T) {
	t.Parallel()
	const rows = `[{"id":"\ud800"},{"id":"\ud801"},{"id":"x\udc00"},{"id":"\ufffd"},{"id":"x\ufffd"},{"id":"\ud800"}]`
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("offset") != "" {
			_, _ = io.WriteString(w, `{"exceptions":[],"runs":[]}`)
			return
		}
		_, _ = io.WriteString(w, `{"exceptions":`+rows+`,"runs":`+strings.ReplaceAll(rows, "id", "runId")+`}`)
	}))
	defer server.Close()
	client := newClient(t, opsroom.Endpoint{BaseURL: server.URL}, nil)
	exceptions, runs := 0, 0
	for _, err := range client.Exceptions(t.Context(), agentctl.ListExceptionsParams{}) {
		require.NoError(t, err)
		exceptions++
	}
	for _, err := range client.Runs(t.Context(), agentctl.ListRunsParams{MissionID: "m1"}) {
		require.NoError(t, err)
		runs++
	}
	require.Equal(t, []int{5, 5}, []int{exceptions, runs}, "all but the one that is there twice")
}

func TestIdentityIsTheHosts(t *testing.T) {
	t.Parallel()
	server, _ := newServer(t)
	for i := range 300 {
		server.AddException(agentctltest.Exception{Raw: json.RawMessage(fmt.Sprintf(`{"id":"same","ref":{"no":%d}}`, i))})
		server.AddRun(agentctltest.Run{MissionID: "m1", Raw: json.RawMessage(fmt.Sprintf(`{"runRef":%d}`, i/2))})
	}
	client := newClient(t, server.Endpoint(), &agentctl.Options{
		ExceptionID: func(e agentctl.Exception) string {
			var row struct{ Ref struct{ No json.Number } }
			_ = e.Decode(&row)
			return row.Ref.No.String()
		},
		RunID: func(r agentctl.Run) string {
			var row struct{ RunRef json.Number }
			_ = r.Decode(&row)
			return row.RunRef.String()
		},
	})
	ids, err := drain(t, client.Exceptions(t.Context(), agentctl.ListExceptionsParams{}))
	require.NoError(t, err)
	require.Len(t, ids, 300)
	runs := 0
	for _, err := range client.Runs(t.Context(), agentctl.ListRunsParams{MissionID: "m1"}) {
		require.NoError(t, err)
		runs++
	}
	require.Equal(t, 150, runs)

	ids, err = drain(t, newClient(t, server.Endpoint(), nil).Exceptions(t.Context(), agentctl.ListExceptionsParams{}))
	require.NoError(t, err)
	require.Equal(t, []string{"same"}, ids, "or else it is the member id")
}

func TestARowThatComesInMeanwhileIsYieldedOnceAtMost(t *testing.T) {
	t.Parallel()
	server, client := newServer(t)
	fill(server, 400)
	server.BeforeRequest(func(n int, _ *http.Request) {
		if n == 2 {
			server.AddException(agentctltest.Exception{ID: "late"})
			for i := 205; i < 235; i++ { // more than the overlap, on the page that was read
				server.Resolve(fmt.Sprint("e", i))
			}
		}
	})
	ids, err := drain(t, client.Exceptions(t.Context(), agentctl.ListExceptionsParams{Status: agentctl.ExceptionOpen}))
	require.NoError(t, err)
	require.Equal(t, namesDown(400, 1), ids, "what was yielded before it was resolved, and what a naive loop would have skipped")
}

// inBubble runs a test on fake time, with a control plane that takes 20 ms to answer.
func inBubble(t *testing.T, options *agentctl.Options, test func(*testing.T, *agentctltest.Server, *agentctl.Client)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		server := agentctltest.NewServer(agentctltest.Pipe())
		defer server.Close()
		server.FailFunc(func(agentctltest.Operation, int, *http.Request) agentctltest.Fault {
			return agentctltest.Delay(20 * time.Millisecond)
		})
		test(t, server, newClient(t, server.Endpoint(), options))
	})
}

// sequentialWalk is a loop over pages of the API's default size.
func sequentialWalk(ctx context.Context, client *agentctl.Client) (rows int, err error) {
	for {
		page, err := client.ListExceptions(ctx, agentctl.ListExceptionsParams{Offset: int64(rows)})
		if err != nil || len(page.Exceptions) == 0 {
			return rows, err
		}
		rows += len(page.Exceptions)
	}
}

func TestReadingAheadSavesMostOfTheTime(t *testing.T) {
	t.Parallel()
	var sequential time.Duration
	inBubble(t, nil, func(t *testing.T, server *agentctltest.Server, client *agentctl.Client) {
		fill(server, 2000)
		begun := time.Now()
		rows, err := sequentialWalk(t.Context(), client)
		require.NoError(t, err)
		require.Equal(t, 2000, rows)
		sequential = time.Since(begun)
		require.Equal(t, 41*20*time.Millisecond, sequential)
	})
	for ahead, rounds := range map[int]int{0: 12, 1: 12, 2: 7, 4: 5, 16: 3, 1000: 3} {
		inBubble(t, &agentctl.Options{ReadAhead: ahead}, func(t *testing.T, server *agentctltest.Server, client *agentctl.Client) {
			fill(server, 2000)
			begun := time.Now()
			ids, err := drain(t, client.Exceptions(t.Context(), agentctl.ListExceptionsParams{}))
			require.NoError(t, err)
			require.Equal(t, namesDown(2000, 1), ids)
			took := time.Since(begun)
			require.Equal(t, time.Duration(rounds)*20*time.Millisecond, took, "read-ahead %d", ahead)
			require.LessOrEqual(t, took.Seconds()/sequential.Seconds(), 0.35)
			require.LessOrEqual(t, len(server.Requests()), 12+min(ahead, 16))
		})
	}
}

func TestReadingAheadLearnsThatPagesAreCapped(t *testing.T) {
	t.Parallel()
	inBubble(t, nil, func(t *testing.T, server *agentctltest.Server, _ *agentctl.Client) {
		fill(server, 2000)
		server.FailFunc(func(agentctltest.Operation, int, *http.Request) agentctltest.Fault { return agentctltest.CapLimit(60) })
		endpoint := server.Endpoint()
		carrier := endpoint.HTTPClient.Transport
		endpoint.HTTPClient = &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			time.Sleep(20 * time.Millisecond)
			return carrier.RoundTrip(r)
		})}
		client := newClient(t, endpoint, &agentctl.Options{ReadAhead: 4})
		begun := time.Now()
		ids, err := drain(t, client.Exceptions(t.Context(), agentctl.ListExceptionsParams{}))
		require.NoError(t, err)
		require.Equal(t, namesDown(2000, 1), ids)
		require.LessOrEqual(t, len(server.Requests()), 2000/50+6, "hardly a page is read in vain")
		require.LessOrEqual(t, time.Since(begun), 14*20*time.Millisecond)
	})
}

func TestReadingAheadGoesOnWhileTheHostWorks(t *testing.T) {
	t.Parallel()
	inBubble(t, &agentctl.Options{ReadAhead: 1}, func(t *testing.T, server *agentctltest.Server, client *agentctl.Client) {
		fill(server, 2000)
		start := time.Now()
		for _, err := range client.Exceptions(t.Context(), agentctl.ListExceptionsParams{}) {
			require.NoError(t, err)
			time.Sleep(time.Millisecond) // the host's work on a row
		}
		// But for the first page and the last looks, each was there when it was wanted.
		require.LessOrEqual(t, time.Since(start), 2000*time.Millisecond+3*20*time.Millisecond)
	})
}

func TestNothingOutlivesAWalk(t *testing.T) {
	t.Parallel()
	// Nor would the bubble end with a goroutine left in it.
	inBubble(t, nil, func(t *testing.T, server *agentctltest.Server, _ *agentctl.Client) {
		fill(server, 2000)
		var underWay atomic.Int32
		endpoint := server.Endpoint()
		carrier := endpoint.HTTPClient.Transport
		endpoint.HTTPClient = &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			underWay.Add(1)
			defer underWay.Add(-1)
			return carrier.RoundTrip(r)
		})}
		client := newClient(t, endpoint, &agentctl.Options{ReadAhead: 8})

		begun := time.Now()
		for range client.Exceptions(t.Context(), agentctl.ListExceptionsParams{}) {
			synctest.Wait()
			require.Equal(t, int32(8), underWay.Load(), "pages are read ahead")
			break
		}
		require.Zero(t, underWay.Load())
		require.Equal(t, 20*time.Millisecond, time.Since(begun), "what was read ahead is not waited for")

		require.PanicsWithValue(t, "the host's own", func() {
			for range client.Exceptions(t.Context(), agentctl.ListExceptionsParams{}) {
				panic("the host's own")
			}
		})
		require.Zero(t, underWay.Load())

		server.FailFunc(func(_ agentctltest.Operation, n int, _ *http.Request) agentctltest.Fault {
			if n%9 > 2 {
				return agentctltest.Hang()
			}
			return agentctltest.Fault{}
		})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := drain(t, client.Exceptions(ctx, agentctl.ListExceptionsParams{}))
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Zero(t, underWay.Load())
	})
}

func TestPagesThatWereReadInVainAreDropped(t *testing.T) {
	t.Parallel()
	inBubble(t, nil, func(t *testing.T, server *agentctltest.Server, _ *agentctl.Client) {
		fill(server, 3000)
		next := 3000
		server.BeforeRequest(func(n int, _ *http.Request) {
			if n%7 == 0 { // now and then, so that pages are foreseen in between
				for range 40 {
					server.Resolve(fmt.Sprint("e", next))
					next--
				}
			}
		})
		server.FailFunc(func(_ agentctltest.Operation, n int, _ *http.Request) agentctltest.Fault {
			return agentctltest.Delay(time.Duration(20+n%3*50) * time.Millisecond)
		})
		var underWay, most atomic.Int32
		endpoint := server.Endpoint()
		carrier := endpoint.HTTPClient.Transport
		endpoint.HTTPClient = &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			most.Store(max(most.Load(), underWay.Add(1)))
			defer underWay.Add(-1)
			return carrier.RoundTrip(r)
		})}
		client := newClient(t, endpoint, &agentctl.Options{ReadAhead: 3})
		ids, err := drain(t, client.Exceptions(t.Context(), agentctl.ListExceptionsParams{Status: agentctl.ExceptionOpen, Limit: 50}))
		require.NoError(t, err)
		require.Equal(t, namesDown(next, 1), ids[len(ids)-next:])
		require.Equal(t, int32(3), most.Load())
	})
}

func TestReadingAheadObeysTheLimiter(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := agentctltest.NewServer(agentctltest.Pipe())
		defer server.Close()
		fill(server, 2000)
		var at []time.Time
		server.BeforeRequest(func(int, *http.Request) { at = append(at, time.Now()) })
		endpoint := server.Endpoint()
		endpoint.Limiter = rate.NewLimiter(10, 1)
		ids, err := drain(t, newClient(t, endpoint, &agentctl.Options{ReadAhead: 8}).Exceptions(t.Context(), agentctl.ListExceptionsParams{}))
		require.NoError(t, err)
		require.Len(t, ids, 2000)
		for i := 1; i < len(at); i++ {
			require.GreaterOrEqual(t, at[i].Sub(at[i-1]), 100*time.Millisecond)
		}
	})
}

func TestAFailureThatPassesIsNotNoticed(t *testing.T) {
	t.Parallel()
	server, client := newServer(t)
	fill(server, 500)
	server.Fail(agentctltest.ListExceptions, agentctltest.Fault{}, agentctltest.Status(503), agentctltest.CutBody(), agentctltest.Fault{}, agentctltest.Status(429))
	ids, err := drain(t, client.Exceptions(t.Context(), agentctl.ListExceptionsParams{}))
	require.NoError(t, err)
	require.Equal(t, namesDown(500, 1), ids)
}
