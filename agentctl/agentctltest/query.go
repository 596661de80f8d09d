package agentctltest

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/opsroom-go/opsroom/internal/quote"
	"github.com/opsroom-go/opsroom/problem"
)

// What the contracts say of parameters.
const (
	maxIdentifier = 128
	defaultLimit  = 50
	maxLimit      = 200
	maxOffset     = 1<<53 - 1
)

var (
	exceptionStatuses = []string{statusOpen, statusResolved}
	severities        = []string{"info", "warning", "critical"}
	runStatuses       = []string{statusRunning, statusWaitingApproval, statusBlocked, "succeeded", "failed", "cancelled"}
)

// parameters are those of a query, and what is wrong with them.
type parameters struct {
	values map[string]string
	wrong  []string
}

// parseQuery reads a query in which only the named parameters may be.
func parseQuery(raw string, known ...string) *parameters {
	q := &parameters{values: map[string]string{}}
	if raw == "" {
		return q
	}
	for pair := range strings.SplitSeq(raw, "&") {
		name, value, ok := unescapePair(pair)
		_, repeated := q.values[name]
		switch {
		case !ok:
			q.fail("the query is not correctly encoded")
		case !slices.Contains(known, name):
			q.fail("%s is not a parameter", quote.Short(name))
		case repeated:
			q.fail("%s is given more than once", name)
		case value == "":
			q.fail("%s is empty", name)
		}
		q.values[name] = value
	}
	return q
}

func unescapePair(pair string) (name, value string, ok bool) {
	name, value, _ = strings.Cut(pair, "=")
	name, nameErr := url.QueryUnescape(name)
	value, valueErr := url.QueryUnescape(value)
	return name, value, nameErr == nil && valueErr == nil && utf8.ValidString(name) && utf8.ValidString(value)
}

func (q *parameters) fail(format string, arguments ...any) {
	q.wrong = append(q.wrong, fmt.Sprintf(format, arguments...))
}

// identifier returns an identifier, or "".
func (q *parameters) identifier(name string) string {
	value := q.values[name]
	if utf8.RuneCountInString(value) > maxIdentifier {
		q.fail("%s has more than %d characters", name, maxIdentifier)
	}
	return value
}

// oneOf returns one of the values, or "".
func (q *parameters) oneOf(name string, allowed []string) string {
	value := q.values[name]
	if value != "" && !slices.Contains(allowed, value) {
		q.fail("%s must be one of %s", name, strings.Join(allowed, ", "))
	}
	return value
}

// integer returns a number in plain decimal digits.
func (q *parameters) integer(name string, least, most, otherwise int64) int64 {
	text := q.values[name]
	if text == "" {
		return otherwise
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || strconv.FormatInt(n, 10) != text || n < least || n > most {
		q.fail("%s must be a decimal integer from %d to %d", name, least, most)
	}
	return n
}

// refusal is the problem with the query, or nil.
func (q *parameters) refusal() *problem.Problem {
	if q.wrong == nil {
		return nil
	}
	return refuse(http.StatusBadRequest, "invalid_query", strings.Join(q.wrong, "; ")+".")
}

// checkIdentifier checks the path field.
func checkIdentifier(c *call) *problem.Problem {
	if utf8.ValidString(c.field) && utf8.RuneCountInString(c.field) <= maxIdentifier {
		return nil
	}
	return refuse(http.StatusBadRequest, "invalid_path", fmt.Sprintf("The identifier in the path must be valid UTF-8 of at most %d characters.", maxIdentifier))
}
