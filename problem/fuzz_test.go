package problem

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// requireSound asserts what holds for a problem that any bytes were read as.
func requireSound(t *testing.T, p *Problem) {
	t.Helper()
	for _, text := range []string{p.Error(), fmt.Sprintf("%+v", p), fmt.Sprintf("%#v", p), p.LogValue().String()} {
		requireSafeText(t, strings.ReplaceAll(text, "\n", ""))
	}
	require.NotContains(t, p.Error(), "\n")
	require.NotEmpty(t, p.TypeURI())
	wait, ok := p.RetryAfter()
	require.True(t, ok || wait == 0)
	require.True(t, wait >= 0 && wait <= 365*24*time.Hour, wait)
	require.LessOrEqual(t, len(p.Body().Raw), 64<<10)
	require.ErrorIs(t, p, Type(p.TypeURI()))

	encoded, err := json.Marshal(p)
	require.NoError(t, err)
	var decoded Problem
	require.NoError(t, json.Unmarshal(encoded, &decoded))

	// In JSON, what is served is what is read.
	sent := p.occurrence()
	sent.Cause = nil
	require.Equal(t, bare(&sent), bare(recorded(t, p, MediaTypeJSON)))
	// XML has text only: from there on, it is.
	once := recorded(t, p, MediaTypeXML)
	require.Equal(t, sent.Status, once.Status)
	again := once.occurrence()
	require.Equal(t, bare(&again), bare(recorded(t, once, MediaTypeXML)))
}

// recorded serves p without a network and reads what was sent.
func recorded(t *testing.T, p *Problem, accept string) *Problem {
	t.Helper()
	recorder := httptest.NewRecorder()
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.Header.Set("Accept", accept)
	require.NoError(t, Write(recorder, r, p))
	q := Parse(recorder.Code, recorder.Header(), nil, recorder.Body.Bytes())
	require.Equal(t, BodyProblem, q.Body().Kind)
	require.Equal(t, accept, q.Body().MediaType)
	require.False(t, q.StatusMismatch())
	return q
}

var jsonSeeds = []string{
	`{"type":"https://e.org/p","title":"T","status":404,"detail":"d","instance":"/i","code":"c","allowed_actions":[{"rel":"r","href":"/x","hint":null}],"retry_after_seconds":6e1,"x":[1,{"a":null}]}`,
	`{"type":1,"title":null,"status":"404"}`, `{"title":"a","title":"b"}`, `{"t\u0069tle":"\ud800"}`, `{"error":{"code":-1,"message":"m"}}`,
	`{"error":"e","error_description":"d"}`, `["x"]`, `{"title":"T"} x`, `{"title":`, `"x"`, `{"status":4.04e2,"title":"https://u:p@e.org/?q"}`,
	"\xef\xbb\xbf{}", "{\"title\":\"\xff\"}", `{"allowed_actions":[],"code":"","type":"","x":1e999}`, `{ "a" : { } , "b" : [ ] }`,
}

func FuzzParseJSON(f *testing.F) {
	for _, seed := range jsonSeeds {
		f.Add(404, seed)
	}
	f.Fuzz(func(t *testing.T, status int, body string) {
		p := Parse(status, http.Header{"Content-Type": {MediaTypeJSON}}, nil, []byte(body))
		requireSound(t, p)
		// The package and encoding/json agree on what is an object, and on its members.
		var want map[string]json.RawMessage
		isObject := json.Unmarshal([]byte(strings.TrimPrefix(body, "\xef\xbb\xbf")), &want) == nil && want != nil && validJSON([]byte(strings.TrimPrefix(body, "\xef\xbb\xbf")))
		require.Equal(t, isObject, p.Body().Kind == BodyProblem)
		if !isObject {
			return
		}
		for name, value := range p.Extensions {
			require.Equal(t, string(want[name]), string(value))
		}
		var title string
		if raw := want["title"]; len(raw) > 0 && raw[0] == '"' {
			require.NoError(t, json.Unmarshal(raw, &title))
		}
		require.Equal(t, title, p.Title)
	})
}

func FuzzParseXML(f *testing.F) {
	for _, seed := range []string{
		outOfCreditXML, inXML(`<title>T</title><status>404</status><a1><i>1</i><i><b>2</b></i></a1>`), inXML(`<x:y xmlns:x="urn:x"/><i>1</i>`),
		`<!DOCTYPE p [<!ENTITY a "x">]><problem xmlns="urn:ietf:rfc:7807"><title>&a;</title></problem>`, `<problem/>`, `<html>`, inXML("<:a/><b:/>"),
		`<p:problem xmlns:p="urn:ietf:rfc:7807"><p:title> &#x41;<![CDATA[<]]></p:title></p:problem><!-- -->`, inXML(strings.Repeat("<a>", 130)),
		inXML(`<retry_after_seconds> +5 </retry_after_seconds><allowed_actions><i><rel>r</rel></i></allowed_actions><type> </type>`),
	} {
		f.Add(404, seed)
	}
	f.Fuzz(func(t *testing.T, status int, body string) {
		requireSound(t, Parse(status, http.Header{"Content-Type": {MediaTypeXML}}, nil, []byte(body)))
	})
}

func FuzzParse(f *testing.F) {
	for _, seed := range append(jsonSeeds, outOfCreditXML, "", " ", "<html>", "text https://u:p@e.org/?q", "\x00", "caf\xe9", "\u202e") {
		for _, mediaType := range []string{"", "application/json", "text/plain; charset=utf-8", "text/html"} {
			f.Add(500, mediaType, "/errors/", "https://u:p@api.example.org/a/b?c=d#e", "17", []byte(seed))
		}
	}
	f.Fuzz(func(t *testing.T, status int, mediaType, location, base, retryAfter string, body []byte) {
		header := http.Header{"Content-Type": {mediaType}, "Content-Location": {location}, "Retry-After": {retryAfter}, "X-Request-Id": {location}}
		u, err := url.Parse(base)
		if err != nil {
			u = nil
		}
		p := Parse(status, header, u, body)
		requireSound(t, p)
		require.Equal(t, status, p.Status)
		if p.Body().Kind == BodyHTML || p.Body().Kind == BodyMarkup {
			require.Empty(t, p.Detail+p.Title)
		}
		requireSound(t, ParsePartial(status, header, u, body, ErrBodyTooLarge))
	})
}

func FuzzRetryAfter(f *testing.F) {
	for _, value := range []string{
		"17", "0", "-1", "31536000", "31536001", "9223372036854775808", "1.5", "", " 5 ", "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
	} {
		f.Add(value, "Sun, 06 Nov 1994 08:49:37 GMT", `60`)
		f.Add(value, "", `6e1`)
	}
	f.Fuzz(func(t *testing.T, value, date, member string) {
		header := http.Header{"Retry-After": {value}, "Date": {date}, "Content-Type": {MediaTypeJSON}}
		p := Parse(503, header, nil, []byte(`{"retry_after_seconds":`+member+`}`))
		requireSound(t, p)
		wait, ok := p.RetryAfterHeader()
		seconds, err := strconv.ParseUint(strings.Trim(value, " \t"), 10, 64)
		switch {
		case err == nil && seconds <= 31536000:
			require.True(t, ok)
			require.Equal(t, time.Duration(seconds)*time.Second, wait)
		case err == nil:
			require.False(t, ok)
		case ok:
			_, err := http.ParseTime(strings.Trim(value, " \t"))
			require.NoError(t, err)
		}
		// What the member says is what arbitrary precision says.
		var n json.Number
		if p.Body().Kind == BodyProblem && p.RetryAfterSeconds > 0 && json.Unmarshal([]byte(member), &n) == nil {
			float, err := n.Float64()
			require.NoError(t, err)
			require.InEpsilon(t, float64(p.RetryAfterSeconds), float, 1e-9)
		}
	})
}
