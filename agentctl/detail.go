package agentctl

import (
	"bytes"
	"encoding/json"
	"reflect"

	"github.com/opsroom-go/opsroom/internal/rawjson"
)

// encodeDetail encodes the host's detail; nil means that there is none. A refusal says in
// a few words why it cannot be encoded. It does not repeat the encoder's text, which may
// quote values.
func encodeDetail(detail any) (encoded json.RawMessage, refusal string) {
	if isUnset(detail) {
		return nil, ""
	}
	if raw, ok := detail.(json.RawMessage); ok {
		if err := rawjson.CheckSyntax(raw); err != nil {
			return nil, "must be a JSON object: " + err.Error()
		}
		return raw, ""
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(detail) != nil {
		return nil, "cannot be encoded as JSON"
	}
	return bytes.TrimSpace(b.Bytes()), ""
}

// isUnset reports whether detail is nil, or a nil map, pointer or json.RawMessage.
func isUnset(detail any) bool {
	switch v := reflect.ValueOf(detail); v.Kind() {
	case reflect.Invalid:
		return true
	case reflect.Map, reflect.Pointer, reflect.Slice:
		return v.IsNil()
	default:
		return false
	}
}
