package exchange_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/time/rate"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/agentctl"
	"github.com/opsroom-go/opsroom/problem"
)

// A trial is what came of one call in the face of a fault.
type trial struct {
	requests int // seen by the server, without the one that prepared the fault
	err      error
	logs     string
	harness  error // the trial itself failed
}

func TestFaultMatrix(t *testing.T) {
	gets, posts := runFaults(func(f fault) bool { return f.slow }, len(faults()))
	others, otherPosts := runFaults(func(f fault) bool { return !f.slow }, 4)
	for i, f := range faults() {
		if !f.slow {
			gets[i], posts[i] = others[i], otherPosts[i]
		}
		t.Run(f.name+"/GET", func(t *testing.T) {
			got := gets[i]
			require.NoError(t, got.harness)
			require.Equal(t, f.get, getCell{got.requests, resultOf(got.err)}, "%v", got.err)
			requireNoLeak(t, got)
		})
		t.Run(f.name+"/POST", func(t *testing.T) {
			got := posts[i]
			require.NoError(t, got.harness)
			require.Equal(t, f.post, postCell{got.requests, outcomeOf(got.err), resultOf(got.err)}, "%v", got.err)
			requireNoLeak(t, got)
			requireAdvice(t, got.err)
		})
	}
}

// runFaults tries the chosen faults, some at a time, with a GET and a POST.
func runFaults(chosen func(fault) bool, atATime int) (gets, posts []trial) {
	gets, posts = make([]trial, len(faults())), make([]trial, len(faults()))
	var running sync.WaitGroup
	slots := make(chan struct{}, atATime)
	for i, f := range faults() {
		if !chosen(f) {
			continue
		}
		slots <- struct{}{}
		running.Go(func() {
			defer func() { <-slots }()
			gets[i] = try(f, func(ctx context.Context, c *agentctl.Client) error {
				page, err := c.ListExceptions(ctx, agentctl.ListExceptionsParams{RunID: leaked})
				if err == nil && (len(page.Exceptions) != 1 || page.RequestID != "req-1") {
					err = errors.New("not the page that was sent")
				}
				return err
			})
			posts[i] = try(f, func(ctx context.Context, c *agentctl.Client) error {
				record, err := c.RaiseException(ctx, agentctl.RaiseExceptionParams{
					RunID: "run-1", Category: "policy.spend-limit", Severity: agentctl.SeverityCritical,
					Message: leaked, Detail: map[string]string{"secret": leaked},
				})
				if err == nil && record.ID != "exc-1" {
					err = errors.New("not the record that was sent")
				}
				return err
			})
		})
	}
	running.Wait()
	return gets, posts
}

// try makes one call, with secrets wherever there is a place for one.
func try(f fault, call func(context.Context, *agentctl.Client) error) trial {
	server, err := newWireServer(f.serve, f.tls)
	if err != nil {
		return trial{harness: err}
	}
	defer server.close()
	if f.down {
		server.close()
	}
	transport := &http.Transport{}
	if f.adjust != nil {
		f.adjust(transport, server.address())
	}
	defer transport.CloseIdleConnections()
	var logs bytes.Buffer
	client, err := trialClient(f, server.address(), transport, &logs)
	if err != nil {
		return trial{harness: err}
	}
	if f.reused {
		if _, err := client.ListRuns(context.Background(), agentctl.ListRunsParams{MissionID: "m"}); !errors.Is(err, opsroom.ErrMalformedBody) {
			return trial{harness: fmt.Errorf("the first request on the connection: %w", err)}
		}
		server.seen.Store(0)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	err = call(ctx, client)
	transport.CloseIdleConnections()
	server.close() // so that nothing is counted after this
	return trial{requests: int(server.seen.Load()), err: err, logs: logs.String()}
}

func trialClient(f fault, address string, transport http.RoundTripper, logs *bytes.Buffer) (*agentctl.Client, error) {
	base := &url.URL{Scheme: "http", Host: address}
	if f.tls != nil {
		base.Scheme = "https"
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		return nil, err
	}
	jar.SetCookies(base, []*http.Cookie{{Name: "session", Value: leaked}})
	endpoint := opsroom.Endpoint{
		BaseURL: base.String(),
		Authorize: func(r *http.Request) error {
			r.Header.Set("X-Api-Key", leaked)
			if f.renews && opsroom.Refused(r.Context()) {
				r.Header.Set("Authorization", renewed)
				return nil
			}
			return opsroom.Bearer(leaked)(r)
		},
		HTTPClient: &http.Client{Transport: transport, Jar: jar},
		Retry:      opsroom.Retry{BaseDelay: time.Microsecond, Budget: rate.NewLimiter(rate.Inf, 0)},
		MaxBody:    maxBody,
		Logger:     slog.New(slog.NewJSONHandler(logs, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	if f.slow {
		endpoint.Timeout = patience
	}
	return agentctl.New(endpoint, nil)
}

// renewed is what the client sends after a 401, where it renews credentials.
const renewed = "Bearer renewed-" + leaked

// resultOf names what an error is, and makes sure that it is only that.
func resultOf(err error) string {
	if err == nil {
		return answered
	}
	var kinds []string
	for name, kind := range map[string]error{
		"ErrTransport": opsroom.ErrTransport, "ErrBodyTooLarge": opsroom.ErrBodyTooLarge,
		"ErrMalformedBody": opsroom.ErrMalformedBody, "ErrRedirect": opsroom.ErrRedirect,
		"ErrAuthorize": opsroom.ErrAuthorize, "ErrLimiter": opsroom.ErrLimiter,
		"Canceled": context.Canceled, "DeadlineExceeded": context.DeadlineExceeded,
	} {
		if errors.Is(err, kind) {
			kinds = append(kinds, name)
		}
	}
	failure, ok := errors.AsType[*opsroom.RequestError](err)
	if !ok {
		return "no RequestError"
	}
	if failure.Status != 0 && failure.RequestID != "req-1" {
		return "no request id"
	}
	p, isProblem := errors.AsType[*problem.Problem](err)
	switch {
	case isProblem && failure.Status != p.Status:
		return "status and problem differ"
	case isProblem && (len(kinds) == 0 || strings.Join(kinds, "") == "ErrTransport" && p.Body().Kind == problem.BodyUnreadable):
		return fmt.Sprint("problem ", p.Status)
	case len(kinds) != 1:
		return fmt.Sprint("kinds ", kinds)
	case errors.Is(err, opsroom.ErrTimeout):
		return "ErrTimeout" // comes with ErrTransport
	default:
		return kinds[0]
	}
}

func outcomeOf(err error) string {
	if err == nil {
		return "recorded"
	}
	if raise, ok := errors.AsType[*agentctl.RaiseError](err); ok {
		return string(raise.Outcome)
	}
	return "no RaiseError"
}

// requireNoLeak formats an error in every way, on its own and out of its
// wrappers, and looks into the log.
func requireNoLeak(t *testing.T, got trial) {
	t.Helper()
	require.NotEmpty(t, got.logs)
	require.NotContains(t, got.logs, leaked)
	require.NotContains(t, got.logs, "run-1", "ids are not logged")
	if got.err == nil {
		return
	}
	errs := []error{got.err, fmt.Errorf("wrapped: %w", got.err)}
	var values []any
	if raise, ok := errors.AsType[*agentctl.RaiseError](got.err); ok {
		values = append(values, *raise)
	}
	if failure, ok := errors.AsType[*opsroom.RequestError](got.err); ok {
		errs, values = append(errs, failure), append(values, *failure)
	}
	if p, ok := errors.AsType[*problem.Problem](got.err); ok {
		errs, values = append(errs, p), append(values, *p)
	}
	for _, err := range errs {
		require.NotContains(t, err.Error(), leaked)
		for _, handler := range []func(*bytes.Buffer) slog.Handler{
			func(b *bytes.Buffer) slog.Handler { return slog.NewJSONHandler(b, nil) },
			func(b *bytes.Buffer) slog.Handler { return slog.NewTextHandler(b, nil) },
		} {
			var line bytes.Buffer
			slog.New(handler(&line)).Error("failed", "error", err)
			require.NotContains(t, line.String(), leaked)
		}
		values = append(values, err)
	}
	for _, value := range values {
		for _, format := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
			require.NotContains(t, fmt.Sprintf(format, value), leaked, "%s of %T", format, value)
		}
	}
}

// requireAdvice makes sure that an error tells whoever reads it, a model
// perhaps, what not to do.
func requireAdvice(t *testing.T, err error) {
	t.Helper()
	switch outcomeOf(err) {
	case "unknown", "accepted":
		require.ErrorContains(t, err, "do not raise it again")
		require.ErrorContains(t, err, "list_agent_exceptions")
	case "not sent", "rejected":
		require.NotContains(t, err.Error(), "list_agent_exceptions")
	}
}

var updateTable = flag.Bool("update-table", false, "write the table of faults into the documentation of package opsroom")

// The documentation of package opsroom shows the matrix; it must be the one
// that is tested here.
func TestFaultMatrixIsDocumented(t *testing.T) {
	const file = "../../doc_faults.go"
	source, err := os.ReadFile(file)
	require.NoError(t, err)
	before, rest, found := strings.Cut(string(source), "//\tFault")
	require.True(t, found, "%s has no table", file)
	length := 0
	for line := range strings.Lines("//\tFault" + rest) {
		if !strings.HasPrefix(line, "//\t") {
			break
		}
		length += len(line)
	}
	documented, after := ("//\tFault" + rest)[:length], ("//\tFault" + rest)[length:]
	if *updateTable {
		require.NoError(t, os.WriteFile(file, []byte(before+faultTable()+after), 0o644))
		return
	}
	require.Equal(t, faultTable(), documented, "run go test -run Documented -update-table")
}

// faultTable prints the matrix as a code block of a Go comment.
func faultTable() string {
	width := 0
	for _, f := range faults() {
		width = max(width, len(f.name))
	}
	lines := []string{fmt.Sprintf("//\t%-*s  GET                  POST", width, "Fault")}
	for _, f := range faults() {
		lines = append(lines, fmt.Sprintf("//\t%-*s  %d  %-16s  %d  %-9s  %s", width, f.name,
			f.get.requests, f.get.result, f.post.requests, f.post.outcome, f.post.result))
	}
	return strings.Join(lines, "\n") + "\n"
}

func TestRaiseErrorIsNoJSONLeak(t *testing.T) {
	t.Parallel()
	raise := &agentctl.RaiseError{Outcome: agentctl.OutcomeUnknown, Params: agentctl.RaiseExceptionParams{Message: leaked}, Err: errors.New("cause")}
	var line bytes.Buffer
	slog.New(slog.NewJSONHandler(&line, nil)).Error("failed", "error", raise)
	require.True(t, json.Valid(line.Bytes()))
	require.NotContains(t, line.String(), leaked)
}
