package attachments

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/opsroom-go/opsroom/internal/rawjson"
)

// MarshalJSON returns the exact bytes that the backend sent, even if a field was
// changed since. An Attachment that was made in Go, without Raw, is encoded as
// the contract has it: every member is there, and an optional one is null
// if its field is empty. Note that encoding/json compacts what it gets.
func (a Attachment) MarshalJSON() ([]byte, error) { return a.json(), nil }

func (a Attachment) json() json.RawMessage {
	if a.Raw != nil {
		return a.Raw
	}
	return document{
		Action: a.Action, ActsAs: a.ActsAs, CanRevoke: a.CanRevoke, ConnectInChat: a.ConnectInChat,
		ConnectedAs: optional(a.ConnectedAs), ConnectionProvider: optional(a.ConnectionProvider),
		Contributor: a.Contributor, Deferred: a.Deferred, Editable: a.Editable,
		HeaderNames: present(a.HeaderNames), Name: a.Name, OverriddenSources: present(a.OverriddenSources),
		PresetID: optional(a.PresetID), PresetName: optional(a.PresetName),
		ServiceConnectionProvider: optional(a.ServiceConnectionProvider),
		Source:                    a.Source, SourceLabel: a.SourceLabel, State: a.State,
		Tools: present(a.Tools), ToolsAvailable: a.ToolsAvailable, URL: optional(a.URL),
	}.encode()
}

// UnmarshalJSON reads an attachment as [Client.List] does, so that a host can
// keep attachments as JSON and read them back. Anything but an object is an
// error; null changes nothing.
func (a *Attachment) UnmarshalJSON(raw []byte) error {
	if rawjson.KindOf(raw) == rawjson.Null {
		return nil
	}
	parsed, err := parseAttachment(slices.Clone(raw)) // the decoder reuses its buffer
	if err != nil {
		return fmt.Errorf("attachments: %w", err)
	}
	*a = parsed
	return nil
}

// A document is an attachment with its members in the contract's order.
type document struct {
	Action                    Action        `json:"action"`
	ActsAs                    ActsAs        `json:"acts_as"`
	CanRevoke                 bool          `json:"can_revoke"`
	ConnectInChat             ConnectInChat `json:"connect_in_chat"`
	ConnectedAs               *string       `json:"connected_as"`
	ConnectionProvider        *string       `json:"connection_provider"`
	Contributor               *Contributor  `json:"contributor"`
	Deferred                  bool          `json:"deferred"`
	Editable                  bool          `json:"editable"`
	HeaderNames               []string      `json:"header_names"`
	Name                      string        `json:"name"`
	OverriddenSources         []Layer       `json:"overridden_sources"`
	PresetID                  *string       `json:"preset_id"`
	PresetName                *string       `json:"preset_name"`
	ServiceConnectionProvider *string       `json:"service_connection_provider"`
	Source                    Source        `json:"source"`
	SourceLabel               string        `json:"source_label"`
	State                     State         `json:"state"`
	Tools                     []string      `json:"tools"`
	ToolsAvailable            bool          `json:"tools_available"`
	URL                       *string       `json:"url"`
}

// encode writes "&" and its like as they are, where json.Marshal would escape
// them for HTML.
func (d document) encode() json.RawMessage {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(d) // texts and booleans always encode
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}

func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// present returns an empty slice for nil: the contract's arrays are never null.
func present[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
