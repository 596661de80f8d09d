package problem

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// exchange answers one request over loopback with write and returns the
// response and its body.
func exchange(t *testing.T, method, accept string, write http.HandlerFunc) (*http.Response, string) {
	t.Helper()
	server := serveOnce(t, write)
	req, err := http.NewRequestWithContext(t.Context(), method, server.URL+"/x/y", nil)
	require.NoError(t, err)
	if accept != "" {
		req.Header.Set("Accept", accept)
	}
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp, string(body)
}

func TestWriteSendsTheFormatThatIsAskedFor(t *testing.T) {
	t.Parallel()
	p := &Problem{Type: "https://e.org/p", Title: "T", Status: 403, Extensions: extensions("balance", "30")}
	const asJSON = `{"type":"https://e.org/p","title":"T","status":403,"balance":30}`
	asXML := inXML(`<type>https://e.org/p</type><title>T</title><status>403</status><balance>30</balance>`)
	for accept, want := range map[string][2]string{
		"":                         {"application/problem+json", asJSON},
		"text/plain":               {"application/problem+json", asJSON},
		"application/problem+json": {"application/problem+json", asJSON},
		"application/problem+xml":  {"application/problem+xml", asXML},
	} {
		resp, body := exchange(t, http.MethodGet, accept, p.ServeHTTP)
		require.Equal(t, 403, resp.StatusCode)
		require.Equal(t, want[1], body)
		require.Equal(t, want[0], resp.Header.Get("Content-Type"))
		require.Equal(t, strconv.Itoa(len(body)), resp.Header.Get("Content-Length"))
		require.Equal(t, "nosniff", resp.Header.Get("X-Content-Type-Options"))
		require.Equal(t, "no-store", resp.Header.Get("Cache-Control"))
		require.Equal(t, []string{"Accept"}, resp.Header.Values("Vary"))
		require.Empty(t, resp.Header.Values("Retry-After"))
	}
}

func TestWriteSendsTheStatusThatItStates(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]int{
		400: 400, 404: 404, 418: 418, 499: 499, 500: 500, 599: 599,
		0: 500, -1: 500, 99: 500, 100: 500, 101: 500, 200: 500, 204: 500, 304: 500, 399: 500, 600: 500, 999: 500, 1000: 500, 1 << 40: 500,
	} {
		for _, accept := range []string{"", MediaTypeXML} {
			p := &Problem{Title: "T", Status: status, Extensions: extensions("status", "200", "title", `"shadow"`)}
			resp, body := exchange(t, http.MethodGet, accept, p.ServeHTTP)
			require.Equal(t, want, resp.StatusCode, status)
			q := Parse(resp.StatusCode, resp.Header, nil, []byte(body))
			member, ok := q.StatusMember()
			require.True(t, ok)
			require.Equal(t, want, member)
			require.Equal(t, "T", q.Title)
			require.Nil(t, q.Extensions)
			require.Equal(t, status, p.Status, "the problem itself is left alone")
		}
	}
}

func TestWriteGivesBlankProblemsTheirTitle(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		p    *Problem
		want string
	}{
		{"about:blank by absence", &Problem{Status: 404}, `{"title":"Not Found","status":404}`},
		{"about:blank by name", &Problem{Type: "about:blank", Status: 404}, `{"type":"about:blank","title":"Not Found","status":404}`},
		{"its own title stays", &Problem{Title: "Nicht gefunden", Status: 404}, `{"title":"Nicht gefunden","status":404}`},
		{"another type has its own title or none", &Problem{Type: "https://e.org/p", Status: 404}, `{"type":"https://e.org/p","status":404}`},
		{"a status without a phrase", &Problem{Status: 499}, `{"status":499}`},
		{"an impossible status", &Problem{}, `{"title":"Internal Server Error","status":500}`},
		{"nil", nil, `{"title":"Internal Server Error","status":500}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, body := exchange(t, http.MethodGet, "", test.p.ServeHTTP)
			require.Equal(t, test.want, body)
		})
	}
}

func TestWriteRemovesHeadersOfAnotherBody(t *testing.T) {
	t.Parallel()
	resp, body := exchange(t, http.MethodGet, "", func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		for name, value := range map[string]string{
			"Content-Length": "3", "Content-Encoding": "gzip", "ETag": `"x"`, "Last-Modified": "x", "Expires": "x", "Content-Range": "bytes 0-1/2",
			"Accept-Ranges": "bytes", "Content-Location": "/other", "Content-Disposition": "attachment", "Digest": "x", "Content-Digest": "x",
			"Repr-Digest": "x", "Content-MD5": "x", "Transfer-Encoding": "identity", "Trailer": "X", "CDN-Cache-Control": "max-age=9999", "Content-Type": "image/png", "Cache-Control": "public, max-age=9999",
			"WWW-Authenticate": "Bearer", "X-Request-Id": "r", "Content-Language": "de", "Retry-After": "5", "Vary": "Origin",
		} {
			h.Set(name, value)
		}
		require.NoError(t, Write(w, r, &Problem{Status: 401}))
	})
	require.Equal(t, `{"title":"Unauthorized","status":401}`, body)
	resp.Header.Del("Date")
	require.Equal(t, http.Header{
		"Content-Type": {MediaTypeJSON}, "Content-Length": {"37"}, "Cache-Control": {"no-store"}, "X-Content-Type-Options": {"nosniff"},
		"Vary": {"Origin", "Accept"}, "Www-Authenticate": {"Bearer"}, "X-Request-Id": {"r"}, "Content-Language": {"de"}, "Retry-After": {"5"},
	}, resp.Header)
}

func TestWriteNamesAcceptInVaryOnce(t *testing.T) {
	t.Parallel()
	for preset, want := range map[string][]string{
		"accept": {"accept"}, "Origin, Accept": {"Origin, Accept"}, "*": {"*"}, "Accept-Encoding": {"Accept-Encoding", "Accept"},
	} {
		resp, _ := exchange(t, http.MethodGet, "", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Vary", preset)
			(&Problem{Status: 404}).ServeHTTP(w, r)
		})
		require.Equal(t, want, resp.Header.Values("Vary"))
	}
}

func TestWriteSaysWhenToRetry(t *testing.T) {
	t.Parallel()
	resp, body := exchange(t, http.MethodGet, "", (&Problem{Status: 503, RetryAfterSeconds: 30}).ServeHTTP)
	require.Equal(t, "30", resp.Header.Get("Retry-After"))
	require.Equal(t, `{"title":"Service Unavailable","status":503,"retry_after_seconds":30}`, body)

	// Passed on, the larger hint of the two that came in goes out.
	upstream := Parse(503, http.Header{"Retry-After": {"17"}, "Content-Type": {MediaTypeJSON}}, nil, []byte(`{"title":"T","retry_after_seconds":1}`))
	resp, body = exchange(t, http.MethodGet, "", upstream.ServeHTTP)
	require.Equal(t, "17", resp.Header.Get("Retry-After"))
	require.Equal(t, `{"title":"T","status":503,"retry_after_seconds":1}`, body)
	wait, ok := Parse(503, resp.Header, nil, []byte(body)).RetryAfter()
	require.True(t, ok)
	require.Equal(t, 17*time.Second, wait)
}

func TestHEADHasNoBody(t *testing.T) {
	t.Parallel()
	p := &Problem{Status: 404, RetryAfterSeconds: 3}
	_, body := exchange(t, http.MethodGet, "", p.ServeHTTP)
	resp, none := exchange(t, http.MethodHead, "", p.ServeHTTP)
	require.Empty(t, none)
	require.Equal(t, 404, resp.StatusCode)
	require.Equal(t, MediaTypeJSON, resp.Header.Get("Content-Type"))
	require.Equal(t, strconv.Itoa(len(body)), resp.Header.Get("Content-Length"))
	require.Equal(t, "3", resp.Header.Get("Retry-After"))

	recorder := httptest.NewRecorder()
	require.NoError(t, Write(recorder, httptest.NewRequest(http.MethodHead, "/", nil), p))
	require.Zero(t, recorder.Body.Len(), "not even for a writer that would take it")
}

func TestWriteKeepsOtherErrorsToItself(t *testing.T) {
	t.Parallel()
	p := parseAt(t, 502, "text/html", "<html>secret")
	p.Cause = errors.New("secret")
	_, body := exchange(t, http.MethodGet, "", p.ServeHTTP)
	require.Equal(t, `{"title":"Bad Gateway","status":502}`, body)
}

func TestWriteResolvesReferencesOfAnotherResponse(t *testing.T) {
	t.Parallel()
	p := parseAt(t, 409, MediaTypeJSON, `{"type":"p","title":"T","instance":"i","allowed_actions":[{"rel":"self","href":"a"},{"rel":"retry"}]}`)
	_, body := exchange(t, http.MethodGet, "", p.ServeHTTP)
	require.Equal(t, `{"type":"https://api.example.org/foo/bar/p","title":"T","status":409,"instance":"https://api.example.org/foo/bar/i",`+
		`"allowed_actions":[{"rel":"self","href":"https://api.example.org/foo/bar/a"},{"rel":"retry"}]}`, body)
	require.Equal(t, "p", p.Type)
	require.Equal(t, "a", p.AllowedActions[0].Href, "the problem itself is left alone")

	_, body = exchange(t, http.MethodGet, "", parseAt(t, 409, MediaTypeJSON, `{"type":"","title":"T"}`).ServeHTTP)
	require.Equal(t, `{"type":"https://api.example.org/foo/bar/123","title":"T","status":409}`, body)

	// One that is made here means what it says.
	_, body = exchange(t, http.MethodGet, "", (&Problem{Type: "/p", Status: 409, Instance: "/i"}).ServeHTTP)
	require.Equal(t, `{"type":"/p","status":409,"instance":"/i"}`, body)
}

func TestAProblemIsAHandler(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.Handle("/", &Problem{Status: 410})
	resp, body := exchange(t, http.MethodPost, "", mux.ServeHTTP)
	require.Equal(t, 410, resp.StatusCode)
	require.Equal(t, `{"title":"Gone","status":410}`, body)
}

// brokenWriter fails as a connection that is gone does.
type brokenWriter struct{ httptest.ResponseRecorder }

func (*brokenWriter) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestWriteReturnsTheErrorOfTheConnection(t *testing.T) {
	t.Parallel()
	require.ErrorIs(t, Write(&brokenWriter{}, nil, &Problem{Status: 404}), io.ErrClosedPipe)
	require.EqualError(t, Write(nil, nil, &Problem{}), "problem: no response writer")

	recorder := httptest.NewRecorder()
	require.NoError(t, Write(recorder, nil, &Problem{Status: 404}))
	require.Equal(t, `{"title":"Not Found","status":404}`, recorder.Body.String())
}

// served sends p over loopback and returns what the client reads.
func served(t *testing.T, accept string, p *Problem) *Problem {
	t.Helper()
	resp, body := exchange(t, http.MethodGet, accept, p.ServeHTTP)
	return Parse(resp.StatusCode, resp.Header, nil, []byte(body))
}

// bare returns p without what is known of its response.
func bare(p *Problem) Problem {
	b := *p
	b.present, b.memberStatus, b.base, b.retryHeader, b.requestID, b.body = 0, 0, nil, 0, "", Body{}
	return b
}

func TestWhatIsServedIsWhatIsRead(t *testing.T) {
	t.Parallel()
	problems := map[string]Problem{
		"little": {Title: "T", Status: 404},
		"much": {Type: "https://e.org/p?a=b", Title: " \"T\" <&> é😀\t\n\r", Status: 599, Detail: "d", Instance: "urn:i", Code: "c", RetryAfterSeconds: 60,
			AllowedActions: []Action{{Rel: "retry", OperationID: "o", Method: "POST", Hint: "h", SchemaRef: "#/s", Extensions: extensions("x", `["y"]`)}},
			Extensions:     extensions("list", `["a",["b"],{"c":"d"}]`, "object", `{"a":"b"}`, "text", `"x"`, "é", `"ü"`)},
	}
	for name, p := range problems {
		for _, accept := range []string{MediaTypeJSON, MediaTypeXML} {
			t.Run(name+" "+accept, func(t *testing.T) {
				t.Parallel()
				q := served(t, accept, &p)
				require.Equal(t, p, bare(q))
				require.Equal(t, BodyProblem, q.Body().Kind)
				require.Equal(t, accept, q.Body().MediaType)
			})
		}
	}
	// Types of JSON survive in JSON only.
	p := &Problem{Title: "T", Status: 404, Extensions: extensions("n1", "1.0E+2", "n2", "9007199254740993", "b1", "true", "z1", "null", "a b", "[]")}
	require.Equal(t, *p, bare(served(t, MediaTypeJSON, p)))
	q := served(t, MediaTypeXML, p)
	require.Equal(t, extensions("n1", `"1.0E+2"`, "n2", `"9007199254740993"`, "b1", `"true"`, "z1", `""`), q.Extensions)
}
