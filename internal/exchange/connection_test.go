package exchange

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/problem"
)

func TestTheBytesOnTheWire(t *testing.T) {
	t.Parallel()
	server := newRecorder(t, ok)
	client := server.client(t, opsroom.Endpoint{Authorize: opsroom.Bearer("token")})
	client.base += "/api"
	_, err := client.Do(t.Context(), Request{
		Operation: "list_runs", Method: http.MethodGet, Path: "/missions/a%2Fb%20'(c)%3A/runs", Query: "status=blocked&q=~%7E*+a",
		Header: Header{"X-Org-Id", "org_1"},
	})
	require.NoError(t, err)
	_, err = client.Do(t.Context(), Request{Operation: "raise", Method: http.MethodPost, Path: "/runs/%2e%2e/exceptions", Body: []byte(`{"a":"é"}`)})
	require.NoError(t, err)

	first, second := server.requests[0], server.requests[1]
	require.Equal(t, "/api/missions/a%2Fb%20'(c)%3A/runs?status=blocked&q=~%7E*+a", first.RequestURI)
	require.Equal(t, http.Header{
		"Accept":          {"application/json, application/problem+json"},
		"Accept-Encoding": {"gzip"}, // net/http asks for it, and undoes it
		"Authorization":   {"Bearer token"},
		"User-Agent":      {"opsroom-go"},
		"X-Org-Id":        {"org_1"},
	}, first.Header)
	require.Equal(t, "POST /api/runs/%2e%2e/exceptions", second.Method+" "+second.RequestURI)
	require.Equal(t, http.Header{
		"Accept":          {"application/json, application/problem+json"},
		"Accept-Encoding": {"gzip"},
		"Authorization":   {"Bearer token"},
		"Content-Length":  {"10"},
		"Content-Type":    {"application/json"},
		"User-Agent":      {"opsroom-go"},
	}, second.Header)
	require.Empty(t, second.TransferEncoding)
	require.Equal(t, `{"a":"é"}`, server.bodies[1])
}

func TestTheHostNamesItself(t *testing.T) {
	t.Parallel()
	server := newRecorder(t, ok)
	_, err := get(t.Context(), server.client(t, opsroom.Endpoint{UserAgent: "my-agent/1.2"}))
	require.NoError(t, err)
	require.Equal(t, []string{"my-agent/1.2"}, server.seen("User-Agent"))
}

func TestResponsesCarryStatusAndRequestID(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]string{
		"":                       "",
		"req-1":                  "req-1",
		strings.Repeat("x", 128): strings.Repeat("x", 128),
		strings.Repeat("x", 129): "",
		"two words":              "",
		"req\x1b[31m":            "",
		"r\u00e9q":               "",
	} {
		for _, status := range []int{201, 404} {
			answer := &http.Response{StatusCode: status, Header: http.Header{"X-Request-Id": {id}}, Body: io.NopCloser(strings.NewReader("{}"))}
			client, err := New(opsroom.Endpoint{BaseURL: "http://127.0.0.1", HTTPClient: &http.Client{
				Transport: roundTripper(func(*http.Request) (*http.Response, error) { return answer, nil }),
			}})
			require.NoError(t, err)
			response, err := post(t.Context(), client, "{}")
			if status == 201 {
				require.NoError(t, err)
				require.Equal(t, Response{Status: 201, RequestID: want, Body: []byte("{}"), attempts: 1}, *response)
				malformed := response.Malformed("add_thing", errors.New("it is odd"))
				require.Equal(t, want, malformed.RequestID)
				require.Equal(t, 201, malformed.Status)
				require.ErrorIs(t, malformed, opsroom.ErrMalformedBody)
				require.True(t, strings.HasPrefix(malformed.Error(), "add_thing: the answer is malformed: it is odd"))
				continue
			}
			failure := requestError(t, err)
			require.Equal(t, want, failure.RequestID)
			require.Equal(t, 404, failure.Status)
		}
	}
}

// What an answer costs is one connection for all of them, but for those whose
// rest is not worth reading.
func TestConnectionsAreUsedAgain(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		handler http.HandlerFunc
		conns   int // after four calls
	}{
		"success":        {ok, 1},
		"empty":          {func(http.ResponseWriter, *http.Request) {}, 1},
		"no content":     {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(204) }, 1},
		"chunked":        {func(w http.ResponseWriter, r *http.Request) { ok(w, r); _ = http.NewResponseController(w).Flush() }, 1},
		"large":          {func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, 5000)) }, 1},
		"at the limit":   {func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, 9000)) }, 1},
		"over the limit": {func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, 90000)) }, 4},
		"problem":        {func(w http.ResponseWriter, r *http.Request) { http.Error(w, "no", 404) }, 1},
		"large problem":  {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(404); _, _ = w.Write(make([]byte, 1<<20)) }, 1},
		"larger problem": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(404); _, _ = w.Write(make([]byte, 2<<20)) }, 4},
		"redirect":       {redirectOnce(0), 1},
		"small redirect": {redirectOnce(4 << 10), 1},
		"large redirect": {redirectOnce(5 << 10), 8 - 3},
		"other redirect": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://other.invalid/", http.StatusFound)
		}, 1},
		"not asked for":    {func(w http.ResponseWriter, r *http.Request) { w.Header().Set("Content-Encoding", "br"); ok(w, r) }, 4},
		"closed by server": {func(w http.ResponseWriter, r *http.Request) { w.Header().Set("Connection", "close"); ok(w, r) }, 4},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := newRecorder(t, test.handler)
			client := server.client(t, opsroom.Endpoint{MaxBody: 9000})
			for range 4 {
				_, _ = get(t.Context(), client)
			}
			require.Equal(t, test.conns, server.connections())
		})
	}
}

// redirectOnce redirects to /moved with a body of size bytes.
func redirectOnce(size int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/moved" {
			ok(w, r)
			return
		}
		w.Header().Set("Location", "/moved")
		w.WriteHeader(302)
		_, _ = w.Write(make([]byte, size))
	}
}

func TestTheHostsRedirectPolicyIsNotAsked(t *testing.T) {
	t.Parallel()
	server := newRecorder(t, redirectOnce(0))
	asked := false
	host := *server.Client()
	host.CheckRedirect = func(*http.Request, []*http.Request) error { asked = true; return nil }
	client := server.client(t, opsroom.Endpoint{HTTPClient: &host})
	_, err := get(t.Context(), client)
	require.NoError(t, err)
	_, err = post(t.Context(), client, "{}")
	require.EqualError(t, err, "add_thing: the redirect was not followed: 302 Found; a POST follows none")
	require.ErrorIs(t, err, opsroom.ErrRedirect)
	require.ErrorIs(t, err, problem.Status(302))
	require.False(t, asked)
	require.NotNil(t, host.CheckRedirect, "the host's client is left alone")
	require.Equal(t, 3, server.count())
}

func TestSameOriginComparesSchemeHostAndPort(t *testing.T) {
	t.Parallel()
	for target, same := range map[string]bool{
		"https://Host.example/x":      true,
		"https://host.example:443/x":  true,
		"/x":                          true,
		"x?y":                         true,
		"//host.example/x":            true,
		"http://host.example/x":       false,
		"http://host.example:443/x":   false,
		"https://host.example:80/x":   false,
		"https://host.example.evil/x": false,
		"https://api.host.example/x":  false,
		"//other.example/x":           false,
		"javascript:alert(1)":         false,
		"https://u@host.example/x":    false,
		"https:host.example/x":        false,
		"":                            false,
		"https://[::1/x":              false,
	} {
		base, err := url.Parse("https://host.example/api/things")
		require.NoError(t, err)
		request := &Request{Method: http.MethodGet}
		address, err := request.redirect(&http.Response{
			StatusCode: 302, Header: http.Header{"Location": {target}}, Request: &http.Request{URL: base},
		}, 0)
		require.Equal(t, same, err == nil, "%q: %v", target, err)
		if same {
			require.Regexp(t, "^https://(?i)host.example", address)
		}
	}
}

func TestTheDefaultTransportIsUsedAndLeftAlone(t *testing.T) {
	t.Parallel()
	server := newRecorder(t, ok)
	before := fmt.Sprintf("%p", http.DefaultTransport)
	client, err := New(opsroom.Endpoint{BaseURL: server.URL + "/"})
	require.NoError(t, err)
	_, err = get(t.Context(), client)
	require.NoError(t, err)
	require.Equal(t, before, fmt.Sprintf("%p", http.DefaultTransport))
	require.Equal(t, "/things", server.requests[0].RequestURI)
	require.Nil(t, http.DefaultClient.CheckRedirect)
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
}

func TestHTTP2WithoutTLS(t *testing.T) {
	t.Parallel()
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Request-Id", r.Proto)
		_, _ = io.Copy(w, r.Body)
	}))
	server.Config.Protocols = new(http.Protocols)
	server.Config.Protocols.SetUnencryptedHTTP2(true)
	server.Start()
	defer server.Close()
	transport := &http.Transport{Protocols: server.Config.Protocols}
	defer transport.CloseIdleConnections()
	client, err := New(opsroom.Endpoint{BaseURL: server.URL, HTTPClient: &http.Client{Transport: transport}})
	require.NoError(t, err)
	response, err := post(t.Context(), client, `{"a":1}`)
	require.NoError(t, err)
	require.Equal(t, Response{Status: 200, RequestID: "HTTP/2.0", Body: []byte(`{"a":1}`), attempts: 1}, *response)
}

func TestAProxyCarriesPlainRequests(t *testing.T) {
	t.Parallel()
	proxy := newRecorder(t, ok)
	address, err := url.Parse(proxy.URL)
	require.NoError(t, err)
	address.User = url.UserPassword("user", "password")
	transport := &http.Transport{Proxy: http.ProxyURL(address)}
	defer transport.CloseIdleConnections()
	client, err := New(opsroom.Endpoint{BaseURL: "http://backend.invalid/api", HTTPClient: &http.Client{Transport: transport}})
	require.NoError(t, err)
	_, err = post(t.Context(), client, "{}")
	require.NoError(t, err)
	require.Equal(t, "http://backend.invalid/api/things", proxy.requests[0].RequestURI)

	transport.CloseIdleConnections()
	proxy.Close()
	_, err = post(t.Context(), client, "{}")
	require.EqualError(t, err, "add_thing: no complete answer: cannot connect to the proxy")
	require.True(t, requestError(t, err).NotSent)
}

func TestTheLastProblemSurvives(t *testing.T) {
	t.Parallel()
	attempts := 0
	client, err := New(opsroom.Endpoint{BaseURL: "http://127.0.0.1", HTTPClient: &http.Client{
		Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
			attempts++
			if attempts > 1 {
				return nil, errHost
			}
			return &http.Response{StatusCode: 429, Header: http.Header{"Retry-After": {"0"}, "X-Request-Id": {"req-1"}}}, nil
		}),
	}})
	require.NoError(t, err)
	client.jitter = noJitter
	_, err = get(t.Context(), client)
	failure := requestError(t, err)
	require.EqualError(t, failure, "list_things: no complete answer: the exchange with the server failed; "+
		"before that: 429 Too Many Requests: the response has no body; retry after 0s (after 3 attempts; request id req-1)")
	require.ErrorIs(t, failure, errHost)
	require.ErrorIs(t, failure, problem.Status(429))
	require.Equal(t, 429, failure.Status)
	require.Equal(t, "req-1", failure.RequestID)
	require.Equal(t, 3, failure.Attempts)
}

func TestStatusesThatAreRepeated(t *testing.T) {
	t.Parallel()
	server := newRecorder(t, func(w http.ResponseWriter, r *http.Request) {
		status, _ := strconv.Atoi(r.URL.Query().Get("status"))
		w.WriteHeader(status)
	})
	client := server.client(t, opsroom.Endpoint{})
	for status := 200; status < 600; status++ {
		before := server.count()
		_, err := client.Do(t.Context(), Request{Method: http.MethodGet, Path: "/", Query: "status=" + strconv.Itoa(status)})
		require.Equal(t, status >= 300, err != nil)
		want := 1
		switch status {
		case 408, 429, 500, 502, 503, 504:
			want = 3
		}
		require.Equal(t, want, server.count()-before, status)
	}
}
