package attachments

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/internal/arguments"
	"github.com/opsroom-go/opsroom/internal/operation"
	"github.com/opsroom-go/opsroom/internal/rawjson"
)

// stricter are the rules that the check has and the schema cannot express.
var stricter = []opsroom.Rule{opsroom.RulePathSegment, opsroom.RuleUnicode, opsroom.RuleDuplicate}

// FuzzArguments holds the check of the arguments against jsonschema-go's verdict
// on the published schema.
func FuzzArguments(f *testing.F) {
	for _, seed := range []string{
		``, `null`, `{}`, `[]`, `"x"`, `{"agent_id":"a"}`, `{"agent_id":""}`, `{"agent_id":".."}`, `{"agent_id":null}`, `{"agent_id":1.5}`,
		`{"agent_id":"a","more":1}`, `{"agent_id":"a","agent_id":1}`, `{"Agent_id":"a"}`, `{"agent_id":"\ud83d\ude00"}`, `{"agent_id":"\ud800"}`,
		` {"agent_id" : "a" } `, `{"agent\u005fid":"a"}`, `{"agent_id":"a"}x`, `{"agent_id":{}}`, `{"":"a"}`, `{"a/b":1,"agent_id":"x"}`,
	} {
		f.Add([]byte(seed))
	}
	oracle, err := operation.Schema(schemas, listAttachments+".input").JSONSchema().Resolve(nil)
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, raw []byte) {
		agentID, err := checkArguments(arguments.FromJSON(listAttachments, raw))
		verdict := error(nil)
		if rawjson.Check(raw) == nil {
			var value any
			if json.Unmarshal(raw, &value) != nil {
				return // a number that no float64 can hold
			}
			if value == nil {
				value = map[string]any{} // null means no arguments
			}
			verdict = oracle.Validate(value)
		} else if len(raw) > 0 {
			verdict = errors.New("no JSON")
		}
		if err == nil {
			require.NotEmpty(t, agentID)
			require.True(t, utf8.ValidString(agentID))
			require.NoError(t, verdict)
			return
		}
		input, ok := errors.AsType[*opsroom.InputError](err)
		require.True(t, ok)
		require.NotEmpty(t, input.Failures)
		require.Less(t, len(err.Error()), 4000)
		if verdict == nil && rawjson.KindOf(raw) == rawjson.Object {
			for _, failure := range input.Failures {
				require.True(t, slices.Contains(stricter, failure.Rule), "%v", failure)
			}
		}
	})
}

// FuzzList holds the decoder against encoding/json on whatever a server may answer.
func FuzzList(f *testing.F) {
	for _, seed := range []string{
		`[]`, ` [ ] `, `[{}]`, `{}`, `null`, `[1]`, `[{"name":"a","Name":"b","name":"c"}]`, `[{"tools":["a",1],"header_names":["\ud800"]}]`,
		`[{"contributor":{"id":"x","name":1}},{"overridden_sources":[{"source":"agent"},[]]}]`, `[{"deferred":true,"state":"ready","url":null}]`,
		`[{"name":"a"}`, `[{"n":1e999}]`, `[{"a":{"b":["]}\"",{}]}},{"\u006eame":"x"}]`, "[{\"name\":\"\xff\"}]",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		list, err := parseList(body)
		var rows []map[string]json.RawMessage
		oracle := json.Unmarshal(body, &rows)
		// encoding/json takes null for an array and for an object, and invalid UTF-8.
		if oracle != nil || rows == nil || slices.ContainsFunc(rows, func(row map[string]json.RawMessage) bool { return row == nil }) || !utf8.Valid(body) {
			require.Error(t, err)
			require.Zero(t, list)
			return
		}
		require.NoError(t, err)
		require.Len(t, list.Attachments, len(rows))
		require.Equal(t, strings.Trim(string(body), " \t\r\n"), string(list.Raw))
		for i, a := range list.Attachments {
			var name string
			_ = json.Unmarshal(rows[i]["name"], &name)
			require.Equal(t, name, a.Name)
			_, _ = a.Remedy(), a.Layers()
			var again Attachment
			require.NoError(t, json.Unmarshal(a.Raw, &again))
			require.Equal(t, string(a.Raw), string(again.Raw))
			again.Raw, a.Raw = nil, nil
			require.Equal(t, a, again)
			if encoded, err := a.MarshalJSON(); err == nil {
				require.NoError(t, rawjson.Check(encoded))
			}
		}
	})
}
