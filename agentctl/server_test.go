package agentctl_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/agentctl"
	"github.com/opsroom-go/opsroom/agentctl/agentctltest"
)

// newServer starts a control plane and returns it with a client.
func newServer(t testing.TB, options ...agentctltest.Option) (*agentctltest.Server, *agentctl.Client) {
	t.Helper()
	server := agentctltest.NewServer(options...)
	t.Cleanup(server.Close)
	return server, newClient(t, server.Endpoint(), nil)
}

func newClient(t testing.TB, endpoint opsroom.Endpoint, options *agentctl.Options) *agentctl.Client {
	t.Helper()
	client, err := agentctl.New(endpoint, options)
	require.NoError(t, err)
	return client
}

// newAnswer starts a server that gives one answer to whatever is asked, and returns a
// client of it and a count of the requests.
func newAnswer(t testing.TB, status int, body string) (*agentctl.Client, *atomic.Int32) {
	t.Helper()
	var requests atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("X-Request-Id", "req-7")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(server.Close)
	return newClient(t, opsroom.Endpoint{BaseURL: server.URL}, nil), &requests
}

// newSilent returns a client that must send nothing.
func newSilent(t testing.TB) *agentctl.Client {
	t.Helper()
	refuse := roundTrip(func(*http.Request) (*http.Response, error) {
		t.Error("a request was sent")
		return nil, io.EOF
	})
	return newClient(t, opsroom.Endpoint{BaseURL: "http://127.0.0.1:1", HTTPClient: &http.Client{Transport: refuse}}, nil)
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func toolOf(t testing.TB, client *agentctl.Client, name string) opsroom.Tool {
	t.Helper()
	for _, tool := range client.Tools() {
		if tool.Name == name {
			return tool
		}
	}
	require.FailNow(t, "no tool is called "+name)
	return opsroom.Tool{}
}

func call(t testing.TB, client *agentctl.Client, tool, arguments string) (opsroom.Result, error) {
	t.Helper()
	return toolOf(t, client, tool).Call(t.Context(), json.RawMessage(arguments))
}
