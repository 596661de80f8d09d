package agentctl_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/agentctl"
	"github.com/opsroom-go/opsroom/agentctl/agentctltest"
)

var churnSeeds = flag.Int("churn.seeds", 2000, "how many random worlds the walks are tried on")

// maxRequests is how many requests a walk in a random world may take at most.
const maxRequests = 1000

// A row is what a world knows of a row of the list that is walked over.
type row struct{ mission, run, status, severity string }

// A world is a control plane whose rows others raise, resolve, reopen, delete and change
// before each request of a walk. It knows which rows match the walk's filter all along.
type world struct {
	plane      *agentctltest.ControlPlane
	exceptions agentctl.ListExceptionsParams
	runs       agentctl.ListRunsParams
	overRuns   bool // the walk is over runs
	ahead      int
	churn      int // changes before each request, at most
	raising    int // of ten changes, how many add a row

	mu       sync.Mutex
	random   *rand.Rand
	rows     map[string]row
	ids      []string
	stayed   map[string]bool // matched since the walk began
	matched  map[string]bool // matched at some time
	requests int
	cancel   context.CancelFunc
}

var (
	missions   = []string{"m1", "m2"}
	runs       = []string{"r1", "r2", "r3"}
	severities = []string{"info", "warning", "critical"}
	statuses   = []string{"running", "waiting_approval", "blocked", "succeeded", "failed", "cancelled"}
)

// newWorld makes the world of a seed. All combinations of filters and all page sizes
// come up in turn.
func newWorld(seed int) *world {
	w := &world{
		plane: newSmallPlane(), random: rand.New(rand.NewPCG(uint64(seed), 5)),
		rows: map[string]row{}, stayed: map[string]bool{}, matched: map[string]bool{},
	}
	size := 1 + (seed*37)%200
	if combination := seed % 55; combination < 48 {
		w.exceptions = agentctl.ListExceptionsParams{
			MissionID: []string{"", "m1"}[combination%2],
			RunID:     []string{"", "r1"}[combination/2%2],
			Status:    []agentctl.ExceptionStatus{"", agentctl.ExceptionOpen, agentctl.ExceptionResolved}[combination/4%3],
			Severity:  []agentctl.Severity{"", agentctl.SeverityInfo, agentctl.SeverityWarning, agentctl.SeverityCritical}[combination/12],
			Limit:     size,
		}
	} else {
		w.overRuns = true
		w.runs = agentctl.ListRunsParams{MissionID: "m1", Limit: size}
		if combination > 48 {
			w.runs.Status = agentctl.RunStatus(statuses[combination-49])
		}
	}
	w.ahead = []int{0, 0, 1, 4}[w.random.IntN(4)]
	w.churn = w.random.IntN(10)
	w.raising = w.random.IntN(8)
	w.plane.AddMission("m1")
	most := 200
	if w.random.IntN(10) == 0 {
		most = 1200 // several of the largest pages
	}
	for range w.random.IntN(1 + min(16*size, most)) {
		w.add(time.Time{})
	}
	for id, r := range w.rows {
		w.stayed[id] = w.matches(r)
	}
	w.plane.BeforeRequest(func(int, *http.Request) { w.change() })
	return w
}

// newSmallPlane returns a control plane whose rows are small, so that walks are quick.
func newSmallPlane() *agentctltest.ControlPlane {
	return agentctltest.New(
		agentctltest.ExceptionRows(func(e agentctltest.Exception) json.RawMessage { return json.RawMessage(`{"id":"` + e.ID + `"}`) }),
		agentctltest.RunRows(func(r agentctltest.Run) json.RawMessage { return json.RawMessage(`{"id":"` + r.ID + `"}`) }))
}

func (w *world) matches(r row) bool {
	switch {
	case r == row{}:
		return false
	case w.overRuns:
		return r.mission == w.runs.MissionID && (w.runs.Status == "" || r.status == string(w.runs.Status))
	}
	p := w.exceptions
	return (p.MissionID == "" || r.mission == p.MissionID) && (p.RunID == "" || r.run == p.RunID) &&
		(p.Status == "" || r.status == string(p.Status)) && (p.Severity == "" || r.severity == string(p.Severity))
}

// put notes that a row is as given from now on; the zero row is none.
func (w *world) put(id string, r row) {
	w.rows[id] = r
	if w.matches(r) {
		w.matched[id] = true
	} else {
		delete(w.stayed, id)
	}
}

func (w *world) pick(from []string) string { return from[w.random.IntN(len(from))] }

// like picks mostly what the walk's filter wants, if it wants anything.
func (w *world) like(wanted string, from []string) string {
	if wanted != "" && w.random.IntN(10) < 8 {
		return wanted
	}
	return w.pick(from)
}

// add adds a row at the head of the list, or where its time belongs.
func (w *world) add(at time.Time) {
	id := fmt.Sprint("x", len(w.ids))
	w.ids = append(w.ids, id)
	if w.overRuns {
		run := w.plane.AddRun(agentctltest.Run{
			ID: id, MissionID: w.like("m1", missions), Status: w.like(string(w.runs.Status), statuses), CreatedAt: at,
		})
		w.put(id, row{mission: run.MissionID, status: run.Status})
		return
	}
	e := w.plane.AddException(agentctltest.Exception{
		ID: id, CreatedAt: at, MissionID: w.like(w.exceptions.MissionID, missions), RunID: w.like(w.exceptions.RunID, runs),
		Severity: w.like(string(w.exceptions.Severity), severities), Status: w.like(string(w.exceptions.Status), []string{"open", "resolved"}),
	})
	w.put(id, row{e.MissionID, e.RunID, e.Status, e.Severity})
}

// change is what others do between two requests.
func (w *world) change() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.requests++
	if w.requests > maxRequests {
		w.cancel()
	}
	if w.requests == 1 {
		return // the walk begins
	}
	for range w.random.IntN(w.churn + 1) {
		w.changeOne()
	}
}

func (w *world) changeOne() {
	if len(w.ids) == 0 {
		w.add(time.Time{})
		return
	}
	id := w.pick(w.ids)
	r := w.rows[id]
	if w.random.IntN(10) < w.raising {
		w.add([]time.Time{{}, {}, time.Now().Add(-time.Millisecond)}[w.random.IntN(3)])
		return
	}
	switch action := w.random.IntN(6); {
	case r == row{}: // it is gone
	case action == 0 && w.overRuns:
		w.plane.DeleteRun(id)
		w.put(id, row{})
	case action == 0:
		w.plane.Delete(id)
		w.put(id, row{})
	case w.overRuns:
		r.status = w.pick(statuses)
		w.plane.SetRunStatus(id, r.status)
		w.put(id, r)
	case r.status == "open":
		w.plane.Resolve(id)
		r.status = "resolved"
		w.put(id, r)
	case action == 1:
		w.plane.Reopen(id)
		r.status = "open"
		w.put(id, r)
	}
}

// A verdict is what came of one walk.
type verdict struct {
	rows, missed, repeated, strange int
	requests                        int
	err                             error
}

// judge holds the rows that a walk yielded against what it should have yielded.
func (w *world) judge(yielded []string, err error) verdict {
	w.mu.Lock()
	defer w.mu.Unlock()
	v := verdict{rows: len(yielded), requests: w.requests, err: err}
	count := map[string]int{}
	for _, id := range yielded {
		count[id]++
		if count[id] == 2 {
			v.repeated++
		}
		if !w.matched[id] {
			v.strange++
		}
	}
	for id, stayed := range w.stayed {
		if stayed && count[id] == 0 {
			v.missed++
		}
	}
	return v
}

// A walker reads a world's list from end to end.
type walker func(ctx context.Context, client *agentctl.Client, w *world) ([]string, error)

func exactWalk(ctx context.Context, client *agentctl.Client, w *world) (ids []string, err error) {
	if w.overRuns {
		for run, err := range client.Runs(ctx, w.runs) {
			if err != nil {
				return ids, err
			}
			ids = append(ids, run.ID)
		}
		return ids, nil
	}
	for exception, err := range client.Exceptions(ctx, w.exceptions) {
		if err != nil {
			return ids, err
		}
		ids = append(ids, exception.ID)
	}
	return ids, nil
}

// naiveWalk is the loop that comes to mind first.
func naiveWalk(ctx context.Context, client *agentctl.Client, w *world) (ids []string, err error) {
	for {
		var page []string
		if w.overRuns {
			p := w.runs
			p.Offset = int64(len(ids))
			answer, err := client.ListRuns(ctx, p)
			if err != nil {
				return ids, err
			}
			for _, run := range answer.Runs {
				page = append(page, run.ID)
			}
		} else {
			p := w.exceptions
			p.Offset = int64(len(ids))
			answer, err := client.ListExceptions(ctx, p)
			if err != nil {
				return ids, err
			}
			for _, exception := range answer.Exceptions {
				page = append(page, exception.ID)
			}
		}
		if len(page) == 0 {
			return ids, nil
		}
		ids = append(ids, page...)
	}
}

// walkWorlds walks over the worlds of that many seeds, over loopback HTTP.
func walkWorlds(t *testing.T, seeds int, walk walker) []verdict {
	t.Helper()
	var worlds sync.Map
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seed, _, _ := strings.Cut(r.URL.Path[1:], "/")
		if plane, found := worlds.Load(seed); found { // else the walk is over: a page read ahead in vain
			http.StripPrefix("/"+seed, plane.(http.Handler)).ServeHTTP(w, r)
		}
	}))
	defer server.Close()
	const workers = 4
	connections := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 8 * workers}}
	defer connections.CloseIdleConnections()

	verdicts := make([]verdict, seeds)
	var next atomic.Int64
	var running sync.WaitGroup
	for range workers {
		running.Go(func() {
			for seed := int(next.Add(1)) - 1; seed < seeds; seed = int(next.Add(1)) - 1 {
				w := newWorld(seed)
				worlds.Store(fmt.Sprint(seed), w.plane)
				client, err := agentctl.New(
					opsroom.Endpoint{BaseURL: fmt.Sprint(server.URL, "/", seed), HTTPClient: connections},
					&agentctl.Options{ReadAhead: w.ahead})
				if err != nil {
					verdicts[seed].err = err
					continue
				}
				ctx, cancel := context.WithCancel(t.Context())
				w.cancel = cancel
				ids, err := walk(ctx, client, w)
				cancel()
				verdicts[seed] = w.judge(ids, err)
				worlds.Delete(fmt.Sprint(seed))
			}
		})
	}
	running.Wait()
	return verdicts
}

func TestWalksAreExactWhileOthersChangeTheList(t *testing.T) {
	t.Parallel()
	rows, requests := 0, 0
	for seed, v := range walkWorlds(t, *churnSeeds, exactWalk) {
		require.NoError(t, v.err, "seed %d", seed)
		require.Zero(t, v.missed, "seed %d: rows that stayed and were not yielded", seed)
		require.Zero(t, v.repeated, "seed %d: rows that were yielded again", seed)
		require.Zero(t, v.strange, "seed %d: rows that never matched", seed)
		rows, requests = rows+v.rows, requests+v.requests
	}
	t.Logf("%d walks, %d rows, %d requests: 0 missed, 0 repeated", *churnSeeds, rows, requests)
}

func TestTheNaiveLoopMissesRowsInTheSameWorlds(t *testing.T) {
	t.Parallel()
	verdicts := walkWorlds(t, min(*churnSeeds, 275), naiveWalk)
	missed := slices.DeleteFunc(slices.Clone(verdicts), func(v verdict) bool { return v.missed == 0 })
	repeated := slices.DeleteFunc(slices.Clone(verdicts), func(v verdict) bool { return v.repeated == 0 })
	require.Greater(t, len(missed), len(verdicts)/20, "or else the worlds would prove nothing")
	require.Greater(t, len(repeated), len(verdicts)/20)
	t.Logf("of %d naive walks %d miss rows and %d repeat some", len(verdicts), len(missed), len(repeated))
}
