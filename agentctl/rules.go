package agentctl

import (
	"strconv"

	"github.com/opsroom-go/opsroom/internal/arguments"
	"github.com/opsroom-go/opsroom/internal/escape"
	"github.com/opsroom-go/opsroom/internal/rawjson"
)

// The rules that several operations share, as the contracts print them.
var (
	identifier     = arguments.Text{Min: 1, Max: 128}
	pathIdentifier = arguments.Text{Required: true, Min: 1, Max: 128, PathSegment: true}

	exceptionStatuses = []string{string(ExceptionOpen), string(ExceptionResolved)}
	severities        = []string{string(SeverityInfo), string(SeverityWarning), string(SeverityCritical)}
	runStatuses       = []string{
		string(RunRunning), string(RunWaitingApproval), string(RunBlocked),
		string(RunSucceeded), string(RunFailed), string(RunCancelled),
	}
)

const maxLimit = 200

// A query is a URL query that takes its parameters from checked arguments.
type query struct{ escape.Query }

func (q *query) text(check *arguments.Check, name string, rule arguments.Text) {
	if value, given := check.Text(name, rule); given {
		q.Add(name, value)
	}
}

// page adds the two parameters of every list.
func (q *query) page(check *arguments.Check) {
	if limit, given := check.Integer("limit", 1, maxLimit); given {
		q.Add("limit", strconv.FormatInt(limit, 10))
	}
	if offset, given := check.Integer("offset", 0, arguments.MaxSafeInteger); given {
		q.Add("offset", strconv.FormatInt(offset, 10))
	}
}

// appendText adds a member unless it has its zero value, which means unset.
func appendText(m []rawjson.Member, name, value string) []rawjson.Member {
	if value == "" {
		return m
	}
	return append(m, arguments.StringValue(name, value))
}

// appendInteger adds a member unless it has its zero value, which means unset.
func appendInteger(m []rawjson.Member, name string, value int64) []rawjson.Member {
	if value == 0 {
		return m
	}
	return append(m, arguments.IntegerValue(name, value))
}

// isCategory matches ^[a-z][a-z0-9]*(?:[._:-][a-z0-9]+)*$.
func isCategory(s string) bool {
	wordStart := true // at the start of a word, which may not be empty
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9' && i > 0:
			wordStart = false
		case (c == '.' || c == '_' || c == ':' || c == '-') && !wordStart:
			wordStart = true
		default:
			return false
		}
	}
	return !wordStart
}
