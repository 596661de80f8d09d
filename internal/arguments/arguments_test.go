package arguments_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/internal/arguments"
	"github.com/opsroom-go/opsroom/internal/rawjson"
)

// An order is what the checks in these tests read: one member of each kind.
type order struct {
	id, color, note string
	count           int64
	urgent          bool
	extra           json.RawMessage
}

func readOrder(check *arguments.Check) (o order, err error) {
	o.id, _ = check.Text("orderId", arguments.Text{Required: true, Min: 1, Max: 5, PathSegment: true})
	o.color, _ = check.Text("color", arguments.Text{OneOf: []string{"red", "green", "blue"}})
	o.note, _ = check.Text("note", arguments.Text{
		Min: 2, Max: 100, Matches: func(s string) bool { return s == strings.ToLower(s) }, Pattern: "lower case",
	})
	o.count, _ = check.Integer("count", 1, 200)
	o.urgent, _ = check.Bool("urgent")
	o.extra = check.Object("extra")
	return o, check.Err()
}

func failuresOf(t *testing.T, err error) []opsroom.InputFailure {
	t.Helper()
	if err == nil {
		return nil
	}
	input, ok := errors.AsType[*opsroom.InputError](err)
	require.True(t, ok, "%T", err)
	require.Equal(t, "order", input.Operation)
	return input.Failures
}

func TestArgumentsThatAreInOrderAreReadExactly(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		raw  string
		want order
	}{
		"only what is required": {`{"orderId":"a"}`, order{id: "a"}},
		"everything": {
			` { "extra" : {"n": 9007199254740993, "n":1} ,"orderId":"a/b","color":"red","note":"ok","count":200,"urgent":true}` + "\n",
			order{id: "a/b", color: "red", note: "ok", count: 200, urgent: true, extra: json.RawMessage(`{"n": 9007199254740993, "n":1}`)},
		},
		"escaped names and values": {`{"order\u0049d":"\ud83d\ude00\n"}`, order{id: "😀\n"}},
		"lengths in code points":   {`{"orderId":"漢漢漢漢漢"}`, order{id: "漢漢漢漢漢"}},
		"a whole fraction":         {`{"orderId":"a","count":5.0}`, order{id: "a", count: 5}},
		"an exponent":              {`{"orderId":"a","count":0.5e1}`, order{id: "a", count: 5}},
		"dots that are no segment": {`{"orderId":"..."}`, order{id: "..."}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := readOrder(arguments.FromJSON("order", json.RawMessage(test.raw)))
			require.NoError(t, err)
			require.Equal(t, test.want, got)
		})
	}
}

func TestNothingAndNullAreNoArguments(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{"", " \t\r\n", "null", " null ", "{}"} {
		check := arguments.FromJSON("order", json.RawMessage(raw))
		_, given := check.Text("color", arguments.Text{})
		require.False(t, given, "%q", raw)
		require.NoError(t, check.Err(), "%q", raw)
	}
}

func TestWhatIsNoObjectFailsOnceAsAWhole(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]opsroom.InputFailure{
		`[]`:         {Rule: opsroom.RuleType, Message: "must be a JSON object, not an array"},
		`"x"`:        {Rule: opsroom.RuleType, Message: "must be a JSON object, not a string"},
		`5`:          {Rule: opsroom.RuleType, Message: "must be a JSON object, not a number"},
		`true`:       {Rule: opsroom.RuleType, Message: "must be a JSON object, not a boolean"},
		`{"orderId"`: {Rule: opsroom.RuleSyntax, Message: "must be one JSON object: the document is not one complete JSON value"},
		`{} {}`:      {Rule: opsroom.RuleSyntax, Message: "must be one JSON object: data follows the JSON value"},
		"\u00a0{}":   {Rule: opsroom.RuleSyntax, Message: "must be one JSON object: the document is not one complete JSON value"},
		"\xff":       {Rule: opsroom.RuleSyntax, Message: "must be one JSON object: the document is not one complete JSON value"},
		strings.Repeat(`{"a":`, 10_001) + "1" + strings.Repeat("}", 10_001): {
			Rule: opsroom.RuleSyntax, Message: "must be one JSON object: the document is not one complete JSON value",
		},
	} {
		_, err := readOrder(arguments.FromJSON("order", json.RawMessage(raw)))
		require.Equal(t, []opsroom.InputFailure{want}, failuresOf(t, err), "%.40q", raw)
	}
}

func TestEachRuleHasItsFailure(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		raw     string // of the members but orderId
		pointer string
		rule    opsroom.Rule
		message string
	}{
		"text of another kind":  {`"color":5`, "/color", opsroom.RuleType, "must be a string, not a number"},
		"null":                  {`"color":null`, "/color", opsroom.RuleType, "must be a string, not null"},
		"not allowed":           {`"color":"Red"`, "/color", opsroom.RuleEnum, `must be red, green or blue, not "Red"`},
		"empty, one of several": {`"color":""`, "/color", opsroom.RuleEnum, `must be red, green or blue, not ""`},
		"too short":             {`"note":"a"`, "/note", opsroom.RuleMinLength, "must have at least 2 characters, has 1"},
		"too long":              {`"note":"` + strings.Repeat("漢", 101) + `"`, "/note", opsroom.RuleMaxLength, "must have at most 100 characters, has 101"},
		"another pattern":       {`"note":"Aa"`, "/note", opsroom.RulePattern, `must be lower case, not "Aa"`},
		"a long value":          {`"note":"A` + strings.Repeat("x", 60) + `"`, "/note", opsroom.RulePattern, `must be lower case, not "A` + strings.Repeat("x", 39) + `"…`},
		"high surrogate alone":  {`"note":"a\ud800"`, "/note", opsroom.RuleUnicode, "must be valid Unicode text"},
		"low surrogate alone":   {`"note":"a\uDC00b"`, "/note", opsroom.RuleUnicode, "must be valid Unicode text"},
		"two high surrogates":   {`"note":"\ud83d\ud83d\ude00"`, "/note", opsroom.RuleUnicode, "must be valid Unicode text"},
		"two low surrogates":    {`"note":"\udc00\udc00"`, "/note", opsroom.RuleUnicode, "must be valid Unicode text"},
		"a broken byte":         {"\"note\":\"ab\xff\"", "/note", opsroom.RuleUnicode, "must be valid Unicode text"},
		"a surrogate in UTF-8":  {"\"note\":\"\xed\xa0\x80\"", "/note", opsroom.RuleUnicode, "must be valid Unicode text"},
		"a fraction":            {`"count":1.5`, "/count", opsroom.RuleType, `must be an integer, not "1.5"`},
		"a number as text":      {`"count":"5"`, "/count", opsroom.RuleType, "must be a number, not a string"},
		"too small":             {`"count":0`, "/count", opsroom.RuleMinimum, "must be at least 1"},
		"minus zero":            {`"count":-0`, "/count", opsroom.RuleMinimum, "must be at least 1"},
		"too large":             {`"count":201`, "/count", opsroom.RuleMaximum, "must be at most 200"},
		"beyond all doubles":    {`"count":1e400`, "/count", opsroom.RuleMaximum, "must be at most 200"},
		"below all doubles":     {`"count":-1e400`, "/count", opsroom.RuleMinimum, "must be at least 1"},
		"boolean as text":       {`"urgent":"true"`, "/urgent", opsroom.RuleType, "must be a boolean, not a string"},
		"object as null":        {`"extra":null`, "/extra", opsroom.RuleType, "must be an object, not null"},
		"object as array":       {`"extra":[]`, "/extra", opsroom.RuleType, "must be an object, not an array"},
		"object as text":        {`"extra":"x"`, "/extra", opsroom.RuleType, "must be an object, not a string"},
		"broken byte in object": {"\"extra\":{\"a\":\"\xff\"}", "/extra", opsroom.RuleUnicode, "must hold only valid Unicode text"},
		"given twice":           {`"count":5,"count":5`, "/count", opsroom.RuleDuplicate, "must be given only once"},
		"twice, once escaped":   {`"count":5,"c\u006funt":5`, "/count", opsroom.RuleDuplicate, "must be given only once"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := readOrder(arguments.FromJSON("order", json.RawMessage(`{"orderId":"a",`+test.raw+`}`)))
			require.Equal(t, []opsroom.InputFailure{
				{Pointer: test.pointer, Rule: test.rule, Message: test.message},
			}, failuresOf(t, err))
		})
	}
}

func TestPathSegmentsMustBeCarriedByAURL(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]opsroom.InputFailure{
		`{}`:                           {Pointer: "/orderId", Rule: opsroom.RuleRequired, Message: "is required"},
		`{"orderId":""}`:               {Pointer: "/orderId", Rule: opsroom.RuleMinLength, Message: "must have at least 1 character, has 0"},
		`{"orderId":"."}`:              {Pointer: "/orderId", Rule: opsroom.RulePathSegment, Message: `must not be ".": a URL path cannot carry it`},
		`{"orderId":".\u002e"}`:        {Pointer: "/orderId", Rule: opsroom.RulePathSegment, Message: `must not be "..": a URL path cannot carry it`},
		`{"orderId":"a","orderId":""}`: {Pointer: "/orderId", Rule: opsroom.RuleDuplicate, Message: "must be given only once"},
	} {
		_, err := readOrder(arguments.FromJSON("order", json.RawMessage(raw)))
		require.Equal(t, []opsroom.InputFailure{want}, failuresOf(t, err), raw)
	}
}

func TestAllFailuresComeAtOnceInTheOrderOfTheSchema(t *testing.T) {
	t.Parallel()
	raw := `{"zzz":1,"extra":[],"count":0,"colour":"red","note":"A","color":"x","zzz":2,"urgent":1}`
	_, err := readOrder(arguments.FromJSON("order", json.RawMessage(raw)))
	require.EqualError(t, err, `order: invalid arguments, nothing was sent: `+
		`orderId: is required; `+
		`color: must be red, green or blue, not "x"; `+
		`note: must have at least 2 characters, has 1; `+
		`count: must be at least 1; `+
		`urgent: must be a boolean, not a number; `+
		`extra: must be an object, not an array; `+
		`zzz: is not a known member; `+
		`colour: is not a known member (did you mean "color"?)`)
}

func TestUnknownMembersAreToldTheNearestName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"order_id":              "orderId",
		"ORDERID":               "orderId",
		"order-Id":              "orderId",
		"oderId":                "orderId",
		"orderIdd":              "orderId",
		"order":                 "orderId",
		"color ":                "color",
		"kolor":                 "color",
		"conut":                 "count",
		"id":                    "",
		"limit":                 "",
		"":                      "",
		strings.Repeat("a", 65): "",
	} {
		check := arguments.FromJSON("order", json.RawMessage(`{"orderId":"a",`+string(rawjson.Quote(name))+`:1}`))
		_, err := readOrder(check)
		require.Equal(t, []opsroom.InputFailure{
			{Pointer: "/" + name, Rule: opsroom.RuleUnknown, Message: "is not a known member", Suggestion: want},
		}, failuresOf(t, err), name)
	}
}

func TestPointersAreEscaped(t *testing.T) {
	t.Parallel()
	_, err := readOrder(arguments.FromJSON("order", json.RawMessage(`{"orderId":"a","a/b~c":1}`)))
	require.Equal(t, "/a~1b~0c", failuresOf(t, err)[0].Pointer)
}

func TestTypedParametersTakeTheSameRoad(t *testing.T) {
	t.Parallel()
	got, err := readOrder(arguments.FromValues("order",
		arguments.StringValue("orderId", "a\"\n"), arguments.IntegerValue("count", 7), arguments.BoolValue("urgent", true)))
	require.NoError(t, err)
	require.Equal(t, order{id: "a\"\n", count: 7, urgent: true}, got)

	_, err = readOrder(arguments.FromValues("order",
		arguments.StringValue("orderId", "\xff"), arguments.StringValue("color", "grey"), arguments.IntegerValue("count", 1<<53+1)))
	require.Equal(t, []opsroom.InputFailure{
		{Pointer: "/orderId", Rule: opsroom.RuleUnicode, Message: "must be valid Unicode text"},
		{Pointer: "/color", Rule: opsroom.RuleEnum, Message: `must be red, green or blue, not "grey"`},
		{Pointer: "/count", Rule: opsroom.RuleMaximum, Message: "must be at most 200"},
	}, failuresOf(t, err))
}

func TestRefusedParametersFailInTheirPlace(t *testing.T) {
	t.Parallel()
	check := arguments.FromValues("order", arguments.StringValue("color", "grey"))
	check.Refuse("extra", opsroom.RuleType, "cannot be encoded")
	check.Refuse("orderId", opsroom.RuleType, "is odd")
	_, err := readOrder(check)
	require.EqualError(t, err, `order: invalid arguments, nothing was sent: `+
		`orderId: is odd; color: must be red, green or blue, not "grey"; extra: cannot be encoded`)
}

func TestIntegersAreExactUpToTheLargestSafeOne(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]int64{
		"9007199254740991":             arguments.MaxSafeInteger,
		"9007199254740991.0":           arguments.MaxSafeInteger,
		"9.007199254740991e15":         arguments.MaxSafeInteger,
		"9007199254740991000e-3":       arguments.MaxSafeInteger,
		"0":                            0,
		"-0":                           0,
		"0e999999999":                  0,
		"1e-400":                       0, // as the double that peers read
		"5.00000000000000000000000001": 5,
	} {
		check := arguments.FromJSON("n", json.RawMessage(`{"n":`+raw+`}`))
		got, given := check.Integer("n", 0, arguments.MaxSafeInteger)
		require.NoError(t, check.Err(), raw)
		require.True(t, given, raw)
		require.Equal(t, want, got, raw)
	}
	for _, raw := range []string{"9007199254740992", "9007199254740993", "1e16", "1e999999999", "-1", "-1e999999999"} {
		check := arguments.FromJSON("n", json.RawMessage(`{"n":`+raw+`}`))
		_, given := check.Integer("n", 0, arguments.MaxSafeInteger)
		require.False(t, given, raw)
		require.Error(t, check.Err(), raw)
	}
}

// FuzzText holds the text of a member against what encoding/json and utf8 make of it.
func FuzzText(f *testing.F) {
	for _, seed := range []string{`"a"`, `"\ud800"`, `"\ud83d\ude00"`, `"\\ud800"`, `"\\\ud800"`, `"\uDBFF\uDFFF"`, `"\ud800\u0041"`, "\"\xff\"", `"\ud800\\udc00"`, `"\udc00\ud800"`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if !json.Valid(raw) || rawjson.KindOf(raw) != rawjson.String {
			return
		}
		document := append(append([]byte(`{"text":`), raw...), '}')
		check := arguments.FromJSON("text", document)
		got, given := check.Text("text", arguments.Text{})

		var want string
		require.NoError(t, json.Unmarshal(raw, &want))
		// A replacement character that is not in the source stands for something lost.
		lost := strings.Count(want, "\ufffd") - strings.Count(string(raw), "\ufffd") -
			strings.Count(strings.ToLower(strings.ReplaceAll(string(raw), `\\`, "")), `\ufffd`)
		require.Equal(t, lost == 0, given)
		if given {
			require.Equal(t, want, got)
		}
	})
}
