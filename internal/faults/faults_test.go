package faults_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom/internal/faults"
	"github.com/opsroom-go/opsroom/problem"
)

const payload = `{"answer":"0123456789"}`

// A site is an operation behind a queue on a real server.
type site struct {
	faults.Queue
	url     string
	effects atomic.Int64
	active  atomic.Int64 // requests being served
	client  *http.Client
}

func newSite(t *testing.T) *site {
	t.Helper()
	s := &site{}
	faulty := s.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		s.effects.Add(1)
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("X-Request-Id", "r1")
		w.WriteHeader(http.StatusCreated)
		_, _ = io.WriteString(w, payload)
	}))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.active.Add(1)
		defer s.active.Add(-1)
		faulty.ServeHTTP(w, r)
	}))
	// Without keep-alive net/http replays nothing by itself, so effects count exactly.
	s.client = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	s.url = server.URL
	t.Cleanup(server.Close)
	t.Cleanup(s.Close)
	return s
}

func (s *site) post(ctx context.Context, t *testing.T) (*http.Response, []byte, error) {
	t.Helper()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url, strings.NewReader(`{"a":1}`))
	require.NoError(t, err)
	response, err := s.client.Do(request)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	return response, body, err
}

func TestEachFaultGoesWrongInItsWay(t *testing.T) {
	t.Parallel()
	retryLater := http.Header{"Retry-After": {"7"}, "Content-Type": {"application/json"}}
	tests := []struct {
		fault       faults.Fault
		name        string
		status      int
		contentType string
		body        string
		effects     int64
		err         error // of the read, where there is an answer
	}{
		{faults.Fault{}, "no fault", 201, "application/json", payload, 1, nil},
		{faults.Fault{}.AfterEffect(), "no fault", 201, "application/json", payload, 1, nil},
		{faults.Answer(429, retryLater, `{"title":"x"}`), "answer 429", 429, "application/json", `{"title":"x"}`, 0, nil},
		{faults.Answer(429, retryLater, "x").AfterEffect(), "answer 429 after the effect", 429, "application/json", "x", 1, nil},
		{faults.Answer(404, nil, ""), "answer 404", 404, "", "", 0, nil},
		{faults.Answer(200, nil, "<html>"), "answer 200", 200, "", "<html>", 0, nil},
		{faults.Answer(204, nil, ""), "answer 204", 204, "", "", 0, nil},
		{faults.Answer(0, nil, ""), "answer 500", 500, "", "", 0, nil},
		{faults.TruncateBody(), "truncated body", 201, "application/json", payload[:len(payload)/2], 1, nil},
		{faults.ContentType("text/plain"), "content type text/plain", 201, "text/plain", payload, 1, nil},
		{faults.ContentType(""), "content type ", 201, "", payload, 1, nil},
		{faults.PadBody(100_000), "body of 100000 bytes", 201, "application/json", payload + strings.Repeat(" ", 100_000-len(payload)), 1, nil},
		{faults.PadBody(1), "body of 1 bytes", 201, "application/json", payload, 1, nil},
		{faults.SlowBody(0, time.Microsecond), "slow body", 201, "application/json", payload, 1, nil},
		{faults.Delay(time.Microsecond), "delay", 201, "application/json", payload, 1, nil},
		{faults.CutBody(), "cut body", 201, "application/json", payload[:len(payload)/2], 1, io.ErrUnexpectedEOF},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			s.Add(test.fault)
			require.Equal(t, test.name, test.fault.String())
			response, body, err := s.post(t.Context(), t)
			require.ErrorIs(t, err, test.err)
			require.Equal(t, test.status, response.StatusCode)
			require.Equal(t, test.contentType, response.Header.Get("Content-Type"))
			require.Equal(t, test.body, string(body))
			require.Equal(t, test.effects, s.effects.Load())
			require.Zero(t, s.Len())
		})
	}
}

func TestAnAnswerKeepsItsHeaders(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	header := http.Header{"Retry-After": {"7"}}
	s.Add(faults.Answer(503, header, "x"), faults.CutBody())
	header.Set("Retry-After", "changed later")
	response, _, err := s.post(t.Context(), t)
	require.NoError(t, err)
	require.Equal(t, "7", response.Header.Get("Retry-After"))
	response, _, err = s.post(t.Context(), t)
	require.Error(t, err)
	require.Equal(t, "r1", response.Header.Get("X-Request-Id"))
	require.Equal(t, strconv.Itoa(len(payload)), response.Header.Get("Content-Length"))
}

func TestAProxyPageIsHTML(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.Add(faults.ProxyPage(502))
	response, body, err := s.post(t.Context(), t)
	require.NoError(t, err)
	require.Equal(t, 502, response.StatusCode)
	require.Equal(t, "text/html; charset=utf-8", response.Header.Get("Content-Type"))
	require.True(t, strings.HasPrefix(string(body), "<!DOCTYPE html>"))
	require.Zero(t, s.effects.Load())
}

func TestAProblemIsServedAsOne(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.Add(faults.Problem(problem.Problem{Status: 409, Code: "run_not_active", RetryAfterSeconds: 3}))
	response, body, err := s.post(t.Context(), t)
	require.NoError(t, err)
	require.Equal(t, 409, response.StatusCode)
	require.Equal(t, "application/problem+json", response.Header.Get("Content-Type"))
	require.Equal(t, "3", response.Header.Get("Retry-After"))
	require.JSONEq(t, `{"title":"Conflict","status":409,"code":"run_not_active","retry_after_seconds":3}`, string(body))
	require.Zero(t, s.effects.Load())
}

func TestACutLeavesNoAnswer(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		fault   faults.Fault
		effects int64
	}{{faults.Cut(), 0}, {faults.Cut().AfterEffect(), 1}} {
		t.Run(test.fault.String(), func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			s.Add(test.fault)
			_, _, err := s.post(t.Context(), t)
			require.ErrorIs(t, err, io.EOF)
			require.Equal(t, test.effects, s.effects.Load())
		})
	}
}

func TestAHangEndsWithTheClientOrTheQueue(t *testing.T) {
	t.Parallel()
	t.Run("the client gives up", func(t *testing.T) {
		t.Parallel()
		s := newSite(t)
		s.Add(faults.Hang())
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			for s.Len() > 0 {
				runtime.Gosched()
			}
			cancel()
		}()
		_, _, err := s.post(ctx, t)
		require.ErrorIs(t, err, context.Canceled)
		require.Eventually(t, func() bool { return s.active.Load() == 0 }, 5*time.Second, time.Millisecond)
		require.Zero(t, s.effects.Load())
	})
	for _, fault := range []faults.Fault{faults.Hang(), faults.Delay(time.Hour), faults.SlowBody(1, time.Hour)} {
		t.Run("the queue is closed on "+fault.String(), func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			s.Add(fault)
			ended := make(chan error, 1)
			go func() {
				_, _, err := s.post(t.Context(), t)
				ended <- err
			}()
			require.Eventually(t, func() bool { return s.Len() == 0 }, 5*time.Second, time.Millisecond)
			s.Close()
			s.Close()
			require.Error(t, <-ended)
		})
	}
}

func TestEachRequestMeetsOneFault(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.Add(faults.Answer(500, nil, ""), faults.Fault{}, faults.Answer(503, nil, ""))
	s.Add(faults.Answer(504, nil, ""))
	var statuses []int
	for range 5 {
		response, _, err := s.post(t.Context(), t)
		require.NoError(t, err)
		statuses = append(statuses, response.StatusCode)
	}
	require.Equal(t, []int{500, 201, 503, 504, 201}, statuses)
	s.Add(faults.Cut())
	require.Equal(t, 1, s.Len())
	s.Clear()
	_, _, err := s.post(t.Context(), t)
	require.NoError(t, err)
}

func TestAQueueIsSharedByConcurrentRequests(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	var failed atomic.Int64
	var group sync.WaitGroup
	for range 20 {
		s.Add(faults.Answer(500, nil, ""), faults.Cut())
	}
	for range 50 {
		group.Go(func() {
			response, _, err := s.post(t.Context(), t)
			if err != nil || response.StatusCode == 500 {
				failed.Add(1)
			}
		})
	}
	group.Wait()
	require.EqualValues(t, 40, failed.Load())
	require.EqualValues(t, 10, s.effects.Load())
}

func TestTheHandlerThatIsWrappedMayAbortToo(t *testing.T) {
	t.Parallel()
	var q faults.Queue
	q.Add(faults.TruncateBody())
	handler := q.Wrap(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	defer func() {
		err, _ := recover().(error)
		require.True(t, errors.Is(err, http.ErrAbortHandler))
	}()
	handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil))
}
