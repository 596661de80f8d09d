package agentctltest

import (
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/opsroom-go/opsroom/internal/quote"
	"github.com/opsroom-go/opsroom/internal/rawjson"
	"github.com/opsroom-go/opsroom/problem"
)

func (p *ControlPlane) raiseException(r *http.Request, c *call) ([]byte, *problem.Problem) {
	if refusal := parseQuery(r.URL.RawQuery).refusal(); refusal != nil {
		return nil, refusal
	}
	if !isPlainJSON(r.Header) {
		return nil, refuse(http.StatusUnsupportedMediaType, "unsupported_media_type", "The body must be application/json without a content encoding.")
	}
	exception, refusal := readRaise(c.body)
	if refusal != nil {
		return nil, refusal
	}
	exception.RunID = c.field
	p.mu.Lock()
	defer p.mu.Unlock()
	run := p.runs[c.field]
	if refusal := p.refuseRun(run); refusal != nil {
		return nil, refusal
	}
	exception = p.addException(exception)
	run.Status = statusBlocked
	p.writeRun(run)
	b := append([]byte{'{'}, p.envelope[RaiseException]...)
	b = append(appendName(b, "exception"), exception.Raw...)
	return append(b, '}'), nil
}

// refuseRun says why nothing can be raised on the run.
func (p *ControlPlane) refuseRun(run *runRow) *problem.Problem {
	switch {
	case run == nil:
		return refuse(http.StatusNotFound, "run_not_found", "There is no such run.")
	case isTerminal(run.Status):
		return refuse(http.StatusConflict, "run_ended", "The run has ended: exceptions are raised on active runs.")
	case run.Status == statusBlocked && p.settings.refuseBlocked:
		return refuse(http.StatusConflict, "run_blocked", "The run is blocked already.")
	}
	return nil
}

// isPlainJSON reports whether the headers announce JSON in UTF-8.
func isPlainJSON(header http.Header) bool {
	mediaType, parameters, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err != nil || mediaType != "application/json" || header.Get("Content-Encoding") != "" {
		return false
	}
	charset, given := parameters["charset"]
	return !given || strings.EqualFold(charset, "utf-8")
}

// A raiseBody is the body of a raise, and what is wrong with it.
type raiseBody struct {
	members []rawjson.Member
	wrong   []string
}

// The members of the body of a raise.
var raiseMembers = []string{"category", "severity", "message", "detail", "stepId"}

// categoryPattern is the contract's.
var categoryPattern = regexp.MustCompile(`^[a-z][a-z0-9]*(?:[._:-][a-z0-9]+)*$`)

// readRaise checks the body of a raise against the contract.
func readRaise(body []byte) (Exception, *problem.Problem) {
	if err := rawjson.Check(body); err != nil {
		return Exception{}, refuse(http.StatusBadRequest, "invalid_json", "The body is not JSON: "+err.Error()+".")
	}
	b := raiseBody{}
	var err error
	if b.members, err = rawjson.Members(body); err != nil {
		return Exception{}, refuse(http.StatusUnprocessableEntity, "invalid_body", "The body: "+err.Error()+".")
	}
	b.checkNames()
	e := Exception{
		Category: b.text("category", 120, true),
		Severity: b.text("severity", 0, true),
		Message:  b.text("message", 2000, true),
		Detail:   b.object("detail"),
		StepID:   b.text("stepId", maxIdentifier, false),
	}
	if e.Severity != "" && !slices.Contains(severities, e.Severity) {
		b.fail("severity must be one of %s", strings.Join(severities, ", "))
	}
	if e.Category != "" && !categoryPattern.MatchString(e.Category) {
		b.fail("category does not match %s", categoryPattern)
	}
	if b.wrong != nil {
		return Exception{}, refuse(http.StatusUnprocessableEntity, "invalid_body", strings.Join(b.wrong, "; ")+".")
	}
	return e, nil
}

func (b *raiseBody) fail(format string, arguments ...any) {
	b.wrong = append(b.wrong, fmt.Sprintf(format, arguments...))
}

func (b *raiseBody) checkNames() {
	seen := map[string]bool{}
	for _, m := range b.members {
		switch {
		case !slices.Contains(raiseMembers, m.Name):
			b.fail("%s is not a member", quote.Short(m.Name))
		case seen[m.Name]:
			b.fail("%s is given more than once", m.Name)
		}
		seen[m.Name] = true
	}
}

// text returns a member that is a text of 1 to longest characters; 0 is no bound.
func (b *raiseBody) text(name string, longest int, required bool) string {
	value, found := rawjson.Lookup(b.members, name)
	text := rawjson.Text(value)
	switch {
	case !found && required:
		b.fail("%s is missing", name)
	case !found:
	case rawjson.KindOf(value) != rawjson.String:
		b.fail("%s must be a string", name)
	case text == "":
		b.fail("%s is empty", name)
	case longest > 0 && utf8.RuneCountInString(text) > longest:
		b.fail("%s has more than %d characters", name, longest)
	}
	return text
}

// object returns the bytes of a member that is an object, if it is there.
func (b *raiseBody) object(name string) json.RawMessage {
	value, found := rawjson.Lookup(b.members, name)
	if found && rawjson.KindOf(value) != rawjson.Object {
		b.fail("%s must be an object", name)
	}
	return value
}
