package benchmarks

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/moogar0880/problems"

	"github.com/opsroom-go/opsroom/problem"
)

// A typical problem of 300 bytes.
const document = `{"type":"https://example.com/probs/agent-name-too-long","title":"Validation failed","status":422,` +
	`"detail":"The name of the agent has 212 characters, and 200 are allowed.","instance":"/v1/agents/agent_01933b5a",` +
	`"code":"agent_name_too_long","limit":200,"fields":[{"name":"name","rule":"maxLength"}]}   `

var contentType = http.Header{"Content-Type": {problem.MediaTypeJSON}}

func BenchmarkProblemParse(b *testing.B) {
	body := []byte(document)
	if len(body) != 300 {
		b.Fatalf("the document has %d bytes", len(body))
	}
	b.Run("opsroom", func(b *testing.B) {
		base := &url.URL{Scheme: "https", Host: "example.com", Path: "/v1/agents"}
		b.ReportAllocs()
		for b.Loop() {
			if p := problem.Parse(422, contentType, base, body); p.Code != "agent_name_too_long" || len(p.Extensions) != 2 {
				b.Fatal(p)
			}
		}
	})
	// The five members and one extension alone: nothing else is kept.
	b.Run("encoding-json-struct", func(b *testing.B) {
		type members struct {
			Type, Title, Detail, Instance, Code string
			Status                              int
		}
		b.ReportAllocs()
		for b.Loop() {
			var p members
			if err := json.Unmarshal(body, &p); err != nil || p.Code != "agent_name_too_long" {
				b.Fatal(err)
			}
		}
	})
	// What is needed to keep the extensions too.
	b.Run("encoding-json-map", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var p map[string]json.RawMessage
			if err := json.Unmarshal(body, &p); err != nil || len(p) != 8 {
				b.Fatal(err)
			}
		}
	})
	// The five members alone: this library reads no extensions next to them.
	b.Run("moogar0880-problems", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var p problems.Problem
			if err := json.Unmarshal(body, &p); err != nil || p.Status != 422 {
				b.Fatal(err)
			}
		}
	})
}

// discard is a ResponseWriter that costs next to nothing.
type discard struct {
	header http.Header
	size   int
}

func (d *discard) Header() http.Header         { return d.header }
func (d *discard) WriteHeader(int)             {}
func (d *discard) Write(b []byte) (int, error) { d.size += len(b); return len(b), nil }

func BenchmarkProblemServe(b *testing.B) {
	const detail = "The name of the agent has 212 characters, and 200 are allowed."
	definition := problem.Definition{Type: "https://example.com/probs/agent-name-too-long", Title: "Validation failed", Status: 422}
	serve := func(b *testing.B, accept string, handler http.Handler) {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		if accept != "" {
			r.Header.Set("Accept", accept)
		}
		w := &discard{header: make(http.Header)}
		b.ReportAllocs()
		for b.Loop() {
			clear(w.header)
			handler.ServeHTTP(w, r)
		}
		if w.size == 0 {
			b.Fatal("nothing was written")
		}
	}
	p := definition.New(detail)
	p.Instance = "/v1/agents/agent_01933b5a"
	b.Run("opsroom", func(b *testing.B) { serve(b, "", p) })
	b.Run("opsroom-accept", func(b *testing.B) { serve(b, "application/json;q=0.9, application/problem+json", p) })
	b.Run("opsroom-xml", func(b *testing.B) { serve(b, problem.MediaTypeXML, p) })
	b.Run("encoding-json-struct", func(b *testing.B) {
		type members struct {
			Type     string `json:"type"`
			Title    string `json:"title"`
			Status   int    `json:"status"`
			Detail   string `json:"detail"`
			Instance string `json:"instance"`
		}
		m := &members{p.Type, p.Title, p.Status, p.Detail, p.Instance}
		serve(b, "", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", problem.MediaTypeJSON)
			w.WriteHeader(m.Status)
			if err := json.NewEncoder(w).Encode(m); err != nil {
				b.Error(err)
			}
		}))
	})
	peer := problems.NewDetailedProblem(422, detail).WithType(p.Type).WithTitle(p.Title).WithInstance(p.Instance)
	b.Run("moogar0880-problems", func(b *testing.B) { serve(b, "", problems.ProblemHandler(peer)) })
	b.Run("moogar0880-problems-xml", func(b *testing.B) { serve(b, "", problems.XMLProblemHandler(peer)) })
}
