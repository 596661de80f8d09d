package agentctltest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/opsroom-go/opsroom/internal/rawjson"
)

// A row is a line of a list.
type row interface {
	bytes() []byte
	created() time.Time
}

// insert puts a row behind all that are not newer.
func insert[R row](rows []R, r R) []R {
	at := len(rows)
	for at > 0 && rows[at-1].created().After(r.created()) {
		at--
	}
	return slices.Insert(rows, at, r)
}

// serial returns the nth identifier with the prefix.
func serial(prefix string, n int) string { return fmt.Sprintf("%s_%06d", prefix, n) }

// members are those of a row that the host gave; none if it is no object.
type members []rawjson.Member

func membersOf(raw []byte) members {
	if rawjson.Check(raw) != nil {
		return nil
	}
	m, _ := rawjson.Members(raw)
	return m
}

// text fills an empty field from a member that is a string.
func (m members) text(name string, field *string) {
	if *field == "" {
		*field = rawjson.Text(m.value(name))
	}
}

func (m members) value(name string) json.RawMessage {
	value, _ := rawjson.Lookup(m, name)
	return bytes.Clone(value)
}

// replaceText replaces the value of a string member of an object, and leaves
// all other bytes as they are. Without such a member it returns raw.
func replaceText(raw []byte, name, text string) []byte {
	old, found := rawjson.Lookup(membersOf(raw), name)
	if !found || rawjson.KindOf(old) != rawjson.String || rawjson.Text(old) == text {
		return raw
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	_, _ = decoder.Token() // the opening brace
	var start, end int
	for decoder.More() {
		key, _ := decoder.Token()
		var value json.RawMessage
		if decoder.Decode(&value) != nil {
			return raw // cannot be: membersOf has read it
		}
		if key == name { // of a repeated name the last one counts
			end = int(decoder.InputOffset())
			start = end - len(value)
		}
	}
	return slices.Concat(raw[:start], quoted(text), raw[end:])
}
