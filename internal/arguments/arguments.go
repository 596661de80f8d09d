// Package arguments checks the arguments of an operation before anything is sent.
//
// Both forms of an operation lead here: a tool's JSON through [FromJSON], a typed
// method's parameters through [FromValues]. From then on there is one road,
// so the two can never disagree. An operation's check function asks for each
// of its members once, in the order of its schema, and gets the checked
// value; what is wrong is gathered and returned by [Check.Err] all at once.
package arguments

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/internal/rawjson"
)

// A Check is the checking of one call's arguments.
type Check struct {
	operation string
	members   []rawjson.Member
	asked     []string
	failures  []opsroom.InputFailure
	broken    bool // the arguments are no object, so nothing can be asked of them
}

// FromJSON starts the check of a tool's arguments. Nothing at all and null count as {}.
func FromJSON(operation string, raw json.RawMessage) *Check {
	c := &Check{operation: operation}
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return c
	}
	if err := rawjson.Check(raw); err != nil {
		c.breakOff(opsroom.RuleSyntax, "must be one JSON object: "+err.Error())
		return c
	}
	if rawjson.KindOf(raw) == rawjson.Null {
		return c
	}
	members, err := rawjson.Members(raw)
	if err != nil {
		c.breakOff(opsroom.RuleType, "must be a JSON object, not "+article(rawjson.KindOf(raw)))
		return c
	}
	c.members = members
	return c
}

// FromValues starts the check of a typed method's parameters. Members that the
// caller left unset are not to be among them.
func FromValues(operation string, members ...rawjson.Member) *Check {
	return &Check{operation: operation, members: members}
}

func (c *Check) breakOff(rule opsroom.Rule, message string) {
	c.broken = true
	c.Fail("", rule, message)
}

// Fail records that the member called name breaks rule.
func (c *Check) Fail(name string, rule opsroom.Rule, message string) {
	pointer := ""
	if name != "" {
		pointer = "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
	}
	c.failures = append(c.failures, opsroom.InputFailure{Pointer: pointer, Rule: rule, Message: message})
}

// Err returns everything that is wrong as an *opsroom.InputError, or nil. It must
// be called after every member of the schema was asked for, since whatever was
// not asked for is unknown.
func (c *Check) Err() error {
	if !c.broken {
		c.refuseUnknown()
	}
	if len(c.failures) == 0 {
		return nil
	}
	return &opsroom.InputError{Operation: c.operation, Failures: c.failures}
}

// find returns the member's value, and records that the name is known.
func (c *Check) find(name string) (json.RawMessage, bool) {
	c.asked = append(c.asked, name)
	value, found := rawjson.Lookup(c.members, name)
	if found && c.count(name) > 1 {
		c.Fail(name, opsroom.RuleDuplicate, "must be given only once")
		return nil, false
	}
	return value, found
}

func (c *Check) count(name string) int {
	n := 0
	for _, m := range c.members {
		if m.Name == name {
			n++
		}
	}
	return n
}

// ofKind is find for a member of one kind. A missing member fails if it is required.
func (c *Check) ofKind(name string, kind rawjson.Kind, required bool) (json.RawMessage, bool) {
	failed := len(c.failures)
	value, found := c.find(name)
	switch {
	case !found:
		if required && !c.broken && len(c.failures) == failed {
			c.Fail(name, opsroom.RuleRequired, "is required")
		}
		return nil, false
	case rawjson.KindOf(value) != kind:
		c.Fail(name, opsroom.RuleType, "must be "+article(kind)+", not "+article(rawjson.KindOf(value)))
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
