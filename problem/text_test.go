package problem

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestErrorSaysWhatToDo(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		p    *Problem
		want string
	}{
		{"nothing known", &Problem{}, "unknown problem"},
		{"status", &Problem{Status: 404}, "404 Not Found"},
		{"status without a phrase", &Problem{Status: 499}, "499"},
		{"title", &Problem{Title: "Out of credit"}, "Out of credit"},
		{"status and title", &Problem{Status: 403, Title: "Out of credit"}, "403 Out of credit"},
		{"code", &Problem{Status: 403, Code: "no_credit"}, "403 Forbidden (no_credit)"},
		{"detail", &Problem{Status: 403, Detail: "30 is too little."}, "403 Forbidden: 30 is too little"},
		{"an ellipsis", &Problem{Status: 503, Title: "Wait...", Detail: "Starting..."}, "503 Wait...: Starting..."},
		{"retry", &Problem{Status: 503, RetryAfterSeconds: 90}, "503 Service Unavailable; retry after 90s"},
		{"actions", &Problem{Status: 409, AllowedActions: []Action{
			{Rel: "get-existing", OperationID: "get_agent", Hint: "Reuse it."}, {Rel: "retry"}, {OperationID: "wait"}, {Hint: "Ask."}, {Method: "POST"},
		}}, "409 Conflict; allowed actions: get-existing get_agent (Reuse it.), retry, wait, Ask."},
		{"many actions", &Problem{Status: 409, AllowedActions: []Action{
			{Rel: "a"}, {Rel: "b"}, {Rel: "c"}, {Rel: "d"}, {Rel: "e"}, {Rel: "f"}, {Rel: "g"}, {Rel: "h"},
		}}, "409 Conflict; allowed actions: a, b, c, d, e, f, …"},
		{"neither type nor instance, extension or cause", &Problem{
			Status: 500, Type: "https://e.org/t", Instance: "/i", Extensions: extensions("x", `"secret"`), Cause: errors.New("secret"),
		}, "500 Internal Server Error"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, test.want, test.p.Error())
		})
	}
}

func TestErrorIsBounded(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("wörd\u202e ", 1000)
	p := &Problem{Status: 500, Title: long, Code: long, Detail: long, Type: long, Instance: long, RetryAfterSeconds: 5, requestID: long}
	for range 20 {
		p.AllowedActions = append(p.AllowedActions, Action{Rel: long, OperationID: long, Hint: long})
	}
	requireSafeText(t, p.Error())
	require.Contains(t, p.Error(), "; retry after 5s; allowed actions: ")
	requireSafeText(t, fmt.Sprintf("%+v", p))
	requireSafeText(t, fmt.Sprintf("%#v", p))
}

func TestFormatListsTheFields(t *testing.T) {
	t.Parallel()
	base, err := url.Parse(requestURL)
	require.NoError(t, err)
	p := Parse(503, http.Header{"Content-Type": {MediaTypeJSON}, "Retry-After": {"17"}, "X-Request-Id": {"req-1"}}, base,
		[]byte(`{"type":"/t?q=s","title":"A \"title\"","status":500,"detail":"d","instance":"i","code":"c","x":1,"allowed_actions":[{"rel":"retry"}]}`))
	const plain = `503 A "title" (c): d; retry after 17s; allowed actions: retry`
	tests := []struct{ verb, want string }{
		{"%v", plain},
		{"%s", plain},
		{"%q", `"503 A \"title\" (c): d; retry after 17s; allowed actions: retry"`},
		{"%.3s", "503"},
		{"%d", "%!d(string=" + plain + ")"},
		{"%+v", `status=503 status_member=500 title="A \"title\"" code="c" detail="d" type="https://api.example.org/t?…" instance="https://api.example.org/foo/bar/i" retry_after=17s allowed_actions="retry" body="problem" request_id="req-1"`},
		{"%#v", `problem.Problem{status:503, status_member:500, title:"A \"title\"", code:"c", detail:"d", type:"https://api.example.org/t?…", instance:"https://api.example.org/foo/bar/i", retry_after:17s, allowed_actions:"retry", body:"problem", request_id:"req-1"}`},
	}
	for _, test := range tests {
		require.Equal(t, test.want, fmt.Sprintf(test.verb, p), test.verb)
		require.Equal(t, test.want, fmt.Sprintf(test.verb, *p), test.verb)
	}
	require.Equal(t, `status=404`, fmt.Sprintf("%+v", &Problem{Status: 404}))
	require.Equal(t, `status=404 title="T" body="problem"`, fmt.Sprintf("%+v", parseAt(t, 404, MediaTypeJSON, `{"title":"T","status":404}`)))
}

func TestFieldsShowNoQueryOfARelativeReference(t *testing.T) {
	t.Parallel()
	p := &Problem{Type: "/t?secret", Instance: "urn:i?secret"}
	require.Equal(t, `status=0 type="/t?…" instance="urn:i?…"`, fmt.Sprintf("%+v", p))
	require.Equal(t, `[status=0 type=/t?… instance=urn:i?…]`, p.LogValue().String())
	require.EqualError(t, Type("/t?secret"), "problem type /t?…")
	p = &Problem{Type: "//user:secret@e.org/t?secret"}
	require.Equal(t, `status=0 type="//e.org/t?…"`, fmt.Sprintf("%+v", p))
}

func TestLogValueIsAGroup(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	logger := slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
		if len(groups) == 0 && a.Key != "err" {
			return slog.Attr{}
		}
		return a
	}}))
	logger.Error("x", "err", &Problem{Status: 503, Detail: "d\x1b", RetryAfterSeconds: 1})
	require.JSONEq(t, `{"err":{"status":503,"detail":"d","retry_after":1000000000}}`, log.String())
}

// A secret in any part of an exchange that is not meant for people stays out
// of every text.
func TestSecretsStayOutOfEveryText(t *testing.T) {
	t.Parallel()
	const secret = "c4n4ry"
	server := serveOnce(t, func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Secret", secret)
		h.Set("Set-Cookie", "session="+secret)
		h.Set("Www-Authenticate", "Bearer "+secret)
		h.Set("Content-Type", r.URL.Query().Get("type"))
		h.Set("Content-Location", "https://user:"+secret+"@e.org/a?"+secret)
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = io.WriteString(w, r.URL.Query().Get("body"))
	})
	where := "https://user:" + secret + "@e.org/a?token=" + secret
	bodies := map[string]string{
		"problem": `{"type":"?` + secret + `","title":"T ` + where + `","status":401,"detail":"at ` + where + `","instance":"` + where + `","code":"` + where +
			`","secret":"` + secret + `","allowed_actions":[{"rel":"` + where + `","hint":"` + where + `","href":"` + where + `","x":"` + secret + `"}]}`,
		"XML":  `<problem xmlns="urn:ietf:rfc:7807"><title>T</title><secret>` + secret + `</secret><instance>` + where + `</instance></problem>`,
		"JSON": `{"token":"` + secret + `"}`, "HTML": `<html>` + secret, "markup": `<x>` + secret, "truncated": `{"x":"` + secret,
		"array": `["` + secret + `"]`, "text": "see " + where, "bytes": "\x00" + secret,
	}
	types := map[string]string{"problem": MediaTypeJSON, "XML": MediaTypeXML, "JSON": "application/json", "truncated": "application/json", "array": "application/json"}
	for name, body := range bodies {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			query := url.Values{"type": {types[name]}, "body": {body}, "secret": {secret}}
			u, err := url.Parse(server.URL)
			require.NoError(t, err)
			u.User, u.RawQuery = url.UserPassword("user", secret), query.Encode()
			p := FromResponse(get(t, u.String()))
			p.Cause = errors.New(secret)
			require.Contains(t, string(p.Body().Raw), secret, "the secret is there, for who asks")
			for _, text := range textsOf(p) {
				require.NotContains(t, text, secret)
				require.Contains(t, text, "401")
			}
		})
	}
}

// textsOf returns what package fmt and slog make of a problem, bare, wrapped,
// and as a value.
func textsOf(p *Problem) []string {
	texts := []string{p.Error()}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
		texts = append(texts, fmt.Sprintf(verb, p), fmt.Sprintf(verb, *p), fmt.Sprintf(verb, []any{p}), fmt.Sprintf(verb, struct{ P *Problem }{p}))
	}
	for _, value := range []any{p, *p, fmt.Errorf("list: %w", p), slog.GroupValue(slog.Any("p", p))} {
		for _, handler := range []func(io.Writer) slog.Handler{
			func(w io.Writer) slog.Handler { return slog.NewJSONHandler(w, nil) },
			func(w io.Writer) slog.Handler { return slog.NewTextHandler(w, nil) },
		} {
			var log bytes.Buffer
			slog.New(handler(&log)).Error("failed", "err", value)
			texts = append(texts, log.String())
		}
	}
	return texts
}
