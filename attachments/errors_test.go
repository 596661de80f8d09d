package attachments_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/attachments"
	"github.com/opsroom-go/opsroom/attachments/attachmentstest"
	"github.com/opsroom-go/opsroom/problem"
)

const requestID = "00000000-0000-4000-8000-000000000001"

func TestEveryStatusOfTheBackendIsAProblem(t *testing.T) {
	t.Parallel()
	two := []string{attachmentstest.DefaultOrgID, "org_000000000000000000000000000000ff"}
	tests := map[string]struct {
		fault   attachmentstest.Fault
		caller  attachmentstest.Caller
		token   string // instead of the caller's
		orgID   string
		agentID string
		status  int
		code    string
		retry   time.Duration
		text    string
	}{
		"400, several organisations": {
			caller: attachmentstest.Caller{OrgIDs: two}, status: 400,
			text: "400 Bad Request: Multiple organizations available. Specify the target organization via the X-Org-Id header",
		},
		"400, plain text": {
			fault: attachmentstest.Answer(400, http.Header{"Content-Type": {"text/plain; charset=utf-8"}}, "Invalid UTF-8 in `agent_id`"), status: 400,
			text: "400 Bad Request: Invalid UTF-8 in `agent_id`",
		},
		"401, malformed token": {
			token: "evr_pat_123", status: 401, code: "unauthorized",
			text: "401 Unauthorized (unauthorized): Invalid personal access token format",
		},
		"401, unknown token": {
			token: "eyJhbGciOi.J9.x", status: 401, code: "unauthorized",
			text: "401 Unauthorized (unauthorized): Invalid or expired token",
		},
		"401, malformed organisation": {
			orgID: "acme", status: 401, code: "unauthorized",
			text: "401 Unauthorized (unauthorized): Invalid organization ID format",
		},
		"403": {
			caller: attachmentstest.Caller{Denied: true}, status: 403,
			text: "403 Forbidden",
		},
		"404, agent": {
			agentID: "nobody", status: 404,
			text: "404 Not Found: Agent not found",
		},
		"404, harness": {
			fault: attachmentstest.HarnessNotFound(), status: 404, code: "not_found",
			text: "404 Not Found (not_found): Harness not found",
		},
		"404, organisation": {
			orgID: two[1], status: 404,
			text: "404 Not Found: Organization not found",
		},
		"404, unknown route": {
			fault: attachmentstest.Answer(404, nil, ""), status: 404,
			text: "404 Not Found: the response has no body",
		},
		"405": {
			fault: attachmentstest.Answer(405, nil, ""), status: 405,
			text: "405 Method Not Allowed: the response has no body",
		},
		"413, proxy": {
			fault: attachmentstest.ProxyPage(413), status: 413,
			text: "413 Request Entity Too Large: the response body is HTML, not problem details",
		},
		"429": {
			fault: attachmentstest.Status(429), status: 429, code: "rate_limited", retry: time.Minute,
			text: "429 Too Many Requests (rate_limited): Too many requests. Please try again later; retry after 60s; " +
				"allowed actions: retry-later (Wait retry_after_seconds before retrying.)",
		},
		"500": {
			fault: attachmentstest.Status(500), status: 500, code: "internal_error",
			text: "500 Internal Server Error (internal_error): Internal server error",
		},
		"502, proxy": {
			fault: attachmentstest.ProxyPage(502), status: 502,
			text: "502 Bad Gateway: the response body is HTML, not problem details",
		},
		"503": {
			fault: attachmentstest.Status(503), status: 503, code: "database_pool_exhausted", retry: time.Second,
			text: "503 Service Unavailable (database_pool_exhausted): Database capacity is temporarily unavailable; retry after 1s",
		},
		"504, plain text": {
			fault: attachmentstest.Answer(504, http.Header{"Content-Type": {"text/plain"}}, "upstream timed out\n"), status: 504,
			text: "504 Gateway Timeout: upstream timed out",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := newServer(t)
			agent := server.AddAgent("support-desk", attachmentstest.Connected())
			caller := server.AddCaller(test.caller)
			if test.token != "" {
				caller.Token = test.token
			}
			endpoint := server.EndpointAs(caller)
			endpoint.Retry = opsroom.Retry{Attempts: 1}
			server.Fail(test.fault)
			client := newClient(t, endpoint, &attachments.Options{OrgID: test.orgID})
			agentID := agent.ID
			if test.agentID != "" {
				agentID = test.agentID
			}

			list, err := client.List(t.Context(), agentID)
			require.Zero(t, list)
			require.EqualError(t, err, "list_agent_mcp_attachments: "+test.text+" (request id "+requestID+")")
			require.ErrorIs(t, err, problem.Status(test.status))

			failure, ok := errors.AsType[*opsroom.RequestError](err)
			require.True(t, ok)
			require.Equal(t, test.status, failure.Status)
			require.Equal(t, requestID, failure.RequestID)
			require.Equal(t, 1, failure.Attempts)
			require.Equal(t, test.retry, failure.RetryAfter)

			details, ok := errors.AsType[*problem.Problem](err)
			require.True(t, ok)
			require.Equal(t, test.code, details.Code)
			require.Equal(t, test.code != "", errors.Is(err, problem.Code(test.code)))
			require.Len(t, server.Requests(), 1)
		})
	}
}

func TestNoCredentialsAre401(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	endpoint := server.Endpoint()
	endpoint.Authorize = nil
	_, err := newClient(t, endpoint, nil).List(t.Context(), "bot")
	require.EqualError(t, err, "list_agent_mcp_attachments: 401 Unauthorized (unauthorized): Authentication required (request id "+requestID+")")
}

func TestTheBackendsOwnProblemBodiesAreRead(t *testing.T) {
	t.Parallel()
	type want struct {
		text    string
		code    string
		actions int
		retry   time.Duration
	}
	tests := []struct {
		status int
		header http.Header
		body   string
		want   want
	}{
		{422, nil, `{"title":"Validation failed","status":422,"detail":"Shorten 'name'","code":"agent_name_too_long","instance":"/v1/agents","type":"https://errors.everruns.com/validation/agent-name-too-long","allowed_actions":[{"rel":"retry","operation_id":"create_agent","hint":"Shorten 'name' to <= 200 chars."}]}`,
			want{"422 Validation failed (agent_name_too_long): Shorten 'name'; allowed actions: retry create_agent (Shorten 'name' to <= 200 chars.)", "agent_name_too_long", 1, 0}},
		{429, nil, `{"title":"Too Many Requests","status":429,"detail":"Too many requests. Please try again later.","code":"rate_limited","allowed_actions":[{"rel":"retry-later","hint":"Wait retry_after_seconds before retrying."}],"retry_after_seconds":60}`,
			want{"429 Too Many Requests (rate_limited): Too many requests. Please try again later; retry after 60s; allowed actions: retry-later (Wait retry_after_seconds before retrying.)", "rate_limited", 1, time.Minute}},
		{409, nil, `{"title":"Conflict","status":409,"detail":"agent already exists","code":"agent_already_exists","allowed_actions":[{"rel":"get-existing","operation_id":"get_agent","hint":"Fetch the existing agent and reuse it."}]}`,
			want{"409 Conflict (agent_already_exists): agent already exists; allowed actions: get-existing get_agent (Fetch the existing agent and reuse it.)", "agent_already_exists", 1, 0}},
		{422, nil, `{"title":"Unprocessable Entity","status":422,"detail":"backend warming up","retry_after_seconds":30}`,
			want{"422 Unprocessable Entity: backend warming up; retry after 30s", "", 0, 30 * time.Second}},
		{503, http.Header{"Retry-After": {"17"}}, `{"title":"Service Unavailable","status":503,"retry_after_seconds":1}`,
			want{"503 Service Unavailable; retry after 17s", "", 0, 17 * time.Second}},
		{503, http.Header{"Retry-After": {"1"}}, `{"title":"Service Unavailable","status":503,"detail":"Database capacity is temporarily unavailable","code":"database_pool_exhausted","retry_after_seconds":1}`,
			want{"503 Service Unavailable (database_pool_exhausted): Database capacity is temporarily unavailable; retry after 1s", "database_pool_exhausted", 0, time.Second}},
		{500, nil, `{"title":"Internal Server Error","status":500,"detail":"Internal server error","code":"internal_error"}`,
			want{"500 Internal Server Error (internal_error): Internal server error", "internal_error", 0, 0}},
		{404, nil, `{"type":"https://docs.everruns.com/errors/harness_not_found","title":"Not Found","status":404,"detail":"Harness 'generic' not found in org org_00000000000000000000000000000001.","code":"harness_not_found"}`,
			want{"404 Not Found (harness_not_found): Harness 'generic' not found in org org_00000000000000000000000000000001", "harness_not_found", 0, 0}},
	}
	for i, test := range tests {
		for _, mediaType := range []string{"application/problem+json", "application/json", "application/problem+json; charset=utf-8"} {
			t.Run(fmt.Sprintf("%d as %s", i+1, mediaType), func(t *testing.T) {
				t.Parallel()
				server := newServer(t)
				header := http.Header{"Content-Type": {mediaType}}
				for name, values := range test.header {
					header[name] = values
				}
				server.Fail(attachmentstest.Answer(test.status, header, test.body))
				_, err := newClient(t, once(server), nil).List(t.Context(), "bot")
				require.EqualError(t, err, "list_agent_mcp_attachments: "+test.want.text+" (request id "+requestID+")")
				details, ok := errors.AsType[*problem.Problem](err)
				require.True(t, ok)
				retry, _ := details.RetryAfter()
				require.Equal(t, test.want, want{test.want.text, details.Code, len(details.AllowedActions), retry})
			})
		}
	}
}

func TestWhatMayPassIsRepeated(t *testing.T) {
	t.Parallel()
	for _, fault := range []attachmentstest.Fault{
		attachmentstest.Status(500), attachmentstest.ProxyPage(502), attachmentstest.Answer(503, nil, ""),
		attachmentstest.CutBody(), attachmentstest.Status(408),
	} {
		t.Run(fault.String(), func(t *testing.T) {
			t.Parallel()
			server := newServer(t)
			server.AddAgent("bot", attachmentstest.Fixtures()...)
			server.Fail(fault, fault)
			list, err := newClient(t, server.Endpoint(), nil).List(t.Context(), "bot")
			require.NoError(t, err)
			require.Len(t, list.Attachments, 5)
			require.Len(t, server.Requests(), 3)
			require.Equal(t, "00000000-0000-4000-8000-000000000003", list.RequestID)
		})
	}
}

func TestALongWaitIsLeftToTheCaller(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	server.Fail(attachmentstest.Status(429))
	_, err := newClient(t, server.Endpoint(), nil).List(t.Context(), "bot")
	require.EqualError(t, err, "list_agent_mcp_attachments: 429 Too Many Requests (rate_limited): Too many requests. Please try again later; "+
		"retry after 60s; allowed actions: retry-later (Wait retry_after_seconds before retrying.) "+
		"(not repeated: the server asks to wait longer than is allowed; request id "+requestID+")")
	require.Len(t, server.Requests(), 1)
}

func TestAnswersThatAreNoListAreMalformed(t *testing.T) {
	t.Parallel()
	canary := "canary-7f3a"
	for body, reason := range map[string]string{
		"":                              "the document is empty",
		" \n":                           "the document is empty",
		"<!DOCTYPE html>":               "the document is not one complete JSON value",
		`[{"name":"a"}`:                 "the document is not one complete JSON value",
		`[] []`:                         "data follows the JSON value",
		"[{\"name\":\"\xff\"}]":         "the document is not valid UTF-8",
		"null":                          "array expected, null found",
		`"canary-7f3a"`:                 "array expected, string found",
		`{"data":["canary-7f3a"]}`:      "array expected, object found",
		`[{"name":"canary-7f3a"},null]`: "element 1: object expected, null found",
		`["canary-7f3a"]`:               "element 0: object expected, string found",
		`[{},{},["canary-7f3a"]]`:       "element 2: object expected, array found",
		strings.Repeat("[", 20_000):     "the document is not one complete JSON value",
	} {
		t.Run(fmt.Sprintf("%.20q", body), func(t *testing.T) {
			t.Parallel()
			server := newServer(t)
			server.Fail(attachmentstest.Answer(200, http.Header{"Content-Type": {"application/json"}}, body))
			client := newClient(t, server.Endpoint(), nil)
			list, err := client.List(t.Context(), "bot")
			require.Zero(t, list)
			require.EqualError(t, err, "list_agent_mcp_attachments: the answer is malformed: "+reason+" (request id "+requestID+")")
			require.ErrorIs(t, err, opsroom.ErrMalformedBody)
			failure, ok := errors.AsType[*opsroom.RequestError](err)
			require.True(t, ok)
			require.Equal(t, 200, failure.Status)
			require.Equal(t, 1, failure.Attempts)
			require.NotContains(t, err.Error(), canary)
			require.Len(t, server.Requests(), 1, "a malformed answer is not asked for again")
		})
	}
}

func TestTheContentTypeOfASuccessDoesNotMatter(t *testing.T) {
	t.Parallel()
	for _, mediaType := range []string{"", "text/plain", "application/json; charset=utf-8"} {
		server := newServer(t)
		server.AddAgent("bot", attachmentstest.Connected())
		server.Fail(attachmentstest.ContentType(mediaType))
		list, err := newClient(t, server.Endpoint(), nil).List(t.Context(), "bot")
		require.NoError(t, err)
		require.Len(t, list.Attachments, 1)
	}
}

func TestOtherFailuresHaveTheirOwnErrors(t *testing.T) {
	t.Parallel()
	const anyNumber = -1 // on a busy machine the time may be over before the request is sent
	denied := errors.New("vault sealed")
	tests := map[string]struct {
		fault  attachmentstest.Fault
		adjust func(*opsroom.Endpoint)
		is     []error
		sent   int
	}{
		"cut":       {attachmentstest.CutBody(), nil, []error{opsroom.ErrTransport}, 1},
		"too large": {attachmentstest.PadBody(5000), func(e *opsroom.Endpoint) { e.MaxBody = 4999 }, []error{opsroom.ErrBodyTooLarge}, 1},
		"hang":      {attachmentstest.Hang(), func(e *opsroom.Endpoint) { e.Timeout = 30 * time.Millisecond }, []error{opsroom.ErrTransport, opsroom.ErrTimeout}, anyNumber},
		"slow body": {attachmentstest.SlowBody(1, time.Hour), func(e *opsroom.Endpoint) { e.Timeout = 30 * time.Millisecond }, []error{opsroom.ErrTimeout}, anyNumber},
		"no token":  {attachmentstest.Fault{}, func(e *opsroom.Endpoint) { e.Authorize = func(*http.Request) error { return denied } }, []error{opsroom.ErrAuthorize, denied}, 0},
		"redirect": {attachmentstest.Answer(307, http.Header{"Location": {"http://other.example/"}}, ""), nil,
			[]error{opsroom.ErrRedirect}, 1},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := newServer(t)
			server.AddAgent("bot", attachmentstest.Fixtures()...)
			server.Fail(test.fault)
			endpoint := once(server)
			if test.adjust != nil {
				test.adjust(&endpoint)
			}
			_, err := newClient(t, endpoint, nil).List(t.Context(), "bot")
			for _, is := range test.is {
				require.ErrorIs(t, err, is)
			}
			_, ok := errors.AsType[*opsroom.RequestError](err)
			require.True(t, ok)
			if test.sent != anyNumber {
				require.Len(t, server.Requests(), test.sent)
			}
		})
	}
}

func TestACallEndsWithItsContext(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	server.Fail(attachmentstest.Hang())
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	go func() {
		for server.Pending() > 0 {
			runtime.Gosched()
		}
		cancel(enough)
	}()
	_, err := newClient(t, server.Endpoint(), nil).List(ctx, "bot")
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorIs(t, err, enough)
	require.Len(t, server.Requests(), 1)
}

func TestNoSecretAppearsInErrorsOrLogs(t *testing.T) {
	t.Parallel()
	const canary = "canary-5e1d"
	secretBody := `{"title":"T","status":500,"token":"` + canary + `","debug":{"authorization":"` + canary + `"}}`
	secretHeader := http.Header{"Content-Type": {"application/problem+json"}, "Set-Cookie": {"s=" + canary}, "X-Debug": {canary},
		"Location": {"https://" + canary + ".example/?token=" + canary}}
	for _, fault := range []attachmentstest.Fault{
		attachmentstest.Answer(500, secretHeader, secretBody),
		attachmentstest.Answer(401, secretHeader, "<html>"+canary),
		attachmentstest.Answer(302, secretHeader, ""),
		attachmentstest.Answer(200, secretHeader, canary),
		attachmentstest.Answer(200, secretHeader, `[{"name":"`+canary+`"},1]`),
		attachmentstest.Hang(), attachmentstest.CutBody(), attachmentstest.Cut(),
	} {
		t.Run(fault.String(), func(t *testing.T) {
			t.Parallel()
			server := newServer(t)
			server.Fail(fault, fault)
			var log bytes.Buffer
			endpoint := once(server)
			endpoint.Timeout = 100 * time.Millisecond
			endpoint.Authorize = opsroom.Bearer(canary)
			endpoint.Logger = slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
			client := newClient(t, endpoint, &attachments.Options{OrgID: "org_" + canary})
			result, err := client.Tools()[0].Call(t.Context(), []byte(`{"agent_id":"`+canary+`"}`))
			require.Error(t, err)
			require.Nil(t, result.Structured)
			require.NotEmpty(t, log.String())
			for _, text := range []string{err.Error(), fmt.Sprintf("%v %+v %#v", err, err, err), fmt.Sprintf("%+v %#v", result, result), log.String()} {
				require.NotContains(t, text, canary)
			}
			details, ok := errors.AsType[*problem.Problem](err)
			if ok {
				require.NotContains(t, fmt.Sprintf("%v %+v %#v", details, details, details), canary)
			}
		})
	}
}
