package arguments

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/internal/quote"
	"github.com/opsroom-go/opsroom/internal/rawjson"
)

// A Text is the rule for a member that is a string. Lengths count code points, as JSON
// Schema does.
type Text struct {
	Required    bool
	Min, Max    int      // Max 0 means no bound
	OneOf       []string // the only values allowed, if not nil
	PathSegment bool     // the value becomes a segment of the URL path
	Matches     func(string) bool
	Pattern     string // what Matches wants, in words
}

// Text returns the value of a string member; given is false if it is absent or wrong.
func (c *Check) Text(name string, rule Text) (value string, given bool) {
	raw, ok := c.ofKind(name, rawjson.String, rule.Required)
	if !ok {
		return "", false
	}
	if !isUnicode(raw) {
		c.fail(name, opsroom.RuleUnicode, "must be valid Unicode text")
		return "", false
	}
	value = rawjson.Text(raw)
	before := len(c.failures)
	c.checkText(name, value, rule)
	return value, len(c.failures) == before
}

func (c *Check) checkText(name, value string, rule Text) {
	length := utf8.RuneCountInString(value)
	switch {
	case length < rule.Min:
		c.fail(name, opsroom.RuleMinLength, fmt.Sprintf("must have at least %s, has %d", characters(rule.Min), length))
		return // an empty value says no more by failing the pattern too
	case rule.Max > 0 && length > rule.Max:
		c.fail(name, opsroom.RuleMaxLength, fmt.Sprintf("must have at most %s, has %d", characters(rule.Max), length))
	}
	if rule.OneOf != nil && !slices.Contains(rule.OneOf, value) {
		c.fail(name, opsroom.RuleEnum, "must be "+alternatives(rule.OneOf)+", not "+quote.Short(value))
	}
	if rule.Matches != nil && !rule.Matches(value) {
		c.fail(name, opsroom.RulePattern, "must be "+rule.Pattern+", not "+quote.Short(value))
	}
	if rule.PathSegment && (value == "." || value == "..") {
		c.fail(name, opsroom.RulePathSegment, "must not be "+quote.Short(value)+": a URL path cannot carry it")
	}
}

func characters(n int) string {
	if n == 1 {
		return "1 character"
	}
	return fmt.Sprintf("%d characters", n)
}

func alternatives(values []string) string {
	if len(values) == 1 {
		return values[0]
	}
	last := len(values) - 1
	return strings.Join(values[:last], ", ") + " or " + values[last]
}

// isUnicode reports whether a JSON string stands for text that can be sent on unchanged.
// Go turns an unpaired surrogate (\ud800) and an invalid byte into U+FFFD without a word,
// which would address another resource.
func isUnicode(raw []byte) bool {
	if !utf8.Valid(raw) {
		return false
	}
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' {
			continue
		}
		i++
		if i >= len(raw) || raw[i] != 'u' {
			continue
		}
		unit := hex4(raw, i+1)
		i += 4
		switch {
		case unit < 0xd800 || unit > 0xdfff:
		case unit > 0xdbff:
			return false
		case i+2 < len(raw) && raw[i+1] == '\\' && raw[i+2] == 'u' && isLow(hex4(raw, i+3)):
			i += 6
		default:
			return false
		}
	}
	return true
}

func isLow(unit int) bool { return unit >= 0xdc00 && unit <= 0xdfff }

// hex4 reads four hexadecimal digits; -1 if they are not there.
func hex4(raw []byte, at int) int {
	if at+4 > len(raw) {
		return -1
	}
	unit := 0
	for _, c := range raw[at : at+4] {
		digit := strings.IndexByte("0123456789abcdef", c|0x20)
		if digit < 0 {
			return -1
		}
		unit = unit<<4 | digit
	}
	return unit
}
