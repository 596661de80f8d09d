package agentctltest_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom/agentctl/agentctltest"
)

func TestRequestsAreKeptAsTheyArrived(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	addRun(server)
	connection, err := net.Dial("tcp", strings.TrimPrefix(server.URL, "http://"))
	require.NoError(t, err)
	defer func() { _ = connection.Close() }()
	_, err = io.WriteString(connection, "POST /api/v1/agent/runs/%72%31/exceptions?a=%7E&b HTTP/1.1\r\nhost: kit.example\r\nx-ODD: 1\r\nX-Odd: 2\r\n"+
		"Content-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"+
		"GET /api//v1?limit= HTTP/1.0\r\nConnection: close\r\n\r\n")
	require.NoError(t, err)
	_, err = io.ReadAll(connection)
	require.NoError(t, err)
	require.Equal(t, []agentctltest.Request{
		{
			Operation: agentctltest.RaiseException, Method: "POST", URI: "/api/v1/agent/runs/%72%31/exceptions?a=%7E&b", Host: "kit.example",
			Header: http.Header{"X-Odd": {"1", "2"}, "Content-Type": {"text/plain"}}, Body: []byte("abcde"),
		},
		{Method: "GET", URI: "/api//v1?limit=", Header: http.Header{"Connection": {"close"}}},
	}, server.Requests())

	server.Requests()[0].Header.Set("X-Odd", "changed")
	server.Requests()[0].Body[0] = 'X'
	require.Equal(t, "1", server.Requests()[0].Header.Get("X-Odd"))
	require.Equal(t, "abcde", string(server.Requests()[0].Body))
}

func TestABodyThatBreaksOffHasNoEffect(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	addRun(server)
	connection, err := net.Dial("tcp", strings.TrimPrefix(server.URL, "http://"))
	require.NoError(t, err)
	_, err = fmt.Fprintf(connection, "POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", raisePath("r1"), len(goodRaise)+1, goodRaise)
	require.NoError(t, err)
	require.NoError(t, connection.(*net.TCPConn).CloseWrite())
	answered, err := io.ReadAll(connection)
	require.NoError(t, err)
	require.Contains(t, string(answered), "400 Bad Request")
	require.Contains(t, string(answered), `"code":"body_incomplete"`)
	require.NoError(t, connection.Close())
	require.Empty(t, server.Exceptions())
	require.Equal(t, goodRaise, string(server.Requests()[0].Body))
}

func TestRequestsAreCountedByOperation(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	addRun(server)
	get(t, server, exceptionsPath)
	get(t, server, exceptionsPath+"?limit=0")
	get(t, server, runsPath("m1"))
	get(t, server, "/")
	post(t, server, exceptionsPath, "")
	for _, test := range []struct {
		operation agentctltest.Operation
		count     int
	}{{agentctltest.ListExceptions, 2}, {agentctltest.ListRuns, 1}, {agentctltest.RaiseException, 0}, {"", 2}} {
		require.Equal(t, test.count, server.Count(test.operation))
	}
	server.ForgetRequests()
	require.Empty(t, server.Requests())
	require.Zero(t, server.Count(agentctltest.ListExceptions))
}

func TestTheLast10000RequestsAreKept(t *testing.T) {
	t.Parallel()
	plane := agentctltest.New()
	for i := range 10_005 {
		serve(plane, "GET", "/", fmt.Sprint(i), "")
	}
	require.Len(t, plane.Requests(), 10_000)
	require.Equal(t, 10_005, plane.Count(""))
}

func TestSomethingMayHappenBetweenRequests(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	addRun(server)
	var bodies, uris []string
	server.BeforeRequest(func(n int, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		assert.NoError(t, err)
		bodies, uris = append(bodies, string(body)), append(uris, r.RequestURI)
		assert.Len(t, server.Requests(), n)
		switch n {
		case 2:
			server.Resolve("exc_000001")
		case 3:
			server.Fail(agentctltest.ListExceptions, agentctltest.Status(503))
		case 4:
			server.BeforeRequest(nil)
		}
	})
	post(t, server, raisePath("r1"), goodRaise)
	require.Empty(t, ids(t, get(t, server, exceptionsPath+"?status=open")))
	require.Equal(t, 503, get(t, server, exceptionsPath).status)
	require.Equal(t, 404, get(t, server, "/").status)
	require.Equal(t, 200, get(t, server, exceptionsPath).status)
	require.Equal(t, []string{goodRaise, "", "", ""}, bodies)
	require.Equal(t, []string{raisePath("r1"), exceptionsPath + "?status=open", exceptionsPath, "/"}, uris)
}

func TestTheHostsFunctionsRunOneAtATime(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	var inside atomic.Int32
	enter := func() {
		assert.EqualValues(t, 1, inside.Add(1))
		for range 50 {
			runtime.Gosched() // gives the others every opportunity
		}
		inside.Add(-1)
	}
	var numbers, picked []int
	server.BeforeRequest(func(n int, _ *http.Request) {
		enter()
		numbers = append(numbers, n)
	})
	server.FailFunc(func(_ agentctltest.Operation, n int, _ *http.Request) agentctltest.Fault {
		enter()
		picked = append(picked, n)
		return agentctltest.Fault{}
	})
	var group sync.WaitGroup
	for range 40 {
		group.Go(func() { send(t, server, "GET", exceptionsPath, "") })
	}
	group.Wait()
	for i := range 40 {
		require.Equal(t, i+1, numbers[i])
		require.Equal(t, i+1, picked[i])
	}
}
