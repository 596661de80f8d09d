package arguments

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/internal/quote"
	"github.com/opsroom-go/opsroom/internal/rawjson"
)

// MaxSafeInteger is 2^53-1, the largest integer that every JSON implementation keeps.
const MaxSafeInteger = 1<<53 - 1

// Integer returns the value of an integer member; given is false if it is absent or
// wrong. As JSON Schema has it, 5.0 and 5e0 are the integer 5. Numbers are read as the
// double-precision values that JSON peers read them as.
func (c *Check) Integer(name string, least, most int64) (value int64, given bool) {
	raw, ok := c.ofKind(name, rawjson.Number, false)
	if !ok {
		return 0, false
	}
	// The only error that a JSON number can cause is that it is out of range, and then
	// the result is an infinity, which the bounds refuse.
	number, _ := strconv.ParseFloat(string(raw), 64)
	switch {
	case number != math.Trunc(number):
		c.fail(name, opsroom.RuleType, "must be an integer, not "+quote.Short(string(raw)))
	case number < float64(least):
		c.fail(name, opsroom.RuleMinimum, fmt.Sprintf("must be at least %d", least))
	case number > float64(most):
		c.fail(name, opsroom.RuleMaximum, fmt.Sprintf("must be at most %d", most))
	default:
		return int64(number), true
	}
	return 0, false
}

// Bool returns the value of a boolean member; given is false if it is absent or wrong.
func (c *Check) Bool(name string) (value, given bool) {
	raw, ok := c.ofKind(name, rawjson.Boolean, false)
	if !ok {
		return false, false
	}
	return rawjson.Bool(raw)
}

// Object returns the exact bytes of an object member; nil if it is absent or wrong.
func (c *Check) Object(name string) json.RawMessage {
	raw, ok := c.ofKind(name, rawjson.Object, false)
	if ok && !utf8.Valid(raw) {
		c.fail(name, opsroom.RuleUnicode, "must hold only valid Unicode text")
		return nil
	}
	return raw
}

// StringValue is a member for [FromValues]. Text that is not valid UTF-8 keeps its bytes,
// so that the check can refuse it.
func StringValue(name, value string) rawjson.Member {
	return rawjson.Member{Name: name, Value: rawjson.Quote(value)}
}

// IntegerValue is a member for [FromValues].
func IntegerValue(name string, value int64) rawjson.Member {
	return rawjson.Member{Name: name, Value: strconv.AppendInt(nil, value, 10)}
}

// BoolValue is a member for [FromValues].
func BoolValue(name string, value bool) rawjson.Member {
	return rawjson.Member{Name: name, Value: strconv.AppendBool(nil, value)}
}
