package agentctltest_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom/agentctl/agentctltest"
)

func TestAQueryIsTakenToTheLetter(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	addRun(server)
	wide := strings.Repeat("%F0%9F%98%80", 128)
	tests := []struct {
		path, query string
		wrong       string // in the detail; "" is a query that is served
	}{
		{exceptionsPath, "", ""},
		{exceptionsPath, "missionId=m1&runId=r1&status=open&severity=critical&limit=200&offset=9007199254740991", ""},
		{exceptionsPath, "offset=0&limit=1&severity=info&status=resolved", ""},
		{exceptionsPath, "missionId=" + wide + "&runId=a+b%2Bc", ""},
		{exceptionsPath, "missionId=" + wide + "x", "missionId has more than 128 characters"},
		{exceptionsPath, "runId=" + strings.Repeat("x", 129), "runId has more than 128 characters"},
		{exceptionsPath, "severity=warning", ""},
		{exceptionsPath, "limit=", "limit is empty"},
		{exceptionsPath, "limit", "limit is empty"},
		{exceptionsPath, "runId=", "runId is empty"},
		{exceptionsPath, "status=", "status is empty"},
		{exceptionsPath, "limit=1&limit=1", "limit is given more than once"},
		{exceptionsPath, "status=open&status=resolved", "status is given more than once"},
		{exceptionsPath, "cursor=x", `"cursor" is not a parameter`},
		{exceptionsPath, "mission_id=m1", `"mission_id" is not a parameter`},
		{exceptionsPath, "Limit=1", `"Limit" is not a parameter`},
		{exceptionsPath, "=1", `"" is not a parameter`},
		{exceptionsPath, "&", `"" is not a parameter`},
		{exceptionsPath, "limit=1&", `"" is not a parameter`},
		{exceptionsPath, strings.Repeat("x", 100) + "=1", `"` + strings.Repeat("x", 40) + `"… is not a parameter`},
		{exceptionsPath, "status=Open", "status must be one of open, resolved"},
		{exceptionsPath, "status=blocked", "status must be one of open, resolved"},
		{exceptionsPath, "severity=high", "severity must be one of info, warning, critical"},
		{exceptionsPath, "severity=info,warning", "severity must be one of"},
		{exceptionsPath, "limit=0", "limit must be a decimal integer from 1 to 200"},
		{exceptionsPath, "limit=201", "limit must be a decimal integer from 1 to 200"},
		{exceptionsPath, "limit=-1", "limit must be"},
		{exceptionsPath, "limit=%2B5", "limit must be"},
		{exceptionsPath, "limit=05", "limit must be"},
		{exceptionsPath, "limit=5.0", "limit must be"},
		{exceptionsPath, "limit=5e0", "limit must be"},
		{exceptionsPath, "limit=0x5", "limit must be"},
		{exceptionsPath, "limit=+5", "limit must be"},
		{exceptionsPath, "limit=1_0", "limit must be"},
		{exceptionsPath, "limit=%D9%A5", "limit must be"},
		{exceptionsPath, "offset=-0", "offset must be"},
		{exceptionsPath, "offset=9007199254740992", "offset must be a decimal integer from 0 to 9007199254740991"},
		{exceptionsPath, "offset=99999999999999999999", "offset must be"},
		{exceptionsPath, "offset=9.007199254740991e15", "offset must be"},
		{exceptionsPath, "runId=%FF", "not correctly encoded"},
		{exceptionsPath, "runId=%", "not correctly encoded"},
		{exceptionsPath, "runId=%zz", "not correctly encoded"},
		{exceptionsPath, "limit=0&status=x&cursor=1", "limit must be"},
		{exceptionsPath, "limit=0&status=x&cursor=1", "status must be"},
		{exceptionsPath, "limit=0&status=x&cursor=1", `"cursor"`},
		{runsPath("m1"), "status=waiting_approval&limit=200&offset=1", ""},
		{runsPath("m1"), "status=cancelled", ""},
		{runsPath("m1"), "status=canceled", "status must be one of running, waiting_approval, blocked, succeeded, failed, cancelled"},
		{runsPath("m1"), "missionId=m1", `"missionId" is not a parameter`},
		{runsPath("m1"), "severity=info", `"severity" is not a parameter`},
		{runsPath("m1"), "limit=201", "limit must be"},
	}
	for _, test := range tests {
		t.Run(test.query, func(t *testing.T) {
			a := get(t, server, test.path+"?"+test.query)
			if test.wrong == "" {
				require.Equal(t, http.StatusOK, a.status, a.body)
				return
			}
			require.Contains(t, requireProblem(t, a, http.StatusBadRequest, "invalid_query"), test.wrong)
		})
	}
}

func TestARaiseHasNoQuery(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	addRun(server)
	a := post(t, server, raisePath("r1")+"?dryRun=true", goodRaise)
	requireProblem(t, a, http.StatusBadRequest, "invalid_query")
	require.Empty(t, server.Exceptions())
	require.Equal(t, http.StatusCreated, post(t, server, raisePath("r1")+"?", goodRaise).status)
}

func TestAListHasNoBody(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	addRun(server)
	for _, path := range []string{exceptionsPath, runsPath("m1")} {
		requireProblem(t, send(t, server, "GET", path, "{}"), http.StatusBadRequest, "unexpected_body")
	}
}

// FuzzQuery holds the verdict on a query against a plain reading of the contract.
func FuzzQuery(f *testing.F) {
	for _, query := range []string{"", "limit=5", "limit=", "status=open&offset=3", "runId=%FF", "limit=1&limit=2", "runId=b;c=d", "runId=a%26b"} {
		f.Add(query)
	}
	plane := agentctltest.New()
	f.Fuzz(func(t *testing.T, query string) {
		status := serve(plane, "GET", exceptionsPath, query, "").Code
		require.Equal(t, queryIsRight(query), status == http.StatusOK, "%d %q", status, query)
		require.Contains(t, []int{http.StatusOK, http.StatusBadRequest}, status)
	})
}

func queryIsRight(query string) bool {
	// Unlike net/url, the URL standard has no special semicolons.
	values, err := url.ParseQuery(strings.ReplaceAll(query, ";", "%3B"))
	if err != nil || strings.HasPrefix(query, "&") || strings.HasSuffix(query, "&") || strings.Contains(query, "&&") {
		return false
	}
	for name, list := range values {
		value := list[0]
		n, err := strconv.ParseUint(value, 10, 64)
		number := err == nil && fmt.Sprint(n) == value
		var right bool
		switch name {
		case "missionId", "runId":
			right = value != "" && utf8.ValidString(value) && utf8.RuneCountInString(value) <= 128
		case "status":
			right = slices.Contains([]string{"open", "resolved"}, value)
		case "severity":
			right = slices.Contains([]string{"info", "warning", "critical"}, value)
		case "limit":
			right = number && n >= 1 && n <= 200
		case "offset":
			right = number && n <= 1<<53-1
		}
		if !right || len(list) > 1 {
			return false
		}
	}
	return true
}
