package insights

import (
	"encoding/json"

	"github.com/opsroom-go/opsroom/internal/arguments"
	"github.com/opsroom-go/opsroom/internal/rawjson"
)

// A Query says which insights of which agent are wanted. ProjectEndpoint and
// AgentName are required; every other field that has its zero value is not
// sent, and the service, or for a walk over all pages this package, has its
// default.
type Query struct {
	// ProjectEndpoint is the URL of the Foundry project, such as
	// "https://ACCOUNT.services.ai.azure.com/api/projects/PROJECT". It is not
	// the address of a portal page. Other clouds have other hosts.
	ProjectEndpoint string

	// AgentName is the agent's exact name: no monitor id, no "name:version".
	AgentName string

	// Category, Severity and Status select insights by exact value. Filters
	// that the service does not support are its business to refuse; none is
	// dropped here.
	Category string
	Severity Severity
	Status   Status

	// IncludeDetails asks for evidence and proposed fix. Nil means no for a
	// single page and yes for a walk.
	IncludeDetails *bool

	// Order is the order by time of creation. Empty means newest first.
	Order Order

	// After is the cursor to begin behind: [Page.LastID] of an earlier page
	// whose HasMore is true, or [Incomplete.After].
	After string

	// Limit is the size of a page, 1 to 100, not the number of results; for
	// that see [Total]. Zero means 20 for a single page (the service's default)
	// and 100 for a walk.
	Limit int
}

// Order is an order by time of creation.
type Order string

// The orders. The set is closed.
const (
	OldestFirst Order = "asc"
	NewestFirst Order = "desc"
)

// The bounds of [Query].Limit.
const (
	minLimit = 1
	maxLimit = 100
)

// forWalk returns the query with what a walk asks for where q is silent.
func (q Query) forWalk() Query {
	if q.IncludeDetails == nil {
		q.IncludeDetails = new(true)
	}
	if q.Order == "" {
		q.Order = NewestFirst
	}
	if q.Limit == 0 {
		q.Limit = maxLimit
	}
	return q
}

// members returns the fields that are set, under the names of the tool's
// schema.
func (q Query) members() []rawjson.Member {
	var members []rawjson.Member
	text := func(name, value string) {
		if value != "" {
			members = append(members, arguments.StringValue(name, value))
		}
	}
	text("projectEndpoint", q.ProjectEndpoint)
	text("agentName", q.AgentName)
	text("category", q.Category)
	text("severity", string(q.Severity))
	text("status", string(q.Status))
	if q.IncludeDetails != nil {
		members = append(members, arguments.BoolValue("includeDetails", *q.IncludeDetails))
	}
	text("order", string(q.Order))
	text("after", q.After)
	if q.Limit != 0 {
		members = append(members, arguments.IntegerValue("limit", int64(q.Limit)))
	}
	return members
}

// parameters checks the query and returns what is sent.
func (q Query) parameters() (map[string]any, error) {
	return check(arguments.FromValues(ToolName, q.members()...))
}

// parseParameters does the same for the arguments of a tool call.
func parseParameters(raw json.RawMessage) (map[string]any, error) {
	return check(arguments.FromJSON(ToolName, raw))
}

// check asks for each member in the order of the schema. What is given is sent,
// and nothing else.
func check(c *arguments.Check) (map[string]any, error) {
	parameters := map[string]any{}
	text := func(name string, rule arguments.Text) {
		if value, given := c.Text(name, rule); given {
			parameters[name] = value
		}
	}
	text("projectEndpoint", arguments.Text{Required: true, Min: 1})
	text("agentName", arguments.Text{Required: true, Min: 1})
	text("category", arguments.Text{Min: 1})
	text("severity", arguments.Text{Min: 1})
	text("status", arguments.Text{OneOf: []string{string(StatusActive), string(StatusResolved), string(StatusIgnored)}})
	if value, given := c.Bool("includeDetails"); given {
		parameters["includeDetails"] = value
	}
	text("order", arguments.Text{OneOf: []string{string(OldestFirst), string(NewestFirst)}})
	text("after", arguments.Text{Min: 1})
	if value, given := c.Integer("limit", minLimit, maxLimit); given {
		parameters["limit"] = value
	}
	if err := c.Err(); err != nil {
		return nil, &Error{Kind: InvalidArgument, Err: err}
	}
	return parameters, nil
}
