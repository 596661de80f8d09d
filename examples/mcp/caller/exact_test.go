package caller_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom/examples/mcp/caller"
	"github.com/opsroom-go/opsroom/insights"
)

// A page with all that float64 numbers and Go maps lose: large integers, the
// spelling of numbers, the order of members, a name given twice.
const delicate = `{"has_more":false,"data":[{"z":9007199254740993,"id":"1","a":1.0,"a":1e2,"text":"<&>\u2028\ud800"}],"extra":12345678901234567890}`

// rounded is the same in float64 numbers and alphabetical order.
const rounded = `{"data":[{"a":100,"id":"1","text":"\u003c\u0026\u003e\u2028` + "\ufffd" + `","z":9007199254740992}],"extra":12345678901234567000,"has_more":false}`

func plain(transport mcp.Transport) mcp.Transport { return transport }

func delicatePage(withText bool) *mcp.CallToolResult {
	result := &mcp.CallToolResult{StructuredContent: json.RawMessage(delicate)}
	if withText {
		result.Content = []mcp.Content{&mcp.TextContent{Text: "One page."}, &mcp.TextContent{Text: delicate}}
	}
	return result
}

// pageOf returns the page that package insights makes of the answer.
func pageOf(t *testing.T, session *mcp.ClientSession) string {
	t.Helper()
	client, err := insights.New(caller.New(session), nil)
	require.NoError(t, err)
	page, err := client.Page(t.Context(), query)
	require.NoError(t, err)
	return string(page.Raw)
}

func TestExactKeepsStructuredContent(t *testing.T) {
	t.Parallel()
	// Before it is sent, the SDK writes <, > and & as escapes, which is the same JSON.
	sent, err := json.Marshal(json.RawMessage(delicate))
	require.NoError(t, err)

	for _, withText := range []bool{true, false} {
		server := answering(insights.ToolName, delicatePage(withText), nil)
		session := serve(t, server, caller.Exact)
		result, err := caller.New(session).CallTool(t.Context(), insights.ToolName, map[string]any{})
		require.NoError(t, err)
		require.Equal(t, string(sent), string(result.Structured))
		if withText {
			require.Equal(t, []string{"One page.", delicate}, result.Text)
		}
	}
}

func TestWithoutExactTheTextIsWhatIsExact(t *testing.T) {
	t.Parallel()
	session := serve(t, answering(insights.ToolName, delicatePage(true), nil), plain)
	result, err := caller.New(session).CallTool(t.Context(), insights.ToolName, map[string]any{})
	require.NoError(t, err)
	require.Equal(t, rounded, string(result.Structured))
	require.Equal(t, delicate, pageOf(t, session))

	session = serve(t, answering(insights.ToolName, delicatePage(false), nil), plain)
	require.Equal(t, rounded, pageOf(t, session), "the documented loss")
}

func TestExactLeavesTheResultToOthersAsItIs(t *testing.T) {
	t.Parallel()
	given := &mcp.CallToolResult{
		Meta:              mcp.Meta{"trace": "t-1"},
		StructuredContent: json.RawMessage(`{"n":1}`),
		Content:           []mcp.Content{&mcp.ImageContent{Data: []byte("x"), MIMEType: "image/png"}, &mcp.TextContent{Text: "t"}},
		IsError:           true,
	}
	session := serve(t, answering("other", given, nil), caller.Exact)
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "other"})
	require.NoError(t, err)
	require.Equal(t, "t-1", result.Meta["trace"])
	require.Equal(t, map[string]any{"n": 1.0}, result.StructuredContent)
	require.Len(t, result.Content, 2)
	require.True(t, result.IsError)

	called, err := caller.New(session).CallTool(t.Context(), "other", map[string]any{})
	require.NoError(t, err)
	require.Equal(t, insights.ToolResult{Structured: json.RawMessage(`{"n":1}`), Text: []string{"t"}, IsError: true}, called)
}

func TestResultsWithoutStructuredContentHaveNone(t *testing.T) {
	t.Parallel()
	for _, wrap := range []func(mcp.Transport) mcp.Transport{plain, caller.Exact} {
		session := serve(t, answering("other", &mcp.CallToolResult{}, nil), wrap)
		result, err := caller.New(session).CallTool(t.Context(), "other", map[string]any{})
		require.NoError(t, err)
		require.Equal(t, insights.ToolResult{}, result)
	}
}

func TestStreamableHTTPIsExactThroughTheText(t *testing.T) {
	t.Parallel()
	server := answering(insights.ToolName, delicatePage(true), nil)
	listening := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil))
	t.Cleanup(listening.Close)
	transport := &mcp.StreamableClientTransport{Endpoint: listening.URL, DisableStandaloneSSE: true}
	require.Same(t, transport, caller.Exact(transport), "the SDK must find its own connection")
	session := connect(t, caller.Exact(transport))
	require.Equal(t, delicate, pageOf(t, session))
	require.NoError(t, session.Close())
}
