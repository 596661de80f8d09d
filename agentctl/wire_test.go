package agentctl_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom/agentctl"
	"github.com/opsroom-go/opsroom/agentctl/agentctltest"
)

// requireRequest holds the only request that arrived against what was expected.
func requireRequest(t *testing.T, server *agentctltest.Server, method, uri, body string) {
	t.Helper()
	requests := server.Requests()
	require.Len(t, requests, 1)
	require.Equal(t, method, requests[0].Method)
	require.Equal(t, uri, requests[0].URI)
	require.Equal(t, body, string(requests[0].Body))
}

func TestListExceptionsSendsTheContractsRequest(t *testing.T) {
	t.Parallel()
	const path = "/api/v1/agent/exceptions"
	for name, test := range map[string]struct {
		params agentctl.ListExceptionsParams
		tool   string
		uri    string
	}{
		"nothing":         {agentctl.ListExceptionsParams{}, ``, path},
		"an empty object": {agentctl.ListExceptionsParams{}, `{}`, path},
		"all parameters, in the contract's order": {
			agentctl.ListExceptionsParams{
				MissionID: "m1", RunID: "r1", Status: agentctl.ExceptionOpen, Severity: agentctl.SeverityCritical, Limit: 200, Offset: 9007199254740991,
			},
			`{"offset":9007199254740991,"limit":200,"severity":"critical","status":"open","runId":"r1","missionId":"m1"}`,
			path + "?missionId=m1&runId=r1&status=open&severity=critical&limit=200&offset=9007199254740991",
		},
		"encoded as URLSearchParams does": {
			agentctl.ListExceptionsParams{MissionID: "a b+c&d=e~f*g", RunID: "é/漢😀!'()\r\n"},
			`{"missionId":"a b+c&d=e~f*g","runId":"é/漢\ud83d\ude00!'()\r\n"}`,
			path + "?missionId=a+b%2Bc%26d%3De%7Ef*g&runId=%C3%A9%2F%E6%BC%A2%F0%9F%98%80%21%27%28%29%0D%0A",
		},
		"dots are fine in a query": {
			agentctl.ListExceptionsParams{MissionID: ".", RunID: ".."}, `{"missionId":".","runId":".."}`, path + "?missionId=.&runId=..",
		},
		"integers in plain digits": {
			agentctl.ListExceptionsParams{Limit: 5, Offset: 4503599627370496},
			`{"limit":5.0,"offset":4.503599627370496e15}`, path + "?limit=5&offset=4503599627370496",
		},
		"another exponent": {
			agentctl.ListExceptionsParams{Limit: 5, Offset: 1000000},
			`{"limit":5e0,"offset":1E+6}`, path + "?limit=5&offset=1000000",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, client := newServer(t)
			_, err := client.ListExceptions(t.Context(), test.params)
			require.NoError(t, err)
			requireRequest(t, server, http.MethodGet, test.uri, "")

			server.ForgetRequests()
			_, err = call(t, client, "list_agent_exceptions", test.tool)
			require.NoError(t, err)
			requireRequest(t, server, http.MethodGet, test.uri, "")
		})
	}
}

func TestAnOffsetOfZeroIsSentWhenAToolIsGivenIt(t *testing.T) {
	t.Parallel()
	for arguments, uri := range map[string]string{
		`{"offset":0}`:      "/api/v1/agent/exceptions?offset=0",
		`{"offset":-0}`:     "/api/v1/agent/exceptions?offset=0",
		`{"offset":0.0e9}`:  "/api/v1/agent/exceptions?offset=0",
		`{"offset":1e-400}`: "/api/v1/agent/exceptions?offset=0",
	} {
		server, client := newServer(t)
		_, err := call(t, client, "list_agent_exceptions", arguments)
		require.NoError(t, err)
		requireRequest(t, server, http.MethodGet, uri, "")
	}
}

func TestListRunsSendsTheContractsRequest(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		params agentctl.ListRunsParams
		tool   string
		uri    string
	}{
		"only the mission": {
			agentctl.ListRunsParams{MissionID: "m1"}, `{"missionId":"m1"}`, "/api/v1/agent/missions/m1/runs",
		},
		"all parameters": {
			agentctl.ListRunsParams{MissionID: "m1", Status: agentctl.RunWaitingApproval, Limit: 1, Offset: 7},
			`{"offset":7,"limit":1,"status":"waiting_approval","missionId":"m1"}`,
			"/api/v1/agent/missions/m1/runs?status=waiting_approval&limit=1&offset=7",
		},
		"encoded as encodeURIComponent does": {
			agentctl.ListRunsParams{MissionID: "a/b?c#d e%2e:@$&+,;=!'()*~漢😀\x7f"},
			`{"missionId":"a/b?c#d e%2e:@$&+,;=!'()*~漢😀\u007f"}`,
			"/api/v1/agent/missions/a%2Fb%3Fc%23d%20e%252e%3A%40%24%26%2B%2C%3B%3D!'()*~%E6%BC%A2%F0%9F%98%80%7F/runs",
		},
		"dots that are no segment": {
			agentctl.ListRunsParams{MissionID: "a/../b"}, `{"missionId":"a/../b"}`, "/api/v1/agent/missions/a%2F..%2Fb/runs",
		},
		"three dots": {
			agentctl.ListRunsParams{MissionID: "..."}, `{"missionId":"..."}`, "/api/v1/agent/missions/.../runs",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, client := newServer(t)
			server.AddMission(test.params.MissionID)
			_, err := client.ListRuns(t.Context(), test.params)
			require.NoError(t, err)
			requireRequest(t, server, http.MethodGet, test.uri, "")

			server.ForgetRequests()
			_, err = call(t, client, "list_agent_runs", test.tool)
			require.NoError(t, err)
			requireRequest(t, server, http.MethodGet, test.uri, "")
		})
	}
}

func TestRaiseExceptionSendsTheContractsRequest(t *testing.T) {
	t.Parallel()
	full := agentctl.RaiseExceptionParams{
		RunID: "r/1", Category: "policy.spend-limit", Severity: agentctl.SeverityWarning, Message: "Too <much> & \"more\"\n\u2028漢😀\x00",
		Detail: json.RawMessage(`{ "n":9007199254740993 ,"x":1.50, "n":-0, "e":1e400,"\u0061":"\ud800<&>" }`), StepID: "s 1",
	}
	for name, test := range map[string]struct {
		params agentctl.RaiseExceptionParams
		tool   string
		uri    string
		body   string
	}{
		"only what is required": {
			agentctl.RaiseExceptionParams{RunID: "r1", Category: "a", Severity: agentctl.SeverityInfo, Message: "m"},
			`{"message":"m","severity":"info","category":"a","runId":"r1"}`,
			"/api/v1/agent/runs/r1/exceptions", `{"category":"a","severity":"info","message":"m"}`,
		},
		"everything, and detail byte for byte": {
			full,
			`{"stepId":"s 1","detail":` + string(full.Detail.(json.RawMessage)) + `,"message":"Too <much> & \"more\"\n\u2028漢😀\u0000","severity":"warning","category":"policy.spend-limit","runId":"r/1"}`,
			"/api/v1/agent/runs/r%2F1/exceptions",
			`{"category":"policy.spend-limit","severity":"warning","message":"Too <much> & \"more\"\n` + "\u2028漢😀" + `\u0000","detail":` + string(full.Detail.(json.RawMessage)) + `,"stepId":"s 1"}`,
		},
		"an empty detail that is given": {
			agentctl.RaiseExceptionParams{RunID: "r1", Category: "a", Severity: agentctl.SeverityInfo, Message: "m", Detail: map[string]any{}},
			`{"runId":"r1","category":"a","severity":"info","message":"m","detail":{}}`,
			"/api/v1/agent/runs/r1/exceptions", `{"category":"a","severity":"info","message":"m","detail":{}}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, client := newServer(t)
			server.AddRun(agentctltest.Run{ID: test.params.RunID, MissionID: "m1"})
			_, err := client.RaiseException(t.Context(), test.params)
			require.NoError(t, err)
			requireRequest(t, server, http.MethodPost, test.uri, test.body)

			server.ForgetRequests()
			_, err = call(t, client, "raise_agent_exception", test.tool)
			require.NoError(t, err)
			requireRequest(t, server, http.MethodPost, test.uri, test.body)
		})
	}
}

func TestDetailTakesWhatEncodesAsAnObject(t *testing.T) {
	t.Parallel()
	type invoice struct {
		Number string `json:"number"`
		Amount int64  `json:"amount"`
	}
	var noMap map[string]string
	var noInvoice *invoice
	for name, test := range map[string]struct {
		detail any
		body   string // what follows the message
	}{
		"nothing":          {nil, `}`},
		"a nil map":        {noMap, `}`},
		"a nil pointer":    {noInvoice, `}`},
		"a nil RawMessage": {json.RawMessage(nil), `}`},
		"a map":            {map[string]any{"b": "<é>", "a": int64(9007199254740993)}, `,"detail":{"a":9007199254740993,"b":"<é>"}}`},
		"a struct":         {invoice{"A&B", 3}, `,"detail":{"number":"A&B","amount":3}}`},
		"a pointer":        {&invoice{"A", 3}, `,"detail":{"number":"A","amount":3}}`},
		"a RawMessage":     {json.RawMessage(" {\"a\":\t1} "), ",\"detail\": {\"a\":\t1} }"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, client := newServer(t)
			server.AddRun(agentctltest.Run{ID: "r1", MissionID: "m1"})
			_, err := client.RaiseException(t.Context(), agentctl.RaiseExceptionParams{
				RunID: "r1", Category: "a", Severity: agentctl.SeverityInfo, Message: "m", Detail: test.detail,
			})
			require.NoError(t, err)
			requireRequest(t, server, http.MethodPost, "/api/v1/agent/runs/r1/exceptions", `{"category":"a","severity":"info","message":"m"`+test.body)
		})
	}
}

func TestHeadersAreTheContractsAndNoOthers(t *testing.T) {
	t.Parallel()
	server, client := newServer(t, agentctltest.Token("s3cret"))
	server.AddRun(agentctltest.Run{ID: "r1", MissionID: "m1"})
	_, err := client.ListRuns(t.Context(), agentctl.ListRunsParams{MissionID: "m1"})
	require.NoError(t, err)
	_, err = client.RaiseException(t.Context(), agentctl.RaiseExceptionParams{RunID: "r1", Category: "a", Severity: agentctl.SeverityInfo, Message: "m"})
	require.NoError(t, err)

	get := http.Header{
		"Accept":          {"application/json, application/problem+json"},
		"Accept-Encoding": {"gzip"}, // by net/http
		"Authorization":   {"Bearer s3cret"},
		"User-Agent":      {"opsroom-go"},
	}
	post := get.Clone()
	post["Content-Type"] = []string{"application/json"}
	post["Content-Length"] = []string{"48"}
	requests := server.Requests()
	require.Len(t, requests, 2)
	require.Equal(t, get, requests[0].Header)
	require.Equal(t, post, requests[1].Header)
	require.Equal(t, strings.TrimPrefix(server.URL, "http://"), requests[0].Host)
}
