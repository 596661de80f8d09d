package agentctltest

import (
	"math/rand/v2"
	"net/http"
	"slices"

	"github.com/opsroom-go/opsroom/problem"
)

// A window is the part of a list that is asked for.
type window struct {
	limit, offset int64

	// unstable says that the order of rows of one instant is random, from seed.
	unstable bool
	seed     uint64
}

func (q *parameters) window() window {
	return window{
		limit:  q.integer("limit", 1, maxLimit, defaultLimit),
		offset: q.integer("offset", 0, maxOffset, 0),
	}
}

func (p *ControlPlane) listExceptions(r *http.Request, c *call) ([]byte, *problem.Problem) {
	q := parseQuery(r.URL.RawQuery, "missionId", "runId", "status", "severity", "limit", "offset")
	missionID, runID := q.identifier("missionId"), q.identifier("runId")
	status, severity := q.oneOf("status", exceptionStatuses), q.oneOf("severity", severities)
	w := c.fault.narrow(q.window())
	if refusal := q.refusal(); refusal != nil {
		return nil, refusal
	}
	if refusal := refuseBody(c); refusal != nil {
		return nil, refusal
	}
	var keep func(*exceptionRow) bool
	if missionID+runID+status+severity != "" {
		keep = func(e *exceptionRow) bool {
			return (missionID == "" || e.MissionID == missionID) && (runID == "" || e.RunID == runID) &&
				(status == "" || e.Status == status) && (severity == "" || e.Severity == severity)
		}
	}
	p.mu.Lock()
	rows, extra := page(p.exceptions, keep, w), p.envelope[ListExceptions]
	p.mu.Unlock()
	return encodePage(extra, "exceptions", rows), nil
}

func (p *ControlPlane) listRuns(r *http.Request, c *call) ([]byte, *problem.Problem) {
	q := parseQuery(r.URL.RawQuery, "status", "limit", "offset")
	status := q.oneOf("status", runStatuses)
	w := c.fault.narrow(q.window())
	if refusal := q.refusal(); refusal != nil {
		return nil, refusal
	}
	if refusal := refuseBody(c); refusal != nil {
		return nil, refusal
	}
	var keep func(*runRow) bool
	if status != "" {
		keep = func(run *runRow) bool { return run.Status == status }
	}
	p.mu.Lock()
	runs, found := p.missions[c.field]
	rows, extra := page(runs, keep, w), p.envelope[ListRuns]
	p.mu.Unlock()
	if !found {
		return nil, refuse(http.StatusNotFound, "mission_not_found", "There is no such mission.")
	}
	return encodePage(extra, "runs", rows), nil
}

// refuseBody refuses a list request that has a body.
func refuseBody(c *call) *problem.Problem {
	if len(c.body) == 0 {
		return nil
	}
	return refuse(http.StatusBadRequest, "unexpected_body", "This operation takes no body.")
}

// page returns the rows in the window over those that keep selects, newest
// first. Nil selects all. Rows are never changed in place, so that their bytes
// may be used after the mutex was released.
func page[R row](rows []R, keep func(R) bool, w window) [][]byte {
	if w.unstable {
		rows = shuffleTies(rows, w.seed)
	}
	skip := w.offset
	if keep == nil {
		skip = min(skip, int64(len(rows)))
		rows, skip = rows[:len(rows)-int(skip)], 0
	}
	lines := [][]byte{}
	for _, r := range slices.Backward(rows) {
		switch {
		case int64(len(lines)) == w.limit:
			return lines
		case keep != nil && !keep(r):
		case skip > 0:
			skip--
		default:
			lines = append(lines, r.bytes())
		}
	}
	return lines
}

// shuffleTies returns the rows with those of one instant in random order.
func shuffleTies[R row](rows []R, seed uint64) []R {
	rows = slices.Clone(rows)
	random := rand.New(rand.NewPCG(seed, seed))
	for start := 0; start < len(rows); {
		end := start + 1
		for end < len(rows) && rows[end].created().Equal(rows[start].created()) {
			end++
		}
		tied := rows[start:end]
		random.Shuffle(len(tied), func(i, j int) { tied[i], tied[j] = tied[j], tied[i] })
		start = end
	}
	return rows
}

// encodePage writes the envelope of a list.
func encodePage(extra []byte, name string, rows [][]byte) []byte {
	size := len(extra) + len(name) + len(`{"":[]}`)
	for _, row := range rows {
		size += len(row) + 1
	}
	b := append(make([]byte, 0, size), '{')
	b = append(b, extra...)
	b = append(appendName(b, name), '[')
	for i, row := range rows {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, row...)
	}
	return append(b, "]}"...)
}
