package agentctl

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/opsroom-go/opsroom"
)

// What [WatchOptions] mean where they set nothing.
const (
	DefaultWatchInterval    = 2 * time.Second
	DefaultWatchMaxInterval = 30 * time.Second
	DefaultWatchJitter      = 0.2
	DefaultWatchFailures    = 5
)

// ErrRunNotFound ends [Client.WatchRun] when the run is not in its mission's list.
var ErrRunNotFound = errors.New("the run is not in the mission's list of runs")

// WatchOptions adjust [Client.WatchRun]. The zero value is the default of everything.
type WatchOptions struct {
	// UntilEnded makes the watch go on while the run is parked, until it has ended: for
	// hosts that wait until people have dealt with what the run is parked for.
	UntilEnded bool

	// Interval is the wait between two looks after a change. While nothing changes it
	// grows by half with each look, up to MaxInterval. Zero or less means
	// [DefaultWatchInterval].
	Interval time.Duration

	// MaxInterval bounds the growth of the wait. Zero or less means
	// [DefaultWatchMaxInterval]; it is never less than Interval. A server that asks for
	// more time with Retry-After gets it.
	MaxInterval time.Duration

	// Jitter is the share of a wait that chance takes off or adds, so that many watchers
	// do not look at the same time: 0.2 means up to a fifth either way. Zero means
	// [DefaultWatchJitter], a negative value none; 1 is the most.
	Jitter float64

	// Failures is how many transient failures in a row are tolerated before the watch
	// ends with the next one. Each was repeated already as the endpoint's Retry says.
	// Zero means [DefaultWatchFailures], a negative value none.
	Failures int

	// OnFailure, if not nil, is told of every failure that is tolerated, from the
	// goroutine that ranges over the sequence.
	OnFailure func(error)
}

// WatchRun looks at a run again and again, and yields its row at first and then each time
// its status has changed, until the run has ended (succeeded, failed, cancelled) or is
// parked (waiting_approval, blocked), where only a person can help. That row is the last
// one yielded.
//
// A status that this package does not know is yielded like any other and the watch goes
// on, since it may be anything. A watch that ends otherwise yields an error once, last,
// with the run as last seen: the context's error, [ErrRunNotFound], an
// [*opsroom.InputError], or the failure that was not to be tolerated.
//
// Changes between two looks are not seen. Ending the watch changes nothing on the server.
// Nil options are the defaults. Each range over the sequence is a watch of its own.
func (c *Client) WatchRun(ctx context.Context, missionID, runID string, options *WatchOptions) iter.Seq2[Run, error] {
	return func(yield func(Run, error) bool) {
		w := &watch{client: c, missionID: missionID, runID: runID}
		if options != nil {
			w.options = *options
		}
		w.options.fill()
		w.run(ctx, yield)
	}
}

func (o *WatchOptions) fill() {
	if o.Interval <= 0 {
		o.Interval = DefaultWatchInterval
	}
	if o.MaxInterval <= 0 {
		o.MaxInterval = DefaultWatchMaxInterval
	}
	o.MaxInterval = max(o.MaxInterval, o.Interval)
	if math.IsNaN(o.Jitter) {
		o.Jitter = 0
	}
	o.Jitter = min(max(cmp.Or(o.Jitter, DefaultWatchJitter), 0), 1)
	o.Failures = max(cmp.Or(o.Failures, DefaultWatchFailures), 0)
}

// A watch is one range over the sequence of WatchRun.
type watch struct {
	client           *Client
	missionID, runID string
	options          WatchOptions
	last             Run
	seen             bool
	interval         time.Duration
	failures         int // in a row
}

func (w *watch) run(ctx context.Context, yield func(Run, error) bool) {
	if err := checkRunNames("watch_run", w.missionID, w.runID); err != nil {
		yield(Run{}, err)
		return
	}
	w.interval = w.options.Interval
	for {
		changed, hint, err := w.look(ctx)
		switch {
		case err != nil:
			yield(w.last, err)
			return
		case changed:
			if !yield(w.last, nil) || w.isOver() {
				return
			}
		}
		if err := wait(ctx, max(w.nextWait(), hint)); err != nil {
			yield(w.last, fmt.Errorf("watch_run: %w", err))
			return
		}
	}
}

func (w *watch) isOver() bool {
	status := w.last.Status
	return status.Terminal() || status.Parked() && !w.options.UntilEnded
}

// look reads the run once. A failure that is tolerated is no error; hint is how long the
// server then asks to wait.
func (w *watch) look(ctx context.Context) (changed bool, hint time.Duration, err error) {
	run, found, err := w.client.findRun(ctx, w.missionID, w.runID)
	switch {
	case err != nil:
		w.failures++
		if ctx.Err() != nil || !isTransient(err) || w.failures > w.options.Failures {
			return false, 0, err
		}
		if w.options.OnFailure != nil {
			w.options.OnFailure(err)
		}
		if failure, ok := errors.AsType[*opsroom.RequestError](err); ok {
			hint = failure.RetryAfter
		}
		return false, hint, nil
	case !found:
		return false, 0, fmt.Errorf("watch_run: %w", ErrRunNotFound)
	}
	w.failures = 0
	changed = !w.seen || run.Status != w.last.Status
	w.seen, w.last = true, run
	if changed {
		w.interval = w.options.Interval
	}
	return changed, 0, nil
}

// nextWait returns the wait before the next look and lets the one after it grow.
func (w *watch) nextWait() time.Duration {
	base := w.interval
	w.interval = w.options.MaxInterval
	if base/2 < w.options.MaxInterval-base {
		w.interval = base + base/2
	}
	if w.options.Jitter == 0 {
		return base
	}
	spread := (2*rand.Float64() - 1) * w.options.Jitter
	if wait := float64(base) * (1 + spread); wait < math.MaxInt64 {
		return time.Duration(wait)
	}
	return math.MaxInt64
}

// isTransient reports whether looking again later may help.
func isTransient(err error) bool {
	if errors.Is(err, ErrUnstable) {
		return true
	}
	failure, ok := errors.AsType[*opsroom.RequestError](err)
	if !ok {
		return false
	}
	switch {
	case failure.Status == http.StatusRequestTimeout, failure.Status == http.StatusTooManyRequests, failure.Status >= 500:
		return true
	default:
		return errors.Is(err, opsroom.ErrTransport) || errors.Is(err, opsroom.ErrLimiter)
	}
}

// wait waits for d, or until ctx ends.
func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		if cause := context.Cause(ctx); cause != ctx.Err() {
			return fmt.Errorf("%w: %w", ctx.Err(), cause)
		}
		return ctx.Err()
	}
}
