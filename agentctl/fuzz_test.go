package agentctl_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/agentctl"
	"github.com/opsroom-go/opsroom/internal/rawjson"
)

// A recorder answers every request with success and keeps the last one.
type recorder struct {
	requests int
	uri      *url.URL
	body     []byte
}

func (r *recorder) RoundTrip(request *http.Request) (*http.Response, error) {
	r.requests++
	r.uri = request.URL
	r.body = nil
	if request.Body != nil {
		r.body, _ = io.ReadAll(request.Body)
	}
	return &http.Response{
		StatusCode: http.StatusOK, Request: request, ContentLength: -1,
		Body: io.NopCloser(strings.NewReader(`{"exceptions":[],"runs":[],"exception":{}}`)),
	}, nil
}

func newRecorded(t testing.TB) (*agentctl.Client, *recorder) {
	t.Helper()
	r := &recorder{}
	return newClient(t, opsroom.Endpoint{BaseURL: "http://127.0.0.1", HTTPClient: &http.Client{Transport: r}}, nil), r
}

// An oracle judges arguments by the published schema alone.
type oracle struct{ schema *jsonschema.Resolved }

func newOracle(t testing.TB, schema opsroom.Schema) oracle {
	t.Helper()
	resolved, err := schema.JSONSchema().Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true})
	require.NoError(t, err)
	return oracle{resolved}
}

// accepts returns the verdict, and the arguments as peers would read them.
func (o oracle) accepts(raw []byte) (map[string]any, bool) {
	if strings.Trim(string(raw), " \t\r\n") == "" {
		raw = []byte("{}")
	}
	if !json.Valid(raw) {
		return nil, false
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber() // encoding/json refuses numbers beyond all doubles, which are JSON
	var value any
	if decoder.Decode(&value) != nil {
		return nil, false
	}
	if value == nil {
		value = map[string]any{}
	}
	value = asDoubles(value)
	object, _ := value.(map[string]any)
	return object, o.schema.Validate(value) == nil
}

// asDoubles reads numbers as JSON peers do; what is out of range is the largest double.
func asDoubles(value any) any {
	switch v := value.(type) {
	case json.Number:
		number, _ := strconv.ParseFloat(string(v), 64)
		return min(max(number, -math.MaxFloat64), math.MaxFloat64)
	case []any:
		for i := range v {
			v[i] = asDoubles(v[i])
		}
	case map[string]any:
		for name := range v {
			v[name] = asDoubles(v[name])
		}
	}
	return value
}

// repeatedNames returns the names of members that the object has more than once.
func repeatedNames(t *testing.T, raw []byte) map[string]bool {
	t.Helper()
	repeated, seen := map[string]bool{}, map[string]bool{}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	_, err := decoder.Token()
	require.NoError(t, err)
	for decoder.More() {
		name, err := decoder.Token()
		require.NoError(t, err)
		repeated[name.(string)] = seen[name.(string)]
		seen[name.(string)] = true
		require.NoError(t, decoder.Decode(new(json.RawMessage)))
	}
	return repeated
}

// requireStricter holds a refusal of what the schema accepts against the rules that
// are stricter than the schema.
func requireStricter(t *testing.T, raw []byte, arguments map[string]any, err error) {
	t.Helper()
	input, ok := errors.AsType[*opsroom.InputError](err)
	require.True(t, ok, "%T", err)
	for _, failure := range input.Failures {
		name := strings.TrimPrefix(failure.Pointer, "/")
		switch failure.Rule {
		case opsroom.RuleDuplicate:
			require.True(t, repeatedNames(t, raw)[name], "%q is there once", name)
		case opsroom.RulePathSegment:
			require.Contains(t, []any{".", ".."}, arguments[name])
		case opsroom.RuleUnicode:
			lossy := strings.Contains(strings.ToLower(string(raw)), `\ud`) || bytes.ContainsFunc(raw, func(r rune) bool { return r == '\ufffd' })
			require.True(t, lossy, "%q is valid Unicode", raw)
		default:
			require.Fail(t, "the schema accepts it", "%s: %s", failure.Rule, failure)
		}
	}
}

// addDocuments adds seeds that each tool's fuzz test begins with.
func addDocuments(f *testing.F, documents ...string) {
	documents = append(documents, ``, ` `, `null`, `{}`, `[]`, `"x"`, `0`, `{`, `{}}`, "\ufeff{}", "\u00a0{}", "{\"a\":\"\xff\"}",
		`{"missionId":"m","limit":5.0,"offset":5e0}`, `{"missionId":"m","limit":1e400}`, `{"missionId":"m","offset":-0}`,
		`{"missionId":"m","offset":1e-400,"limit":2e2}`, `{"missionId":"m","offset":9007199254740991}`, `{"missionId":"m","offset":9007199254740992}`,
		`{"missionId":"m","offset":9007199254740991.4}`, `{"missionId":"m","offset":123456789e-2}`, `{"missionId":"m","offset":1e99999999999}`,
		`{"missionId":"m","missionId":"n"}`, `{"missionId":"m","status":"open","Status":"open"}`, "\t{ \"missionId\" :\r\n\"m\" } ",
		`{"missionId":"\ud83d\ude00"}`, `{"missionId":"\ud83d"}`, `{"missionId":"."}`, `{"missionId":".\u002e"}`, `{"m\u0069ssionId":"m"}`,
		`{"missionId":"`+strings.Repeat("😀", 128)+`"}`, `{"missionId":"`+strings.Repeat("漢", 129)+`"}`,
		strings.Repeat(`[`, 10_001), `{"missionId":`+strings.Repeat(`[`, 200)+strings.Repeat(`]`, 200)+`}`)
	for _, document := range documents {
		f.Add([]byte(document))
	}
}

func FuzzListExceptionsArguments(f *testing.F) {
	addDocuments(f, `{"missionId":"m","runId":"r","status":"open","severity":"info","limit":1,"offset":0}`, `{"status":"","severity":null}`)
	j := newJudge(f, "list_agent_exceptions")
	f.Fuzz(j.hold)
}

func FuzzListRunsArguments(f *testing.F) {
	addDocuments(f, `{"missionId":"m","status":"waiting_approval","limit":200,"offset":3}`, `{"missionId":"a/b","status":"open"}`)
	j := newJudge(f, "list_agent_runs")
	f.Fuzz(j.hold)
}

func FuzzRaiseExceptionArguments(f *testing.F) {
	const start = `{"runId":"r","category":"a.b","severity":"info","message":"m"`
	addDocuments(f, start+`}`, start+`,"detail":{},"stepId":"s"}`, start+`,"detail":null}`, start+`,"detail":[]}`, start+`,"detail":"x"}`,
		start+`,"detail":{"n":9007199254740993,"e":1e400,"z":-0,"a":1,"a":2}}`, start+`,"detail":{"s":"\ud800"}}`, "{\"detail\":{\"\xff\":1}}",
		start+`,"stepId":""}`, start+`,"stepId":null}`, start+`,"category":"a.b"}`, `{"runId":"r","category":"a\n","severity":"info","message":"m"}`,
		start+`,"detail":`+strings.Repeat(`{"a":`, 300)+`{}`+strings.Repeat(`}`, 300)+`}`, start+`,"detail":{ "w" : [ 1 , 2 ] }}`)
	j := newJudge(f, "raise_agent_exception")
	f.Fuzz(j.hold)
}

// A judge holds a tool's verdict on arguments, and the request that it sends, against
// the published schema.
type judge struct {
	oracle
	tool opsroom.Tool
	sent *recorder
}

func newJudge(t testing.TB, name string) *judge {
	client, sent := newRecorded(t)
	tool := toolOf(t, client, name)
	return &judge{oracle: newOracle(t, tool.InputSchema), tool: tool, sent: sent}
}

func (j *judge) hold(t *testing.T, raw []byte) {
	j.sent.requests = 0
	result, err := j.tool.Call(t.Context(), raw)
	arguments, accepted := j.accepts(raw)
	require.Equal(t, err != nil, result.IsError)
	if err != nil {
		require.Zero(t, j.sent.requests)
		if accepted {
			requireStricter(t, raw, arguments, err)
		}
		return
	}
	require.True(t, accepted, "the schema refuses it")
	require.Equal(t, 1, j.sent.requests)
	switch j.tool.Name {
	case "list_agent_exceptions":
		require.Equal(t, "/api/v1/agent/exceptions", j.sent.uri.Path)
		j.holdQuery(t, arguments)
	case "list_agent_runs":
		require.Equal(t, "/api/v1/agent/missions/"+arguments["missionId"].(string)+"/runs", j.sent.uri.Path)
		delete(arguments, "missionId")
		j.holdQuery(t, arguments)
	default:
		require.Equal(t, "/api/v1/agent/runs/"+arguments["runId"].(string)+"/exceptions", j.sent.uri.Path)
		j.holdBody(t, raw, arguments)
	}
}

// holdQuery requires the query to say exactly what the arguments say.
func (j *judge) holdQuery(t *testing.T, arguments map[string]any) {
	want := url.Values{}
	for name, value := range arguments {
		switch v := value.(type) {
		case string:
			want.Set(name, v)
		case float64:
			want.Set(name, strconv.FormatInt(int64(v), 10))
		}
	}
	got, err := url.ParseQuery(j.sent.uri.RawQuery)
	require.NoError(t, err)
	require.Equal(t, want, got)
}

// holdBody requires the body to say exactly what the arguments say but for the run.
func (j *judge) holdBody(t *testing.T, raw []byte, arguments map[string]any) {
	body, ok := j.accepts(append([]byte(`{"runId":"r",`), j.sent.body[1:]...))
	require.True(t, ok)
	delete(body, "runId")
	delete(arguments, "runId")
	require.Equal(t, arguments, body)
	members, err := rawjson.Members(j.sent.body)
	require.NoError(t, err)
	detail, _ := rawjson.Lookup(members, "detail")
	require.True(t, bytes.Contains(raw, detail), "detail is sent byte for byte")
}

// Values that random arguments are made of: such as the members want, and others.
var fuzzValues = map[string][]string{
	"missionId": {`"m"`, `"."`, `".."`, `"a/b"`, `"\ud83d\ude00"`, `"\udead"`, "\"\xc3\"", `"` + strings.Repeat("漢", 128) + `"`, `"` + strings.Repeat("é", 129) + `"`},
	"category":  {`"a"`, `"a.b-c"`, `"A"`, `"a..b"`, `"a\n"`, `"` + strings.Repeat("a", 120) + `"`, `"` + strings.Repeat("a", 121) + `"`},
	"severity":  {`"info"`, `"warning"`, `"critical"`, `"Info"`},
	"status":    {`"open"`, `"resolved"`, `"running"`, `"blocked"`, `"succeeded"`, `"x"`},
	"message":   {`"m"`, `"` + strings.Repeat("😀", 2000) + `"`, `"` + strings.Repeat("😀", 2001) + `"`, `"\u0000"`},
	"limit":     {`1`, `200`, `201`, `0`, `5.0`, `5e0`, `0.5`, `1e400`, `-1`, `1e-400`, `2.0e2`},
	"offset":    {`0`, `-0`, `9007199254740991`, `9007199254740992`, `9007199254740991.2`, `1e15`, `1e16`, `-1`, `1e-7`, `0e5000`},
	"detail":    {`{}`, `{"a":1e400,"a":null}`, `{ "\ud800" : [ -0 ] }`, "{\"\xff\":1}", `{"a":{"b":{"c":[]}}}`},
	"":          {`null`, `true`, `[]`, `{}`, `""`, `"x"`, `1`, `1.5`},
}

func randomArguments(random *rand.Rand, members []string) []byte {
	pick := func(from []string) string { return from[random.IntN(len(from))] }
	names := slices.Clone(members)
	random.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	names = names[:random.IntN(len(names)+1)]
	if random.IntN(2) == 0 {
		names = slices.Clone(members) // so that what is required is there often
	}
	if random.IntN(6) == 0 {
		names = append(names, pick([]string{"", "runid", "x", "detail ", "mission_id", pick(members)}))
	}
	var b strings.Builder
	for _, name := range names {
		values := fuzzValues[name]
		switch {
		case name == "runId" || name == "stepId":
			values = fuzzValues["missionId"]
		case values == nil || random.IntN(12) == 0:
			values = fuzzValues[""]
		}
		value := values[0]
		if random.IntN(3) == 0 {
			value = pick(values)
		}
		fmt.Fprintf(&b, ",%q: %s", name, value)
	}
	return []byte("{" + strings.TrimPrefix(b.String(), ",") + "}")
}

func TestRandomArgumentsGetTheVerdictOfTheSchema(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"list_agent_exceptions", "raise_agent_exception", "list_agent_runs"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := newJudge(t, name)
			members := slices.Sorted(maps.Keys(j.tool.InputSchema.JSONSchema().Properties))
			random := rand.New(rand.NewPCG(1, 2))
			taken := 0
			const documents = 4000
			for range documents {
				raw := randomArguments(random, members)
				j.hold(t, raw)
				taken += j.sent.requests
				if t.Failed() {
					t.Fatalf("%s", raw)
				}
			}
			require.Greater(t, taken, documents/50, "many arguments are in order")
			require.Less(t, taken, documents*9/10, "many are not")
		})
	}
}

// FuzzTypedAndToolAgree holds the typed form against the tool on the same values.
func FuzzTypedAndToolAgree(f *testing.F) {
	f.Add("m", "r", "open", "info", 5, int64(0))
	f.Add("", "..", "closed", "", -1, int64(-1))
	f.Add("\xff", strings.Repeat("漢", 129), "", "INFO", 201, int64(1)<<53)
	f.Add("\ufffd", "\u2028\x00\"\\", "resolved", "critical", 200, int64(1)<<53-1)
	client, sent := newRecorded(f)
	f.Fuzz(func(t *testing.T, missionID, runID, status, severity string, limit int, offset int64) {
		sent.uri = nil
		_, typed := client.ListExceptions(t.Context(), agentctl.ListExceptionsParams{
			MissionID: missionID, RunID: runID, Status: agentctl.ExceptionStatus(status), Severity: agentctl.Severity(severity), Limit: limit, Offset: offset,
		})
		want := sent.uri

		var members []string
		for _, m := range [][2]string{{"missionId", missionID}, {"runId", runID}, {"status", status}, {"severity", severity}} {
			if m[1] != "" {
				members = append(members, `"`+m[0]+`":`+string(rawjson.Quote(m[1])))
			}
		}
		for name, n := range map[string]int64{"limit": int64(limit), "offset": offset} {
			if n != 0 {
				members = append(members, `"`+name+`":`+strconv.FormatInt(n, 10))
			}
		}
		sent.uri = nil
		_, tool := call(t, client, "list_agent_exceptions", "{"+strings.Join(members, ",")+"}")
		require.Equal(t, typed, tool)
		require.Equal(t, want, sent.uri)
	})
}
