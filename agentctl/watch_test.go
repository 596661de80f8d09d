package agentctl_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/agentctl"
	"github.com/opsroom-go/opsroom/agentctl/agentctltest"
	"github.com/opsroom-go/opsroom/problem"
)

// A watched is a run on fake time, and when it was looked at since the test began.
type watched struct {
	*testing.T
	server *agentctltest.Server
	client *agentctl.Client
	begun  time.Time
	looks  []time.Duration
}

// watchInBubble runs a test on fake time. Script is called at each look, with its number.
func watchInBubble(t *testing.T, status string, script func(w *watched, look int), test func(w *watched)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		server := agentctltest.NewServer(agentctltest.Pipe())
		defer server.Close()
		server.AddRun(agentctltest.Run{ID: "r1", MissionID: "m1", Status: status})
		endpoint := server.Endpoint()
		endpoint.Retry = opsroom.Retry{Attempts: 1}
		w := &watched{T: t, server: server, client: newClient(t, endpoint, nil), begun: time.Now()}
		server.BeforeRequest(func(n int, _ *http.Request) {
			w.looks = append(w.looks, time.Since(w.begun))
			if script != nil {
				script(w, n)
			}
		})
		test(w)
	})
}

// watch returns the statuses that a watch yields, when, and the error that it ends with.
func (w *watched) watch(ctx context.Context, options *agentctl.WatchOptions) (statuses []agentctl.RunStatus, at []time.Duration, err error) {
	for run, failure := range w.client.WatchRun(ctx, "m1", "r1", options) {
		require.NoError(w, err, "an error is the last thing that a watch yields")
		if err = failure; err == nil {
			statuses = append(statuses, run.Status)
			at = append(at, time.Since(w.begun))
		}
	}
	return statuses, at, err
}

func seconds(n ...float64) (durations []time.Duration) {
	for _, s := range n {
		durations = append(durations, time.Duration(s*float64(time.Second)))
	}
	return durations
}

func TestAWatchEndsAtOnceWhenTheRunIsTerminalOrParked(t *testing.T) {
	t.Parallel()
	for _, status := range []agentctl.RunStatus{
		agentctl.RunSucceeded, agentctl.RunFailed, agentctl.RunCancelled, agentctl.RunBlocked, agentctl.RunWaitingApproval,
	} {
		watchInBubble(t, string(status), nil, func(w *watched) {
			statuses, at, err := w.watch(w.Context(), nil)
			require.NoError(w, err)
			require.Equal(w, []agentctl.RunStatus{status}, statuses)
			require.Equal(w, seconds(0), at)
			require.Equal(w, seconds(0), w.looks)
		})
	}
}

func TestAWatchYieldsEachChangeAndWaitsLongerWhileThereIsNone(t *testing.T) {
	t.Parallel()
	script := func(w *watched, look int) {
		switch look {
		case 5:
			w.server.SetRunStatus("r1", "verifying") // a status that nobody knows
		case 7:
			w.server.SetRunStatus("r1", "running")
		case 9:
			w.server.SetRunStatus("r1", "succeeded")
		}
	}
	watchInBubble(t, "running", script, func(w *watched) {
		statuses, at, err := w.watch(w.Context(), &agentctl.WatchOptions{Jitter: -1, Interval: 4 * time.Second, MaxInterval: 10 * time.Second})
		require.NoError(w, err)
		require.Equal(w, []agentctl.RunStatus{"running", "verifying", "running", "succeeded"}, statuses)
		// Waits of 4, 6, 9, 10; 4, 6 after the first change; 4, 6 after the second.
		require.Equal(w, seconds(0, 4, 10, 19, 29, 33, 39, 43, 49), w.looks)
		require.Equal(w, seconds(0, 29, 39, 49), at)
	})
}

func TestAWatchHasUsefulDefaults(t *testing.T) {
	t.Parallel()
	script := func(w *watched, look int) {
		if look == 12 {
			w.server.SetRunStatus("r1", "failed")
		}
	}
	watchInBubble(t, "running", script, func(w *watched) {
		_, _, err := w.watch(w.Context(), &agentctl.WatchOptions{Jitter: -1})
		require.NoError(w, err)
		require.Equal(w, seconds(0, 2, 5, 9.5, 16.25, 26.375, 41.5625, 64.34375, 94.34375, 124.34375, 154.34375, 184.34375), w.looks)
	})
}

func TestOddOptionsNeverMakeAWatchLookWithoutAWait(t *testing.T) {
	t.Parallel()
	for name, options := range map[string]agentctl.WatchOptions{
		"jitter is no number": {Jitter: math.NaN(), Interval: time.Second, MaxInterval: time.Second},
		"the longest wait":    {Interval: math.MaxInt64},
		"any wait up to it":   {Interval: math.MaxInt64 / 2, Jitter: 1},
	} {
		for range 20 { // chance decides which way a wait is changed
			watchInBubble(t, "running", nil, func(w *watched) {
				ctx, cancel := context.WithTimeout(w.Context(), 9500*time.Millisecond)
				defer cancel()
				w.server.BeforeRequest(func(n int, _ *http.Request) {
					if n > 20 {
						cancel()
					}
				})
				_, _, err := w.watch(ctx, &options)
				require.ErrorIs(w, err, context.DeadlineExceeded, name)
			})
		}
	}
}

func TestJitterStaysWithinItsShare(t *testing.T) {
	t.Parallel()
	for jitter, share := range map[float64]float64{0: 0.2, 0.5: 0.5, 1: 1, 7: 1} {
		script := func(w *watched, look int) {
			if look == 200 {
				w.server.SetRunStatus("r1", "failed")
			}
		}
		watchInBubble(t, "running", script, func(w *watched) {
			_, _, err := w.watch(w.Context(), &agentctl.WatchOptions{Jitter: jitter, Interval: time.Second, MaxInterval: time.Second})
			require.NoError(w, err)
			shortest, longest := time.Hour, time.Duration(0)
			for i := 1; i < len(w.looks); i++ {
				wait := w.looks[i] - w.looks[i-1]
				shortest, longest = min(shortest, wait), max(longest, wait)
			}
			require.GreaterOrEqual(w, shortest.Seconds(), 1-share-1e-6)
			require.LessOrEqual(w, longest.Seconds(), 1+share+1e-6)
			require.Less(w, shortest.Seconds(), 1-share*0.7, "chance makes use of its share")
			require.Greater(w, longest.Seconds(), 1+share*0.7)
		})
	}
}

func TestAWatchMayGoOnWhileTheRunIsParked(t *testing.T) {
	t.Parallel()
	script := func(w *watched, look int) {
		switch look {
		case 3:
			w.server.SetRunStatus("r1", "running")
		case 4:
			w.server.SetRunStatus("r1", "waiting_approval")
		case 6:
			w.server.SetRunStatus("r1", "cancelled")
		}
	}
	watchInBubble(t, "blocked", script, func(w *watched) {
		statuses, _, err := w.watch(w.Context(), &agentctl.WatchOptions{UntilEnded: true})
		require.NoError(w, err)
		require.Equal(w, []agentctl.RunStatus{"blocked", "running", "waiting_approval", "cancelled"}, statuses)
	})
}

func TestAWatchToleratesFailuresThatMayPass(t *testing.T) {
	t.Parallel()
	runs := agentctltest.ListRuns
	for _, fault := range []agentctltest.Fault{
		agentctltest.Status(408), agentctltest.Status(429), agentctltest.Status(500), agentctltest.Status(503), agentctltest.ProxyPage(502), agentctltest.CutBody(),
	} {
		script := func(w *watched, look int) {
			switch look {
			case 2:
				w.server.Fail(runs, fault, fault)
			case 5:
				w.server.SetRunStatus("r1", "succeeded")
			}
		}
		watchInBubble(t, "running", script, func(w *watched) {
			var told []error
			statuses, _, err := w.watch(w.Context(), &agentctl.WatchOptions{Jitter: -1, Failures: 2, OnFailure: func(err error) { told = append(told, err) }})
			require.NoError(w, err, fault)
			require.Equal(w, []agentctl.RunStatus{"running", "succeeded"}, statuses)
			require.Len(w, told, 2)
			for _, err := range told {
				_, ok := errors.AsType[*opsroom.RequestError](err)
				require.True(w, ok)
			}
			require.Equal(w, seconds(0, 2, 5, 9.5, 16.25), w.looks, "failures are looks like others")
		})
	}
}

func TestAWatchToleratesOnlySoManyFailuresInARow(t *testing.T) {
	t.Parallel()
	unavailable := agentctltest.Status(503)
	for failures, tolerated := range map[int]int{0: 5, 3: 3, -1: 0} {
		told := 0
		script := func(w *watched, look int) {
			if look != 1 && look != tolerated+2 { // one that succeeds resets the count
				w.server.Fail(agentctltest.ListRuns, unavailable)
			}
		}
		watchInBubble(t, "running", script, func(w *watched) {
			var last agentctl.Run
			var err error
			for last, err = range w.client.WatchRun(w.Context(), "m1", "r1", &agentctl.WatchOptions{
				Failures: failures, OnFailure: func(error) { told++ },
			}) {
			}
			require.ErrorIs(w, err, problem.Status(503))
			require.Equal(w, "r1", last.ID, "the run as last seen comes with the error")
			require.Equal(w, 2*tolerated, told)
			require.Len(w, w.looks, 2+2*tolerated+1)
		})
	}
}

func TestAWatchEndsWithFailuresThatDoNotPass(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		fault agentctltest.Fault
		want  error
	}{
		{agentctltest.Status(401), problem.Status(401)},
		{agentctltest.Status(403), problem.Status(403)},
		{agentctltest.Status(404), problem.Status(404)},
		{agentctltest.Answer(200, nil, `{"runs":{}}`), opsroom.ErrMalformedBody},
		{agentctltest.Answer(302, http.Header{"Location": {"https://elsewhere.example"}}, ``), opsroom.ErrRedirect},
	} {
		script := func(w *watched, look int) {
			if look == 2 {
				w.server.Fail(agentctltest.ListRuns, test.fault)
			}
		}
		watchInBubble(t, "running", script, func(w *watched) {
			statuses, _, err := w.watch(w.Context(), &agentctl.WatchOptions{OnFailure: func(error) { w.Error("not to be tolerated") }})
			require.ErrorIs(w, err, test.want)
			require.Equal(w, []agentctl.RunStatus{"running"}, statuses)
			require.Len(w, w.looks, 2)
		})
	}
}

func TestAWatchWaitsAsLongAsTheServerAsks(t *testing.T) {
	t.Parallel()
	script := func(w *watched, look int) {
		switch look {
		case 1:
			w.server.Fail(agentctltest.ListRuns, agentctltest.Answer(429, http.Header{"Retry-After": {"90"}}, ``))
		case 2:
			w.server.Fail(agentctltest.ListRuns, agentctltest.Answer(503, http.Header{"Retry-After": {"1"}}, ``))
		case 3:
			w.server.SetRunStatus("r1", "succeeded")
		}
	}
	watchInBubble(t, "running", script, func(w *watched) {
		_, _, err := w.watch(w.Context(), &agentctl.WatchOptions{Jitter: -1})
		require.NoError(w, err)
		require.Equal(w, seconds(0, 90, 93), w.looks, "and no shorter than the watch's own wait")
	})
}

func TestAWatchOfARunThatIsNotThere(t *testing.T) {
	t.Parallel()
	script := func(w *watched, look int) {
		if look == 3 {
			w.server.DeleteRun("r1")
		}
	}
	watchInBubble(t, "running", script, func(w *watched) {
		statuses, _, err := w.watch(w.Context(), nil)
		require.ErrorIs(w, err, agentctl.ErrRunNotFound)
		require.EqualError(w, err, "watch_run: the run is not in the mission's list of runs")
		require.Equal(w, []agentctl.RunStatus{"running"}, statuses)
	})
}

func TestAWatchEndsWithItsContextAndChangesNothing(t *testing.T) {
	t.Parallel()
	reason := errors.New("shift over")
	watchInBubble(t, "running", nil, func(w *watched) {
		ctx, cancel := context.WithTimeoutCause(w.Context(), 7*time.Second, reason)
		defer cancel()
		statuses, _, err := w.watch(ctx, &agentctl.WatchOptions{Jitter: -1})
		require.ErrorIs(w, err, context.DeadlineExceeded)
		require.ErrorIs(w, err, reason)
		require.EqualError(w, err, "watch_run: context deadline exceeded: shift over")
		require.Equal(w, []agentctl.RunStatus{"running"}, statuses)
		require.Equal(w, 7*time.Second, time.Since(w.begun), "at once, not after the wait")
		run, _ := w.server.Run("r1")
		require.Equal(w, "running", run.Status)
		for _, request := range w.server.Requests() {
			require.Equal(w, http.MethodGet, request.Method)
		}
	})
	watchInBubble(t, "running", func(w *watched, look int) {
		if look == 2 {
			w.server.Fail(agentctltest.ListRuns, agentctltest.Hang())
		}
	}, func(w *watched) {
		ctx, cancel := context.WithTimeout(w.Context(), 7*time.Second)
		defer cancel()
		_, _, err := w.watch(ctx, &agentctl.WatchOptions{Jitter: -1, OnFailure: func(error) { w.Error("the context's end is no failure") }})
		require.ErrorIs(w, err, context.DeadlineExceeded)
		require.Equal(w, 7*time.Second, time.Since(w.begun))
	})
}

func TestAWatchMayBeLeftAndBegunAnew(t *testing.T) {
	t.Parallel()
	watchInBubble(t, "running", nil, func(w *watched) {
		watch := w.client.WatchRun(w.Context(), "m1", "r1", nil)
		for range 3 {
			for run, err := range watch {
				require.NoError(w, err)
				require.Equal(w, agentctl.RunRunning, run.Status)
				break
			}
		}
		require.Len(w, w.looks, 3)
	})
}

func TestAWatchLooksPastTheFirstPageAndReadsNothingAhead(t *testing.T) {
	t.Parallel()
	server, _ := newServer(t)
	server.AddRun(agentctltest.Run{MissionID: "m1", Raw: json.RawMessage(`{"id":"r1","status":"blocked"}`)})
	for range 250 {
		server.AddRun(agentctltest.Run{MissionID: "m1"})
	}
	client := newClient(t, server.Endpoint(), &agentctl.Options{ReadAhead: 8})
	for run, err := range client.WatchRun(t.Context(), "m1", "r1", nil) {
		require.NoError(t, err)
		require.Equal(t, agentctl.RunBlocked, run.Status)
	}
	require.Len(t, server.Requests(), 2)
}

func TestAWatchRefusesWrongIdentifiers(t *testing.T) {
	t.Parallel()
	for run, err := range newSilent(t).WatchRun(t.Context(), "", "\xff", nil) {
		requireRefused(t, err, `watch_run`+refused+`missionId: is required; runId: must be valid Unicode text`)
		require.Equal(t, agentctl.Run{}, run)
	}
}

func TestTheEndOfTheContextIsNoFailureThatIsTolerated(t *testing.T) {
	t.Parallel()
	watchInBubble(t, "running", func(w *watched, look int) {
		if look == 2 {
			w.server.Fail(agentctltest.ListRuns, agentctltest.Answer(503, http.Header{"Retry-After": {"20"}}, ``))
		}
	}, func(w *watched) {
		endpoint := w.server.Endpoint() // one whose requests are repeated
		w.client = newClient(w.T, endpoint, nil)
		ctx, cancel := context.WithCancel(w.Context())
		time.AfterFunc(7*time.Second, cancel)
		_, _, err := w.watch(ctx, &agentctl.WatchOptions{Jitter: -1, OnFailure: func(err error) { w.Error(err) }})
		require.ErrorIs(w, err, context.Canceled)
		require.ErrorIs(w, err, problem.Status(503), "what had failed before is told")
		require.Equal(w, 7*time.Second, time.Since(w.begun))
	})
}
