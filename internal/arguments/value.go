package arguments

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/internal/quote"
	"github.com/opsroom-go/opsroom/internal/rawjson"
)

// MaxSafeInteger is 2^53-1, the largest integer that every JSON implementation keeps.
const MaxSafeInteger = 1<<53 - 1

// Integer returns the value of an integer member; given is false if it is
// absent or wrong. As JSON Schema has it, 5.0 and 5e0 are the integer 5. Numbers
// are read as the double-precision values that JSON peers read them as.
func (c *Check) Integer(name string, least, most int64) (value int64, given bool) {
	raw, ok := c.ofKind(name, rawjson.Number, false)
	if !ok {
		return 0, false
	}
	number, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || number != math.Trunc(number) {
		c.Fail(name, opsroom.RuleType, "must be an integer, not "+quote.Short(string(raw)))
		return 0, false
	}
	switch {
	case number < float64(least):
		c.Fail(name, opsroom.RuleMinimum, fmt.Sprintf("must be at least %d", least))
		return 0, false
	case number > float64(most):
		c.Fail(name, opsroom.RuleMaximum, fmt.Sprintf("must be at most %d", most))
		return 0, false
	}
	return int64(number), true
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
	raw, _ := c.ofKind(name, rawjson.Object, false)
	return raw
}

// StringValue is a member for [FromValues]. Text that is not valid UTF-8 keeps
// its bytes, so that the check can refuse it.
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
