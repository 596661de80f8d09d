package rawjson_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom/internal/rawjson"
)

func TestCheckTakesOneDocumentInValidUTF8(t *testing.T) {
	t.Parallel()
	for input, want := range map[string]string{
		`{}`:                          "",
		" \n[1, 2]\t":                 "",
		`"x"`:                         "",
		``:                            "the document is empty",
		" \n":                         "the document is empty",
		`{"a":`:                       "the document is not one complete JSON value",
		`{} {}`:                       "data follows the JSON value",
		`{"a":1}x`:                    "data follows the JSON value",
		"{\"a\":\"\xff\"}":            "the document is not valid UTF-8",
		"\ufeff{}":                    "the document is not one complete JSON value",
		strings.Repeat("[", 1<<20):    "the document is not one complete JSON value",
		`{"a":NaN}`:                   "the document is not one complete JSON value",
		strings.Repeat("[", 9) + "]]": "the document is not one complete JSON value",
	} {
		err := rawjson.Check([]byte(input))
		if want == "" {
			require.NoError(t, err, "%.40q", input)
		} else {
			require.EqualError(t, err, want, "%.40q", input)
		}
	}
}

func TestMembersAreExactAndInOrder(t *testing.T) {
	t.Parallel()
	members, err := rawjson.Members([]byte(` { "b" : 9007199254740993 , "a" : {"x":[1, "]}\"" ]}, "b": null,"é": "" } `))
	require.NoError(t, err)
	require.Equal(t, []rawjson.Member{
		{Name: "b", Value: json.RawMessage("9007199254740993")},
		{Name: "a", Value: json.RawMessage(`{"x":[1, "]}\"" ]}`)},
		{Name: "b", Value: json.RawMessage("null")},
		{Name: "é", Value: json.RawMessage(`""`)},
	}, members)

	last, found := rawjson.Lookup(members, "b")
	require.True(t, found)
	require.Equal(t, "null", string(last), "the last of a repeated name counts")
	_, found = rawjson.Lookup(members, "B")
	require.False(t, found, "names are matched exactly")
}

func TestMembersAndElementsRefuseOtherKinds(t *testing.T) {
	t.Parallel()
	_, err := rawjson.Members([]byte(`[1]`))
	require.EqualError(t, err, "object expected, array found")
	_, err = rawjson.Elements([]byte(`{"a":1}`))
	require.EqualError(t, err, "array expected, object found")
	_, err = rawjson.Elements(nil)
	require.EqualError(t, err, "array expected, nothing found")
}

func TestElementsAreExact(t *testing.T) {
	t.Parallel()
	elements, err := rawjson.Elements([]byte("[ {\"a\": 1e400},\n1.50 , null,\"x,]\" ]"))
	require.NoError(t, err)
	require.Equal(t, []json.RawMessage{[]byte(`{"a": 1e400}`), []byte("1.50"), []byte("null"), []byte(`"x,]"`)}, elements)

	elements, err = rawjson.Elements([]byte(" [ ] "))
	require.NoError(t, err)
	require.NotNil(t, elements)
	require.Empty(t, elements)
}

func TestQuoteSpellsStringsAsJSONStringify(t *testing.T) {
	t.Parallel()
	for input, want := range map[string]string{
		"plain <b>&":         `"plain <b>&"`,
		"\"\\\b\t\n\f\r\x01": `"\"\\\b\t\n\f\r\u0001"`,
		"\u2028é\U0001F600":  "\"\u2028é\U0001F600\"",
		"\xff":               "\"\xff\"",
	} {
		require.Equal(t, want, string(rawjson.Quote(input)))
	}
}

func TestSameValueLooksAtWhatDocumentsMean(t *testing.T) {
	t.Parallel()
	for _, pair := range [][2]string{
		{`{"a":1,"b":[true,null,"x"]}`, ` { "b" : [true, null, "\u0078"], "a" : 1.0 } `},
		{`{"a":1,"a":2}`, `{"a":2}`},
		{`9007199254740993`, `9007199254740992`},
		{`1e400`, `1e400`},
		{`[-0]`, `[0]`},
		{`"\ud83d\ude00"`, `"😀"`},
		{`{}`, `{ }`},
	} {
		require.True(t, rawjson.SameValue([]byte(pair[0]), []byte(pair[1])), pair)
		require.True(t, rawjson.SameValue([]byte(pair[1]), []byte(pair[0])), pair)
	}
	for _, pair := range [][2]string{
		{`{"a":1}`, `{"a":2}`}, {`{"a":1}`, `{"A":1}`}, {`{"a":1}`, `{"a":1,"b":2}`}, {`[1,2]`, `[2,1]`}, {`[1]`, `[1,1]`},
		{`1`, `"1"`}, {`null`, `false`}, {`null`, `{}`}, {`{}`, `[]`}, {`1e400`, `1e401`}, {`true`, `1`},
		{``, ``}, {`{`, `{`}, {`{}`, `{} {}`}, {`{"a":null}`, `{}`},
	} {
		require.False(t, rawjson.SameValue([]byte(pair[0]), []byte(pair[1])), pair)
		require.False(t, rawjson.SameValue([]byte(pair[1]), []byte(pair[0])), pair)
	}
}

func FuzzSplit(f *testing.F) {
	for _, seed := range []string{`{}`, `[]`, `{"a":[1,{"b":"\"]"}],"a":-1.5e3}`, ` [ "x" , null , true ] `, `{"\u0061":"\ud83d\ude00"}`, `[`, `{"a"`, `{"a":}`, `[,]`, `"\`, `{"a":1,}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		members, membersErr := rawjson.Members(raw) // neither may panic, whatever raw is
		elements, elementsErr := rawjson.Elements(raw)
		if rawjson.Check(raw) != nil {
			return
		}
		switch rawjson.KindOf(raw) {
		case rawjson.Object:
			require.NoError(t, membersErr)
			var want map[string]json.RawMessage
			require.NoError(t, json.Unmarshal(raw, &want))
			for name, value := range want {
				got, found := rawjson.Lookup(members, name)
				require.True(t, found)
				require.Equal(t, string(value), string(got))
			}
			require.GreaterOrEqual(t, len(members), len(want))
		case rawjson.Array:
			require.NoError(t, elementsErr)
			var want []json.RawMessage
			require.NoError(t, json.Unmarshal(raw, &want))
			require.Len(t, elements, len(want))
			for i := range want {
				require.Equal(t, string(bytes.TrimSpace(want[i])), string(elements[i]))
			}
		case rawjson.String:
			var want string
			require.NoError(t, json.Unmarshal(raw, &want))
			require.Equal(t, want, rawjson.Text(bytes.TrimSpace(raw)))
		}
	})
}
