package agentctltest

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"time"
)

// A ControlPlane is an agent control plane that lives in memory: missions with
// runs, and the exceptions raised on them. It is an [http.Handler] that serves
// the three operations of package agentctl at the paths that their contracts
// give, so it can be mounted in a server of the host's own; [NewServer] makes
// one that listens already.
//
// All methods are safe for concurrent use, also from within the functions given
// to [ControlPlane.BeforeRequest] and [ControlPlane.FailFunc].
type ControlPlane struct {
	settings settings

	// hooks is held while the host's functions run, so that they run one at a
	// time and in the order in which the requests are counted.
	hooks sync.Mutex

	mu         sync.Mutex
	token      string
	runs       map[string]*runRow   // by id
	missions   map[string][]*runRow // oldest first
	exceptions []*exceptionRow      // oldest first
	byID       map[string][]*exceptionRow
	tallies    map[string]tally     // by run id
	envelope   map[Operation][]byte // extra members, each with a comma behind it
	lastID     map[string]int       // by prefix

	traffic traffic

	closing context.Context
	close   context.CancelFunc
}

// A tally counts the exceptions of a run.
type tally struct{ all, open int }

// New returns a control plane without missions, runs or exceptions, unless
// options put some in.
func New(options ...Option) *ControlPlane {
	p := &ControlPlane{
		settings: settings{clock: time.Now, raiseStatus: http.StatusCreated},
		runs:     map[string]*runRow{},
		missions: map[string][]*runRow{},
		byID:     map[string][]*exceptionRow{},
		tallies:  map[string]tally{},
		envelope: map[Operation][]byte{},
		lastID:   map[string]int{},
	}
	p.traffic = traffic{counts: map[Operation]int{}, faults: map[Operation][]Fault{}}
	p.closing, p.close = context.WithCancel(context.Background())
	for _, option := range options {
		if option != nil {
			option(&p.settings)
		}
	}
	p.token = p.settings.token
	if p.settings.demo {
		p.fillDemo()
	}
	return p
}

// Close ends the requests that a fault holds back. The state stays, and further
// requests are served. Closing twice is harmless.
func (p *ControlPlane) Close() { p.close() }

// SetToken changes the bearer token that requests must carry, as if the old one
// had been revoked; "" lets every request in.
func (p *ControlPlane) SetToken(token string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.token = token
}

// AddEnvelopeMember adds a member to the envelope of every successful answer of
// an operation, in front of the one that the contract requires. The contracts
// allow members that they do not name. The value is not checked: what is no
// JSON breaks the answer.
func (p *ControlPlane) AddEnvelopeMember(operation Operation, name string, value json.RawMessage) {
	p.mu.Lock()
	defer p.mu.Unlock()
	member := appendName(p.envelope[operation], name)
	member = append(member, value...)
	p.envelope[operation] = append(member, ',')
}

// now returns the time for a new row. It is called with the mutex held, so that
// times and rows are in the same order.
func (p *ControlPlane) now() time.Time { return plainTime(p.settings.clock()) }

// plainTime drops the monotonic reading, which rows do not carry.
func plainTime(t time.Time) time.Time { return t.Round(0).UTC() }

// nextID returns the next identifier with the prefix that is not taken.
func (p *ControlPlane) nextID(prefix string, taken func(string) bool) string {
	for {
		p.lastID[prefix]++
		if id := serial(prefix, p.lastID[prefix]); !taken(id) {
			return id
		}
	}
}
