package caller_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom/examples/mcp/caller"
	"github.com/opsroom-go/opsroom/insights"
)

func TestJSONRPCErrorsKeepTheirCode(t *testing.T) {
	t.Parallel()
	for code, kind := range map[int64]insights.Kind{
		jsonrpc.CodeInvalidParams:  insights.InvalidArgument,
		jsonrpc.CodeMethodNotFound: insights.ToolUnavailable,
		jsonrpc.CodeInternalError:  insights.Backend,
		-32042:                     insights.Backend,
	} {
		refusal := &jsonrpc.Error{Code: code, Message: "Because.", Data: json.RawMessage(`{"n":1}`)}
		session := serve(t, answering(insights.ToolName, nil, refusal), caller.Exact)
		_, err := caller.New(session).CallTool(t.Context(), insights.ToolName, map[string]any{})
		failure, ok := errors.AsType[*insights.RPCError](err)
		require.True(t, ok, "%v", err)
		require.Equal(t, code, failure.Code)
		original, ok := errors.AsType[*jsonrpc.Error](err)
		require.True(t, ok)
		if code != jsonrpc.CodeMethodNotFound { // there the SDK's server puts words of its own
			require.Equal(t, "Because.", failure.Message)
			require.JSONEq(t, `{"n":1}`, string(original.Data))
		}

		client, err := insights.New(caller.New(session), nil)
		require.NoError(t, err)
		_, err = client.Page(t.Context(), query)
		require.Equal(t, kind, insights.KindOf(err))
	}
}

func TestUnknownToolIsUnavailable(t *testing.T) {
	t.Parallel()
	session := serve(t, answering("other", nil, nil), caller.Exact)
	client, err := insights.New(caller.New(session), nil)
	require.NoError(t, err)
	_, err = client.Page(t.Context(), query)
	require.ErrorIs(t, err, insights.ToolUnavailable)
}

func TestClosedSessionIsAFailureOfTheBackend(t *testing.T) {
	t.Parallel()
	session := serve(t, answering(insights.ToolName, nil, nil), caller.Exact)
	require.NoError(t, session.Close())
	client, err := insights.New(caller.New(session), nil)
	require.NoError(t, err)
	_, err = client.Page(t.Context(), query)
	require.ErrorIs(t, err, insights.Backend)
	require.ErrorIs(t, err, mcp.ErrConnectionClosed)
}

func TestEndedContextInterrupts(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	server := mcp.NewServer(&mcp.Implementation{Name: "test"}, nil)
	server.AddTool(&mcp.Tool{Name: insights.ToolName, InputSchema: json.RawMessage(`{"type":"object"}`)},
		func(inner context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			cancel()
			<-inner.Done()
			return nil, inner.Err()
		})
	client, err := insights.New(caller.New(serve(t, server, caller.Exact)), nil)
	require.NoError(t, err)
	_, err = client.Page(ctx, query)
	require.ErrorIs(t, err, insights.Interrupted)
	require.ErrorIs(t, err, context.Canceled)
}

func TestAnswerThatAsksForInputIsAFailure(t *testing.T) {
	t.Parallel()
	// Without the SDK's own handling, which has nobody to ask either.
	asking := &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"q": &mcp.ElicitParams{
		Message: "Which project?", RequestedSchema: json.RawMessage(`{"type":"object","properties":{}}`),
	}}}
	for _, options := range []*mcp.ClientOptions{
		{Capabilities: &mcp.ClientCapabilities{}},
		{Capabilities: &mcp.ClientCapabilities{}, MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: true}},
	} {
		clientSide, serverSide := mcp.NewInMemoryTransports()
		_, err := answering(insights.ToolName, asking, nil).Connect(t.Context(), serverSide, nil)
		require.NoError(t, err)
		session, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, options).Connect(t.Context(), caller.Exact(clientSide), nil)
		require.NoError(t, err)
		t.Cleanup(func() { _ = session.Close() })
		_, err = caller.New(session).CallTool(t.Context(), insights.ToolName, map[string]any{})
		require.Error(t, err)
	}
}

// HTTP statuses that are no JSON-RPC answer come as errors of the transport,
// whose own mark must not hide them.
func TestHTTPStatusesAreTold(t *testing.T) {
	t.Parallel()
	for status, kind := range map[int]insights.Kind{
		http.StatusUnauthorized:       insights.Unauthorized,
		http.StatusForbidden:          insights.Unauthorized,
		http.StatusServiceUnavailable: insights.Backend,
	} {
		server := answering(insights.ToolName, nil, nil)
		handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: true})
		listening := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.Contains(r.Header.Get("Mcp-Method"), "tools/call") {
				w.WriteHeader(status)
				return
			}
			handler.ServeHTTP(w, r)
		}))
		t.Cleanup(listening.Close)
		session := connect(t, &mcp.StreamableClientTransport{Endpoint: listening.URL, DisableStandaloneSSE: true})
		client, err := insights.New(caller.New(session), nil)
		require.NoError(t, err)
		_, err = client.Page(t.Context(), query)
		require.Equal(t, kind, insights.KindOf(err), "%d: %v", status, err)
		require.ErrorContains(t, err, http.StatusText(status))
		_, isRPC := errors.AsType[*insights.RPCError](err)
		require.False(t, isRPC, "the server has sent none")
	}
}
