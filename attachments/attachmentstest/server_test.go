package attachmentstest_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom/attachments"
	"github.com/opsroom-go/opsroom/attachments/attachmentstest"
	"github.com/opsroom-go/opsroom/problem"
)

func newServer(t *testing.T) *attachmentstest.Server {
	t.Helper()
	server := attachmentstest.NewServer()
	t.Cleanup(server.Close)
	return server
}

// An answer is what the server said, without what net/http adds.
type answer struct {
	status      int
	contentType string
	body        string
}

// ask sends a request with the given headers ("Name: value").
func ask(t *testing.T, server *attachmentstest.Server, method, target string, headers ...string) (answer, http.Header) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, strings.TrimSuffix(server.URL, "/api")+target, nil)
	require.NoError(t, err)
	for _, header := range headers {
		name, value, _ := strings.Cut(header, ": ")
		request.Header.Add(name, value)
	}
	response, err := server.Client().Do(request)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return answer{response.StatusCode, response.Header.Get("Content-Type"), string(body)}, response.Header
}

const (
	authorized = "Authorization: Bearer " + attachmentstest.DefaultToken
	listTarget = "/api/v1/agents/bot/mcp-attachments"
	problemDoc = "application/problem+json"
	elsewhere  = "org_000000000000000000000000000000ff"
)

func TestOnlyTheOneAddressIsThere(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	server.AddAgent("bot")
	for _, target := range []string{
		"/", "/v1/agents/bot/mcp-attachments", "/api/v1/agents/bot", "/api/v1/agents/bot/mcp-attachments/", "/api/v1/agents//mcp-attachments",
		"/api/v1/agents/mcp-attachments", "/api/v1/agents/a/b/mcp-attachments", "/API/v1/agents/bot/mcp-attachments", "/api//v1/agents/bot/mcp-attachments",
	} {
		got, _ := ask(t, server, "GET", target, authorized)
		require.Equal(t, answer{404, "", ""}, got, target)
	}
	for _, method := range []string{"POST", "PUT", "PATCH", "DELETE", "OPTIONS"} {
		got, header := ask(t, server, method, listTarget, authorized)
		require.Equal(t, answer{405, "", ""}, got, method)
		require.Equal(t, "GET,HEAD", header.Get("Allow"))
	}
	got, _ := ask(t, server, "GET", listTarget+"?unknown=1", authorized)
	require.Equal(t, answer{200, "application/json", "[]"}, got)
	got, header := ask(t, server, "HEAD", listTarget, authorized)
	require.Equal(t, answer{200, "application/json", ""}, got)
	require.Equal(t, "2", header.Get("Content-Length"))
	got, _ = ask(t, server, "GET", "/api/v1/agents/%FF/mcp-attachments", authorized)
	require.Equal(t, 400, got.status)
	require.Equal(t, "text/plain; charset=utf-8", got.contentType)
}

func TestCredentials(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	server.AddAgent("bot")
	server.AddCaller(attachmentstest.Caller{Token: "eyJhbGciOiJub25lIn0.e30."})
	refused := func(detail string) answer {
		return answer{401, problemDoc, `{"title":"Unauthorized","status":401,"detail":"` + detail + `","code":"unauthorized"}`}
	}
	for header, want := range map[string]answer{
		authorized: {200, "application/json", "[]"},
		"Authorization: bearer " + attachmentstest.DefaultToken: {200, "application/json", "[]"},
		"Authorization: ApiKey " + attachmentstest.DefaultToken: {200, "application/json", "[]"},
		"Authorization: APIKEY " + attachmentstest.DefaultToken: {200, "application/json", "[]"},
		"Authorization: " + attachmentstest.DefaultToken:        {200, "application/json", "[]"},
		"Authorization: Bearer eyJhbGciOiJub25lIn0.e30.":        {200, "application/json", "[]"},
		"Cookie: access_token=eyJhbGciOiJub25lIn0.e30.":         {200, "application/json", "[]"},

		"Accept: */*": refused("Authentication required"),
		"X-API-Key: " + attachmentstest.DefaultToken:               refused("Authentication required"),
		"Cookie: access_token=" + attachmentstest.DefaultToken:     refused("Authentication required"),
		"Authorization: Basic YTpi":                                refused("Invalid authorization header"),
		"Authorization: Bearer":                                    refused("Invalid authorization header"),
		"Authorization: ApiKey eyJhbGciOiJub25lIn0.e30.":           refused("Invalid authorization header"),
		"Authorization: eyJhbGciOiJub25lIn0.e30.":                  refused("Invalid authorization header"),
		"Authorization: Bearer evr_pat_123":                        refused("Invalid personal access token format"),
		"Authorization: Bearer evr_pat_" + strings.Repeat("A", 64): refused("Invalid personal access token format"),
		"Authorization: Bearer evr_pat_" + strings.Repeat("f", 64): refused("Invalid or expired token"),
		"Authorization: Bearer evr_ak_" + strings.Repeat("0", 64):  refused("Invalid or expired token"),
		"Authorization: Bearer nonsense":                           refused("Invalid or expired token"),
	} {
		got, headers := ask(t, server, "GET", listTarget, header)
		require.Equal(t, want, got, header)
		require.NotContains(t, headers, "Www-Authenticate")
	}
}

func TestOrganisations(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	server.AddAgent("bot", attachments.Attachment{Raw: json.RawMessage(`{"at":"home"}`)})
	server.AddAgentTo(elsewhere, "bot", attachments.Attachment{Raw: json.RawMessage(`{"at":"elsewhere"}`)})
	both := []string{elsewhere, attachmentstest.DefaultOrgID}
	token := "Authorization: Bearer " + server.AddCaller(attachmentstest.Caller{OrgIDs: both}).Token
	session := "Authorization: Bearer " + server.AddCaller(attachmentstest.Caller{Token: "session", OrgIDs: both}).Token
	home, away := answer{200, "application/json", `[{"at":"home"}]`}, answer{200, "application/json", `[{"at":"elsewhere"}]`}
	foreign := answer{404, problemDoc, `{"title":"Not Found","status":404,"detail":"Organization not found"}`}
	malformed := answer{401, problemDoc, `{"title":"Unauthorized","status":401,"detail":"Invalid organization ID format","code":"unauthorized"}`}
	for _, test := range []struct {
		headers []string
		want    answer
	}{
		{[]string{authorized}, home},
		{[]string{authorized, "X-Org-Id: " + attachmentstest.DefaultOrgID}, home},
		{[]string{authorized, "X-Org-Id: " + elsewhere}, foreign},
		{[]string{authorized, "X-Org-Id: org_1"}, malformed},
		{[]string{authorized, "X-Org-Id: " + strings.ToUpper(elsewhere)}, malformed},
		{[]string{token}, answer{400, problemDoc, `{"title":"Bad Request","status":400,"detail":"Multiple organizations available. Specify the target organization via the X-Org-Id header."}`}},
		{[]string{token, "X-Org-Id: " + elsewhere}, away},
		{[]string{token, "Cookie: everruns_org=" + elsewhere}, away},
		{[]string{token, "X-Org-Id: " + attachmentstest.DefaultOrgID, "Cookie: everruns_org=" + elsewhere}, home},
		{[]string{session}, away},
		{[]string{session, "X-Org-Id: " + attachmentstest.DefaultOrgID}, home},
	} {
		got, _ := ask(t, server, "GET", listTarget, test.headers...)
		require.Equal(t, test.want, got, "%v", test.headers)
	}
}

func TestAgentsAreFoundByIDOrName(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	bot := server.AddAgent("bot")
	other := server.AddAgentTo(elsewhere, "other")
	missing := answer{404, problemDoc, `{"title":"Not Found","status":404,"detail":"Agent not found"}`}
	found := answer{200, "application/json", "[]"}
	require.Regexp(t, `^agent_[0-9a-f]{32}$`, bot.ID)
	for reference, want := range map[string]answer{
		bot.ID: found, "bot": found, "b%6ft": found,
		"BOT": missing, strings.ToUpper(bot.ID): missing, bot.ID + "0": missing, "agent_XYZ": missing,
		other.ID: missing, "other": missing,
	} {
		got, _ := ask(t, server, "GET", "/api/v1/agents/"+reference+"/mcp-attachments", authorized)
		require.Equal(t, want, got, reference)
	}
	bot.Delete()
	got, _ := ask(t, server, "GET", listTarget, authorized)
	require.Equal(t, missing, got)
}

func TestACallerMayBeDenied(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	server.AddAgent("bot")
	c := server.AddCaller(attachmentstest.Caller{Denied: true})
	got, _ := ask(t, server, "GET", listTarget, "Authorization: Bearer "+c.Token)
	require.Equal(t, answer{403, problemDoc, `{"title":"Forbidden","status":403}`}, got)
}

func TestStatusAnswersInTheBackendsWords(t *testing.T) {
	t.Parallel()
	tests := []struct {
		fault attachmentstest.Fault
		want  answer
		retry string
	}{
		{attachmentstest.Status(429), answer{429, "application/json", `{"title":"Too Many Requests","status":429,"detail":"Too many requests. Please try again later.","code":"rate_limited",` +
			`"allowed_actions":[{"rel":"retry-later","hint":"Wait retry_after_seconds before retrying."}],"retry_after_seconds":60}`}, "60"},
		{attachmentstest.Status(500), answer{500, problemDoc, `{"title":"Internal Server Error","status":500,"detail":"Internal server error","code":"internal_error"}`}, ""},
		{attachmentstest.Status(503), answer{503, problemDoc, `{"title":"Service Unavailable","status":503,"detail":"Database capacity is temporarily unavailable","code":"database_pool_exhausted","retry_after_seconds":1}`}, "1"},
		{attachmentstest.Status(401), answer{401, problemDoc, `{"title":"Unauthorized","status":401,"detail":"Authentication required","code":"unauthorized"}`}, ""},
		{attachmentstest.Status(404), answer{404, problemDoc, `{"title":"Not Found","status":404,"detail":"Agent not found"}`}, ""},
		{attachmentstest.Status(400), answer{400, problemDoc, `{"title":"Bad Request","status":400,"detail":"Multiple organizations available. Specify the target organization via the X-Org-Id header."}`}, ""},
		{attachmentstest.Status(418), answer{418, problemDoc, `{"title":"I'm a teapot","status":418}`}, ""},
		{attachmentstest.Status(200), answer{500, problemDoc, `{"title":"Internal Server Error","status":500,"detail":"Internal server error","code":"internal_error"}`}, ""},
		{attachmentstest.HarnessNotFound(), answer{404, problemDoc, `{"title":"Not Found","status":404,"detail":"Harness not found","code":"not_found"}`}, ""},
		{attachmentstest.Problem(problem.Problem{Status: 409, Code: "busy"}), answer{409, problemDoc, `{"title":"Conflict","status":409,"code":"busy"}`}, ""},
	}
	server := newServer(t)
	for _, test := range tests {
		server.Fail(test.fault)
	}
	for i, test := range tests {
		require.Equal(t, len(tests)-i, server.Pending())
		got, header := ask(t, server, "GET", listTarget)
		require.Equal(t, test.want, got)
		require.Equal(t, test.retry, header.Get("Retry-After"))
	}
	require.Zero(t, server.Pending())
}

func TestEachFaultReachesTheClient(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	server.AddAgent("bot", attachments.Attachment{Raw: json.RawMessage(`{"name":"a"}`)})
	server.Fail(attachmentstest.Fault{}, attachmentstest.Answer(207, nil, "x"), attachmentstest.ProxyPage(502), attachmentstest.TruncateBody(),
		attachmentstest.ContentType("text/plain"), attachmentstest.PadBody(20), attachmentstest.SlowBody(5, time.Millisecond), attachmentstest.Delay(time.Millisecond))
	for _, want := range []answer{
		{200, "application/json", `[{"name":"a"}]`},
		{207, "", "x"},
		{502, "text/html; charset=utf-8", "<!DOCTYPE html>\n<html><head><title>502 Bad Gateway</title></head><body><center><h1>502 Bad Gateway</h1></center></body></html>\n"},
		{200, "application/json", `[{"name`},
		{200, "text/plain", `[{"name":"a"}]`},
		{200, "application/json", `[{"name":"a"}]      `},
		{200, "application/json", `[{"name":"a"}]`},
		{200, "application/json", `[{"name":"a"}]`},
	} {
		got, _ := ask(t, server, "GET", listTarget, authorized)
		require.Equal(t, want, got)
	}
}

func TestCutConnectionsAndHangs(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	server.AddAgent("bot", attachmentstest.Connected())
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	get := func(ctx context.Context) (string, error) {
		request, err := http.NewRequestWithContext(ctx, "GET", server.URL+"/v1/agents/bot/mcp-attachments", nil)
		require.NoError(t, err)
		request.Header.Set("Authorization", "Bearer "+attachmentstest.DefaultToken)
		response, err := client.Do(request)
		if err != nil {
			return "", err
		}
		defer func() { _ = response.Body.Close() }()
		body, err := io.ReadAll(response.Body)
		return string(body), err
	}
	server.Fail(attachmentstest.Cut(), attachmentstest.CutBody(), attachmentstest.Hang())
	_, err := get(t.Context())
	require.ErrorIs(t, err, io.EOF)
	body, err := get(t.Context())
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	require.True(t, strings.HasPrefix(body, `[{"action":"none"`))
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	_, err = get(ctx)
	require.ErrorIs(t, err, context.DeadlineExceeded)
}

func TestCloseEndsWhatHangs(t *testing.T) {
	t.Parallel()
	server := attachmentstest.NewServer()
	server.Fail(attachmentstest.Hang())
	failed := make(chan error, 1)
	go func() {
		response, err := server.Client().Get(server.URL)
		if err == nil {
			_ = response.Body.Close()
		}
		failed <- err
	}()
	require.Eventually(t, func() bool { return server.Pending() == 0 }, 5*time.Second, time.Millisecond)
	server.Close()
	require.Error(t, <-failed)
}

func TestRequestsAreRecordedAsTheyWere(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	server.Fail(attachmentstest.Status(503))
	ask(t, server, "GET", "/api/v1/agents/a%2Fb%20c!/mcp-attachments?x=%41", authorized, "X-A: 1", "X-A: 2")
	ask(t, server, "POST", "/nowhere")
	requests := server.Requests()
	require.Len(t, requests, 2)
	require.Equal(t, "GET", requests[0].Method)
	require.Equal(t, "/api/v1/agents/a%2Fb%20c!/mcp-attachments?x=%41", requests[0].Target)
	require.Equal(t, []string{"1", "2"}, requests[0].Header["X-A"])
	require.Equal(t, "POST", requests[1].Method)
	require.Equal(t, "/nowhere", requests[1].Target)
	requests[0] = attachmentstest.Request{}
	require.Equal(t, "GET", server.Requests()[0].Method, "the slice belongs to the test")
}

func TestEveryAnswerHasARequestID(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	server.Fail(attachmentstest.Fault{}, attachmentstest.Status(429))
	_, header := ask(t, server, "GET", "/nowhere")
	require.Equal(t, "00000000-0000-4000-8000-000000000001", header.Get("X-Request-Id"))
	_, header = ask(t, server, "GET", listTarget)
	require.Equal(t, "00000000-0000-4000-8000-000000000002", header.Get("X-Request-Id"))
	_, header = ask(t, server, "GET", listTarget, "X-Request-Id: mine")
	require.Equal(t, "mine", header.Get("X-Request-Id"))
}

func TestAServerIsSafeForConcurrentUse(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	agent := server.AddAgent("bot")
	client, err := attachments.New(server.Endpoint(), nil)
	require.NoError(t, err)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 10 {
				_, err := client.List(t.Context(), "bot")
				require.NoError(t, err)
				agent.Attach(attachments.Attachment{Name: "a", ActsAs: attachments.ActsAsUserOrService, ConnectionProvider: "p"})
				agent.Connect("p", "x")
				server.Connect(server.AddCaller(attachmentstest.Caller{}).Token, "p", "y")
				agent.Disconnect("p")
				agent.Detach("a")
				server.AddAgent("other").Delete()
				_, _ = server.Requests(), server.Pending()
			}
		})
	}
	group.Wait()
	require.Len(t, server.Requests(), 80)
}
