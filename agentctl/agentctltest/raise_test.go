package agentctltest_test

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom/agentctl/agentctltest"
)

func TestARaiseIsRecordedAndBlocksTheRun(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	server.AddRun(agentctltest.Run{ID: "r1", MissionID: "m1", MandateID: "d1"})
	body := `{ "detail" : {"n": 12345678901234567890.10, "a":[ 1 , null ],"\u00e9":"é<&>"}, "stepId":"s1",
		"message":"it \"broke\"\n\u00e9 \ud83d\ude00 <b>", "severity":"critical","category":"policy.spend-limit"}`
	a := post(t, server, raisePath("r1"), body)
	require.Equal(t, http.StatusCreated, a.status)
	require.Equal(t, "application/json", a.header.Get("Content-Type"))
	row := `{"id":"exc_000001","missionId":"m1","runId":"r1","stepId":"s1","category":"policy.spend-limit","severity":"critical",` +
		`"status":"open","message":"it \"broke\"\né 😀 <b>","detail":{"n": 12345678901234567890.10, "a":[ 1 , null ],"\u00e9":"é<&>"},` +
		`"createdAt":"2026-03-04T04:06:07.000008Z"}`
	require.Equal(t, `{"exception":`+row+`}`, a.body)
	require.Equal(t, `{"exceptions":[`+row+`]}`, get(t, server, exceptionsPath).body)
	require.Equal(t, `{"runs":[{"id":"r1","missionId":"m1","status":"blocked","mandate":{"id":"d1"},`+
		`"controlRecords":{"exceptions":1,"openExceptions":1,"pendingApprovals":0},"createdAt":"2026-03-04T04:06:07.000008Z"}]}`,
		get(t, server, runsPath("m1")).body)

	stored, found := server.Exception("exc_000001")
	require.True(t, found)
	require.Equal(t, agentctltest.Exception{
		ID: "exc_000001", MissionID: "m1", RunID: "r1", StepID: "s1", Category: "policy.spend-limit", Severity: "critical",
		Status: "open", Message: "it \"broke\"\né 😀 <b>", CreatedAt: standingClock().UTC(),
		Detail: json.RawMessage(`{"n": 12345678901234567890.10, "a":[ 1 , null ],"\u00e9":"é<&>"}`),
		Raw:    json.RawMessage(row),
	}, stored)
}

func TestARaiseNeedsNoMoreThanTheContractSays(t *testing.T) {
	t.Parallel()
	server := newServer(t, agentctltest.RaiseStatus(200))
	addRun(server)
	a := post(t, server, raisePath("r1"), goodRaise)
	require.Equal(t, http.StatusOK, a.status)
	require.Equal(t, `{"exception":{"id":"exc_000001","missionId":"m1","runId":"r1","category":"a.b","severity":"info",`+
		`"status":"open","message":"m","detail":{},"createdAt":"2026-03-04T04:06:07.000008Z"}}`, a.body)
}

// with returns a good raise with one member replaced or added.
func with(name, value string) string {
	members := map[string]json.RawMessage{}
	_ = json.Unmarshal([]byte(goodRaise), &members)
	var b strings.Builder
	for _, known := range []string{"category", "severity", "message"} {
		if known != name {
			b.WriteString(strconv.Quote(known) + ":" + string(members[known]) + ",")
		}
	}
	return "{" + b.String() + strconv.Quote(name) + ":" + value + "}"
}

func without(name string) string { return strings.Replace(with(name, "0"), `,"`+name+`":0`, "", 1) }

func quoted(s string) string {
	raw, _ := json.Marshal(s)
	return string(raw)
}

var raises = []struct {
	body  string
	code  string // "" is a raise that is recorded
	wrong string // in the detail
}{
	{goodRaise, "", ""},
	{with("detail", "{}"), "", ""},
	{with("detail", `{"a":null,"":[],"__proto__":1}`), "", ""},
	{with("detail", `{"a":1,"a":2}`), "", ""},
	{with("message", quoted(strings.Repeat("😀", 2000))), "", ""},
	{with("message", `" "`), "", ""},
	{with("stepId", quoted(strings.Repeat("é", 128))), "", ""},
	{with("category", `"a"`), "", ""},
	{with("category", `"a1.b2_c3:d4-5"`), "", ""},
	{with("category", quoted("a"+strings.Repeat(".b", 59)+"c")), "", ""},
	{"\r\n\t " + goodRaise + " ", "", ""},

	{"", "invalid_json", "empty"},
	{goodRaise + goodRaise, "invalid_json", "follows"},
	{goodRaise[1:], "invalid_json", ""},
	{`{"category":"a`, "invalid_json", ""},
	{strings.Replace(goodRaise, `"m"`, "\"\xff\"", 1), "invalid_json", "UTF-8"},
	{"\ufeff" + goodRaise, "invalid_json", ""},
	{"null", "invalid_body", "object expected, null found"},
	{"[]", "invalid_body", "object expected, array found"},
	{`"x"`, "invalid_body", "object expected, string found"},

	{with("runId", `"r1"`), "invalid_body", `"runId" is not a member`},
	{with("step_id", `"s"`), "invalid_body", `"step_id" is not a member`},
	{with("Category", `"a"`), "invalid_body", `"Category" is not a member`},
	{with(strings.Repeat("x", 99), `1`), "invalid_body", `"` + strings.Repeat("x", 40) + `"… is not a member`},
	{strings.Replace(goodRaise, "{", `{"severity":"info",`, 1), "invalid_body", "severity is given more than once"},

	{without("category"), "invalid_body", "category is missing"},
	{with("category", "null"), "invalid_body", "category must be a string"},
	{with("category", `""`), "invalid_body", "category is empty"},
	{with("category", quoted("a"+strings.Repeat(".b", 60))), "invalid_body", "category has more than 120 characters"},
	{with("category", `"A"`), "invalid_body", "category does not match"},
	{with("category", `"1a"`), "invalid_body", "category does not match"},
	{with("category", `"a..b"`), "invalid_body", "category does not match"},
	{with("category", `"a."`), "invalid_body", "category does not match"},
	{with("category", `"a b"`), "invalid_body", "category does not match"},
	{with("category", `"a\n"`), "invalid_body", "category does not match"},
	{with("category", `"ä"`), "invalid_body", "category does not match"},

	{without("severity"), "invalid_body", "severity is missing"},
	{with("severity", "3"), "invalid_body", "severity must be a string"},
	{with("severity", `""`), "invalid_body", "severity is empty"},
	{with("severity", `"high"`), "invalid_body", "severity must be one of info, warning, critical"},
	{with("severity", `"Info"`), "invalid_body", "severity must be one of"},

	{without("message"), "invalid_body", "message is missing"},
	{with("message", `["m"]`), "invalid_body", "message must be a string"},
	{with("message", `""`), "invalid_body", "message is empty"},
	{with("message", quoted(strings.Repeat("x", 2001))), "invalid_body", "message has more than 2000 characters"},

	{with("detail", "null"), "invalid_body", "detail must be an object"},
	{with("detail", "[]"), "invalid_body", "detail must be an object"},
	{with("detail", `"{}"`), "invalid_body", "detail must be an object"},

	{with("stepId", "null"), "invalid_body", "stepId must be a string"},
	{with("stepId", `""`), "invalid_body", "stepId is empty"},
	{with("stepId", quoted(strings.Repeat("😀", 129))), "invalid_body", "stepId has more than 128 characters"},

	{`{"detail":null,"x":1}`, "invalid_body", `"x" is not a member`},
	{`{"detail":null,"x":1}`, "invalid_body", "category is missing"},
	{`{"detail":null,"x":1}`, "invalid_body", "detail must be an object"},
}

func TestARaiseIsHeldAgainstTheContract(t *testing.T) {
	t.Parallel()
	for _, test := range raises {
		t.Run(test.wrong, func(t *testing.T) {
			t.Parallel()
			server := newServer(t)
			addRun(server)
			a := post(t, server, raisePath("r1"), test.body)
			run, _ := server.Run("r1")
			if test.code == "" {
				require.Equal(t, http.StatusCreated, a.status, a.body)
				require.Equal(t, "blocked", run.Status)
				return
			}
			status := http.StatusUnprocessableEntity
			if test.code == "invalid_json" {
				status = http.StatusBadRequest
			}
			require.Contains(t, requireProblem(t, a, status, test.code), test.wrong)
			require.Empty(t, server.Exceptions())
			require.Equal(t, "running", run.Status)
		})
	}
}

func TestABodyHasABound(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	addRun(server)
	padded := goodRaise + strings.Repeat(" ", 16<<20-len(goodRaise))
	require.Equal(t, http.StatusCreated, serve(server, "POST", raisePath("r1"), "", padded).Code)
	require.Equal(t, http.StatusRequestEntityTooLarge, serve(server, "POST", raisePath("r1"), "", padded+" ").Code)
	require.Len(t, server.Exceptions(), 1)
}

// bodySchema is the contract's.
const bodySchema = `{
	"type": "object",
	"properties": {
		"category": {"type": "string", "minLength": 1, "maxLength": 120, "pattern": "^[a-z][a-z0-9]*(?:[._:-][a-z0-9]+)*$"},
		"severity": {"type": "string", "enum": ["info", "warning", "critical"]},
		"message": {"type": "string", "minLength": 1, "maxLength": 2000},
		"detail": {"default": {}, "type": "object", "propertyNames": {"type": "string"}, "additionalProperties": {}},
		"stepId": {"type": "string", "minLength": 1, "maxLength": 128}
	},
	"additionalProperties": false,
	"required": ["category", "severity", "message"]
}`

// FuzzRaise holds the verdict on a body against the contract's schema.
func FuzzRaise(f *testing.F) {
	for _, test := range raises {
		f.Add(test.body)
	}
	var schema jsonschema.Schema
	require.NoError(f, json.Unmarshal([]byte(bodySchema), &schema))
	contract, err := schema.Resolve(nil)
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, body string) {
		plane := agentctltest.New()
		plane.AddRun(agentctltest.Run{ID: "r1"})
		a := serve(plane, "POST", raisePath("r1"), "", body)
		require.Contains(t, []int{201, 400, 422}, a.Code, a.Body)
		if a.Code == 400 || strings.Contains(a.Body.String(), "more than once") {
			return // the schema has no say on these
		}
		var instance any
		require.NoError(t, json.Unmarshal([]byte(body), &instance))
		err := contract.Validate(instance)
		require.Equal(t, err == nil, a.Code == 201, "%v %s", err, a.Body)
		require.True(t, json.Valid(a.Body.Bytes()))
	})
}

func TestOnlyActiveRunsTakeExceptions(t *testing.T) {
	t.Parallel()
	for status, want := range map[string]int{
		"running": 201, "waiting_approval": 201, "blocked": 201, "paused": 201,
		"succeeded": 409, "failed": 409, "cancelled": 409,
	} {
		server := newServer(t)
		server.AddRun(agentctltest.Run{ID: "r1", Status: status})
		a := post(t, server, raisePath("r1"), goodRaise)
		run, _ := server.Run("r1")
		if want == 201 {
			require.Equal(t, 201, a.status)
			require.Equal(t, "blocked", run.Status)
			continue
		}
		requireProblem(t, a, http.StatusConflict, "run_ended")
		require.Equal(t, status, run.Status)
		require.Empty(t, server.Exceptions())
	}
	requireProblem(t, post(t, newServer(t), raisePath("r1"), goodRaise), http.StatusNotFound, "run_not_found")
}

func TestABlockedRunTakesASecondExceptionUnlessRefused(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	addRun(server)
	post(t, server, raisePath("r1"), goodRaise)
	require.Equal(t, 201, post(t, server, raisePath("r1"), goodRaise).status)
	require.Len(t, server.Exceptions(), 2)

	server = newServer(t, agentctltest.RefuseBlockedRuns())
	addRun(server)
	post(t, server, raisePath("r1"), goodRaise)
	requireProblem(t, post(t, server, raisePath("r1"), goodRaise), http.StatusConflict, "run_blocked")
	require.Len(t, server.Exceptions(), 1)
}

func TestRaiseStatusIsASuccess(t *testing.T) {
	t.Parallel()
	for _, status := range []int{0, -1, 199, 300, 404} {
		server := newServer(t, agentctltest.RaiseStatus(status))
		addRun(server)
		require.Equal(t, 201, post(t, server, raisePath("r1"), goodRaise).status)
	}
}
