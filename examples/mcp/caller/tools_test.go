package caller_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom/examples/mcp/caller"
)

// listing is a server whose pages of tools/list come from a function, which gets
// the number of the page and returns its tools and the next cursor.
func listing(t *testing.T, list func(n int) (names []string, next string, err error)) (*mcp.ClientSession, *[]string) {
	t.Helper()
	server := mcp.NewServer(&mcp.Implementation{Name: "test"}, &mcp.ServerOptions{Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}}})
	var cursors []string
	server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, request mcp.Request) (mcp.Result, error) {
			params, ok := request.GetParams().(*mcp.ListToolsParams)
			if method != "tools/list" || !ok {
				return next(ctx, method, request)
			}
			cursors = append(cursors, params.Cursor)
			names, cursor, err := list(len(cursors))
			if err != nil {
				return nil, err
			}
			result := &mcp.ListToolsResult{NextCursor: cursor, Tools: []*mcp.Tool{}}
			for _, name := range names {
				result.Tools = append(result.Tools, &mcp.Tool{Name: name, InputSchema: map[string]any{"type": "object"}})
			}
			return result, nil
		}
	})
	return serve(t, server, caller.Exact), &cursors
}

func TestToolNamesReadsAllPages(t *testing.T) {
	t.Parallel()
	session, cursors := listing(t, func(n int) ([]string, string, error) {
		return []string{fmt.Sprint("tool_", n)}, map[int]string{1: "b", 2: "c"}[n], nil
	})
	names, err := caller.ToolNames(t.Context(), session)
	require.NoError(t, err)
	require.Equal(t, []string{"tool_1", "tool_2", "tool_3"}, names)
	require.Equal(t, []string{"", "b", "c"}, *cursors)
}

func TestToolNamesStopsWhereAListHasNoEnd(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		next  func(n int) string
		pages int
	}{
		"the same cursor again": {func(int) string { return "b" }, 2},
		"two cursors in turn":   {func(n int) string { return []string{"a", "b"}[n%2] }, 3},
		"ever new cursors":      {strconv.Itoa, 100},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			session, cursors := listing(t, func(n int) ([]string, string, error) {
				return []string{fmt.Sprint("tool_", n)}, test.next(n), nil
			})
			names, err := caller.ToolNames(t.Context(), session)
			require.ErrorIs(t, err, caller.ErrEndlessList)
			require.Len(t, names, test.pages, "what was read is kept")
			require.Len(t, *cursors, test.pages)
		})
	}
}

func TestToolNamesStopsAtTooManyTools(t *testing.T) {
	t.Parallel()
	session, cursors := listing(t, func(n int) ([]string, string, error) {
		names := make([]string, 5_000)
		for i := range names {
			names[i] = fmt.Sprintf("tool_%d_%d", n, i)
		}
		return names, strconv.Itoa(n), nil
	})
	names, err := caller.ToolNames(t.Context(), session)
	require.ErrorIs(t, err, caller.ErrEndlessList)
	require.Len(t, names, 10_000)
	require.Len(t, *cursors, 2)
}

func TestToolNamesKeepsWhatCameBeforeAnError(t *testing.T) {
	t.Parallel()
	session, _ := listing(t, func(n int) ([]string, string, error) {
		if n == 2 {
			return nil, "", &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "No more today."}
		}
		return []string{"tool"}, "b", nil
	})
	names, err := caller.ToolNames(t.Context(), session)
	require.Equal(t, []string{"tool"}, names)
	require.EqualError(t, err, "JSON-RPC error -32603: No more today.")
	_, ok := errors.AsType[*jsonrpc.Error](err)
	require.True(t, ok)
}
