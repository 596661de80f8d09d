package problem

import (
	"encoding/xml"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// inXML wraps members in the root of a problem in XML.
func inXML(members string) string {
	return xml.Header + `<problem xmlns="urn:ietf:rfc:7807">` + members + `</problem>`
}

// The example of RFC 9457, Appendix B.
var outOfCreditXML = `<?xml version="1.0" encoding="UTF-8"?>
<problem xmlns="urn:ietf:rfc:7807">
  <type>https://example.com/probs/out-of-credit</type>
  <title>You do not have enough credit.</title>
  <detail>Your current balance is 30, but that costs 50.</detail>
  <instance>https://example.net/account/12345/msgs/abc</instance>
  <balance>30</balance>
  <accounts>
    <i>https://example.net/account/12345</i>
    <i>https://example.net/account/67890</i>
  </accounts>
</problem>`

func TestParseReadsTheExampleOfAppendixB(t *testing.T) {
	t.Parallel()
	p := parseAt(t, 403, "Application/Problem+XML; charset=utf-8", outOfCreditXML)
	require.Equal(t, document{
		typeURI: "https://example.com/probs/out-of-credit", title: "You do not have enough credit.",
		detail: "Your current balance is 30, but that costs 50.", instance: "https://example.net/account/12345/msgs/abc",
		extensions: extensions("balance", `"30"`, "accounts", `["https://example.net/account/12345","https://example.net/account/67890"]`),
	}, documentOf(p))
	require.Equal(t, BodyProblem, p.Body().Kind)

	balance, ok := Extension[int](p, "balance")
	require.True(t, ok, "what XML writes as text reads as the type that is asked for")
	require.Equal(t, 30, balance)
	text, ok := Extension[string](p, "balance")
	require.True(t, ok)
	require.Equal(t, "30", text)
	_, ok = Extension[bool](p, "balance")
	require.False(t, ok)
	_, ok = Extension[*int](parseAt(t, 403, MediaTypeXML, inXML(`<balance>null</balance>`)), "balance")
	require.False(t, ok)
}

func TestParseReadsXMLByTheRules(t *testing.T) {
	t.Parallel()
	const blank = "about:blank"
	tests := []struct {
		name, members string
		want          document
	}{
		{"no members", ``, document{typeURI: blank}},
		{"status", `<status> +0404 </status>`, document{typeURI: blank, member: 404}},
		{"status that is none", `<status>404.0</status>`, document{typeURI: blank}},
		{"status out of range", `<status>99999999999999999999</status>`, document{typeURI: blank}},
		{"URIs are trimmed, text is not", "<type>\n https://e.org/p </type><instance> /i </instance><title> T </title>",
			document{typeURI: "https://e.org/p", instance: "https://api.example.org/i", title: " T "}},
		{"a member with children is of the wrong type", `<title><b>T</b></title><detail>d</detail>`, document{typeURI: blank, detail: "d"}},
		{"the last of two counts", `<title>a</title><title>b</title><x>1</x><x>2</x>`,
			document{typeURI: blank, title: "b", extensions: extensions("x", `"2"`)}},
		{"the last of two counts within", `<a1><b>1</b><c>2</c><b>3</b></a1>`, document{typeURI: blank, extensions: extensions("a1", `{"c":"2","b":"3"}`)}},
		{"code", `<code>c</code>`, document{typeURI: blank, code: "c"}},
		{"names are exact", `<Title>T</Title>`, document{typeURI: blank, extensions: extensions("Title", `"T"`)}},
		{"nested", `<a1><b>1</b><c><i>x</i><i><d>y</d></i></c></a1>`,
			document{typeURI: blank, extensions: extensions("a1", `{"b":"1","c":["x",{"d":"y"}]}`)}},
		{"i among others is a member", `<a1><i>1</i><b>2</b></a1>`, document{typeURI: blank, extensions: extensions("a1", `{"i":"1","b":"2"}`)}},
		{"empty elements are empty text", `<a1/><b1></b1>`, document{typeURI: blank, extensions: extensions("a1", `""`, "b1", `""`)}},
		{"comments, instructions and CDATA", `<?x y?><title>a<!-- c -->b<![CDATA[<&]]></title>`, document{typeURI: blank, title: "ab<&"}},
		{"the entities of XML", `<title>&lt;&amp;&#x41;&#66;</title>`, document{typeURI: blank, title: "<&AB"}},
		{"other namespaces do not count", `<title>T</title><x:title xmlns:x="urn:x">no</x:title><y xmlns="">no</y><z1><q xmlns="urn:q"/>t</z1>`,
			document{typeURI: blank, title: "T", extensions: extensions("z1", `"t"`)}},
		{"names with a colon do not count", `<:a>1</:a><b:>2</b:>`, document{typeURI: blank}},
		{"attributes do not count", `<title lang="en">T</title>`, document{typeURI: blank, title: "T"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := parseAt(t, 404, MediaTypeXML, inXML(test.members))
			require.Equal(t, test.want, documentOf(p))
			require.Equal(t, BodyProblem, p.Body().Kind)
		})
	}
}

func TestParseReadsTheWayOnFromXML(t *testing.T) {
	t.Parallel()
	p := parseAt(t, 429, MediaTypeXML, inXML(`<code>rate_limited</code><retry_after_seconds>60</retry_after_seconds>`+
		`<allowed_actions><i><rel>retry-later</rel><href>/x</href></i></allowed_actions>`))
	require.Equal(t, []Action{{Rel: "retry-later", Href: "/x", URL: "https://api.example.org/x"}}, p.AllowedActions)
	wait, ok := p.RetryAfter()
	require.True(t, ok)
	require.Equal(t, time.Minute, wait)
	require.Equal(t, "429 Too Many Requests (rate_limited); retry after 60s; allowed actions: retry-later", p.Error())
}

func TestParseRecognisesXMLByItsNamespace(t *testing.T) {
	t.Parallel()
	doc := inXML(`<title>T</title>`)
	tests := []struct {
		name, mediaType, body string
		want                  BodyKind
	}{
		{"application/xml", "application/xml", doc, BodyProblem},
		{"no type", "", doc, BodyProblem},
		{"JSON's type", MediaTypeJSON, doc, BodyProblem},
		{"a prefix", MediaTypeXML, `<p:problem xmlns:p="urn:ietf:rfc:7807"><p:title>T</p:title></p:problem>`, BodyProblem},
		{"a byte order mark", MediaTypeXML, "\xef\xbb\xbf" + doc, BodyProblem},
		{"HTML is HTML", "text/html", doc, BodyHTML},
		{"no namespace", MediaTypeXML, `<problem><title>T</title></problem>`, BodyMarkup},
		{"another root", MediaTypeXML, `<error xmlns="urn:ietf:rfc:7807"/>`, BodyMarkup},
		{"other XML", "application/xml", `<error/>`, BodyMarkup},
		{"truncated", MediaTypeXML, doc[:60], BodyMalformed},
		{"truncated, undeclared", "application/xml", doc[:90], BodyMarkup},
		{"two roots", MediaTypeXML, doc + `<problem xmlns="urn:ietf:rfc:7807"/>`, BodyMarkup},
		{"text after it", MediaTypeXML, doc + "x", BodyMarkup},
		{"a comment after it", MediaTypeXML, doc + "\n<!-- x -->\n", BodyProblem},
		{"invalid UTF-8", MediaTypeXML, inXML("<title>caf\xe9</title>"), BodyMalformed},
		{"another encoding", MediaTypeXML, `<?xml version="1.0" encoding="ISO-8859-1"?><problem xmlns="urn:ietf:rfc:7807"/>`, BodyMalformed},
		{"no XML at all", MediaTypeXML, `title: T`, BodyMalformed},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, test.want, parseAt(t, 404, test.mediaType, test.body).Body().Kind)
		})
	}
}

func TestXMLExpandsAndFetchesNothing(t *testing.T) {
	t.Parallel()
	var requests atomic.Int64
	server := serveOnce(t, func(http.ResponseWriter, *http.Request) { requests.Add(1) })
	for name, doc := range map[string]string{
		"an internal entity": `<!DOCTYPE p [<!ENTITY a "secret">]><problem xmlns="urn:ietf:rfc:7807"><title>&a;</title></problem>`,
		"a billion laughs": `<!DOCTYPE p [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>` +
			`<problem xmlns="urn:ietf:rfc:7807"><title>&c;</title></problem>`,
		"an external entity": `<!DOCTYPE p [<!ENTITY a SYSTEM "` + server.URL + `/x">]><problem xmlns="urn:ietf:rfc:7807"><title>&a;</title></problem>`,
		"an external subset": `<!DOCTYPE p SYSTEM "` + server.URL + `/x"><problem xmlns="urn:ietf:rfc:7807"><title>T</title></problem>`,
		"an unknown entity":  `<problem xmlns="urn:ietf:rfc:7807"><title>&nbsp;</title></problem>`,
	} {
		p := parseAt(t, 500, MediaTypeXML, doc)
		require.Equal(t, BodyMalformed, p.Body().Kind, name)
		require.Equal(t, "500 Internal Server Error: the response body is not well-formed", p.Error())
	}
	require.Zero(t, requests.Load())
}

func TestXMLIsBoundedInDepthAndElements(t *testing.T) {
	t.Parallel()
	nested := func(depth int) string {
		return inXML(strings.Repeat("<a1>", depth) + strings.Repeat("</a1>", depth))
	}
	siblings := func(count int) string { return inXML("<a1>" + strings.Repeat("<i/>", count) + "</a1>") }
	tests := []struct {
		name, body string
		want       BodyKind
	}{
		{"127 below the root", nested(127), BodyProblem},
		{"128 below the root", nested(128), BodyMalformed},
		{"far deeper", nested(100000), BodyMalformed},
		{"9,998 siblings", siblings(9998), BodyProblem},
		{"9,999 siblings", siblings(9999), BodyMalformed},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, test.want, parseAt(t, 500, MediaTypeXML, test.body).Body().Kind)
		})
	}
}

func TestXMLIsWrittenByAppendixB(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		p    Problem
		want string
	}{
		{"members", Problem{Type: "https://e.org/p", Title: "a<b & \"c\"", Status: 404, Detail: "d\n", Instance: "/i"},
			`<type>https://e.org/p</type><title>a&lt;b &amp; &#34;c&#34;</title><status>404</status><detail>d&#xA;</detail><instance>/i</instance>`},
		{"known extensions", Problem{Code: "c", RetryAfterSeconds: 5, AllowedActions: []Action{{Rel: "retry", Hint: "h"}, {Rel: "wait"}}},
			`<code>c</code><allowed_actions><i><rel>retry</rel><hint>h</hint></i><i><rel>wait</rel></i></allowed_actions><retry_after_seconds>5</retry_after_seconds>`},
		{"arrays are items, objects are elements", Problem{Extensions: extensions("accounts", `["a",["b"],{"c":1}]`, "obj", `{"x":{"y":true}}`)},
			`<accounts><i>a</i><i><i>b</i></i><i><c>1</c></i></accounts><obj><x><y>true</y></x></obj>`},
		{"numbers keep their text", Problem{Extensions: extensions("n1", "9007199254740993", "n2", "1.0E+2")},
			`<n1>9007199254740993</n1><n2>1.0E+2</n2>`},
		{"nothing is an empty element", Problem{Extensions: extensions("a1", "null", "a2", "[]", "a3", "{}", "a4", `""`, "a5", "[null]")},
			`<a1></a1><a2></a2><a3></a3><a4></a4><a5><i></i></a5>`},
		{"names that XML has not are left out", Problem{Extensions: extensions("a b", "1", "1a", "1", "", "1", "x:y", "1", "a>", "1", "-a", "1", "é", "1", "a.b-c_1", "1",
			"xmlns", "1", "array", `{"i":1,"xmlns":2}`, "obj", `{"a b":1,"c":2}`, "gone", `{"a b":1}`, "\u2603", "1", "<evil/>", "1", "a\n", "1")},
			`<a.b-c_1>1</a.b-c_1><array></array><gone></gone><obj><c>2</c></obj><é>1</é>`},
		{"an object of i alone is left out", Problem{Extensions: extensions("a1", `{"i":1}`, "a2", `{"i":1,"b":2}`, "a3", `[{"i":1}]`, "a4", `{"i":1,"a b":2}`)},
			`<a1></a1><a2><i>1</i><b>2</b></a2><a3><i></i></a3><a4></a4>`},
		{"characters that XML has not", Problem{Title: "a\x00b\x1bc\ufffe"}, "<title>a\uFFFDb\uFFFDc\uFFFD</title>"},
		{"too deep for XML", Problem{Title: "T", Extensions: extensions("a1", strings.Repeat("[", 200)+strings.Repeat("]", 200))}, `<title>T</title>`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, inXML(test.want), string(test.p.xmlDocument()))
			encoded, err := xml.Marshal(&test.p)
			require.NoError(t, err)
			require.Equal(t, strings.TrimPrefix(inXML(test.want), xml.Header), string(encoded))

			// It reads back.
			require.Equal(t, BodyProblem, parseAt(t, 500, MediaTypeXML, inXML(test.want)).Body().Kind)
		})
	}
}

func TestTheDeepestXMLReadsBack(t *testing.T) {
	t.Parallel()
	for depth := 120; depth < 135; depth++ {
		p := &Problem{Title: "T", Status: 500, Extensions: extensions("a1", strings.Repeat("[", depth)+`"x"`+strings.Repeat("]", depth))}
		q := parseAt(t, 500, MediaTypeXML, string(p.xmlDocument()))
		require.Equal(t, BodyProblem, q.Body().Kind, depth)
		if depth <= 126 {
			require.Equal(t, p.Extensions, q.Extensions, depth)
		} else {
			require.Nil(t, q.Extensions, depth)
		}
	}
}

func TestXMLRoundTripsThroughEncodingXML(t *testing.T) {
	t.Parallel()
	in := Problem{Type: "/t", Title: " T\t", Status: 404, Detail: "d", Code: "c", RetryAfterSeconds: 7,
		AllowedActions: []Action{{Rel: "retry", Extensions: extensions("x", `"y"`)}}, Extensions: extensions("list", `["a",["b"]]`)}
	encoded, err := xml.Marshal(in)
	require.NoError(t, err)
	var out Problem
	require.NoError(t, xml.Unmarshal(encoded, &out))
	out.present, out.memberStatus = 0, 0
	require.Equal(t, in, out)

	type envelope struct {
		Problem Problem `xml:"urn:ietf:rfc:7807 problem"`
	}
	encoded, err = xml.Marshal(envelope{in})
	require.NoError(t, err)
	require.Equal(t, `<envelope><problem xmlns="urn:ietf:rfc:7807"><type>/t</type>`, string(encoded[:len(`<envelope><problem xmlns="urn:ietf:rfc:7807"><type>/t</type>`)]))
	var e envelope
	require.NoError(t, xml.Unmarshal(encoded, &e))
	require.Equal(t, "c", e.Problem.Code)
}

func TestUnmarshalXMLRefusesWhatIsNoProblem(t *testing.T) {
	t.Parallel()
	for doc, want := range map[string]error{
		`<problem/>`:                            errXMLRoot,
		`<error xmlns="urn:ietf:rfc:7807"/>`:    errXMLRoot,
		inXML(strings.Repeat("<a>", 200)):       errXMLBounds,
		inXML(`<!DOCTYPE x>`):                   errXMLDoctype,
		inXML(strings.Repeat("<i></i>", 10000)): errXMLBounds,
		inXML(`<title>T`)[:len(xml.Header)+45]:  nil,
	} {
		p := Problem{Title: "old"}
		err := xml.Unmarshal([]byte(doc), &p)
		require.Error(t, err)
		if want != nil {
			require.ErrorIs(t, err, want)
		}
		require.Equal(t, "old", p.Title)
	}
}

func TestXMLNames(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"a": true, "_a": true, "a-b.c_d1": true, "é": true, "数": true, "aé·": true,
		"xmlns": false, "xmlnsx": true, "": false, "1": false, "-a": false, ".a": false, "a b": false, "a:b": false, "a/": false, "a=": false, `a"`: false, "a&b": false,
		"a\x00": false, "a\xff": false, "×": false, "a😀": false, "a\n": false, "a>b<c": false, "a\u2003b": false,
	} {
		require.Equal(t, want, isXMLName(name), fmt.Sprintf("%q", name))
	}
}
