package problem

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// A requirement of RFC 9457. It is met, which its check shows, or it is out of
// scope, for the reason in the table of the package documentation.
type requirement struct {
	id    string
	check func(t *testing.T)
}

// TestConformance checks each requirement that the package meets. The table in
// doc.go names the subtests.
func TestConformance(t *testing.T) {
	t.Parallel()
	for _, r := range requirements {
		if r.check != nil {
			t.Run(r.id, func(t *testing.T) {
				t.Parallel()
				r.check(t)
			})
		}
	}
}

var requirements = []requirement{
	{"R1", func(t *testing.T) {
		for _, mediaType := range []string{"application/problem+json", "application/problem+xml"} {
			resp, _ := exchange(t, http.MethodGet, mediaType, (&Problem{Status: 404}).ServeHTTP)
			require.Equal(t, []string{mediaType}, resp.Header.Values("Content-Type"))
		}
	}},
	{"R2", nil},
	{"R3", func(t *testing.T) {
		resp, body := exchange(t, http.MethodGet, "image/png", (&Problem{Status: 404, Code: "c"}).ServeHTTP)
		require.Equal(t, MediaTypeJSON, resp.Header.Get("Content-Type"), "sent unasked")
		require.ErrorIs(t, Parse(404, resp.Header, nil, []byte(body)), Code("c"), "and taken unasked")
	}},
	{"R4", func(t *testing.T) {
		for _, wrong := range []string{`null`, `1`, `true`, `[]`, `{}`, `["x"]`} {
			p := parseAt(t, 404, MediaTypeJSON, `{"type":`+wrong+`,"title":`+wrong+`,"status":`+wrong+`,"detail":`+wrong+`,"instance":`+wrong+`,"x":1}`)
			require.Equal(t, document{typeURI: "about:blank", extensions: extensions("x", "1")}, documentOf(p))
		}
	}},
	{"R5", func(t *testing.T) {
		p := parseAt(t, 404, MediaTypeJSON, `{"type":"../out-of-credit"}`)
		require.ErrorIs(t, p, Type("https://api.example.org/foo/out-of-credit"))
		require.NotErrorIs(t, p, Type("../out-of-credit"))
	}},
	{"R6", func(t *testing.T) {
		for _, body := range []string{`{}`, `{"type":null}`, `{"type":17}`} {
			require.ErrorIs(t, parseAt(t, 404, MediaTypeJSON, body), AboutBlank)
		}
	}},
	{"R7", nil},
	{"R8", func(t *testing.T) {
		var requests atomic.Int64
		server := serveOnce(t, func(http.ResponseWriter, *http.Request) { requests.Add(1) })
		p := parseAt(t, 404, MediaTypeJSON, `{"type":"`+server.URL+`/t","instance":"`+server.URL+`/i","allowed_actions":[{"href":"`+server.URL+`/a"}]}`)
		textsOf(p)
		require.ErrorIs(t, p, Type(server.URL+"/t"))
		server.Close()
		require.Zero(t, requests.Load())
	}},
	{"R9", func(t *testing.T) {
		header := http.Header{"Content-Type": {MediaTypeJSON}, "Content-Location": {"/errors/en/1"}}
		base := httptest.NewRequest(http.MethodGet, requestURL, nil).URL
		require.Equal(t, "https://api.example.org/errors/en/t", Parse(404, header, base, []byte(`{"type":"t"}`)).TypeURI())
		require.Equal(t, "https://api.example.org/foo/bar/t", parseAt(t, 404, MediaTypeJSON, `{"type":"t"}`).TypeURI())
	}},
	{"R10", func(t *testing.T) {
		require.Error(t, Definition{Type: "/errors/t", Title: "T", Status: 404}.Validate())
		_, body := exchange(t, http.MethodGet, "", parseAt(t, 404, MediaTypeJSON, `{"type":"t"}`).ServeHTTP)
		require.Equal(t, `{"type":"https://api.example.org/foo/bar/t","status":404}`, body)
	}},
	{"R11", func(t *testing.T) {
		for _, uri := range []string{"tag:e.org,2026:t", "urn:example:t", "mailto:a@e.org", "about:blank"} {
			require.Equal(t, uri, parseAt(t, 404, MediaTypeJSON, `{"type":"`+uri+`"}`).TypeURI())
			require.NoError(t, Definition{Type: uri, Title: "T", Status: 404}.Validate())
		}
	}},
	{"R12", func(t *testing.T) {
		for _, status := range []int{-1, 0, 200, 404, 503, 600} {
			for _, accept := range []string{MediaTypeJSON, MediaTypeXML} {
				q := served(t, accept, &Problem{Status: status, Extensions: extensions("status", "1")})
				member, ok := q.StatusMember()
				require.True(t, ok)
				require.Equal(t, q.Status, member)
			}
		}
	}},
	{"R13", func(t *testing.T) {
		p := parseAt(t, 503, MediaTypeJSON, `{"status":404}`)
		require.ErrorIs(t, p, Status(503))
		require.True(t, p.StatusMismatch())
		var kept Problem
		require.NoError(t, json.Unmarshal([]byte(`{"status":404}`), &kept))
		require.ErrorIs(t, &kept, Status(404))
	}},
	{"R14", func(t *testing.T) {
		d := Definition{Type: "https://e.org/t", Title: "T", Status: 404}
		require.Equal(t, d.New("one").Title, d.New("two").Title)
	}},
	{"R15", func(t *testing.T) {
		p := parseAt(t, 429, MediaTypeJSON, `{"detail":"code rate_limited: retry after 60 seconds at https://e.org/t"}`)
		_, ok := p.RetryAfter()
		require.False(t, ok)
		require.NotErrorIs(t, p, Code("rate_limited"))
		require.ErrorIs(t, p, AboutBlank)
	}},
	{"R16", func(t *testing.T) {
		_, body := exchange(t, http.MethodGet, "", (&Problem{Status: 500, Cause: http.ErrAbortHandler}).ServeHTTP)
		require.Equal(t, `{"title":"Internal Server Error","status":500}`, body)
	}},
	{"R17", func(t *testing.T) {
		require.Equal(t, "https://api.example.org/foo/bar/i", parseAt(t, 404, MediaTypeJSON, `{"instance":"i"}`).InstanceURI())
		require.Equal(t, "urn:uuid:1", parseAt(t, 404, MediaTypeJSON, `{"instance":"urn:uuid:1"}`).InstanceURI())
	}},
	{"R18", func(t *testing.T) {
		_, body := exchange(t, http.MethodGet, "", parseAt(t, 404, MediaTypeJSON, `{"title":"T","instance":"i"}`).ServeHTTP)
		require.Equal(t, `{"title":"T","status":404,"instance":"https://api.example.org/foo/bar/i"}`, body)
	}},
	{"R19", func(t *testing.T) {
		p := &Problem{Status: 403}
		require.NoError(t, p.SetExtension("balance", 30))
		balance, ok := Extension[int](served(t, MediaTypeJSON, p), "balance")
		require.True(t, ok)
		require.Equal(t, 30, balance)
	}},
	{"R20", func(t *testing.T) {
		known := parseAt(t, 404, MediaTypeJSON, `{"title":"T","code":"c"}`)
		more := parseAt(t, 404, MediaTypeJSON, `{"title":"T","x":{"title":"no"},"Code":"no","code":"c"}`)
		require.Equal(t, known.Error(), more.Error())
		require.Equal(t, extensions("x", `{"title":"no"}`, "Code", `"no"`), more.Extensions)
	}},
	{"R21", func(t *testing.T) {
		p := &Problem{Status: 404, Extensions: extensions("good_name", `"x"`, "bad name", `"x"`)}
		require.Equal(t, extensions("good_name", `"x"`), served(t, MediaTypeXML, p).Extensions)
		require.Equal(t, p.Extensions, served(t, MediaTypeJSON, p).Extensions)
	}},
	{"R22", func(t *testing.T) {
		for _, d := range []Definition{{Title: "T", Status: 404}, {Type: "https://e.org/t", Status: 404}, {Type: "https://e.org/t", Title: "T"}} {
			require.Error(t, d.Validate())
		}
	}},
	{"R23", func(t *testing.T) {
		p := Definition{Type: "https://e.org/t", Title: "T", Status: 503}.New("")
		p.RetryAfterSeconds = 30
		resp, _ := exchange(t, http.MethodGet, "", p.ServeHTTP)
		require.Equal(t, "30", resp.Header.Get("Retry-After"))
	}},
	{"R24", nil},
	{"R25", nil},
	{"R26", func(t *testing.T) {
		d := Definition{Type: "https://iana.org/assignments/http-problem-types#date", Title: "Date Not Acceptable", Status: 400}
		require.NoError(t, d.Validate())
		require.ErrorIs(t, served(t, MediaTypeJSON, d.New("")), d)
	}},
	{"R27", func(t *testing.T) {
		require.Equal(t, "Not Found", served(t, MediaTypeJSON, &Problem{Status: 404}).Title)
		require.Equal(t, "Nicht gefunden", served(t, MediaTypeJSON, &Problem{Status: 404, Title: "Nicht gefunden"}).Title)
		require.Empty(t, served(t, MediaTypeJSON, &Problem{Status: 404, Type: "https://e.org/t"}).Title)
	}},
	{"R28", func(t *testing.T) {
		upstream := parseAt(t, 502, "text/html", "<html>secret")
		upstream.Cause, upstream.requestID = http.ErrAbortHandler, "secret"
		resp, body := exchange(t, http.MethodGet, "", upstream.ServeHTTP)
		require.Equal(t, `{"title":"Bad Gateway","status":502}`, body)
		require.Empty(t, resp.Header.Get("X-Request-Id"))
	}},
	{"R29", func(t *testing.T) {
		resp, _ := exchange(t, http.MethodGet, "application/problem+json;q=0.1, application/problem+xml", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Language", "de")
			(&Problem{Status: 404, Title: "Nicht gefunden"}).ServeHTTP(w, r)
		})
		require.Equal(t, MediaTypeXML, resp.Header.Get("Content-Type"))
		require.Equal(t, "de", resp.Header.Get("Content-Language"))
	}},
	{"R30", func(t *testing.T) {
		p := &Problem{Title: "T", Status: 404, Extensions: extensions("accounts", `["a","b"]`, "owner", `{"name":"x"}`)}
		require.Equal(t, inXML(`<title>T</title><status>404</status><accounts><i>a</i><i>b</i></accounts><owner><name>x</name></owner>`), string(p.xmlDocument()))
		require.Equal(t, p.Extensions, served(t, MediaTypeXML, p).Extensions)
	}},
	{"R31", func(t *testing.T) {
		for _, status := range []string{"99", "600", "404.5", `"404"`, "-404"} {
			_, ok := parseAt(t, 404, MediaTypeJSON, `{"status":`+status+`}`).StatusMember()
			require.False(t, ok, status)
		}
		for _, status := range []string{"100", "599"} {
			_, ok := parseAt(t, 404, MediaTypeJSON, `{"status":`+status+`}`).StatusMember()
			require.True(t, ok, status)
		}
	}},
	{"R32", func(t *testing.T) {
		encoded, err := json.Marshal(map[string]any{"results": []any{&Problem{Status: 404, Code: "c"}}})
		require.NoError(t, err)
		require.Equal(t, `{"results":[{"status":404,"code":"c"}]}`, string(encoded))
	}},
}

// The table in the documentation and the checks say the same.
func TestConformanceTableIsComplete(t *testing.T) {
	t.Parallel()
	documented := make(map[string]string)
	row := regexp.MustCompile(`(?m)^\s*(R\d+)\s+\S+\s+[\w-]+\s+(TestConformance/R\d+|out of scope: .+)$`)
	for _, match := range row.FindAllStringSubmatch(packageDoc(t), -1) {
		require.NotContains(t, documented, match[1])
		documented[match[1]] = match[2]
	}
	require.Len(t, requirements, 32)
	require.Len(t, documented, 32)
	for i, r := range requirements {
		require.Equal(t, fmt.Sprintf("R%d", i+1), r.id)
		if r.check != nil {
			require.Equal(t, "TestConformance/"+r.id, documented[r.id])
		} else {
			require.True(t, strings.HasPrefix(documented[r.id], "out of scope: "), r.id)
		}
	}
}

func packageDoc(t *testing.T) string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "doc.go", nil, parser.ParseComments)
	require.NoError(t, err)
	require.IsType(t, &ast.CommentGroup{}, file.Doc)
	return file.Doc.Text()
}
