package agentctltest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom/agentctl/agentctltest"
)

func TestWhatIsLeftEmptyIsFilledIn(t *testing.T) {
	t.Parallel()
	plane := agentctltest.New(agentctltest.Clock(standingClock))
	run := plane.AddRun(agentctltest.Run{MissionID: "m1"})
	require.Equal(t, "run_000001", run.ID)
	require.Equal(t, "running", run.Status)
	require.Equal(t, standingClock().UTC(), run.CreatedAt)
	require.Equal(t, "run_000002", plane.AddRun(agentctltest.Run{}).ID)

	e := plane.AddException(agentctltest.Exception{RunID: run.ID})
	require.Equal(t, "exc_000001", e.ID)
	require.Equal(t, "open", e.Status)
	require.Equal(t, "m1", e.MissionID)
	require.Nil(t, e.Detail)
	require.Equal(t, standingClock().UTC(), e.CreatedAt)
	require.Contains(t, string(e.Raw), `"detail":{}`)

	given := agentctltest.Exception{ID: "e", MissionID: "m2", RunID: run.ID, StepID: "s", Category: "c", Severity: "odd", Status: "ignored", Message: "m", Detail: json.RawMessage(`[]`)}
	stored := plane.AddException(given)
	given.CreatedAt, given.Raw = stored.CreatedAt, stored.Raw
	require.Equal(t, given, stored)
}

func TestTheClockIsTheWallClockUnlessSet(t *testing.T) {
	t.Parallel()
	plane := agentctltest.New(agentctltest.Clock(nil))
	before := time.Now()
	for _, created := range []time.Time{plane.AddRun(agentctltest.Run{}).CreatedAt, plane.AddException(agentctltest.Exception{}).CreatedAt} {
		require.WithinRange(t, created, before.Round(0), time.Now().Round(0))
		require.NotContains(t, created.String(), "m=", "rows carry no monotonic reading")
		require.Equal(t, time.UTC, created.Location())
	}
}

func TestGeneratedIDsAreFree(t *testing.T) {
	t.Parallel()
	plane := agentctltest.New()
	plane.AddRun(agentctltest.Run{ID: "run_000001"})
	plane.AddException(agentctltest.Exception{ID: "exc_000001"})
	plane.AddException(agentctltest.Exception{Raw: json.RawMessage(`{"id":"exc_000002"}`)})
	require.Equal(t, "run_000002", plane.AddRun(agentctltest.Run{}).ID)
	require.Equal(t, "exc_000003", plane.AddException(agentctltest.Exception{}).ID)
	plane.Delete("exc_000003")
	require.Equal(t, "exc_000004", plane.AddException(agentctltest.Exception{}).ID)
}

func TestRawRowsSayWhatTheyAre(t *testing.T) {
	t.Parallel()
	plane := agentctltest.New(agentctltest.Clock(standingClock))
	raw := json.RawMessage(`{"id":"e","missionId":"m","runId":"r","stepId":"s","category":"c","severity":"info","status":"open","message":"x\u0041","detail":[1.0],"createdAt":5}`)
	require.Equal(t, agentctltest.Exception{
		ID: "e", MissionID: "m", RunID: "r", StepID: "s", Category: "c", Severity: "info", Status: "open", Message: "xA",
		Detail: json.RawMessage(`[1.0]`), CreatedAt: standingClock().UTC(), Raw: raw,
	}, plane.AddException(agentctltest.Exception{Raw: raw}))
	require.Equal(t, "other", plane.AddException(agentctltest.Exception{ID: "other", Raw: raw}).ID)
	require.Empty(t, plane.AddException(agentctltest.Exception{Raw: json.RawMessage(`{"id":7,"Status":"open"}`)}).ID)

	rawRun := json.RawMessage(`{"status":"blocked","id":"r","missionId":"m","ID":"x"}`)
	run := plane.AddRun(agentctltest.Run{Raw: rawRun})
	require.Equal(t, agentctltest.Run{ID: "r", MissionID: "m", Status: "blocked", CreatedAt: standingClock().UTC(), Exceptions: 1, OpenExceptions: 1, Raw: rawRun}, withoutOther(plane, run))
	require.Empty(t, plane.AddRun(agentctltest.Run{Raw: json.RawMessage(`[]`)}).Status)
	_, found := plane.Run("")
	require.False(t, found)
	require.False(t, plane.Resolve(""))
	require.False(t, plane.Delete(""))
	require.Len(t, plane.Exceptions(), 3)
}

// withoutOther takes back the second exception of the run.
func withoutOther(plane *agentctltest.ControlPlane, run agentctltest.Run) agentctltest.Run {
	plane.Reopen("other")
	run, _ = plane.Run(run.ID)
	run.Exceptions--
	run.OpenExceptions--
	return run
}

func TestAChangeOfStatusTouchesNothingElseInARawRow(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ row, resolved string }{
		{`{ "id" : "e" , "status" : "open" , "n":90071992547409931 }`, `{ "id" : "e" , "status" : "resolved" , "n":90071992547409931 }`},
		{"{\"st\\u0061tus\":\n\"\\u006fpen\",\"id\":\"e\"}", "{\"st\\u0061tus\":\n\"resolved\",\"id\":\"e\"}"},
		{`{"id":"e","status":"old","status":"open","x":{"status":"open"}}`, `{"id":"e","status":"old","status":"resolved","x":{"status":"open"}}`},
		{`{"x":{"status":"open"},"id":"e"}`, `{"x":{"status":"open"},"id":"e"}`},
		{`{"id":"e","status":7}`, `{"id":"e","status":7}`},
		{`{"id":"e","status":"open","status":7}`, `{"id":"e","status":"open","status":7}`},
		{`{"id":"e","status":"resolved"}`, `{"id":"e","status":"resolved"}`},
		{`["status","open"]`, `["status","open"]`},
		{`{"id":"e","status":"open"`, `{"id":"e","status":"open"`},
	} {
		plane := agentctltest.New()
		plane.AddException(agentctltest.Exception{ID: "e", Raw: json.RawMessage(test.row)})
		require.True(t, plane.Resolve("e"))
		e, _ := plane.Exception("e")
		require.Equal(t, test.resolved, string(e.Raw))
		require.Equal(t, "resolved", e.Status)
	}
	plane := agentctltest.New()
	plane.AddRun(agentctltest.Run{Raw: json.RawMessage(`{"status":"running", "id":"r"}`)})
	require.True(t, plane.SetRunStatus("r", "say \"hi\""))
	run, _ := plane.Run("r")
	require.Equal(t, `{"status":"say \"hi\"", "id":"r"}`, string(run.Raw))
}

func TestResolveReopenAndDeleteActOnAnID(t *testing.T) {
	t.Parallel()
	plane := agentctltest.New()
	run := plane.AddRun(agentctltest.Run{MissionID: "m1"})
	plane.AddException(agentctltest.Exception{ID: "a", RunID: run.ID})
	plane.AddException(agentctltest.Exception{ID: "b", RunID: run.ID})
	plane.AddException(agentctltest.Exception{ID: "b", RunID: run.ID, Message: "last"})
	counts := func() [2]int {
		run, _ := plane.Run(run.ID)
		require.Contains(t, string(run.Raw), fmt.Sprintf(`"exceptions":%d,"openExceptions":%d,`, run.Exceptions, run.OpenExceptions))
		return [2]int{run.Exceptions, run.OpenExceptions}
	}
	require.Equal(t, [2]int{3, 3}, counts())
	require.True(t, plane.Resolve("b"))
	require.True(t, plane.Resolve("b"))
	require.Equal(t, [2]int{3, 1}, counts())
	require.True(t, plane.Reopen("b"))
	require.Equal(t, [2]int{3, 3}, counts())
	last, found := plane.Exception("b")
	require.True(t, found)
	require.Equal(t, "last", last.Message)
	require.True(t, plane.Delete("b"))
	require.Equal(t, [2]int{1, 1}, counts())
	require.False(t, plane.Delete("b"))
	require.False(t, plane.Resolve("b"))
	require.False(t, plane.Reopen("b"))
	_, found = plane.Exception("b")
	require.False(t, found)
	require.Len(t, plane.Exceptions(), 1)
}

func TestARunIsReplacedByOneWithItsID(t *testing.T) {
	t.Parallel()
	now := standingClock()
	server := newServer(t, agentctltest.Clock(func() time.Time { now = now.Add(time.Second); return now }))
	server.AddException(agentctltest.Exception{RunID: "r1"})
	first := server.AddRun(agentctltest.Run{ID: "r1", MissionID: "m1"})
	require.Equal(t, 1, first.OpenExceptions)
	server.AddRun(agentctltest.Run{ID: "r2", MissionID: "m1"})
	second := server.AddRun(agentctltest.Run{ID: "r1", MissionID: "m1", Status: "blocked"})
	require.Equal(t, first.CreatedAt, second.CreatedAt)
	require.Equal(t, []string{"r2", "r1"}, ids(t, get(t, server, runsPath("m1"))))
	server.AddRun(agentctltest.Run{ID: "r1", MissionID: "m2"})
	require.Equal(t, []string{"r2"}, ids(t, get(t, server, runsPath("m1"))))
	require.Equal(t, []string{"r1"}, ids(t, get(t, server, runsPath("m2"))))
	require.True(t, server.DeleteRun("r1"))
	require.False(t, server.DeleteRun("r1"))
	require.False(t, server.SetRunStatus("r1", "running"))
	require.Empty(t, ids(t, get(t, server, runsPath("m2"))))
	require.Len(t, server.Exceptions(), 1)
}

func TestApprovalsAndExceptionsHoldARun(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	addRun(server)
	status := func() string {
		run, _ := server.Run("r1")
		return fmt.Sprint(run.Status, " ", run.PendingApprovals)
	}
	require.False(t, server.GrantApproval("r1"))
	require.False(t, server.Resume("r1"), "it is not blocked")
	require.True(t, server.RequestApproval("r1"))
	require.True(t, server.RequestApproval("r1"))
	require.Equal(t, "waiting_approval 2", status())
	require.Equal(t, []string{"r1"}, ids(t, get(t, server, runsPath("m1")+"?status=waiting_approval")))
	require.True(t, server.GrantApproval("r1"))
	require.Equal(t, "waiting_approval 1", status())
	require.Equal(t, 201, post(t, server, raisePath("r1"), goodRaise).status)
	require.Equal(t, "blocked 1", status())
	require.True(t, server.RequestApproval("r1"))
	require.Equal(t, "blocked 2", status())
	require.True(t, server.Resolve("exc_000001"))
	require.False(t, server.Resume("r1"), "approvals are pending")
	require.True(t, server.GrantApproval("r1"))
	require.True(t, server.GrantApproval("r1"))
	require.Equal(t, "blocked 0", status())
	require.True(t, server.Reopen("exc_000001"))
	require.False(t, server.Resume("r1"), "an exception is open")
	require.True(t, server.Resolve("exc_000001"))
	require.True(t, server.Resume("r1"))
	require.Equal(t, "running 0", status())
	require.True(t, server.RequestApproval("r1"))
	require.True(t, server.GrantApproval("r1"))
	require.Equal(t, "running 0", status())
	require.True(t, server.SetRunStatus("r1", "succeeded"))
	require.False(t, server.RequestApproval("r1"))
	for _, act := range []func(string) bool{server.RequestApproval, server.GrantApproval, server.Resume} {
		require.False(t, act("unknown"))
	}
}

func TestTheHostsMemoryIsItsOwn(t *testing.T) {
	t.Parallel()
	plane := agentctltest.New()
	raw, detail := json.RawMessage(`{"id":"e","detail":{}}`), json.RawMessage(`{"a":1}`)
	stored := []agentctltest.Exception{
		plane.AddException(agentctltest.Exception{Raw: raw}),
		plane.AddException(agentctltest.Exception{ID: "f", Detail: detail}),
	}
	rawRun := json.RawMessage(`{"id":"r"}`)
	run := plane.AddRun(agentctltest.Run{Raw: rawRun})
	read := append(plane.Exceptions(), stored...)
	for _, bytes := range [][]byte{raw, detail, rawRun, run.Raw, read[0].Raw, read[1].Raw, read[1].Detail, read[2].Raw, read[3].Raw, read[3].Detail} {
		bytes[1] = 'X'
	}
	e, _ := plane.Exception("e")
	require.Equal(t, `{"id":"e","detail":{}}`, string(e.Raw))
	f, _ := plane.Exception("f")
	require.Equal(t, `{"a":1}`, string(f.Detail))
	require.Contains(t, string(f.Raw), `{"id":"f"`)
	run, _ = plane.Run("r")
	require.Equal(t, `{"id":"r"}`, string(run.Raw))
}

func TestTheHostMayShapeRows(t *testing.T) {
	t.Parallel()
	server := newServer(t,
		agentctltest.ExceptionRows(func(e agentctltest.Exception) json.RawMessage {
			return json.RawMessage(fmt.Sprintf(`{"exceptionId":%q, "state":%q, "raw":%t}`, e.ID, e.Status, e.Raw != nil))
		}),
		agentctltest.RunRows(func(run agentctltest.Run) json.RawMessage {
			return json.RawMessage(fmt.Sprintf(`{"runId":%q, "state":%q, "open":%d}`, run.ID, run.Status, run.OpenExceptions))
		}),
	)
	addRun(server)
	require.Equal(t, `{"exception":{"exceptionId":"exc_000001", "state":"open", "raw":false}}`, post(t, server, raisePath("r1"), goodRaise).body)
	require.Equal(t, `{"runs":[{"runId":"r1", "state":"blocked", "open":1}]}`, get(t, server, runsPath("m1")).body)
	server.Resolve("exc_000001")
	require.Equal(t, `{"exceptions":[{"exceptionId":"exc_000001", "state":"resolved", "raw":false}]}`, get(t, server, exceptionsPath+"?status=resolved").body)
	require.Equal(t, `{"runs":[{"runId":"r1", "state":"blocked", "open":0}]}`, get(t, server, runsPath("m1")).body)
}

func TestStrangeTextKeepsRowsWhole(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	server.AddException(agentctltest.Exception{ID: "a\xffb\"\\\x00\u2028", Detail: json.RawMessage(`{}`)})
	require.Equal(t, []string{"a\ufffdb\"\\\x00\u2028"}, ids(t, get(t, server, exceptionsPath)))
}

func TestThePlaneIsSharedByGoroutines(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	addRun(server)
	server.BeforeRequest(func(int, *http.Request) {})
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			for j := range 20 {
				id := server.AddException(agentctltest.Exception{RunID: "r1"}).ID
				send(t, server, "GET", exceptionsPath+"?status=open", "")
				post(t, server, raisePath("r1"), goodRaise)
				server.Fail(agentctltest.ListRuns, agentctltest.Status(503))
				send(t, server, "GET", runsPath("m1"), "")
				if (i+j)%2 == 0 {
					server.Resolve(id)
				} else {
					server.Delete(id)
				}
				server.Requests()
				server.Exceptions()
				server.SetRunStatus("r1", "running")
			}
		})
	}
	group.Wait()
	run, _ := server.Run("r1")
	require.Equal(t, 240, run.Exceptions)
	require.Equal(t, 160, run.OpenExceptions)
	require.Len(t, server.Exceptions(), 240)
	require.Len(t, server.Requests(), 480)
	require.Equal(t, 160, server.Count(agentctltest.RaiseException))
}
