// Package arguments checks the arguments of an operation before anything is sent.
//
// Both forms of an operation lead here: a tool's JSON through [FromJSON], a typed
// method's parameters through [FromValues]. From then on there is one road, so the
// two can never disagree. An operation's check function asks for each of its members
// once, in the order of its schema, and gets the checked value; what is wrong is
// gathered and returned by [Check.Err] all at once.
package arguments

import (
	"encoding/json"
	"strings"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/internal/rawjson"
)

// A Check is the checking of one call's arguments.
type Check struct {
	operation string
	members   []rawjson.Member
	refused   map[string]opsroom.InputFailure // by name, before they are asked for
	asked     []string
	failures  []opsroom.InputFailure
	broken    bool // the arguments are no object, so nothing can be asked of them
}

// FromJSON starts the check of a tool's arguments. Nothing at all and null count as {}.
func FromJSON(operation string, raw json.RawMessage) *Check {
	c := &Check{operation: operation}
	if rawjson.KindOf(raw) == rawjson.Absent {
		return c
	}
	// Texts that are not valid UTF-8 are left to the check of their member, so that
	// the failure names it.
	if err := rawjson.CheckSyntax(raw); err != nil {
		c.breakOff(opsroom.RuleSyntax, "must be one JSON object: "+err.Error())
		return c
	}
	switch kind := rawjson.KindOf(raw); kind {
	case rawjson.Null:
	case rawjson.Object:
		members, err := rawjson.Members(raw)
		if err != nil { // the syntax is known to be right
			c.breakOff(opsroom.RuleSyntax, "must be a JSON object of reasonable size: "+err.Error())
		}
		c.members = members
	default:
		c.breakOff(opsroom.RuleType, "must be a JSON object, not "+article(kind))
	}
	return c
}

// FromValues starts the check of a typed method's parameters. Members that the
// caller left unset are not to be among them.
func FromValues(operation string, members ...rawjson.Member) *Check {
	return &Check{operation: operation, members: members}
}

// Refuse makes the member called name fail when it is asked for. It is for
// parameters of a typed method that cannot be put into JSON at all.
func (c *Check) Refuse(name string, rule opsroom.Rule, message string) {
	if c.refused == nil {
		c.refused = map[string]opsroom.InputFailure{}
	}
	c.refused[name] = opsroom.InputFailure{Pointer: pointer(name), Rule: rule, Message: message}
}

// Err returns everything that is wrong as an *opsroom.InputError, or nil. It must be
// called after every member of the schema was asked for, since whatever was not asked
// for is unknown.
func (c *Check) Err() error {
	if !c.broken {
		c.refuseUnknown()
	}
	if len(c.failures) == 0 {
		return nil
	}
	return &opsroom.InputError{Operation: c.operation, Failures: c.failures}
}

func (c *Check) breakOff(rule opsroom.Rule, message string) {
	c.broken = true
	c.failures = append(c.failures, opsroom.InputFailure{Rule: rule, Message: message})
}

// fail records that the member called name breaks rule.
func (c *Check) fail(name string, rule opsroom.Rule, message string) {
	c.failures = append(c.failures, opsroom.InputFailure{Pointer: pointer(name), Rule: rule, Message: message})
}

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

// pointer returns the JSON Pointer (RFC 6901) of the member called name.
func pointer(name string) string { return "/" + pointerEscapes.Replace(name) }

// find returns the member's value, and records that the name is known. It returns
// false for ok if the member has failed already.
func (c *Check) find(name string) (value json.RawMessage, found, ok bool) {
	c.asked = append(c.asked, name)
	if failure, refused := c.refused[name]; refused {
		c.failures = append(c.failures, failure)
		return nil, false, false
	}
	for _, m := range c.members {
		if m.Name != name {
			continue
		}
		if found {
			c.fail(name, opsroom.RuleDuplicate, "must be given only once")
			return nil, false, false
		}
		value, found = m.Value, true
	}
	return value, found, true
}

// ofKind is find for a member of one kind. A missing member fails if it is required.
func (c *Check) ofKind(name string, kind rawjson.Kind, required bool) (json.RawMessage, bool) {
	value, found, ok := c.find(name)
	got := rawjson.KindOf(value)
	switch {
	case !ok || c.broken:
		return nil, false
	case !found:
		if required {
			c.fail(name, opsroom.RuleRequired, "is required")
		}
		return nil, false
	case got != kind:
		c.fail(name, opsroom.RuleType, "must be "+article(kind)+", not "+article(got))
		return nil, false
	}
	return value, true
}

func article(kind rawjson.Kind) string {
	switch kind {
	case rawjson.Null:
		return "null"
	case rawjson.Object, rawjson.Array:
		return "an " + string(kind)
	default:
		return "a " + string(kind)
	}
}
