package insights_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom/insights"
)

var query = insights.Query{ProjectEndpoint: "https://acct.services.ai.azure.com/api/projects/p1", AgentName: "support-agent"}

// An answer is what a scripted server answers one call with.
type answer struct {
	result insights.ToolResult
	err    error
}

func text(blocks ...string) answer { return answer{result: insights.ToolResult{Text: blocks}} }
func flagged(blocks ...string) answer {
	return answer{result: insights.ToolResult{Text: blocks, IsError: true}}
}
func structured(raw string) answer {
	return answer{result: insights.ToolResult{Structured: json.RawMessage(raw)}}
}
func failing(err error) answer        { return answer{err: err} }
func rpc(code int64, m string) answer { return failing(&insights.RPCError{Code: code, Message: m}) }

// pageOf returns a page as JSON. An empty cursor leaves last_id out.
func pageOf(more bool, cursor string, ids ...string) string {
	rows := make([]string, len(ids))
	for i, id := range ids {
		rows[i] = fmt.Sprintf(`{"id":%q}`, id)
	}
	last := ""
	if cursor != "" {
		last = fmt.Sprintf(`"last_id":%q,`, cursor)
	}
	return fmt.Sprintf(`{"data":[%s],%s"has_more":%t}`, strings.Join(rows, ","), last, more)
}

func page(more bool, cursor string, ids ...string) answer { return text(pageOf(more, cursor, ids...)) }

// A script answers calls in order and records them. A call beyond its end is
// answered by the last answer again: what should stop has to stop by itself.
type script struct {
	answers []answer
	before  func(n int)

	mu    sync.Mutex
	calls []map[string]any
}

func (s *script) CallTool(_ context.Context, _ string, arguments map[string]any) (insights.ToolResult, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, arguments)
	n := len(s.calls)
	if s.before != nil {
		s.before(n)
	}
	a := s.answers[min(n, len(s.answers))-1]
	return a.result, a.err
}

// cursors returns the cursor of each call, "" for none.
func (s *script) cursors() []string {
	cursors := make([]string, len(s.calls))
	for i, call := range s.calls {
		if parameters, routed := call["parameters"].(map[string]any); routed {
			call = parameters
		}
		cursors[i], _ = call["after"].(string)
	}
	return cursors
}

func (s *script) client(t testing.TB, options *insights.Options) *insights.Client {
	t.Helper()
	client, err := insights.New(s, options)
	require.NoError(t, err)
	return client
}

func ids(list []insights.Insight) string {
	all := make([]string, len(list))
	for i := range list {
		all[i] = list[i].ID
	}
	return strings.Join(all, " ")
}
