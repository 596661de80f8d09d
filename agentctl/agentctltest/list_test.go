package agentctltest_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom/agentctl/agentctltest"
)

func TestAnEmptyListIsAnEmptyArray(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	require.Equal(t, `{"exceptions":[]}`, get(t, server, exceptionsPath).body)
	requireProblem(t, get(t, server, runsPath("m1")), 404, "mission_not_found")
	server.AddMission("m1")
	require.Equal(t, `{"runs":[]}`, get(t, server, runsPath("m1")).body)
	addRun(server)
	server.AddMission("m1")
	require.Equal(t, []string{"r1"}, ids(t, get(t, server, runsPath("m1"))))
	server.DeleteRun("r1")
	require.Equal(t, `{"runs":[]}`, get(t, server, runsPath("m1")).body)
}

func TestListsComeNewestFirst(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	at := func(seconds int) time.Time { return standingClock().Add(time.Duration(seconds) * time.Second) }
	for _, row := range []struct {
		id      string
		created time.Time
	}{{"now", time.Time{}}, {"before", at(-1)}, {"after", at(1)}, {"now too", time.Time{}}, {"long before", at(-9)}, {"before too", at(-1)}} {
		server.AddException(agentctltest.Exception{ID: row.id, CreatedAt: row.created})
		server.AddRun(agentctltest.Run{ID: row.id, MissionID: "m1", CreatedAt: row.created})
	}
	want := []string{"after", "now too", "now", "before too", "before", "long before"}
	require.Equal(t, want, ids(t, get(t, server, exceptionsPath)))
	require.Equal(t, want, ids(t, get(t, server, runsPath("m1"))))
	var listed []string
	for _, e := range server.Exceptions() {
		listed = append(listed, e.ID)
	}
	require.Equal(t, want, listed)
}

func TestAPageHas50RowsUnlessAskedFor(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	for range 205 {
		server.AddException(agentctltest.Exception{})
		server.AddRun(agentctltest.Run{MissionID: "m1"})
	}
	for _, path := range []string{exceptionsPath, runsPath("m1")} {
		for query, want := range map[string]int{
			"": 50, "limit=1": 1, "limit=200": 200, "offset=200": 5, "limit=200&offset=5": 200,
			"limit=200&offset=6": 199, "offset=204": 1, "offset=205": 0, "offset=9007199254740991": 0,
		} {
			require.Len(t, ids(t, get(t, server, path+"?"+query)), want, query)
			filter := "status=open&"
			if path != exceptionsPath {
				filter = "status=running&"
			}
			filtered := ids(t, get(t, server, path+"?"+strings.TrimSuffix(filter+query, "&")))
			require.Len(t, filtered, want, query)
		}
	}
	require.Equal(t, []string{"exc_000203", "exc_000202"}, ids(t, get(t, server, exceptionsPath+"?limit=2&offset=2")))
	require.Equal(t, []string{"run_000203", "run_000202"}, ids(t, get(t, server, runsPath("m1")+"?limit=2&offset=2")))
}

// TestListsAreAModelsLists holds lists with random filters and windows against
// the plainest way to make them, while rows come, change and go.
func TestListsAreAModelsLists(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 1))
		pick := func(values ...string) string { return values[random.IntN(len(values))] }
		plane := agentctltest.New(agentctltest.Clock(standingClock))
		var model []agentctltest.Exception // newest first
		for range 200 {
			switch n := random.IntN(10); {
			case n < 5 || len(model) == 0:
				added := plane.AddException(agentctltest.Exception{
					MissionID: pick("m1", "m2"), RunID: pick("r1", "r2", "r3"),
					Severity: pick("info", "warning", "critical"), Status: pick("open", "resolved"),
				})
				model = slices.Insert(model, 0, added)
			case n < 7:
				victim := random.IntN(len(model))
				require.True(t, plane.Delete(model[victim].ID))
				model = slices.Delete(model, victim, victim+1)
			default:
				e := &model[random.IntN(len(model))]
				change, status := plane.Resolve, "resolved"
				if random.IntN(2) == 0 {
					change, status = plane.Reopen, "open"
				}
				require.True(t, change(e.ID))
				e.Status = status
			}
			query := url.Values{}
			filter := agentctltest.Exception{
				MissionID: pick("", "m1", "m2", "m3"), RunID: pick("", "", "r1", "r2"),
				Severity: pick("", "", "info", "critical"), Status: pick("", "open", "resolved"),
			}
			for name, value := range map[string]string{
				"missionId": filter.MissionID, "runId": filter.RunID, "severity": filter.Severity, "status": filter.Status,
			} {
				if value != "" {
					query.Set(name, value)
				}
			}
			limit, offset := 1+random.IntN(20), random.IntN(30)
			query.Set("limit", fmt.Sprint(limit))
			query.Set("offset", fmt.Sprint(offset))
			want := []string{}
			for _, e := range model {
				if (filter.MissionID == "" || filter.MissionID == e.MissionID) && (filter.RunID == "" || filter.RunID == e.RunID) &&
					(filter.Severity == "" || filter.Severity == e.Severity) && (filter.Status == "" || filter.Status == e.Status) {
					want = append(want, e.ID)
				}
			}
			want = want[min(offset, len(want)):]
			want = want[:min(limit, len(want))]
			a := serve(plane, "GET", exceptionsPath, query.Encode(), "")
			require.Equal(t, want, ids(t, answer{a.Code, a.Header(), a.Body.String()}), query)
		}
	}
}

func TestRunsAreListedByMissionAndStatus(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	for i, status := range []string{"running", "waiting_approval", "blocked", "succeeded", "failed", "cancelled", "running", "paused"} {
		server.AddRun(agentctltest.Run{ID: fmt.Sprint(i), MissionID: "m1", Status: status})
	}
	server.AddRun(agentctltest.Run{ID: "other", MissionID: "m2"})
	require.Equal(t, []string{"7", "6", "5", "4", "3", "2", "1", "0"}, ids(t, get(t, server, runsPath("m1"))))
	require.Equal(t, []string{"other"}, ids(t, get(t, server, runsPath("m2"))))
	for status, want := range map[string][]string{
		"running": {"6", "0"}, "waiting_approval": {"1"}, "blocked": {"2"}, "succeeded": {"3"}, "failed": {"4"}, "cancelled": {"5"},
	} {
		require.Equal(t, want, ids(t, get(t, server, runsPath("m1")+"?status="+status)))
	}
}

func TestRawRowsAreListedByteForByte(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	rows := []string{
		`null`, `7`, `-0.10e+400`, `"x"`, `[ 1 ]`, `{}`, `true`,
		`{ "id":"x", "n": 90071992547409931234567890 , "status" : "open","runId":"r1","extra":{"z":1,"a":2}}`,
	}
	for _, row := range rows {
		server.AddException(agentctltest.Exception{Raw: json.RawMessage(row)})
		server.AddRun(agentctltest.Run{MissionID: "m1", Raw: json.RawMessage(row)})
	}
	slices.Reverse(rows)
	require.Equal(t, `{"exceptions":[`+strings.Join(rows, ",")+`]}`, get(t, server, exceptionsPath).body)
	require.Equal(t, `{"runs":[`+strings.Join(rows, ",")+`]}`, get(t, server, runsPath("m1")).body)
	require.Equal(t, `{"exceptions":[`+rows[0]+`]}`, get(t, server, exceptionsPath+"?status=open&runId=r1").body)

	// What is no JSON is listed all the same.
	server.AddException(agentctltest.Exception{Raw: json.RawMessage(`{"id":`)})
	require.Equal(t, `{"exceptions":[{"id":]}`, get(t, server, exceptionsPath+"?limit=1").body)
}

func TestEnvelopesMayHaveFurtherMembers(t *testing.T) {
	t.Parallel()
	server := newServer(t, agentctltest.ExceptionRows(func(e agentctltest.Exception) json.RawMessage {
		return json.RawMessage(`{"id":"` + e.ID + `"}`)
	}), agentctltest.RunRows(func(run agentctltest.Run) json.RawMessage {
		return json.RawMessage(`{"id":"` + run.ID + `"}`)
	}))
	addRun(server)
	server.AddEnvelopeMember(agentctltest.ListExceptions, "total", json.RawMessage(`12345678901234567890`))
	server.AddEnvelopeMember(agentctltest.ListExceptions, "a\"b", json.RawMessage(`[ ]`))
	server.AddEnvelopeMember(agentctltest.ListRuns, "next", json.RawMessage(`null`))
	server.AddEnvelopeMember(agentctltest.RaiseException, "runStatus", json.RawMessage(`"blocked"`))
	require.Equal(t, `{"total":12345678901234567890,"a\"b":[ ],"exceptions":[]}`, get(t, server, exceptionsPath).body)
	require.Equal(t, `{"next":null,"runs":[{"id":"r1"}]}`, get(t, server, runsPath("m1")).body)
	require.Equal(t, `{"runStatus":"blocked","exception":{"id":"exc_000001"}}`, post(t, server, raisePath("r1"), goodRaise).body)
}

func newPlaneOf(rows int) *agentctltest.ControlPlane {
	plane := agentctltest.New()
	for i := range rows {
		plane.AddException(agentctltest.Exception{RunID: fmt.Sprint("r", i%7), Severity: "info", Category: "a.b", Message: fmt.Sprint("message ", i)})
	}
	return plane
}

func TestManyRowsCostAPageNoMoreThanFewDo(t *testing.T) {
	// Not parallel: it measures what is allocated.
	few, many := newPlaneOf(5_000), newPlaneOf(100_000)
	cost := func(plane *agentctltest.ControlPlane, query string, lastOffset int) uint64 {
		const pages = 10
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for i := range pages {
			a := serve(plane, "GET", exceptionsPath, fmt.Sprintf("%slimit=200&offset=%d", query, (i+1)*lastOffset/pages), "")
			require.Equal(t, 200, a.Code)
			require.Greater(t, a.Body.Len(), 200*100)
		}
		runtime.ReadMemStats(&after)
		return (after.TotalAlloc - before.TotalAlloc) / pages
	}
	for _, query := range []string{"", "runId=r1&", "status=open&severity=info&"} {
		require.Less(t, cost(many, query, 14_000), 2*cost(few, query, 500), query)
	}
}

func BenchmarkPageOf100000Rows(b *testing.B) {
	plane := newPlaneOf(100_000)
	for _, query := range []string{"limit=200&offset=99000", "limit=200&offset=90000&severity=info", "limit=200&runId=r3&offset=10000"} {
		b.Run(query, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if serve(plane, "GET", exceptionsPath, query, "").Code != 200 {
					b.Fatal("refused")
				}
			}
		})
	}
}
