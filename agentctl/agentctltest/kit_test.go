package agentctltest_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom/agentctl/agentctltest"
)

const (
	exceptionsPath = "/api/v1/agent/exceptions"
	goodRaise      = `{"category":"a.b","severity":"info","message":"m"}`
)

// standingClock is a time that does not pass.
func standingClock() time.Time { return time.Date(2026, 3, 4, 5, 6, 7, 8000, time.FixedZone("", 3600)) }

func newServer(t *testing.T, options ...agentctltest.Option) *agentctltest.Server {
	t.Helper()
	server := agentctltest.NewServer(append([]agentctltest.Option{agentctltest.Clock(standingClock)}, options...)...)
	t.Cleanup(server.Close)
	return server
}

func raisePath(runID string) string      { return "/api/v1/agent/runs/" + runID + "/exceptions" }
func runsPath(missionID string) string   { return "/api/v1/agent/missions/" + missionID + "/runs" }
func addRun(server *agentctltest.Server) { server.AddRun(agentctltest.Run{ID: "r1", MissionID: "m1"}) }

type answer struct {
	status int
	header http.Header
	body   string
}

// send sends a request; header is pairs of names and values.
func send(t *testing.T, server *agentctltest.Server, method, target, body string, header ...string) answer {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, server.URL+target, strings.NewReader(body))
	require.NoError(t, err)
	if body == "" {
		request.Body = http.NoBody
	}
	for i := 0; i < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	response, err := server.Client().Do(request)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	read, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return answer{response.StatusCode, response.Header, string(read)}
}

func get(t *testing.T, server *agentctltest.Server, target string) answer {
	t.Helper()
	return send(t, server, http.MethodGet, target, "")
}

func post(t *testing.T, server *agentctltest.Server, target, body string) answer {
	t.Helper()
	return send(t, server, http.MethodPost, target, body, "Content-Type", "application/json")
}

// requireProblem requires a problem and returns its detail.
func requireProblem(t *testing.T, a answer, status int, code string) string {
	t.Helper()
	require.Equal(t, status, a.status, a.body)
	require.Equal(t, "application/problem+json", a.header.Get("Content-Type"))
	var p struct {
		Title, Code, Detail string
		Status              int
	}
	require.NoError(t, json.Unmarshal([]byte(a.body), &p))
	require.Equal(t, http.StatusText(status), p.Title)
	require.Equal(t, code, p.Code)
	require.Equal(t, status, p.Status)
	require.NotEmpty(t, p.Detail)
	return p.Detail
}

// ids returns the ids on a page, in order.
func ids(t *testing.T, a answer) []string {
	t.Helper()
	require.Equal(t, http.StatusOK, a.status, a.body)
	var page struct {
		Exceptions, Runs []struct{ ID string }
	}
	require.NoError(t, json.Unmarshal([]byte(a.body), &page))
	ids := []string{}
	for _, row := range append(page.Exceptions, page.Runs...) {
		ids = append(ids, row.ID)
	}
	return ids
}

// serve serves a request without a network, for what is done very often.
func serve(handler http.Handler, method, path, query, body string) *httptest.ResponseRecorder {
	request := httptest.NewRequest(method, path, strings.NewReader(body))
	request.URL.RawQuery = query
	request.Header.Set("Content-Type", "application/json")
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, request)
	return recorder
}
