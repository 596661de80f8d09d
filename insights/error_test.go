package insights_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom/insights"
)

// canary stands for a credential. Its own words must not give it away.
const canary = "CANARY-4711"

// A plainError is an error that fmt and encoding/json look into.
type plainError string

func (e plainError) Error() string { return string(e) }

func TestErrorsNeverCarrySecrets(t *testing.T) {
	t.Parallel()
	for name, a := range map[string]answer{
		"bearer token":       flagged("Request with Bearer " + canary + " failed"),
		"token assignment":   flagged("token=" + canary),
		"key in JSON":        flagged(`Failed: {"api_key": "` + canary + `"}`),
		"password":           flagged("password: " + canary),
		"cookie":             flagged("Cookie: " + canary),
		"query of a URL":     flagged("GET https://example.com/a?sig=" + canary + " failed"),
		"user of a URL":      flagged("GET https://user:" + canary + "@example.com failed"),
		"long word":          flagged("Bad thing: " + strings.Repeat("x", 40) + canary),
		"JWT":                flagged("eyJhbGciOiJIUzI1NiJ9." + canary),
		"second line":        flagged("It failed.\n" + canary),
		"long line":          flagged(strings.Repeat("word ", 50) + canary),
		"markup":             flagged("<html>" + canary),
		"JSON of no error":   text(`{"secret":"` + canary + `"}`),
		"malformed page":     text(`{"data":[{"id":"a","x":"` + canary + `"},1],"has_more":false}`),
		"broken page":        text(`{"data":[{"id":"` + canary),
		"prose":              text("I am " + canary),
		"URL error":          failing(fmt.Errorf("calling: %w", &url.Error{Op: "Post", URL: "https://x/?key=" + canary, Err: errors.New("connection refused")})),
		"URL in error text":  failing(errors.New(`Post "https://x/?key=` + canary + `": EOF`)),
		"JSON-RPC message":   rpc(-32603, "authorization: "+canary),
		"missing cursor":     text(`{"data":[{"id":"` + canary + `"}],"has_more":true}`),
		"repeated cursor":    page(true, canary, "a"),
		"learn text":         text("Here are the available commands and their input schema for '" + canary + "' tool."),
		"envelope":           text(`{"status":500,"message":"secret: ` + canary + `"}`),
		"bidirectional text": flagged("\u202e" + canary),

		"query of a bare address":     flagged("GET mcp.example.com/x?code=" + canary + " failed"),
		"query of a path":             flagged("GET /api/x?a=1&code=" + canary + " failed"),
		"rest of a query":             flagged("sv=2026&se=" + canary),
		"matrix parameter of a URL":   flagged("GET https://example.com/p;jsessionid=" + canary + " failed"),
		"user of a bare address":      flagged("user:" + canary + "@example.com failed"),
		"code in an assignment":       flagged("code=" + canary),
		"name before the token's":     flagged("client-secret: " + canary),
		"name behind the token's":     flagged("token_value: " + canary),
		"numbered key":                flagged("AccountKey1=" + canary),
		"session":                     flagged("session id: " + canary),
		"assertion":                   flagged("assertion=" + canary),
		"credential":                  flagged("credential=" + canary),
		"auth":                        flagged("auth: " + canary),
		"bearer with a colon":         flagged("Bearer: " + canary),
		"token in a sentence":         flagged("The token " + canary + " has expired"),
		"key in a sentence":           flagged("Invalid subscription key " + canary),
		"secret in a sentence":        flagged("The client secret is " + canary + "."),
		"password in quotes":          flagged("Wrong password 'hunter-" + canary[:6] + "'"),
		"personal access token":       flagged("PAT " + canary),
		"token of a known prefix":     flagged("ghp_" + canary + " is bad"),
		"JSON within a sentence":      flagged(`Failed with {"x":"` + canary + `"}`),
		"rest of a page":              flagged(`{"data":[{"id":"a",`, `"title":"`+canary+`"}],"has_more":false}`),
		"rest of a page, not flagged": text(`{"data":[{"id":"a","title":"no monitor `, canary+` not found"}],"has_more":false}`),
		"message of an adapter":       failing(&insights.Error{Kind: insights.Backend, Message: "token=" + canary}),
		"error that is no pointer":    failing(plainError("https://example.com/?key=" + canary)),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &script{answers: []answer{a}}
			q := query
			q.After = canary // a cursor is not repeated either
			_, err := s.client(t, nil).Collect(t.Context(), q)
			require.Error(t, err)
			failure := new(insights.Error)
			require.ErrorAs(t, err, &failure)
			require.NotContains(t, failure.Error(), canary)
			require.NotContains(t, fmt.Sprintf("%v %+v %#v %q", failure, failure, failure, failure), canary)
			require.NotContains(t, err.Error(), canary)
			require.NotContains(t, fmt.Sprintf("%v %+v %#v", *failure, *failure, *failure), canary)
			require.NotContains(t, fmt.Sprintf("%v %+v %#v %q %s", err, err, err, err, err), canary)
			encoded, encodeErr := json.Marshal(failure)
			require.NoError(t, encodeErr)
			require.NotContains(t, string(encoded), canary)
			holder := struct{ Err error }{failure}
			require.NotContains(t, fmt.Sprintf("%v %+v %#v", holder, holder, holder), canary)
			if result, ok := failure.Result(); ok {
				require.Equal(t, a.result, result, "the whole answer stays at hand")
			}
		})
	}
}

func TestShortAndCleanTextIsShown(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]string{
		"Something broke.":                              ": Something broke.",
		"  Something broke.  \nStack trace: …":          ": Something broke.",
		`{"error":{"message":"Something broke."}}`:      ": Something broke.",
		"Value \x1b[31m broke":                          "",
		strings.Repeat("very ", 60) + "long":            "",
		"":                                              "",
		"Trace 0af7651916cd43dd8448eb211c80319c broke.": ": Trace 0af7651916cd43dd8448eb211c80319c broke.",
		"Too many tokens were used: the limit is 4000.": ": Too many tokens were used: the limit is 4000.",
		"[Error] Something broke.":                      ": [Error] Something broke.",
		`[ "Something broke." ]`:                        "",
		`calling "tools/call": EOF`:                     `: calling "tools/call": EOF`,
	} {
		s := &script{answers: []answer{flagged(said)}}
		_, err := s.client(t, nil).Page(t.Context(), query)
		require.EqualError(t, err, "agent_insights_get: the insights service or the way to it failed"+want)
	}
}

func TestMessagesOfTheSessionAreShownLikeThoseOfTheTool(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]string{
		"AADSTS50173: The access token has expired.": ": AADSTS50173: The access token has expired.",
		"access denied: {oops}":                      ": access denied: {oops}",
		"{oops}: access denied":                      "",
		"[{oops}]: access denied":                    "",
		"<b>access denied</b>":                       "",
		"access denied\nto " + canary:                ": access denied",
	} {
		for _, err := range []error{errors.New(said), &insights.RPCError{Code: -32000, Message: said}, &url.Error{Op: "Post", URL: "x", Err: errors.New(said)}} {
			s := &script{answers: []answer{failing(err)}}
			_, got := s.client(t, nil).Page(t.Context(), query)
			require.EqualError(t, got, "agent_insights_get: access was refused; check the sign-in and the caller's rights on the project"+want)
		}
	}
}

func TestWhatTheCallerSentDoesNotDecideTheKind(t *testing.T) {
	t.Parallel()
	for agent, said := range map[string]string{
		"no-monitor-not-found": "Agent 'no-monitor-not-found' could not be loaded.",
		"unauthorized":         "Agent 'unauthorized' broke.",
		"auth-forbidden-bot":   "auth-forbidden-bot broke.",
		"status 401":           "It broke for status 401.",
		"401":                  "Agent '401' broke.",
		"1":                    "Agent '1' broke.",
	} {
		s := &script{answers: []answer{flagged(said)}}
		q := query
		q.AgentName = agent
		_, err := s.client(t, nil).Page(t.Context(), q)
		require.ErrorIs(t, err, insights.Backend, agent)
	}
	for project, said := range map[string]string{
		"no-monitor-demo": "The project no-monitor-demo was not found.",
		"unauthorized":    "The project 'unauthorized' broke.",
	} {
		s := &script{answers: []answer{flagged(said)}}
		q := query
		q.ProjectEndpoint = "https://acct.services.ai.azure.com/api/projects/" + project
		_, err := s.client(t, nil).Page(t.Context(), q)
		require.ErrorIs(t, err, insights.Backend, project)
	}
	short := query
	short.AgentName = "1" // is no part of 401
	s := &script{answers: []answer{flagged("The agent 1 cannot be read: status code 401.")}}
	_, err := s.client(t, nil).Page(t.Context(), short)
	require.ErrorIs(t, err, insights.Unauthorized)

	q := query
	q.AgentName = "monitor" // a plain word is not taken out of the message's own words
	s = &script{answers: []answer{flagged("No monitor found for agent 'monitor'.")}}
	_, err = s.client(t, nil).Page(t.Context(), q)
	require.ErrorIs(t, err, insights.NoMonitor)
}

func TestClassifyDecidesFirst(t *testing.T) {
	t.Parallel()
	const kind insights.Kind = "quota"
	options := &insights.Options{Classify: func(result insights.ToolResult, err error) insights.Kind {
		switch {
		case err != nil && strings.Contains(err.Error(), "quota"):
			return kind
		case len(result.Text) > 0 && strings.Contains(result.Text[0], "quota"):
			return kind
		}
		return ""
	}}
	for _, a := range []answer{flagged("quota: unauthorized"), text("quota"), text(`{"data":"quota","has_more":false}`), failing(errors.New("quota"))} {
		s := &script{answers: []answer{a}}
		_, err := s.client(t, options).Page(t.Context(), query)
		require.ErrorIs(t, err, kind)
		require.Equal(t, kind, insights.KindOf(err))
	}
	s := &script{answers: []answer{flagged("Unauthorized")}}
	_, err := s.client(t, options).Page(t.Context(), query)
	require.ErrorIs(t, err, insights.Unauthorized)
	s = &script{answers: []answer{page(false, "", "quota")}}
	_, err = s.client(t, options).Page(t.Context(), query)
	require.NoError(t, err, "a page is nothing to classify")
}

func TestKindsHaveStableNames(t *testing.T) {
	t.Parallel()
	for kind, name := range map[insights.Kind]string{
		insights.NoMonitor: "no_monitor", insights.ToolUnavailable: "tool_unavailable", insights.InvalidArgument: "invalid_argument",
		insights.Unauthorized: "unauthorized", insights.Backend: "backend", insights.MalformedPage: "malformed_page",
		insights.MissingCursor: "missing_cursor", insights.RepeatedCursor: "repeated_cursor", insights.NoProgress: "no_progress",
		insights.PageLimit: "page_limit", insights.Interrupted: "interrupted",
	} {
		require.Equal(t, name, string(kind))
		require.NotEqual(t, name, kind.Error(), "a kind explains itself")
		require.Equal(t, kind, insights.KindOf(fmt.Errorf("wrapped: %w", kind)))
		for _, other := range []insights.Kind{insights.NoMonitor, insights.Backend, "x"} {
			require.Equal(t, kind == other, errors.Is(&insights.Error{Kind: kind}, other))
		}
	}
	require.Equal(t, "own", insights.Kind("own").Error())
	require.Empty(t, insights.KindOf(nil))
	require.Empty(t, insights.KindOf(errors.New("x")))
	_, ok := (&insights.Error{}).Result()
	require.False(t, ok)
}

func TestCauseStaysReachable(t *testing.T) {
	t.Parallel()
	cause := errors.New("the pipe is gone")
	s := &script{answers: []answer{failing(&insights.RPCError{Code: -32000, Message: "gone", Err: cause})}}
	_, err := s.client(t, nil).Collect(t.Context(), query)
	require.ErrorIs(t, err, cause)
	rpc := new(insights.RPCError)
	require.ErrorAs(t, err, &rpc)
	require.Equal(t, "JSON-RPC error -32000: gone", rpc.Error())
}

func TestKindOfAnAdapterIsNotExplainedTwice(t *testing.T) {
	t.Parallel()
	const want = "agent_insights_get: the insights tool is not available; check that the MCP server offers it and under which name: not in tools/list"
	for _, err := range []error{
		fmt.Errorf("%w: not in tools/list", insights.ToolUnavailable),
		fmt.Errorf("adapter: %w", &insights.Error{Kind: insights.ToolUnavailable, Message: "not in tools/list"}),
	} {
		s := &script{answers: []answer{failing(err)}}
		_, got := s.client(t, nil).Page(t.Context(), query)
		require.EqualError(t, got, want)
		require.ErrorIs(t, got, insights.ToolUnavailable)
	}
}
