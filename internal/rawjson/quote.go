package rawjson

import (
	"encoding/json"
	"fmt"
)

// Quote returns s as a JSON string in the spelling of JavaScript's JSON.stringify, which
// escapes only what it must. Invalid UTF-8 keeps its bytes, so that whoever checks the
// result still sees it; encoding/json would replace it silently.
func Quote(s string) json.RawMessage {
	out := make([]byte, 0, len(s)+2)
	out = append(out, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			out = append(out, '\\', c)
		case c < 0x20 && shortEscapes[c] != 0:
			out = append(out, '\\', shortEscapes[c])
		case c < 0x20:
			out = fmt.Appendf(out, `\u%04x`, c)
		default:
			out = append(out, c)
		}
	}
	return append(out, '"')
}

var shortEscapes = [0x20]byte{'\b': 'b', '\t': 't', '\n': 'n', '\f': 'f', '\r': 'r'}
