package agentctltest

import (
	"net/http"
	"net/url"
	"strings"
)

// An Operation is one of the three operations, by the name of its contract.
type Operation string

// The operations.
const (
	ListExceptions Operation = "list_agent_exceptions"
	RaiseException Operation = "raise_agent_exception"
	ListRuns       Operation = "list_agent_runs"
)

// A route is where an operation is served.
type route struct {
	operation Operation
	method    string
	path      string // "*" stands for a path field
}

var routes = [...]route{
	{ListExceptions, http.MethodGet, "/api/v1/agent/exceptions"},
	{RaiseException, http.MethodPost, "/api/v1/agent/runs/*/exceptions"},
	{ListRuns, http.MethodGet, "/api/v1/agent/missions/*/runs"},
}

// match reports whether the escaped path is the route's, and returns the
// decoded path field.
func (t route) match(escaped string) (field string, ok bool) {
	want, got := strings.Split(t.path, "/"), strings.Split(escaped, "/")
	if len(want) != len(got) {
		return "", false
	}
	for i := range want {
		if want[i] == "*" {
			field, ok = pathField(got[i])
		} else {
			ok = want[i] == got[i]
		}
		if !ok {
			return "", false
		}
	}
	return field, true
}

// pathField decodes a path field. Dot segments are none, however they are
// spelt: they address another resource on most servers.
func pathField(segment string) (string, bool) {
	field, err := url.PathUnescape(segment)
	return field, err == nil && field != "" && field != "." && field != ".."
}

// findRoute returns the route of a request and its path field. On a wrong
// method, allowed is the right one; on a wrong path, nothing is set.
func findRoute(r *http.Request) (operation Operation, field, allowed string) {
	path := r.URL.EscapedPath()
	for _, t := range routes {
		field, ok := t.match(path)
		switch {
		case !ok:
		case t.method == r.Method:
			return t.operation, field, t.method
		default:
			return "", "", t.method
		}
	}
	return "", "", ""
}
