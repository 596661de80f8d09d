package caller

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// Whatever a server sends, the result stays the same JSON but for one more
// member of _meta, which has the bytes of the structured content.
func FuzzWithRawStructured(f *testing.F) {
	f.Add([]byte(`{"content":[],"structuredContent":{"n":9007199254740993}}`))
	f.Add([]byte(`{"structuredContent":null,"_meta":null}`))
	f.Add([]byte(`{"structuredContent": [ 1.0 ] ,"_meta":{"a":{"b":1e2}}}`))
	f.Add([]byte(`{"structuredContent":1,"_meta":"text"}`))
	f.Add([]byte(`[]`))
	f.Add([]byte(``))
	f.Fuzz(func(t *testing.T, result []byte) {
		extended := withRawStructured(result)
		var before, after map[string]json.RawMessage
		if json.Unmarshal(result, &before) != nil {
			require.Equal(t, string(result), string(extended))
			return
		}
		require.NoError(t, json.Unmarshal(extended, &after))
		for name, value := range before {
			if name != "_meta" {
				requireSame(t, value, after[name])
			}
		}
		var oldMeta, newMeta map[string]json.RawMessage
		structured := string(before["structuredContent"])
		if before["_meta"] != nil && json.Unmarshal(before["_meta"], &oldMeta) != nil || structured == "" || structured == "null" {
			require.Equal(t, string(result), string(extended))
			return
		}
		if before["_meta"] == nil {
			require.Len(t, after, len(before)+1)
		} else {
			require.Len(t, after, len(before))
		}
		require.NoError(t, json.Unmarshal(after["_meta"], &newMeta))
		var raw string
		require.NoError(t, json.Unmarshal(newMeta[rawStructured], &raw))
		if utf8.ValidString(structured) {
			require.Equal(t, structured, raw)
		}
		for name, value := range oldMeta {
			if name != rawStructured {
				requireSame(t, value, newMeta[name])
			}
		}
	})
}

// requireSame compares documents but for white space and escapes.
func requireSame(t *testing.T, want, got json.RawMessage) {
	t.Helper()
	a, err := json.Marshal(want)
	require.NoError(t, err)
	b, err := json.Marshal(got)
	require.NoError(t, err)
	require.Equal(t, string(a), string(b))
}
