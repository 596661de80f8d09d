package attachments_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom/attachments"
	"github.com/opsroom-go/opsroom/attachments/attachmentstest"
)

// answered returns the list that a client makes of a body.
func answered(t *testing.T, body string) attachments.List {
	t.Helper()
	server := newServer(t)
	server.Fail(attachmentstest.Answer(200, http.Header{"Content-Type": {"application/json"}}, body))
	list, err := newClient(t, server.Endpoint(), nil).List(t.Context(), "bot")
	require.NoError(t, err)
	return list
}

const everything = `{
  "action": "connect", "acts_as": "user_or_service", "can_revoke": true, "connect_in_chat": "never",
  "connected_as": "ada", "connection_provider": "mcp_oauth_1",
  "contributor": {"href": "/capabilities/c", "id": "c", "name": "C", "self_url": "x"},
  "deferred": true, "editable": true, "header_names": ["X-A", "X-B"], "name": "Na\u006de \ud83d\ude00",
  "overridden_sources": [{"source": "capability", "source_label": "C", "more": 1}, {"source": "harness", "source_label": "H"}],
  "preset_id": "mcp_1", "preset_name": "p", "service_connection_provider": "github",
  "source": "agent", "source_label": "Agent", "state": "connection_missing",
  "tools": ["t1"], "tools_available": true, "url": "https://example.com/mcp?a=1&b=2",
  "brand_new": 9007199254740993
}`

func TestEveryFieldIsRead(t *testing.T) {
	t.Parallel()
	list := answered(t, "\n ["+everything+"]\n")
	require.Equal(t, "["+everything+"]", string(list.Raw))
	require.Equal(t, []attachments.Attachment{{
		Name: "Name \U0001F600", Source: attachments.SourceAgent, SourceLabel: "Agent",
		Contributor: &attachments.Contributor{ID: "c", Name: "C", Href: "/capabilities/c"},
		OverriddenSources: []attachments.Layer{
			{Source: attachments.SourceCapability, Label: "C"}, {Source: attachments.SourceHarness, Label: "H"},
		},
		ActsAs: attachments.ActsAsUserOrService, ConnectInChat: attachments.ConnectInChatNever, Deferred: true,
		PresetName: "p", PresetID: "mcp_1", ConnectionProvider: "mcp_oauth_1", ServiceConnectionProvider: "github",
		URL: "https://example.com/mcp?a=1&b=2", HeaderNames: []string{"X-A", "X-B"}, Tools: []string{"t1"}, ToolsAvailable: true,
		State: attachments.StateConnectionMissing, Action: attachments.ActionConnect, ConnectedAs: "ada",
		CanRevoke: true, Editable: true,
		Raw: json.RawMessage(everything),
	}}, list.Attachments)
}

func TestOptionalMembersMayBeNullOrAbsent(t *testing.T) {
	t.Parallel()
	list := answered(t, `[{"name":"a","connected_as":null,"connection_provider":null,"contributor":null,"preset_id":null,"preset_name":null,"service_connection_provider":null,"url":null},{"name":"a"}]`)
	for i := range list.Attachments {
		require.NotNil(t, list.Attachments[i].Raw)
		list.Attachments[i].Raw = nil
	}
	require.Equal(t, attachments.Attachment{Name: "a"}, list.Attachments[0])
	require.Equal(t, attachments.Attachment{Name: "a"}, list.Attachments[1])
}

func TestTheContractsIncompleteExampleIsRead(t *testing.T) {
	t.Parallel()
	const example = `[
  {
    "action": "none",
    "acts_as": "none",
    "connect_in_chat": "ask",
    "overridden_sources": [
      {
        "source": "capability"
      }
    ],
    "source": "capability",
    "state": "ready"
  }
]`
	list := answered(t, example)
	require.Equal(t, example, string(list.Raw))
	a := list.Attachments[0]
	a.Raw = nil
	require.Equal(t, attachments.Attachment{
		Source: attachments.SourceCapability, ActsAs: attachments.ActsAsNone, ConnectInChat: attachments.ConnectInChatAsk,
		OverriddenSources: []attachments.Layer{{Source: attachments.SourceCapability}},
		State:             attachments.StateReady, Action: attachments.ActionNone,
	}, a)
	require.Equal(t, attachments.RemedyNone, a.Remedy())
}

func TestAMemberOfTheWrongTypeIsZeroAndKept(t *testing.T) {
	t.Parallel()
	for name, value := range map[string]string{
		"name": `1`, "source": `["agent"]`, "source_label": `{}`, "contributor": `"web"`, "overridden_sources": `{"source":"agent"}`,
		"acts_as": `null`, "connect_in_chat": `true`, "deferred": `"true"`, "preset_name": `0`, "preset_id": `[]`,
		"connection_provider": `false`, "service_connection_provider": `{}`, "url": `7`, "header_names": `"X-A"`,
		"tools": `[1,"a"]`, "tools_available": `1`, "state": `{}`, "action": `null`, "connected_as": `["ada"]`,
		"can_revoke": `"yes"`, "editable": `null`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			row := `{"` + name + `": ` + value + `}`
			a := answered(t, "["+row+"]").Attachments[0]
			require.Equal(t, attachments.Attachment{Raw: json.RawMessage(row)}, a)
			var kept map[string]json.RawMessage
			require.NoError(t, a.Decode(&kept))
			require.Equal(t, value, string(kept[name]))
		})
	}
}

func TestHalfAnArrayIsNone(t *testing.T) {
	t.Parallel()
	a := answered(t, `[{"header_names":["a",null],"overridden_sources":[{"source":"agent","source_label":1},"x"],"contributor":{"id":1,"name":"n"}}]`).Attachments[0]
	require.Nil(t, a.HeaderNames)
	require.Nil(t, a.OverriddenSources)
	require.Equal(t, &attachments.Contributor{Name: "n"}, a.Contributor)
	a = answered(t, `[{"overridden_sources":[{"source":"agent","source_label":1}],"tools":[]}]`).Attachments[0]
	require.Equal(t, []attachments.Layer{{Source: attachments.SourceAgent}}, a.OverriddenSources)
	require.Equal(t, []string{}, a.Tools)
}

func TestNamesOfMembersAreExactAndTheLastOneCounts(t *testing.T) {
	t.Parallel()
	a := answered(t, `[{"name":"first","Name":"other","NAME":"other","name":"last","state":"ready","state":1}]`).Attachments[0]
	require.Equal(t, "last", a.Name)
	require.Empty(t, a.State, "the last one is of the wrong type")
}

func TestUnknownValuesAreKept(t *testing.T) {
	t.Parallel()
	a := answered(t, `[{"state":"connection_expired","action":"reconnect","acts_as":"group","source":"organization","connect_in_chat":"later"}]`).Attachments[0]
	require.EqualValues(t, "connection_expired", a.State)
	require.EqualValues(t, "reconnect", a.Action)
	require.EqualValues(t, "group", a.ActsAs)
	require.EqualValues(t, "organization", a.Source)
	require.EqualValues(t, "later", a.ConnectInChat)
	require.Equal(t, attachments.RemedyUnknown, a.Remedy())
}

func TestUnknownMembersAreKeptExactly(t *testing.T) {
	t.Parallel()
	list := answered(t, `[{"name":"a","quota":9007199254740993, "x" : [1.0]}]`)
	var own struct {
		Name  string
		Quota int64 `json:"quota"`
	}
	require.NoError(t, list.Attachments[0].Decode(&own))
	require.EqualValues(t, 9007199254740993, own.Quota)
	require.Equal(t, "a", own.Name)
	require.Error(t, list.Attachments[0].Decode(&[]string{}))
}

func TestAnEmptyListIsNotNil(t *testing.T) {
	t.Parallel()
	list := answered(t, " [ ] ")
	require.NotNil(t, list.Attachments)
	require.Empty(t, list.Attachments)
	require.Equal(t, "[ ]", string(list.Raw))
}

func TestJSONIsWhatTheBackendSent(t *testing.T) {
	t.Parallel()
	row := `{"name":"a","brand_new":9007199254740993,"url":null}`
	list := answered(t, "["+row+"]")
	list.Attachments[0].Name = "changed"
	encoded, err := json.Marshal(map[string]any{"one": list.Attachments[0], "all": list})
	require.NoError(t, err)
	require.Equal(t, `{"all":[`+row+`],"one":`+row+`}`, string(encoded))
	encoded, err = json.Marshal(attachments.List{})
	require.NoError(t, err)
	require.Equal(t, "null", string(encoded))
}

func TestAnAttachmentMadeInGoIsEncodedAsTheContractHasIt(t *testing.T) {
	t.Parallel()
	raw, err := attachments.Attachment{Name: "a<b>&c", URL: "https://example.com/?a=1&b=2", State: attachments.StateReady}.MarshalJSON()
	require.NoError(t, err)
	require.Equal(t, `{"action":"","acts_as":"","can_revoke":false,"connect_in_chat":"","connected_as":null,"connection_provider":null,`+
		`"contributor":null,"deferred":false,"editable":false,"header_names":[],"name":"a<b>&c","overridden_sources":[],"preset_id":null,`+
		`"preset_name":null,"service_connection_provider":null,"source":"","source_label":"","state":"ready","tools":[],"tools_available":false,`+
		`"url":"https://example.com/?a=1&b=2"}`, string(raw))
}

func TestAttachmentsSurviveARoundTrip(t *testing.T) {
	t.Parallel()
	for _, want := range attachmentstest.Fixtures() {
		encoded, err := json.Marshal(want)
		require.NoError(t, err)
		var got attachments.Attachment
		require.NoError(t, json.Unmarshal(encoded, &got))
		require.Equal(t, string(encoded), string(got.Raw))
		requireSameFields(t, want, got)
	}
}

func TestUnmarshalKeepsItsOwnBytes(t *testing.T) {
	t.Parallel()
	var a attachments.Attachment
	source := []byte(`{"name":"a"}`)
	require.NoError(t, a.UnmarshalJSON(source))
	source[2] = 'X'
	require.Equal(t, `{"name":"a"}`, string(a.Raw))

	require.NoError(t, json.Unmarshal([]byte("null"), &a))
	require.Equal(t, "a", a.Name, "null changes nothing")
	require.EqualError(t, a.UnmarshalJSON([]byte(`[1]`)), "attachments: object expected, array found")
	require.Equal(t, "a", a.Name)
}

func TestAppendingToARowLeavesTheNextAlone(t *testing.T) {
	t.Parallel()
	list := answered(t, `[{"name":"a"},{"name":"b"}]`)
	_ = append(list.Attachments[0].Raw, "overwritten"...)
	require.Equal(t, `{"name":"b"}`, string(list.Attachments[1].Raw))
	require.Equal(t, `[{"name":"a"},{"name":"b"}]`, string(list.Raw))
}
