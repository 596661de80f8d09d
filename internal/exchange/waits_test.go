package exchange

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/time/rate"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/problem"
)

const ms = time.Millisecond

func TestWaitsGrowAndStayBelowTheCap(t *testing.T) {
	t.Parallel()
	endpoint := opsroom.Endpoint{Retry: opsroom.Retry{Attempts: 6, MaxDelay: time.Second}}
	inBubble(t, endpoint, answer(503), func(b *bubble) {
		failure := b.failure(b.Context())
		require.Equal(b, []time.Duration{200 * ms, 400 * ms, 800 * ms, time.Second, time.Second}, b.limits)
		require.Equal(b, []time.Duration{0, 200 * ms, 600 * ms, 1400 * ms, 2400 * ms, 3400 * ms}, b.requests())
		require.Equal(b, 3400*ms, b.elapsed(), "nothing is waited for after the last attempt")
		require.Equal(b, 6, failure.Attempts)
		require.Empty(b, failure.GaveUp)
		require.ErrorIs(b, failure, problem.Status(503))
	})
}

func TestWaitsAreRandomBelowTheirLimit(t *testing.T) {
	t.Parallel()
	inBubble(t, opsroom.Endpoint{}, answer(503), func(b *bubble) {
		b.jitter = func(limit time.Duration) time.Duration { return limit / 8 }
		_ = b.failure(b.Context())
		require.Equal(b, []time.Duration{0, 25 * ms, 75 * ms}, b.requests())
	})
	client, err := New(opsroom.Endpoint{BaseURL: "http://127.0.0.1"})
	require.NoError(t, err)
	for _, limit := range []time.Duration{1, time.Second, 1<<63 - 1} {
		for range 100 {
			wait := client.jitter(limit)
			require.True(t, wait >= 0 && wait < limit, "%v of %v", wait, limit)
		}
	}
}

func TestTheServerSaysHowLongToWait(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		headers []string
		body    string
		waits   time.Duration // between the attempts
	}{
		"seconds":                      {headers: []string{"Retry-After", "2"}, waits: 2 * time.Second},
		"zero leaves the backoff":      {headers: []string{"Retry-After", "0"}, waits: 200 * ms},
		"less than the backoff":        {body: `{"retry_after_seconds":0}`, waits: 200 * ms},
		"nonsense leaves the backoff":  {headers: []string{"Retry-After", "soon"}, waits: 200 * ms},
		"a negative one, too":          {headers: []string{"Retry-After", "-5"}, waits: 200 * ms},
		"a date":                       {headers: []string{"Date", "Fri, 01 Jan 2100 10:00:00 GMT", "Retry-After", "Fri, 01 Jan 2100 10:00:07 GMT"}, waits: 7 * time.Second},
		"in the body":                  {body: `{"retry_after_seconds":3}`, waits: 3 * time.Second},
		"the header is larger":         {headers: []string{"Retry-After", "5"}, body: `{"retry_after_seconds":3}`, waits: 5 * time.Second},
		"the body is larger":           {headers: []string{"Retry-After", "3"}, body: `{"retry_after_seconds":5}`, waits: 5 * time.Second},
		"as long as the cap":           {headers: []string{"Retry-After", "30"}, waits: 30 * time.Second},
		"the larger of several values": {headers: []string{"Retry-After", "1"}, body: `{"retry_after_seconds":1}`, waits: time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inBubble(t, opsroom.Endpoint{Retry: opsroom.Retry{Attempts: 2}}, func(_ int, w http.ResponseWriter, _ *http.Request) {
				answer(429, append(test.headers, "Content-Type", problem.MediaTypeJSON)...)(0, w, nil)
				_, _ = io.WriteString(w, test.body)
			}, func(b *bubble) {
				_ = b.failure(b.Context())
				require.Equal(b, []time.Duration{0, test.waits}, b.requests())
				require.Equal(b, test.waits, b.elapsed())
			})
		})
	}
}

func TestAWaitThatIsTooLongIsNotBegun(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		retry      opsroom.Retry
		deadline   time.Duration
		retryAfter string
		hint       time.Duration
		gaveUp     string
	}{
		"over the default cap": {
			retryAfter: "31", hint: 31 * time.Second, gaveUp: "the server asks to wait longer than is allowed",
		},
		"over the cap that is set": {
			retry: opsroom.Retry{MaxDelay: time.Second}, retryAfter: "2",
			hint: 2 * time.Second, gaveUp: "the server asks to wait longer than is allowed",
		},
		"past the deadline": {
			deadline: time.Second, retryAfter: "2",
			hint: 2 * time.Second, gaveUp: "waiting would pass the call's deadline",
		},
		"up to the deadline": {
			deadline: 2 * time.Second, retryAfter: "2",
			hint: 2 * time.Second, gaveUp: "waiting would pass the call's deadline",
		},
		"a backoff past the deadline": {
			deadline: 150 * ms, gaveUp: "waiting would pass the call's deadline",
		},
		"without budget": {
			retry: opsroom.Retry{Budget: rate.NewLimiter(0, 0)}, retryAfter: "1",
			hint: time.Second, gaveUp: "the retry budget is used up",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inBubble(t, opsroom.Endpoint{Retry: test.retry}, answer(503, "Retry-After", test.retryAfter, "X-Request-Id", "req-9"), func(b *bubble) {
				ctx := b.Context()
				if test.deadline > 0 {
					var cancel context.CancelFunc
					ctx, cancel = context.WithTimeout(ctx, test.deadline)
					defer cancel()
				}
				failure := b.failure(ctx)
				require.Zero(b, b.elapsed())
				require.Equal(b, []time.Duration{0}, b.requests())
				require.Equal(b, test.gaveUp, failure.GaveUp)
				require.Equal(b, test.hint, failure.RetryAfter)
				require.Equal(b, "req-9", failure.RequestID)
				require.ErrorIs(b, failure, problem.Status(503))
				require.NotErrorIs(b, failure, context.DeadlineExceeded, "the context has not ended")
			})
		})
	}
}

func TestTheBudgetIsSharedByAllCalls(t *testing.T) {
	t.Parallel()
	inBubble(t, opsroom.Endpoint{}, answer(503), func(b *bubble) {
		b.jitter = func(time.Duration) time.Duration { return 0 }
		for range 12 {
			_ = b.failure(b.Context())
		}
		require.Len(b, b.requests(), 12+20, "the default budget is twenty repetitions")
		require.Equal(b, "the retry budget is used up", b.failure(b.Context()).GaveUp)
		require.Len(b, b.requests(), 33)

		time.Sleep(500 * ms)
		_ = b.failure(b.Context())
		require.Len(b, b.requests(), 35, "and two more each second")

		b.client.budget = rate.NewLimiter(rate.Inf, 0)
		for range 50 {
			_ = b.failure(b.Context())
		}
		require.Len(b, b.requests(), 35+150)
	})
}

func TestRetryIsSwitchedOff(t *testing.T) {
	t.Parallel()
	for _, attempts := range []int{1, -1} {
		inBubble(t, opsroom.Endpoint{Retry: opsroom.Retry{Attempts: attempts}}, answer(503), func(b *bubble) {
			failure := b.failure(b.Context())
			require.Equal(b, []time.Duration{0}, b.requests())
			require.Equal(b, 1, failure.Attempts)
			require.Empty(b, failure.GaveUp)
		})
	}
}

func TestTheLimiterIsWaitedForBeforeEachAttempt(t *testing.T) {
	t.Parallel()
	endpoint := opsroom.Endpoint{Limiter: rate.NewLimiter(rate.Every(time.Second), 1)}
	inBubble(t, endpoint, answer(503), func(b *bubble) {
		b.jitter = func(time.Duration) time.Duration { return 0 }
		_ = b.failure(b.Context())
		require.Equal(b, []time.Duration{0, time.Second, 2 * time.Second}, b.requests())
	})
}

func TestALimiterThatWouldPassTheDeadlineFailsAtOnce(t *testing.T) {
	t.Parallel()
	limiter := rate.NewLimiter(rate.Every(time.Hour), 1)
	inBubble(t, opsroom.Endpoint{Limiter: limiter}, answer(200), func(b *bubble) {
		require.NoError(b, b.get(b.Context()))
		ctx, cancel := context.WithTimeout(b.Context(), time.Minute)
		defer cancel()
		failure := b.failure(ctx)
		require.EqualError(b, failure, "list_things: the rate limiter does not let the call through: waiting would pass the call's deadline")
		require.ErrorIs(b, failure, opsroom.ErrLimiter)
		require.ErrorIs(b, failure, context.DeadlineExceeded)
		require.True(b, failure.NotSent)
		require.Zero(b, failure.Attempts)
		require.Zero(b, b.elapsed())
		require.Len(b, b.requests(), 1)
	})
	inBubble(t, opsroom.Endpoint{Limiter: rate.NewLimiter(1, 0)}, answer(200), func(b *bubble) {
		ctx, cancel := context.WithTimeout(b.Context(), time.Minute)
		defer cancel()
		failure := b.failure(ctx)
		require.EqualError(b, failure, "list_things: the rate limiter does not let the call through")
		require.NotErrorIs(b, failure, context.DeadlineExceeded, "a limiter without burst never lets anything through")
	})
}

func TestEachAttemptHasItsOwnTimeout(t *testing.T) {
	t.Parallel()
	host := &http.Client{Timeout: 5 * time.Second}
	for name, test := range map[string]struct {
		endpoint opsroom.Endpoint
		handler  func(int, http.ResponseWriter, *http.Request)
		requests []time.Duration
		elapsed  time.Duration
	}{
		"no answer": {
			opsroom.Endpoint{Timeout: 5 * time.Second}, hang,
			[]time.Duration{0, 5200 * ms, 10600 * ms}, 15600 * ms,
		},
		"by default": {
			opsroom.Endpoint{Retry: opsroom.Retry{Attempts: 1}}, hang,
			[]time.Duration{0}, 30 * time.Second,
		},
		"of the host's client, if it is shorter": {
			opsroom.Endpoint{Timeout: time.Minute, HTTPClient: host}, hang,
			[]time.Duration{0, 5200 * ms, 10600 * ms}, 15600 * ms,
		},
		"not of the host's client, if it is longer": {
			opsroom.Endpoint{Timeout: 2 * time.Second, HTTPClient: host}, hang,
			[]time.Duration{0, 2200 * ms, 4600 * ms}, 6600 * ms,
		},
		"of the host's client alone": {
			opsroom.Endpoint{Timeout: -1, HTTPClient: host}, hang,
			[]time.Duration{0, 5200 * ms, 10600 * ms}, 15600 * ms,
		},
		"stalled body": {
			opsroom.Endpoint{Timeout: 5 * time.Second}, stall(200),
			[]time.Duration{0, 5200 * ms, 10600 * ms}, 15600 * ms,
		},
		"a body that drips": {
			opsroom.Endpoint{Timeout: 5 * time.Second, Retry: opsroom.Retry{Attempts: 1}},
			func(_ int, w http.ResponseWriter, r *http.Request) {
				for drops := time.Tick(time.Second); ; {
					select {
					case <-drops:
						_, _ = io.WriteString(w, " ")
						_ = http.NewResponseController(w).Flush()
					case <-r.Context().Done():
						return
					}
				}
			},
			[]time.Duration{0}, 5 * time.Second,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inBubble(t, test.endpoint, test.handler, func(b *bubble) {
				failure := b.failure(b.Context())
				require.Equal(b, test.requests, b.requests())
				require.Equal(b, test.elapsed, b.elapsed())
				require.ErrorIs(b, failure, opsroom.ErrTimeout)
				require.ErrorIs(b, failure, opsroom.ErrTransport)
				require.NotErrorIs(b, failure, context.DeadlineExceeded, "the call's context has not ended")
				require.NotErrorIs(b, failure, context.Canceled)
			})
		})
	}
}

func TestATransportTimeoutIsNoEndOfTheCall(t *testing.T) {
	t.Parallel()
	inBubble(t, opsroom.Endpoint{Retry: opsroom.Retry{Attempts: 1}}, hang, func(b *bubble) {
		b.transport.ResponseHeaderTimeout = time.Second
		failure := b.failure(b.Context())
		require.Equal(b, time.Second, b.elapsed())
		require.EqualError(b, failure, "list_things: no complete answer: the attempt timed out")
		require.ErrorIs(b, failure, opsroom.ErrTimeout)
		require.NotErrorIs(b, failure, context.DeadlineExceeded)
	})
}

func TestOnlyTheContextBoundsACallWithoutTimeout(t *testing.T) {
	t.Parallel()
	inBubble(t, opsroom.Endpoint{Timeout: -1}, hang, func(b *bubble) {
		ctx, cancel := context.WithTimeout(b.Context(), time.Hour)
		defer cancel()
		failure := b.failure(ctx)
		require.Equal(b, time.Hour, b.elapsed())
		require.Len(b, b.requests(), 1)
		require.EqualError(b, failure, "list_things: the call's deadline passed")
		require.ErrorIs(b, failure, context.DeadlineExceeded)
		require.NotErrorIs(b, failure, opsroom.ErrTimeout)
	})
}

var errEnough = errors.New("the user has seen enough")

// Wherever a call waits, it ends with its context, at that very moment, and
// says why.
func TestACancelledCallEndsAtOnce(t *testing.T) {
	t.Parallel()
	token := func(ctx context.Context) (string, error) {
		<-ctx.Done()
		return "", errors.New("token function: " + ctx.Err().Error())
	}
	for name, test := range map[string]struct {
		endpoint opsroom.Endpoint
		handler  func(int, http.ResponseWriter, *http.Request)
		adjust   func(*bubble)
		text     string
		status   int
		notSent  bool
	}{
		"before the headers": {handler: hang, text: "the call was cancelled"},
		"in the body":        {handler: stall(200), text: "the call was cancelled", status: 200},
		"in the body of an error": {
			handler: stall(404), status: 404,
			text: "the call was cancelled; before that: 404 Not Found: the response body could not be read",
		},
		"in the body of an error that may be repeated": {
			handler: stall(503), status: 503,
			text: "the call was cancelled; before that: 503 Service Unavailable: the response body could not be read",
		},
		"in the wait for another attempt": {
			handler: answer(503, "Retry-After", "10"), status: 503,
			text: "the call was cancelled; before that: 503 Service Unavailable: the response has no body; retry after 10s",
		},
		"in the second attempt": {
			handler: func(n int, w http.ResponseWriter, r *http.Request) {
				if n == 1 {
					answer(503)(n, w, r)
				} else {
					hang(n, w, r)
				}
			},
			status: 503,
			text:   "the call was cancelled; before that: 503 Service Unavailable: the response has no body",
		},
		"in the limiter": {
			endpoint: opsroom.Endpoint{Limiter: rate.NewLimiter(rate.Every(time.Hour), 1)}, handler: answer(200),
			adjust: func(b *bubble) { b.client.limiter.Allow() },
			text:   "the call was cancelled", notSent: true,
		},
		"in the dial": {
			handler: answer(200), adjust: func(b *bubble) { b.transport.DialContext = (&pipeListener{}).dial },
			text: "the call was cancelled",
		},
		"in the token function": {
			endpoint: opsroom.Endpoint{Authorize: opsroom.BearerFunc(token)}, handler: answer(200),
			text: "the call was cancelled: no credentials could be had", notSent: true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inBubble(t, test.endpoint, test.handler, func(b *bubble) {
				if test.adjust != nil {
					test.adjust(b)
				}
				ctx, cancel := context.WithCancelCause(b.Context())
				time.AfterFunc(1500*ms, func() { cancel(errEnough) })
				failure := b.failure(ctx)
				require.Equal(b, 1500*ms, b.elapsed())
				require.ErrorIs(b, failure, context.Canceled)
				require.ErrorIs(b, failure, errEnough)
				require.NotErrorIs(b, failure, context.DeadlineExceeded)
				require.Equal(b, test.text, failure.Err.Error())
				require.Equal(b, test.status, failure.Status)
				require.Equal(b, test.notSent, failure.NotSent)
				if test.status >= 400 {
					require.ErrorIs(b, failure, problem.Status(test.status))
				}
			})
			inBubble(t, test.endpoint, test.handler, func(b *bubble) {
				if test.adjust != nil {
					test.adjust(b)
				}
				if b.client.limiter != nil || strings.Contains(name, "wait for another") {
					return // they know beforehand
				}
				ctx, cancel := context.WithTimeout(b.Context(), 1500*ms)
				defer cancel()
				failure := b.failure(ctx)
				require.Equal(b, 1500*ms, b.elapsed())
				require.ErrorIs(b, failure, context.DeadlineExceeded)
				require.NotErrorIs(b, failure, context.Canceled)
				require.Contains(b, failure.Error(), "the call's deadline passed")
			})
		})
	}
}

func TestACallWithADeadContextSendsNothing(t *testing.T) {
	t.Parallel()
	inBubble(t, opsroom.Endpoint{}, answer(200), func(b *bubble) {
		ctx, cancel := context.WithCancelCause(b.Context())
		cancel(errEnough)
		failure := b.failure(ctx)
		require.Empty(b, b.requests())
		require.True(b, failure.NotSent)
		require.Zero(b, failure.Attempts)
		require.ErrorIs(b, failure, errEnough)
		require.EqualError(b, failure, "list_things: the call was cancelled")
	})
}

func TestATokenFunctionSharesTheTimeOfTheAttempt(t *testing.T) {
	t.Parallel()
	endpoint := opsroom.Endpoint{
		Timeout: 5 * time.Second,
		Authorize: opsroom.BearerFunc(func(ctx context.Context) (string, error) {
			<-ctx.Done()
			return "", ctx.Err()
		}),
	}
	inBubble(t, endpoint, answer(200), func(b *bubble) {
		failure := b.failure(b.Context())
		require.Equal(b, 5*time.Second, b.elapsed(), "it is not repeated")
		require.Empty(b, b.requests())
		require.True(b, failure.NotSent)
		require.EqualError(b, failure, "list_things: no credentials could be had: the attempt timed out")
		require.ErrorIs(b, failure, opsroom.ErrAuthorize)
		require.ErrorIs(b, failure, opsroom.ErrTimeout)
		require.NotErrorIs(b, failure, context.DeadlineExceeded)
	})
}

// The body of a redirect or of a 401 is not worth waiting for.
func TestAStalledBodyThatNobodyWantsIsGivenATenthOfASecond(t *testing.T) {
	t.Parallel()
	for _, status := range []int{302, 401} {
		endpoint := opsroom.Endpoint{Authorize: func(r *http.Request) error {
			if opsroom.Refused(r.Context()) {
				return opsroom.Bearer("second")(r)
			}
			return opsroom.Bearer("first")(r)
		}}
		inBubble(t, endpoint, func(n int, w http.ResponseWriter, r *http.Request) {
			if n == 1 {
				w.Header().Set("Location", "/elsewhere")
				stall(status)(n, w, r)
			}
		}, func(b *bubble) {
			require.NoError(b, b.get(b.Context()))
			require.Equal(b, []time.Duration{0, 100 * ms}, b.requests())
		})
	}
}

func TestTheLogTellsEachAttempt(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	endpoint := opsroom.Endpoint{
		Timeout: 5 * time.Second,
		Limiter: rate.NewLimiter(rate.Every(time.Second), 1),
		Logger:  slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	inBubble(t, endpoint, func(n int, w http.ResponseWriter, r *http.Request) {
		switch n {
		case 1:
			time.Sleep(300 * ms)
			answer(503, "X-Request-Id", "req-1")(n, w, r)
		case 2:
			hang(n, w, r)
		case 3:
			answer(200, "X-Request-Id", "req-3")(n, w, r)
		}
	}, func(b *bubble) {
		_, err := b.client.Do(b.Context(), Request{
			Operation: "list_runs", Method: http.MethodGet, Template: "/missions/{missionId}/runs", Path: "/missions/m-1/runs", Query: "status=blocked",
		})
		require.NoError(b, err)
		require.Equal(b, strings.Join([]string{
			`{"time":"2000-01-01T00:00:00.3Z","level":"DEBUG","msg":"http attempt","operation":"list_runs","method":"GET","path":"/missions/{missionId}/runs","status":503,"attempt":1,"duration":300000000,"wait":0,"request_id":"req-1"}`,
			`{"time":"2000-01-01T00:00:06Z","level":"DEBUG","msg":"http attempt","operation":"list_runs","method":"GET","path":"/missions/{missionId}/runs","status":0,"attempt":2,"duration":5000000000,"wait":700000000,"request_id":"","error":"no complete answer: the attempt timed out"}`,
			`{"time":"2000-01-01T00:00:06.4Z","level":"DEBUG","msg":"http attempt","operation":"list_runs","method":"GET","path":"/missions/{missionId}/runs","status":200,"attempt":3,"duration":0,"wait":400000000,"request_id":"req-3"}`,
			"",
		}, "\n"), strings.ReplaceAll(log.String(), "+00:00", "Z"))
	})
}

func TestNoGoroutineOutlivesACall(t *testing.T) {
	t.Parallel()
	// The bubble itself fails a test that leaves a goroutine behind; here, the
	// calls are cut off in every way before it looks.
	inBubble(t, opsroom.Endpoint{Timeout: time.Second}, func(n int, w http.ResponseWriter, r *http.Request) {
		switch n % 3 {
		case 0:
			hang(n, w, r)
		case 1:
			stall(200)(n, w, r)
		case 2:
			panic(http.ErrAbortHandler)
		}
	}, func(b *bubble) {
		for range 9 {
			ctx, cancel := context.WithTimeout(b.Context(), 700*ms)
			_ = b.failure(ctx)
			cancel()
		}
		synctest.Wait()
	})
}
