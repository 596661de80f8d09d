package problem

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestJSONInIsJSONOut(t *testing.T) {
	t.Parallel()
	// Written as the package writes: members first, then extensions by name.
	for _, doc := range []string{
		`{}`,
		`{"type":"https://e.org/p","title":"T","status":404,"detail":"d","instance":"/i"}`,
		`{"type":"","title":"","detail":"","instance":"","code":"","allowed_actions":[],"retry_after_seconds":0}`,
		`{"type":"relative","title":"T"}`,
		`{"title":"T","code":"c","allowed_actions":[{"rel":"retry","operation_id":"o","method":"GET","hint":"h","href":"/x","schema_ref":"#/s","a":[1, 2],"b":null}],"retry_after_seconds":60}`,
		`{"title":"T","allowed_actions":[{},{"hint":null,"rel":""}]}`,
		`{"title":"T","allowed_actions":["retry"],"code":7,"retry_after_seconds":-1}`,
		`{"title":"T","":1,"Title":"x","a b":true,"big":9007199254740993,"e":1.0E+2,"nested":{ "a" : [ "\u0041<>&" , null ] },"é":"ü"}`,
		`{"title":"\"\\\n\u0001\u007f<>&` + "\u2028" + `é😀"}`,
	} {
		t.Run(doc, func(t *testing.T) {
			t.Parallel()
			var p Problem
			require.NoError(t, p.UnmarshalJSON([]byte(doc)))
			out, err := p.MarshalJSON()
			require.NoError(t, err)
			require.Equal(t, doc, string(out))

			// And through encoding/json, which changes spaces and escapes only.
			var q *Problem
			require.NoError(t, json.Unmarshal([]byte(doc), &q))
			out, err = json.Marshal(q)
			require.NoError(t, err)
			require.JSONEq(t, doc, string(out))
		})
	}
}

func TestAProblemIsEncodedWithinOtherValues(t *testing.T) {
	t.Parallel()
	type record struct {
		P Problem  `json:"p"`
		Q *Problem `json:"q"`
	}
	in := record{P: Problem{Title: "T", Code: "c"}, Q: &Problem{Status: 404, Extensions: extensions("x", "[1]")}}
	encoded, err := json.Marshal(in)
	require.NoError(t, err)
	require.Equal(t, `{"p":{"title":"T","code":"c"},"q":{"status":404,"x":[1]}}`, string(encoded))
	var out record
	require.NoError(t, json.Unmarshal(encoded, &out))
	require.Equal(t, "c", out.P.Code)
	require.Equal(t, extensions("x", "[1]"), out.Q.Extensions)
}

func TestUnmarshalTakesTheStatusOfTheMember(t *testing.T) {
	t.Parallel()
	var p Problem
	require.NoError(t, json.Unmarshal([]byte(`{"title":"T","status":404,"detail":7}`), &p))
	require.Equal(t, 404, p.Status)
	require.False(t, p.StatusMismatch())
	require.Empty(t, p.Detail)
	require.Equal(t, BodyNone, p.Body().Kind)
	require.ErrorIs(t, &p, Status(404))
}

func TestUnmarshalKeepsItsOwnCopy(t *testing.T) {
	t.Parallel()
	data := []byte(`{"balance":30}`)
	var p Problem
	require.NoError(t, p.UnmarshalJSON(data))
	clear(data)
	require.Equal(t, extensions("balance", "30"), p.Extensions)
}

func TestUnmarshalReplacesWhatWasThere(t *testing.T) {
	t.Parallel()
	p := Problem{Title: "old", Code: "old", Extensions: extensions("old", "1")}
	require.NoError(t, json.Unmarshal([]byte(`{"detail":"new"}`), &p))
	require.Equal(t, document{typeURI: "about:blank", detail: "new"}, documentOf(&p))
}

func TestUnmarshalRefusesWhatIsNoObject(t *testing.T) {
	t.Parallel()
	const invalid, noObject = "problem: not valid JSON", "problem: a problem details document is a JSON object"
	for doc, want := range map[string]string{
		``: invalid, ` `: invalid, `{`: invalid, `{} x`: invalid, "{\"title\":\"\xff\"}": invalid, strings.Repeat("[", 20000): invalid,
		`[]`: noObject, `"x"`: noObject, `1`: noObject, `true`: noObject,
	} {
		p := Problem{Title: "old"}
		require.EqualError(t, p.UnmarshalJSON([]byte(doc)), want)
		require.Equal(t, "old", p.Title)
	}
	p := Problem{Title: "old"}
	require.NoError(t, json.Unmarshal([]byte(`null`), &p))
	require.Equal(t, "old", p.Title)
}

func TestMarshalWritesValidJSONWhateverTheExtensions(t *testing.T) {
	t.Parallel()
	p := &Problem{Title: "T\xff", Status: 404, Code: "c", RetryAfterSeconds: 1, AllowedActions: []Action{
		{Rel: "retry", Extensions: extensions("rel", `"shadow"`, "hint", "1", "bad", "{")},
	}, Extensions: extensions(
		"type", `"x"`, "title", `"x"`, "status", "1", "detail", `"x"`, "instance", `"x"`,
		"code", `"x"`, "allowed_actions", "[]", "retry_after_seconds", "9",
		"broken", `{"a":`, "trailing", "1 2", "empty", "", "bytes", "\"\xff\"", "name\xff", "1",
		"deep", strings.Repeat("[", 10000)+strings.Repeat("]", 10000),
		"ok", " [1] ",
	)}
	out, err := json.Marshal(p)
	require.NoError(t, err)
	require.Equal(t,
		`{"title":"T�","status":404,"code":"c","allowed_actions":[{"rel":"retry","hint":1}],"retry_after_seconds":1,"ok":[1]}`, string(out))
}

func TestMarshalTakesKnownExtensionsWhereTheFieldIsEmpty(t *testing.T) {
	t.Parallel()
	p := &Problem{Extensions: extensions("code", "7", "allowed_actions", "{}", "retry_after_seconds", `"x"`)}
	out, err := p.MarshalJSON()
	require.NoError(t, err)
	require.Equal(t, `{"allowed_actions":{},"code":7,"retry_after_seconds":"x"}`, string(out))
}

func TestTheDeepestDocumentSurvives(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", 9999) + strings.Repeat("]", 9999)
	p := parseAt(t, 500, MediaTypeJSON, `{"title":"T","x":`+deep+`}`)
	require.Equal(t, BodyProblem, p.Body().Kind)
	out, err := json.Marshal(p)
	require.NoError(t, err)
	require.Equal(t, `{"title":"T","status":500,"x":`+deep+`}`, string(out))
}

func TestExtensionsOfActionsAreBoundedInDepthToo(t *testing.T) {
	t.Parallel()
	array := func(depth int) string { return strings.Repeat("[", depth) + strings.Repeat("]", depth) }
	p := &Problem{Status: 409, AllowedActions: []Action{{Rel: "r", Extensions: extensions("x", array(9997), "y", array(9998))}}}
	out, err := json.Marshal(p)
	require.NoError(t, err)
	require.Equal(t, `{"status":409,"allowed_actions":[{"rel":"r","x":`+array(9997)+`}]}`, string(out))
}

func TestExtensionReadsAValueOfItsType(t *testing.T) {
	t.Parallel()
	p := parseAt(t, 403, MediaTypeJSON, `{"title":"T","balance":30,"accounts":["a","b"],"big":9007199254740993,"none":null,"text":"30","half":{"a":1,"b":"x"}}`)

	balance, ok := Extension[int](p, "balance")
	require.True(t, ok)
	require.Equal(t, 30, balance)
	accounts, ok := Extension[[]string](p, "accounts")
	require.True(t, ok)
	require.Equal(t, []string{"a", "b"}, accounts)
	big, ok := Extension[json.Number](p, "big")
	require.True(t, ok)
	require.Equal(t, json.Number("9007199254740993"), big)

	_, ok = Extension[string](p, "balance")
	require.False(t, ok, "a number is no text")
	_, ok = Extension[int](p, "text")
	require.False(t, ok, "a text is no number")
	_, ok = Extension[*int](p, "none")
	require.False(t, ok, "null is absent")
	_, ok = Extension[int](p, "missing")
	require.False(t, ok)
	half, ok := Extension[struct{ A, B int }](p, "half")
	require.False(t, ok)
	require.Zero(t, half, "nothing is half read")
}

func TestSetExtension(t *testing.T) {
	t.Parallel()
	var p Problem
	require.NoError(t, p.SetExtension("balance", 30))
	require.NoError(t, p.SetExtension("accounts", []string{"a"}))
	require.Equal(t, extensions("balance", "30", "accounts", `["a"]`), p.Extensions)
	for _, name := range []string{"type", "title", "status", "detail", "instance", "code", "allowed_actions", "retry_after_seconds"} {
		require.EqualError(t, p.SetExtension(name, 1), "problem: "+name+" is a field of Problem and no extension")
	}
	require.EqualError(t, p.SetExtension("x", make(chan int)), "problem: encode extension x: json: unsupported type: chan int")
	require.EqualError(t, p.SetExtension("\xff", 1), "problem: the name of an extension must be UTF-8")
	require.Len(t, p.Extensions, 2)
	require.EqualError(t, (*Problem)(nil).SetExtension("abc", 1), "problem: nil has no extensions")
}
