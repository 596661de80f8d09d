package agentctltest_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom/agentctl/agentctltest"
)

func TestOnlyTheThreePathsAreServed(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	addRun(server)
	for _, target := range []string{
		"/", "/api/v1/agent", exceptionsPath + "/", "/api/v1/agent/Exceptions", "/api//v1/agent/exceptions",
		"/api/v1/agent/exception%73", "/x" + exceptionsPath, "/api/v1/agent/runs", "/api/v1/agent/runs/r1",
		"/api/v1/agent/missions//runs", "/api/v1/agent/missions/m1/runs/x", "/api/v1/agent/missions/m1/x/runs",
		"/api/v1/agent/missions/../runs", "/api/v1/agent/missions/%2E%2e/runs", "/api/v1/agent/missions/./runs",
		"/api/v1/agent/missions/%2e/runs",
	} {
		requireProblem(t, get(t, server, target), http.StatusNotFound, "route_not_found")
	}
	require.Equal(t, 16, server.Count(""))
	require.Empty(t, server.Exceptions())
}

func TestAPathTakesOneMethod(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	addRun(server)
	for _, test := range []struct{ method, target, allow string }{
		{"POST", exceptionsPath, "GET"},
		{"PUT", exceptionsPath, "GET"},
		{"OPTIONS", exceptionsPath, "GET"},
		{"get", exceptionsPath, "GET"},
		{"POST", runsPath("m1"), "GET"},
		{"GET", raisePath("r1"), "POST"},
		{"PATCH", raisePath("r1"), "POST"},
	} {
		a := send(t, server, test.method, test.target, "")
		require.Contains(t, requireProblem(t, a, http.StatusMethodNotAllowed, "method_not_allowed"), test.allow)
		require.Equal(t, []string{test.allow}, a.header.Values("Allow"))
	}
	a := send(t, server, "HEAD", exceptionsPath, "")
	require.Equal(t, http.StatusMethodNotAllowed, a.status)
	require.Equal(t, "GET", a.header.Get("Allow"))
}

func TestAPathFieldMayHoldAnyText(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	for _, test := range []struct{ id, escaped string }{
		{"a/b", "a%2Fb"},
		{"a/../b", "a%2F..%2Fb"},
		{"%2e%2e", "%252e%252e"},
		{"...", "..."},
		{"a b+c", "a%20b+c"},
		{"x?y#z", "x%3Fy%23z"},
		{"m:@!'()*", "m:@!'()*"},
		{"m:@!'()*", "%6D%3A%40%21%27%28%29%2A"},
		{"日本語", "%E6%97%A5%E6%9C%AC%E8%AA%9E"},
		{strings.Repeat("😀", 128), strings.Repeat("%F0%9F%98%80", 128)},
	} {
		server.AddRun(agentctltest.Run{ID: test.id, MissionID: test.id})
		require.Len(t, ids(t, get(t, server, runsPath(test.escaped))), 1)
		require.Equal(t, http.StatusCreated, post(t, server, raisePath(test.escaped), goodRaise).status)
		require.Equal(t, test.id, server.Exceptions()[0].RunID)
	}
}

func TestAPathFieldIsTextOfAtMost128Characters(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	for _, escaped := range []string{strings.Repeat("%F0%9F%98%80", 129), strings.Repeat("a", 129), "%FF", "%ED%A0%80"} {
		requireProblem(t, get(t, server, runsPath(escaped)), http.StatusBadRequest, "invalid_path")
		requireProblem(t, post(t, server, raisePath(escaped), goodRaise), http.StatusBadRequest, "invalid_path")
	}
	requireProblem(t, get(t, server, runsPath(strings.Repeat("a", 128))), http.StatusNotFound, "mission_not_found")
}

func TestATokenIsDemandedWhereThereIsOne(t *testing.T) {
	t.Parallel()
	server := newServer(t, agentctltest.Token("secret"))
	addRun(server)
	for _, authorization := range []string{"", "secret", "Bearer", "Bearer ", "Bearer other", "Basic secret", "Bearer secret x", "Bearersecret"} {
		var header []string
		if authorization != "" {
			header = []string{"Authorization", authorization}
		}
		a := send(t, server, "GET", exceptionsPath, "", header...)
		require.NotContains(t, requireProblem(t, a, http.StatusUnauthorized, "unauthorized"), "secret")
		require.Equal(t, "Bearer", a.header.Get("WWW-Authenticate"))
	}
	requireProblem(t, post(t, server, raisePath("r1"), goodRaise), http.StatusUnauthorized, "unauthorized")
	require.Empty(t, server.Exceptions())
	for _, authorization := range []string{"Bearer secret", "bearer secret", "Bearer  secret"} {
		require.Equal(t, 200, send(t, server, "GET", exceptionsPath, "", "Authorization", authorization).status)
	}
	server.SetToken("next")
	require.Equal(t, 401, send(t, server, "GET", exceptionsPath, "", "Authorization", "Bearer secret").status)
	require.Equal(t, 200, send(t, server, "GET", exceptionsPath, "", "Authorization", "Bearer next").status)
	server.SetToken("")
	require.Equal(t, 200, get(t, server, exceptionsPath).status)
}

func TestTheEndpointCarriesTheToken(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	require.Nil(t, server.Endpoint().Authorize)
	require.Equal(t, server.URL, server.Endpoint().BaseURL)
	server.SetToken("secret")
	request := httptest.NewRequest("GET", "/", nil)
	require.NoError(t, server.Endpoint().Authorize(request))
	require.Equal(t, "Bearer secret", request.Header.Get("Authorization"))
}

func TestARaiseIsPlainJSON(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	addRun(server)
	for _, header := range [][]string{
		nil,
		{"Content-Type", ""},
		{"Content-Type", "text/plain"},
		{"Content-Type", "application/problem+json"},
		{"Content-Type", "application/json; charset=latin1"},
		{"Content-Type", "application/json;;"},
		{"Content-Type", "application/json", "Content-Encoding", "gzip"},
	} {
		a := send(t, server, "POST", raisePath("r1"), goodRaise, header...)
		requireProblem(t, a, http.StatusUnsupportedMediaType, "unsupported_media_type")
	}
	require.Empty(t, server.Exceptions())
	for _, contentType := range []string{"application/json", "Application/JSON; charset=UTF-8"} {
		require.Equal(t, 201, send(t, server, "POST", raisePath("r1"), goodRaise, "Content-Type", contentType).status)
	}
}

func TestEveryAnswerHasARequestID(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	server.Fail(agentctltest.ListExceptions, agentctltest.Fault{}, agentctltest.Status(503), agentctltest.PadBody(100), agentctltest.ProxyPage(502))
	seen := []string{}
	for _, target := range []string{exceptionsPath, exceptionsPath, exceptionsPath, exceptionsPath, "/nowhere", exceptionsPath + "?x=1"} {
		seen = append(seen, get(t, server, target).header.Get("X-Request-Id"))
	}
	server.ForgetRequests()
	seen = append(seen, get(t, server, exceptionsPath).header.Get("X-Request-Id"))
	require.Equal(t, []string{"req_000001", "req_000002", "req_000003", "req_000004", "req_000005", "req_000006", "req_000007"}, seen)
}

func TestAControlPlaneCanBeMounted(t *testing.T) {
	t.Parallel()
	plane := agentctltest.New(nil, agentctltest.Demo())
	mux := http.NewServeMux()
	mux.Handle("/tenants/7/", http.StripPrefix("/tenants/7", plane))
	host := httptest.NewServer(mux)
	defer host.Close()
	defer plane.Close()
	response, err := http.Get(host.URL + "/tenants/7" + runsPath(agentctltest.DemoMission) + "?status=running")
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	require.Equal(t, 200, response.StatusCode)
	require.Equal(t, "/tenants/7"+runsPath(agentctltest.DemoMission)+"?status=running", plane.Requests()[0].URI)
	require.Equal(t, 1, plane.Count(agentctltest.ListRuns))
}
