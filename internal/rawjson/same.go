package rawjson

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
)

// SameValue reports whether two JSON documents have the same value: white space, the
// order of members, escapes and the spelling of numbers aside. Numbers are the same if
// they are as double-precision values, or in their spelling. Of a repeated member the
// last one counts. Documents that are not valid JSON have no value.
func SameValue(a, b []byte) bool {
	x, ok := decode(a)
	if !ok {
		return false
	}
	y, ok := decode(b)
	return ok && same(x, y)
}

func decode(raw []byte) (value any, ok bool) {
	if CheckSyntax(raw) != nil {
		return nil, false
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber() // encoding/json knows no doubles out of range
	return value, decoder.Decode(&value) == nil
}

func same(a, b any) bool {
	switch x := a.(type) {
	case map[string]any:
		y, ok := b.(map[string]any)
		return ok && maps.EqualFunc(x, y, same)
	case []any:
		y, ok := b.([]any)
		return ok && slices.EqualFunc(x, y, same)
	case json.Number:
		y, ok := b.(json.Number)
		return ok && (x == y || sameDouble(x, y))
	default:
		return a == b
	}
}

func sameDouble(a, b json.Number) bool {
	x, errX := strconv.ParseFloat(string(a), 64)
	y, errY := strconv.ParseFloat(string(b), 64)
	return errX == nil && errY == nil && x == y
}
