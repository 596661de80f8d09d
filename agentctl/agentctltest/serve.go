package agentctltest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/opsroom-go/opsroom/internal/faults"
	"github.com/opsroom-go/opsroom/problem"
)

// maxBody is the largest request body that is read, in bytes.
const maxBody = 16 << 20

// A call is one request on its way through the control plane.
type call struct {
	operation Operation
	field     string // the path field, decoded
	allowed   string // the method that the path takes, "" for an unknown path
	body      []byte
	bodyError error
	requestID string
	fault     Fault
}

// ServeHTTP serves the three operations. To mount the control plane below a
// path, wrap it in [http.StripPrefix].
func (p *ControlPlane) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	// Whatever waits for the client to go also ends when the control plane is
	// closed.
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(p.closing, cancel)()
	c := &call{}
	c.operation, c.field, c.allowed = findRoute(r)
	c.body, c.bodyError = readBody(r.Body)
	r = r.WithContext(ctx)
	p.admit(c, r)
	w.Header().Set("X-Request-Id", c.requestID)
	var spoiler faults.Queue
	spoiler.Add(c.fault.wire)
	spoiler.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.handle(w, r, c)
	})).ServeHTTP(w, r)
}

var errTooLarge = errors.New("the request body is too large")

func readBody(body io.ReadCloser) ([]byte, error) {
	if body == nil {
		return nil, nil
	}
	read, err := io.ReadAll(io.LimitReader(body, maxBody+1))
	if len(read) > maxBody {
		return read, errTooLarge
	}
	return read, err
}

// handle is the operation itself.
func (p *ControlPlane) handle(w http.ResponseWriter, r *http.Request, c *call) {
	status, body, refusal := p.perform(w, r, c)
	if refusal != nil {
		_ = problem.Write(w, r, refusal) // fails only when the client has gone
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

func (p *ControlPlane) perform(w http.ResponseWriter, r *http.Request, c *call) (status int, body []byte, refusal *problem.Problem) {
	if refusal := p.authorize(w, r); refusal != nil {
		return 0, nil, refusal
	}
	if refusal := checkTransport(w, r, c); refusal != nil {
		return 0, nil, refusal
	}
	switch c.operation {
	case ListExceptions:
		body, refusal = p.listExceptions(r, c)
		return http.StatusOK, body, refusal
	case ListRuns:
		body, refusal = p.listRuns(r, c)
		return http.StatusOK, body, refusal
	default:
		body, refusal = p.raiseException(r, c)
		return p.settings.raiseStatus, body, refusal
	}
}

func (p *ControlPlane) authorize(w http.ResponseWriter, r *http.Request) *problem.Problem {
	p.mu.Lock()
	token := p.token
	p.mu.Unlock()
	if token == "" {
		return nil
	}
	header := r.Header.Values("Authorization")
	if len(header) == 1 {
		if scheme, credentials, _ := strings.Cut(header[0], " "); strings.EqualFold(scheme, "Bearer") && strings.TrimLeft(credentials, " ") == token {
			return nil
		}
	}
	w.Header().Set("WWW-Authenticate", "Bearer")
	return refuse(http.StatusUnauthorized, "unauthorized", "A valid bearer token is required.")
}

// checkTransport checks what is the same for all operations.
func checkTransport(w http.ResponseWriter, r *http.Request, c *call) *problem.Problem {
	switch {
	case c.allowed == "":
		return refuse(http.StatusNotFound, "route_not_found", "There is no such route.")
	case c.operation == "":
		w.Header().Set("Allow", c.allowed)
		return refuse(http.StatusMethodNotAllowed, "method_not_allowed", "This route takes only "+c.allowed+".")
	case errors.Is(c.bodyError, errTooLarge):
		return refuse(http.StatusRequestEntityTooLarge, "body_too_large", fmt.Sprintf("The body has more than %d bytes.", maxBody))
	case c.bodyError != nil:
		return refuse(http.StatusBadRequest, "body_incomplete", "The body did not arrive whole.")
	}
	return checkIdentifier(c)
}

// refuse returns the problem that a request is refused with.
func refuse(status int, code, detail string) *problem.Problem {
	return &problem.Problem{Status: status, Code: code, Detail: detail}
}
