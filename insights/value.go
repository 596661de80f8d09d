package insights

import (
	"encoding/json"
	"math"
	"strconv"
	"time"

	"github.com/opsroom-go/opsroom/internal/rawjson"
)

// membersOf returns the members of raw, none if it is no object.
func membersOf(raw json.RawMessage) []rawjson.Member {
	members, _ := rawjson.Members(raw)
	return members
}

// list reads the elements of an array; nil if raw is none.
func list[T any](raw json.RawMessage, element func(json.RawMessage) T) []T {
	elements, err := rawjson.Elements(raw)
	if err != nil {
		return nil
	}
	values := make([]T, len(elements))
	for i := range elements {
		values[i] = element(elements[i])
	}
	return values
}

// integer reads a whole number, also in the spellings 5.0 and 5e0 if it is below
// 2^53; nil for anything else.
func integer(raw json.RawMessage) *int64 {
	if rawjson.KindOf(raw) != rawjson.Number {
		return nil
	}
	if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
		return &n
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) >= 1<<53 { // beyond that a float64 may be off
		return nil
	}
	return new(int64(f))
}

// milliseconds reads a number of milliseconds, which may have a fraction; nil
// for anything else and for what a Duration cannot hold.
func milliseconds(raw json.RawMessage) *time.Duration {
	if rawjson.KindOf(raw) != rawjson.Number {
		return nil
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	if err != nil {
		return nil
	}
	f = math.Round(f * float64(time.Millisecond))
	if math.Abs(f) >= 1<<63 {
		return nil
	}
	return new(time.Duration(f))
}

// instant reads an ISO 8601 time; without a zone it is UTC. Zero for anything
// else.
func instant(raw json.RawMessage) time.Time {
	text := rawjson.Text(raw)
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05"} {
		if t, err := time.Parse(layout, text); err == nil {
			return t
		}
	}
	return time.Time{}
}
