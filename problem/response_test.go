package problem

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const requestURL = "https://api.example.org/foo/bar/123"

// parseAt reads a body that came from requestURL with the given media type.
func parseAt(t *testing.T, status int, mediaType, body string) *Problem {
	t.Helper()
	base, err := url.Parse(requestURL)
	require.NoError(t, err)
	header := http.Header{}
	if mediaType != "" {
		header.Set("Content-Type", mediaType)
	}
	p := Parse(status, header, base, []byte(body))
	require.NotNil(t, p)
	return p
}

func extensions(pairs ...string) map[string]json.RawMessage {
	m := make(map[string]json.RawMessage)
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = json.RawMessage(pairs[i+1])
	}
	return m
}

// members of a document that a test compares, with the status member apart.
type document struct {
	typeURI, title, detail, instance, code string
	member                                 int
	extensions                             map[string]json.RawMessage
}

func documentOf(p *Problem) document {
	member, _ := p.StatusMember()
	return document{p.TypeURI(), p.Title, p.Detail, p.InstanceURI(), p.Code, member, p.Extensions}
}

func TestParseReadsMembersByTheRules(t *testing.T) {
	t.Parallel()
	const blank = "about:blank"
	tests := []struct {
		name string
		body string
		want document
	}{
		{"members of the wrong type are absent", `{"type":1,"title":["x"],"status":"404","detail":{},"instance":true,"code":"x"}`,
			document{typeURI: blank, code: "x"}},
		{"a wrong member spoils no other", `{"type":"https://e.org/p","title":"T","status":"404","detail":"d"}`,
			document{typeURI: "https://e.org/p", title: "T", detail: "d"}},
		{"null is a wrong type", `{"type":null,"title":null,"status":null,"detail":null,"instance":null}`,
			document{typeURI: blank}},
		{"no type is about:blank", `{"title":"T","status":404}`,
			document{typeURI: blank, title: "T", member: 404}},
		{"relative references resolve", `{"type":"example-problem","instance":"i/1","status":404}`,
			document{typeURI: "https://api.example.org/foo/bar/example-problem", instance: "https://api.example.org/foo/bar/i/1", member: 404}},
		{"integers beyond 2^53 stay exact", `{"title":"T","status":404,"id":9007199254740993}`,
			document{typeURI: blank, title: "T", member: 404, extensions: extensions("id", "9007199254740993")}},
		{"names are exact", `{"title":"a","Title":"b","STATUS":1}`,
			document{typeURI: blank, title: "a", extensions: extensions("Title", `"b"`, "STATUS", "1")}},
		{"a fraction is no status", `{"title":"T","status":404.5}`, document{typeURI: blank, title: "T"}},
		{"4.04e2 is 404", `{"title":"T","status":4.04e2}`, document{typeURI: blank, title: "T", member: 404}},
		{"99999 is no status", `{"title":"T","status":99999}`, document{typeURI: blank, title: "T"}},
		{"-404 is no status", `{"title":"T","status":-404}`, document{typeURI: blank, title: "T"}},
		{"the last of two names counts", `{"title":"a","title":"b"}`, document{typeURI: blank, title: "b"}},
		{"the last counts though its type is wrong", `{"title":"a","code":"c","status":404,"title":1,"code":2,"status":[]}`,
			document{typeURI: blank, extensions: extensions("code", "2")}},
		{"the last counts though the first was wrong", `{"title":1,"code":2,"title":"a","code":"c"}`,
			document{typeURI: blank, title: "a", code: "c"}},
		{"names may be escaped", `{"t\u0069tle":"a","\u0063ode":"c"}`, document{typeURI: blank, title: "a", code: "c"}},
		{"extensions keep their bytes", "{\"title\":\"T\",\"x\": { \"a\" : [1.0, \"\\u0041\"] } }",
			document{typeURI: blank, title: "T", extensions: extensions("x", "{ \"a\" : [1.0, \"\\u0041\"] }")}},
		{"a code of another type is an extension", `{"title":"T","code":7}`,
			document{typeURI: blank, title: "T", extensions: extensions("code", "7")}},
		{"an empty object is a problem", `{}`, document{typeURI: blank}},
		{"white space is no matter", " \r\n\t{ \"title\" : \"T\" , \"status\" : 404 } \n",
			document{typeURI: blank, title: "T", member: 404}},
		{"a byte order mark is no matter", "\xef\xbb\xbf{\"title\":\"T\"}", document{typeURI: blank, title: "T"}},
		{"escapes are decoded", `{"title":"\"\\\n\u00e9\ud83d\ude00"}`, document{typeURI: blank, title: "\"\\\né😀"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := parseAt(t, 404, "application/problem+json", test.body)
			require.Equal(t, test.want, documentOf(p))
			require.Equal(t, 404, p.Status)
			require.Equal(t, BodyProblem, p.Body().Kind)
			require.NoError(t, p.Unwrap())
		})
	}
}

func TestParseAcceptsEachSpellingOfAMediaType(t *testing.T) {
	t.Parallel()
	for _, mediaType := range []string{
		"application/problem+json", "application/problem+json; charset=utf-8", "Application/Problem+JSON",
		" application/problem+json ;charset", "application/problem+json;;;=", "application/problem+json; a=\"",
	} {
		p := parseAt(t, 404, mediaType, `{"title":"T"}`)
		require.Equal(t, BodyProblem, p.Body().Kind, mediaType)
		require.Equal(t, "application/problem+json", p.Body().MediaType)
		require.Equal(t, "T", p.Title)
	}
}

func TestParseRecognisesAProblemByItsShape(t *testing.T) {
	t.Parallel()
	const shaped, unshaped = `{"title":"T","status":404}`, `{"title":"T","name":"x"}`
	tests := []struct {
		name      string
		status    int
		mediaType string
		body      string
		want      BodyKind
	}{
		{"JSON", 404, "application/json", shaped, BodyProblem},
		{"JSON with parameters", 404, "Application/JSON; charset=utf-8", shaped, BodyProblem},
		{"any +json", 404, "application/vnd.api+json", shaped, BodyProblem},
		{"no type", 404, "", shaped, BodyProblem},
		{"the wrong type", 404, "text/plain", shaped, BodyProblem},
		{"JSON declared as HTML", 404, "text/html; charset=UTF-8", shaped, BodyProblem},
		{"type and detail", 404, "application/json", `{"type":"https://e.org/p","detail":"d"}`, BodyProblem},
		{"a success is no problem", 200, "application/json", shaped, BodyJSON},
		{"any success", 299, "application/json", shaped, BodyJSON},
		{"what is no success may be one", 300, "application/json", shaped, BodyProblem},
		{"also a redirection", 302, "application/json", shaped, BodyProblem},
		{"unless it is declared", 200, "application/problem+json", shaped, BodyProblem},
		{"a title alone is no problem", 404, "application/json", unshaped, BodyJSON},
		{"unless it is declared", 404, "application/problem+json", unshaped, BodyProblem},
		{"members of the wrong type do not count", 404, "application/json", `{"title":"T","status":"404","detail":null}`, BodyJSON},
		{"status and detail alone are no problem", 404, "application/json", `{"status":404,"detail":"d"}`, BodyJSON},
	}
	for _, test := range tests {
		t.Run(test.name+" "+test.mediaType, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, test.want, parseAt(t, test.status, test.mediaType, test.body).Body().Kind)
		})
	}
}

func TestParseKeepsNothingOfOtherJSONButTheWayOn(t *testing.T) {
	t.Parallel()
	p := parseAt(t, 429, "application/json",
		`{"error":"slow down","title":"no","secret":"s","code":"busy","retry_after_seconds":5,"allowed_actions":[{"rel":"retry"}]}`)
	require.Equal(t, document{typeURI: "about:blank", detail: "slow down", code: "busy"}, documentOf(p))
	require.Equal(t, "429 Too Many Requests (busy): slow down; retry after 5s; allowed actions: retry", p.Error())
}

// What is no problem still gives a text that says what to do, or at least what
// was there.
func TestBodiesThatAreNoProblemHaveAText(t *testing.T) {
	t.Parallel()
	const json, plain, html = "application/json", "text/plain; charset=utf-8", "text/html"
	tests := []struct {
		name      string
		status    int
		mediaType string
		body      string
		kind      BodyKind
		text      string
	}{
		{"plain text", 413, plain, "Request body too large\n", BodyText, "413 Request Entity Too Large: Request body too large"},
		{"plain text of several lines", 400, plain, "Invalid URI:\r\n  bad   escape", BodyText, "400 Bad Request: Invalid URI: bad escape"},
		{"text without a type", 400, "", "Invalid URI", BodyText, "400 Bad Request: Invalid URI"},
		{"text like JSON", 400, plain, "{timeout}", BodyText, "400 Bad Request: {timeout}"},
		{"HTML", 502, html, "<!DOCTYPE html><html><body><h1>secret</h1></body></html>", BodyHTML,
			"502 Bad Gateway: the response body is HTML, not problem details"},
		{"HTML without a type", 502, "", "\n<HTML><body>secret", BodyHTML, "502 Bad Gateway: the response body is HTML, not problem details"},
		{"HTML declared as JSON", 502, json, "<!doctype HTML>secret", BodyHTML, "502 Bad Gateway: the response body is HTML, not problem details"},
		{"text declared as HTML", 502, html, "secret <b>", BodyHTML, "502 Bad Gateway: the response body is HTML, not problem details"},
		{"markup declared as text", 502, plain, "<h1>secret</h1>", BodyMarkup, "502 Bad Gateway: the response body is markup, not problem details"},
		{"XML", 403, "application/xml", "<Error><Code>AccessDenied</Code></Error>", BodyMarkup,
			"403 Forbidden: the response body is markup, not problem details"},
		{"XML that is none", 403, "application/xml", "secret", BodyMalformed, "403 Forbidden: the response body is not well-formed"},
		{"text of a success", 204, plain, "fine", BodyText, "204 No Content"},
		{"an empty body", 404, "", "", BodyEmpty, "404 Not Found: the response has no body"},
		{"a blank body", 404, json, " \r\n", BodyEmpty, "404 Not Found: the response has no body"},
		{"an error text", 404, json, `{"error":"Agent not found"}`, BodyJSON, "404 Not Found: Agent not found"},
		{"an error object", 404, json, `{"error":{"code":"not_found","message":"Agent not found"}}`, BodyJSON, "404 Not Found (not_found): Agent not found"},
		{"an OAuth error", 400, json, `{"error":"invalid_grant","error_description":"The code has expired."}`, BodyJSON,
			"400 Bad Request (invalid_grant): The code has expired"},
		{"a JSON-RPC error", 400, json, `{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"Invalid Request"}}`, BodyJSON,
			"400 Bad Request (-32600): Invalid Request"},
		{"an error name with a message", 404, json, `{"statusCode":404,"error":"Not Found","message":"Cannot GET /x?token=s"}`, BodyJSON,
			"404 Not Found: Cannot GET /x?…"},
		{"code and message", 404, json, `{"code":17,"message":"gone"}`, BodyJSON, "404 Not Found (17): gone"},
		{"a detail alone", 404, json, `{"detail":"Not here."}`, BodyJSON, "404 Not Found: Not here"},
		{"an error that is a page", 502, json, `{"error":"<!DOCTYPE html><html>secret"}`, BodyJSON,
			"502 Bad Gateway: the response body is JSON, but not problem details"},
		{"an error with a page", 502, json, `{"message":"upstream said: <html>secret"}`, BodyJSON, "502 Bad Gateway: upstream said: …"},
		{"plain text with a page", 502, plain, "bad gateway\n<html>secret", BodyText, "502 Bad Gateway: bad gateway …"},
		{"a JSON text", 404, json, `"Agent not found"`, BodyJSON, "404 Not Found: Agent not found"},
		{"JSON without a message", 404, json, `{"ok":false}`, BodyJSON, "404 Not Found: the response body is JSON, but not problem details"},
		{"an error of another type", 404, json, `{"error":7}`, BodyJSON, "404 Not Found: the response body is JSON, but not problem details"},
		{"an error that is given twice", 404, json, `{"error":{"message":"m"},"error":7}`, BodyJSON, "404 Not Found: the response body is JSON, but not problem details"},
		{"an array", 404, "application/problem+json", `["x"]`, BodyJSON, "404 Not Found: the response body is JSON, but not problem details"},
		{"a number", 404, json, `17`, BodyJSON, "404 Not Found: the response body is JSON, but not problem details"},
		{"truncated JSON", 500, "application/problem+json", `{"title":"T","det`, BodyMalformed, "500 Internal Server Error: the response body is not well-formed"},
		{"trailing data", 500, "application/problem+json", `{"title":"T"} xyz`, BodyMalformed, "500 Internal Server Error: the response body is not well-formed"},
		{"two documents", 500, json, `{"title":"T"}{"title":"T"}`, BodyMalformed, "500 Internal Server Error: the response body is not well-formed"},
		{"truncated JSON without a type", 500, "", `{"title":"T","det`, BodyMalformed, "500 Internal Server Error: the response body is not well-formed"},
		{"JSON that nests too deep", 500, json, strings.Repeat("[", 1<<20), BodyMalformed, "500 Internal Server Error: the response body is not well-formed"},
		{"JSON in invalid UTF-8", 500, "application/problem+json", "{\"title\":\"caf\xe9\"}", BodyMalformed,
			"500 Internal Server Error: the response body is not well-formed"},
		{"text in invalid UTF-8", 500, plain, "caf\xe9", BodyText, "500 Internal Server Error: caf\uFFFD"},
		{"a byte order mark alone", 404, json, "\xef\xbb\xbf", BodyEmpty, "404 Not Found: the response has no body"},
		{"a byte order mark before a text", 404, plain, "\xef\xbb\xbfgone", BodyText, "404 Not Found: gone"},
		{"a byte order mark before an error", 404, json, "\xef\xbb\xbf{\"error\":\"gone\"}", BodyJSON, "404 Not Found: gone"},
		{"bytes", 500, plain, "\x00\x01\x02", BodyBinary, "500 Internal Server Error: the response body is not text"},
		{"another type", 500, "image/png", "secret", BodyBinary, "500 Internal Server Error: the response body is not text"},
		{"a status without a phrase", 599, "", "", BodyEmpty, "599: the response has no body"},
		{"no status", 0, "", "", BodyEmpty, "unknown problem: the response has no body"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := parseAt(t, test.status, test.mediaType, test.body)
			require.Equal(t, test.text, p.Error())
			require.Equal(t, test.kind, p.Body().Kind)
			require.Equal(t, test.status, p.Status)
			require.Equal(t, "about:blank", p.TypeURI())
			require.Equal(t, int64(len(test.body)), p.Body().Size)
			require.Equal(t, test.body[:min(len(test.body), 64<<10)], string(p.Body().Raw))
			require.Nil(t, p.Extensions)
		})
	}
}

func TestParseBoundsTheMessage(t *testing.T) {
	t.Parallel()
	p := parseAt(t, 500, "text/plain", strings.Repeat("é", 5000))
	require.LessOrEqual(t, len(p.Detail), 1<<10)
	require.True(t, strings.HasSuffix(p.Detail, "é…"))
	require.Len(t, p.Body().Raw, 10000)

	// What is cut off cannot turn a password into a host.
	p = parseAt(t, 500, "text/plain", strings.Repeat("x ", 300)+"https://user:"+strings.Repeat("s", 2000)+"@e.org/")
	require.Equal(t, strings.Repeat("x ", 300)+"https://…", p.Detail)
}

func TestParseTakesNothingOfOtherJSONInASuccess(t *testing.T) {
	t.Parallel()
	p := parseAt(t, 200, "application/json", `{"title":"T","status":200,"code":"c","retry_after_seconds":5,"allowed_actions":[{"rel":"r"}],"message":"m"}`)
	require.Equal(t, document{typeURI: "about:blank"}, documentOf(p))
	require.Nil(t, p.AllowedActions)
	require.Equal(t, "200 OK: the response body is JSON, but not problem details", p.Error())
}

func TestNoPageIsPassedOn(t *testing.T) {
	t.Parallel()
	for _, body := range []string{`{"error":"said: <html>secret"}`, `said: <html>secret`} {
		require.Equal(t, "said: …", parseAt(t, 502, "", body).Detail)
	}
}

// Bodies of a real service.
func TestParseReadsBodiesOfARealService(t *testing.T) {
	t.Parallel()
	const tooMany = `{"title":"Too Many Requests","status":429,"detail":"Too many requests. Please try again later.","code":"rate_limited","allowed_actions":[{"rel":"retry-later","hint":"Wait retry_after_seconds before retrying."}],"retry_after_seconds":60}`
	tests := []struct {
		status    int
		mediaType string
		body      string
		code      string
		actions   []Action
		wait      time.Duration
		text      string
	}{
		{422, MediaTypeJSON, `{"title":"Validation failed","status":422,"detail":"Shorten 'name'","code":"agent_name_too_long","instance":"/v1/agents","type":"https://errors.everruns.com/validation/agent-name-too-long","allowed_actions":[{"rel":"retry","operation_id":"create_agent","hint":"Shorten 'name' to <= 200 chars."}]}`,
			"agent_name_too_long", []Action{{Rel: "retry", OperationID: "create_agent", Hint: "Shorten 'name' to <= 200 chars."}}, -1,
			"422 Validation failed (agent_name_too_long): Shorten 'name'; allowed actions: retry create_agent (Shorten 'name' to <= 200 chars.)"},
		{429, "application/json", tooMany,
			"rate_limited", []Action{{Rel: "retry-later", Hint: "Wait retry_after_seconds before retrying."}}, time.Minute,
			"429 Too Many Requests (rate_limited): Too many requests. Please try again later; retry after 60s; allowed actions: retry-later (Wait retry_after_seconds before retrying.)"},
		{409, MediaTypeJSON, `{"title":"Conflict","status":409,"detail":"agent already exists","code":"agent_already_exists","allowed_actions":[{"rel":"get-existing","operation_id":"get_agent","hint":"Fetch the existing agent and reuse it."}]}`,
			"agent_already_exists", []Action{{Rel: "get-existing", OperationID: "get_agent", Hint: "Fetch the existing agent and reuse it."}}, -1,
			"409 Conflict (agent_already_exists): agent already exists; allowed actions: get-existing get_agent (Fetch the existing agent and reuse it.)"},
		{422, MediaTypeJSON, `{"title":"Unprocessable Entity","status":422,"detail":"backend warming up","retry_after_seconds":30}`,
			"", nil, 30 * time.Second, "422 Unprocessable Entity: backend warming up; retry after 30s"},
		{503, MediaTypeJSON, `{"title":"Service Unavailable","status":503,"retry_after_seconds":1}`,
			"", nil, time.Second, "503 Service Unavailable; retry after 1s"},
		{503, MediaTypeJSON, `{"title":"Service Unavailable","status":503,"detail":"Database capacity is temporarily unavailable","code":"database_pool_exhausted","retry_after_seconds":1}`,
			"database_pool_exhausted", nil, time.Second,
			"503 Service Unavailable (database_pool_exhausted): Database capacity is temporarily unavailable; retry after 1s"},
		{500, MediaTypeJSON, `{"title":"Internal Server Error","status":500,"detail":"Internal server error","code":"internal_error"}`,
			"internal_error", nil, -1, "500 Internal Server Error (internal_error): Internal server error"},
		{404, MediaTypeJSON, `{"type":"https://docs.everruns.com/errors/harness_not_found","title":"Not Found","status":404,"detail":"Harness 'generic' not found in org org_00000000000000000000000000000001.","code":"harness_not_found"}`,
			"harness_not_found", nil, -1,
			"404 Not Found (harness_not_found): Harness 'generic' not found in org org_00000000000000000000000000000001"},
		// The published example of the contract: an action without rel, and a hint to retry a 404.
		{404, "application/json", `{"allowed_actions":[{"method":"POST"}],"code":"session_not_found","detail":"Session s not found.","instance":"/v1/sessions/s","retry_after_seconds":30,"status":404,"title":"Session not found","type":"https://everruns.com/docs/errors/session_not_found"}`,
			"session_not_found", []Action{{Method: "POST"}}, 30 * time.Second,
			"404 Session not found (session_not_found): Session s not found; retry after 30s"},
	}
	for i, test := range tests {
		t.Run(fmt.Sprint(i+1), func(t *testing.T) {
			t.Parallel()
			p := parseAt(t, test.status, test.mediaType, test.body)
			require.Equal(t, BodyProblem, p.Body().Kind)
			require.Equal(t, test.code, p.Code)
			require.Equal(t, test.actions, p.AllowedActions)
			wait, ok := p.RetryAfter()
			require.Equal(t, test.wait >= 0, ok)
			require.Equal(t, max(test.wait, 0), wait)
			require.Equal(t, test.text, p.Error())
			require.False(t, p.StatusMismatch())
			require.Nil(t, p.Extensions)
		})
	}
}

func TestTheHTTPStatusRules(t *testing.T) {
	t.Parallel()
	p := parseAt(t, 503, MediaTypeJSON, `{"title":"T","status":404}`)
	require.Equal(t, 503, p.Status)
	member, ok := p.StatusMember()
	require.Equal(t, 404, member)
	require.True(t, ok)
	require.True(t, p.StatusMismatch())
	require.ErrorIs(t, p, Status(503))
	require.NotErrorIs(t, p, Status(404))
	require.Equal(t, "503 T", p.Error())

	p = parseAt(t, 503, MediaTypeJSON, `{"title":"T"}`)
	_, ok = p.StatusMember()
	require.False(t, ok)
	require.False(t, p.StatusMismatch())
}

func TestActionsResolveTheirLinks(t *testing.T) {
	t.Parallel()
	p := parseAt(t, 409, MediaTypeJSON, `{"title":"T","allowed_actions":[
		{"rel":"self","href":"/v1/agents/a","method":"GET","schema_ref":"#/s"},
		{"rel":"up","href":"../x?y=1","hint":null,"extra":[1, 2]},
		{"rel":"other","href":"https://elsewhere.example/a"},
		{"rel":7,"href":""},
		{"rel":7,"rel":"retry","hint":"h","hint":null}]}`)
	require.Equal(t, []Action{
		{Rel: "self", Method: "GET", SchemaRef: "#/s", Href: "/v1/agents/a", URL: "https://api.example.org/v1/agents/a"},
		{Rel: "up", Href: "../x?y=1", URL: "https://api.example.org/foo/x?y=1", Extensions: extensions("hint", "null", "extra", "[1, 2]")},
		{Rel: "other", Href: "https://elsewhere.example/a", URL: "https://elsewhere.example/a"},
		{Extensions: extensions("rel", "7", "href", `""`)},
		{Rel: "retry", Extensions: extensions("hint", "null")},
	}, p.AllowedActions)
}

func TestActionsOfAnotherTypeStayAnExtension(t *testing.T) {
	t.Parallel()
	for _, value := range []string{`null`, `"retry"`, `{"rel":"retry"}`, `["retry"]`, `[{"rel":"retry"},null]`, `7`} {
		p := parseAt(t, 409, MediaTypeJSON, `{"title":"T","allowed_actions":`+value+`}`)
		require.Nil(t, p.AllowedActions, value)
		require.Equal(t, extensions("allowed_actions", value), p.Extensions)
		require.Equal(t, "409 T", p.Error())
	}
}

func TestReferencesResolveAgainstTheDocument(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, base, location, reference, want string
	}{
		{"against the request", requestURL, "", "x", "https://api.example.org/foo/bar/x"},
		{"a full path", requestURL, "", "/errors/x", "https://api.example.org/errors/x"},
		{"another host", requestURL, "", "//e.org/x", "https://e.org/x"},
		{"up", requestURL, "", "../../../x", "https://api.example.org/x"},
		{"a fragment", requestURL, "", "#x", requestURL + "#x"},
		{"a query", requestURL, "", "?x", requestURL + "?x"},
		{"the document itself", requestURL, "", "", requestURL},
		{"Content-Location comes first", requestURL, "https://cdn.example/errors/1", "x", "https://cdn.example/errors/x"},
		{"a relative Content-Location", requestURL, "/errors/1", "x", "https://api.example.org/errors/x"},
		{"Content-Location without a request", "", "https://cdn.example/errors/1", "x", "https://cdn.example/errors/x"},
		{"a Content-Location that is no URL", requestURL, "https://[/", "x", "https://api.example.org/foo/bar/x"},
		{"an opaque Content-Location", requestURL, "urn:x:y", "x", "https://api.example.org/foo/bar/x"},
		{"an escaped path stays escaped", "https://api.example.org/a%2Fb/c", "", "x", "https://api.example.org/a%2Fb/x"},
		{"no base", "", "", "x", "x"},
		{"an absolute reference keeps its spelling", requestURL, "", "HTTPS://E.org/a/../b", "HTTPS://E.org/a/../b"},
		{"a tag", requestURL, "", "tag:e.org,2026:x", "tag:e.org,2026:x"},
		{"a urn", requestURL, "", "urn:uuid:1", "urn:uuid:1"},
		{"what is no reference", requestURL, "", "%zz", "%zz"},
		{"user information and query of the base are left out", "https://user:pass@api.example.org/a/b?token=t#f", "", "#x", "https://api.example.org/a/b#x"},
		{"also of a Content-Location", requestURL, "https://user:pass@cdn.example/a?t=1", "x", "https://cdn.example/x"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var base *url.URL
			if test.base != "" {
				var err error
				base, err = url.Parse(test.base)
				require.NoError(t, err)
			}
			header := http.Header{"Content-Type": {MediaTypeJSON}}
			if test.location != "" {
				header.Set("Content-Location", test.location)
			}
			reference, err := json.Marshal(test.reference)
			require.NoError(t, err)
			p := Parse(404, header, base, fmt.Appendf(nil, `{"type":%s,"instance":%s}`, reference, reference))
			require.Equal(t, test.want, p.TypeURI())
			require.Equal(t, test.want, p.InstanceURI())
			require.Equal(t, test.reference, p.Type)
			require.Equal(t, test.reference, p.Instance)
			require.ErrorIs(t, p, Type(test.want))
		})
	}
}

func TestAnEmptyTypeWithoutABaseIsBlank(t *testing.T) {
	t.Parallel()
	require.Equal(t, "about:blank", Parse(404, nil, nil, []byte(`{"type":"","title":"T"}`)).TypeURI())
}

// serveOnce answers each request with handler over loopback.
func serveOnce(t *testing.T, handler http.HandlerFunc) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server
}

func get(t *testing.T, address string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	require.NoError(t, err)
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	t.Cleanup(func() { resp.Body.Close() })
	return resp
}

func TestFromResponseResolvesAgainstTheLastURL(t *testing.T) {
	t.Parallel()
	server := serveOnce(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/start" {
			http.Redirect(w, r, "/deep/er", http.StatusFound)
			return
		}
		w.Header().Set("Content-Type", MediaTypeJSON)
		w.Header().Set("X-Request-Id", "req-1")
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, `{"type":"p","title":"T"}`)
	})
	p := FromResponse(get(t, server.URL+"/start"))
	require.Equal(t, server.URL+"/deep/p", p.TypeURI())
	require.Equal(t, 404, p.Status)
	require.Equal(t, "req-1", p.RequestID())
}

func TestFromResponseBoundsTheBody(t *testing.T) {
	t.Parallel()
	// JSON of 16 MiB and one byte, with a problem's shape.
	const size = 16<<20 + 1
	prefix := `{"title":"T","status":500,"detail":"`
	tests := []struct {
		name   string
		length int
		kind   BodyKind
		size   int64
	}{
		{"16 MiB and a byte", size, BodyTooLarge, MaxBody},
		{"a byte more than the limit", MaxBody + 1, BodyTooLarge, MaxBody},
		{"exactly the limit", MaxBody, BodyProblem, MaxBody},
	}
	for _, test := range tests {
		for _, chunked := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s chunked %t", test.name, chunked), func(t *testing.T) {
				t.Parallel()
				server := serveOnce(t, func(w http.ResponseWriter, _ *http.Request) {
					w.Header().Set("Content-Type", MediaTypeJSON)
					w.Header().Set("Retry-After", "3")
					if !chunked {
						w.Header().Set("Content-Length", fmt.Sprint(test.length))
					}
					w.WriteHeader(http.StatusInternalServerError)
					_, _ = io.WriteString(w, prefix+strings.Repeat("x", test.length-len(prefix)-2)+`"}`)
				})
				p := FromResponse(get(t, server.URL))
				require.Equal(t, test.kind, p.Body().Kind)
				require.Equal(t, test.size, p.Body().Size)
				require.Len(t, p.Body().Raw, 64<<10)
				require.Equal(t, 500, p.Status)
				if test.kind == BodyTooLarge {
					require.ErrorIs(t, p, ErrBodyTooLarge)
					require.Equal(t, "500 Internal Server Error: the response body is larger than the limit; retry after 3s", p.Error())
				}
			})
		}
	}
}

func TestFromResponseKeepsTheReadError(t *testing.T) {
	t.Parallel()
	server := serveOnce(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		w.WriteHeader(http.StatusBadGateway)
		_, _ = io.WriteString(w, `{"title":"T"`)
	})
	p := FromResponse(get(t, server.URL))
	require.Equal(t, BodyUnreadable, p.Body().Kind)
	require.ErrorIs(t, p, io.ErrUnexpectedEOF)
	require.ErrorIs(t, p, Status(502))
	require.Equal(t, "502 Bad Gateway: the response body could not be read", p.Error())
	require.Equal(t, `{"title":"T"`, string(p.Body().Raw))
}

func TestFromResponseBelievesNoContentLength(t *testing.T) {
	t.Parallel()
	for _, length := range []int64{-1, 0, 1, MaxBody + 1, 1<<63 - 1} {
		p := FromResponse(&http.Response{StatusCode: 500, ContentLength: length, Body: io.NopCloser(strings.NewReader(`{"title":"T","status":500}`))})
		require.Equal(t, BodyProblem, p.Body().Kind, length)
	}
}

func TestFromResponseTakesWhateverItIsGiven(t *testing.T) {
	t.Parallel()
	require.Equal(t, "unknown problem: the response body could not be read", FromResponse(nil).Error())
	require.Equal(t, "500 Internal Server Error: the response has no body", FromResponse(&http.Response{StatusCode: 500}).Error())
}

func TestParsePartialSaysWhy(t *testing.T) {
	t.Parallel()
	body := []byte(`{"title":"T","status":500}`)
	tests := []struct {
		err  error
		kind BodyKind
	}{
		{ErrBodyTooLarge, BodyTooLarge},
		{fmt.Errorf("reading: %w", ErrBodyTooLarge), BodyTooLarge},
		{&http.MaxBytesError{Limit: 5}, BodyTooLarge},
		{fmt.Errorf("reading: %w", &http.MaxBytesError{Limit: 5}), BodyTooLarge},
		{context.Canceled, BodyUnreadable},
		{errors.New("connection reset"), BodyUnreadable},
		{nil, BodyProblem},
	}
	for _, test := range tests {
		p := ParsePartial(500, nil, nil, body, test.err)
		require.Equal(t, test.kind, p.Body().Kind)
		require.Equal(t, test.err, p.Cause)
		require.Equal(t, body, p.Body().Raw)
	}
}

func TestParseKeepsItsOwnCopyOfTheBody(t *testing.T) {
	t.Parallel()
	body := []byte(`{"title":"T","balance":30}`)
	p := Parse(403, http.Header{"Content-Type": {MediaTypeJSON}}, nil, body)
	clear(body)
	p.Body().Raw[0] = 'x'
	require.Equal(t, "30", string(p.Extensions["balance"]))
	require.Equal(t, `{"title":"T","balance":30}`, string(p.Body().Raw))
}

func TestBodyKindsHaveNames(t *testing.T) {
	t.Parallel()
	require.Equal(t, "none", (&Problem{}).Body().Kind.String())
	require.Equal(t, "unreadable", BodyUnreadable.String())
	require.Equal(t, "unknown", BodyKind(200).String())
}

func TestAProblemThatIsNilIsHarmless(t *testing.T) {
	t.Parallel()
	var p *Problem
	require.Equal(t, "<nil>", p.Error())
	require.Equal(t, "<nil>", fmt.Sprintf("%v", p))
	require.Equal(t, "about:blank", p.TypeURI())
	require.Empty(t, p.InstanceURI())
	require.Empty(t, p.RequestID())
	require.Zero(t, p.Body())
	require.False(t, p.Is(Status(0)))
	require.NoError(t, p.Unwrap())
	require.False(t, p.StatusMismatch())
	_, ok := p.RetryAfter()
	require.False(t, ok)
	_, ok = p.RetryAfterHeader()
	require.False(t, ok)
	_, ok = Extension[int](p, "x")
	require.False(t, ok)
	encoded, err := json.Marshal(p)
	require.NoError(t, err)
	require.Equal(t, "null", string(encoded))
}
