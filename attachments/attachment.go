package attachments

import (
	"encoding/json"
	"slices"

	"github.com/opsroom-go/opsroom/internal/rawjson"
)

// An Attachment is an MCP server that an agent can use, as it stands after the
// layers of configuration are merged and for the caller who asked.
//
// A member that the contract calls optional is "" or nil when the backend sends
// null or leaves it out. A member of another type than the contract gives it
// leaves its field at the zero value; that is never an error, and Raw still
// has it. So does every member that this package does not know.
type Attachment struct {
	// Name is what the agent's configuration calls the attachment. It may hold
	// any characters.
	Name string

	// Source is the highest layer that defines the attachment, and SourceLabel
	// what people call that layer.
	Source      Source
	SourceLabel string

	// Contributor is the capability that brought the attachment in, if Source is
	// [SourceCapability]; otherwise nil.
	Contributor *Contributor

	// OverriddenSources are the lower layers that define an attachment of the
	// same name, which this one replaces.
	OverriddenSources []Layer

	ActsAs        ActsAs        // whose connection a call to the server uses
	ConnectInChat ConnectInChat // what happens to a call that needs a sign-in
	Deferred      bool          // tools are not listed until a tool search reveals the server

	// PresetName is the catalog entry that the configuration refers to, even
	// if there is none of that name any more; "" for a server that is
	// configured inline. PresetID is set only while the entry is there.
	PresetName string
	PresetID   string

	// ConnectionProvider is the key under which a connection is made or
	// revoked; "" if there is none.
	ConnectionProvider string

	// ServiceConnectionProvider names another provider, such as "github", whose
	// connection on the agent serves as its service login; "" if the service login
	// is made like any other.
	ServiceConnectionProvider string

	URL         string   // of the MCP server; "" if it is not known
	HeaderNames []string // of the headers configured for it; never their values

	// Tools are the names of the server's tools that the backend has cached, and
	// ToolsAvailable says whether it has any. A server without cached names may
	// have tools all the same.
	Tools          []string
	ToolsAvailable bool

	// State says whether the attachment can be used as it is, Action what this
	// caller can do about its connection. Neither follows from the other: see
	// [Attachment.Remedy].
	State  State
	Action Action

	ConnectedAs string // the connected account, or the preset's name; "" if none
	CanRevoke   bool   // this caller can revoke the connection that is in use
	Editable    bool   // it is defined on the agent itself and can be removed there

	// Raw is the element in the backend's exact bytes. It shares memory with its
	// list. It is nil for an Attachment that was made in Go.
	Raw json.RawMessage
}

// A Contributor is the capability that an attachment comes from.
type Contributor struct {
	ID   string `json:"id"`
	Name string `json:"name"`

	// Href is the path of the capability's page in the web interface, relative
	// to the origin of that interface.
	Href string `json:"href"`
}

// A Layer is one of the layers of configuration that define an attachment.
type Layer struct {
	Source Source `json:"source"`
	Label  string `json:"source_label"` // what people call the layer
}

// Layers returns every layer that defines the attachment, as the backend
// orders them: the overridden ones first, the one in effect last.
func (a Attachment) Layers() []Layer {
	return append(slices.Clone(a.OverriddenSources), Layer{Source: a.Source, Label: a.SourceLabel})
}

// Decode reads the attachment into the host's own type, with encoding/json's
// rules: it is the way to members that this package does not know.
func (a Attachment) Decode(v any) error { return json.Unmarshal(a.json(), v) }

func parseAttachment(raw json.RawMessage) (Attachment, error) {
	members, err := rawjson.Members(raw)
	if err != nil {
		return Attachment{}, err
	}
	a := Attachment{Raw: raw}
	for _, m := range members {
		a.set(m.Name, m.Value)
	}
	return a, nil
}

// set reads the member called name. A repeated member overwrites the former,
// so the last one counts.
func (a *Attachment) set(name string, value json.RawMessage) {
	switch name {
	case "name":
		a.Name = rawjson.Text(value)
	case "source":
		a.Source = Source(rawjson.Text(value))
	case "source_label":
		a.SourceLabel = rawjson.Text(value)
	case "contributor":
		a.Contributor = parseContributor(value)
	case "overridden_sources":
		a.OverriddenSources = parseLayers(value)
	case "acts_as":
		a.ActsAs = ActsAs(rawjson.Text(value))
	case "connect_in_chat":
		a.ConnectInChat = ConnectInChat(rawjson.Text(value))
	case "deferred":
		a.Deferred, _ = rawjson.Bool(value)
	case "preset_name":
		a.PresetName = rawjson.Text(value)
	case "preset_id":
		a.PresetID = rawjson.Text(value)
	case "connection_provider":
		a.ConnectionProvider = rawjson.Text(value)
	case "service_connection_provider":
		a.ServiceConnectionProvider = rawjson.Text(value)
	case "url":
		a.URL = rawjson.Text(value)
	case "header_names":
		a.HeaderNames = parseTexts(value)
	case "tools":
		a.Tools = parseTexts(value)
	case "tools_available":
		a.ToolsAvailable, _ = rawjson.Bool(value)
	case "state":
		a.State = State(rawjson.Text(value))
	case "action":
		a.Action = Action(rawjson.Text(value))
	case "connected_as":
		a.ConnectedAs = rawjson.Text(value)
	case "can_revoke":
		a.CanRevoke, _ = rawjson.Bool(value)
	case "editable":
		a.Editable, _ = rawjson.Bool(value)
	}
}

func parseContributor(raw json.RawMessage) *Contributor {
	members, err := rawjson.Members(raw)
	if err != nil {
		return nil
	}
	text := func(name string) string {
		value, _ := rawjson.Lookup(members, name)
		return rawjson.Text(value)
	}
	return &Contributor{ID: text("id"), Name: text("name"), Href: text("href")}
}

// parseLayers reads an array of objects. With an element of another kind it is
// no such array, and half of it would be worse than none.
func parseLayers(raw json.RawMessage) []Layer {
	elements, err := rawjson.Elements(raw)
	if err != nil {
		return nil
	}
	layers := make([]Layer, 0, len(elements))
	for _, element := range elements {
		members, err := rawjson.Members(element)
		if err != nil {
			return nil
		}
		source, _ := rawjson.Lookup(members, "source")
		label, _ := rawjson.Lookup(members, "source_label")
		layers = append(layers, Layer{Source: Source(rawjson.Text(source)), Label: rawjson.Text(label)})
	}
	return layers
}

// parseTexts reads an array of strings, by the same rule.
func parseTexts(raw json.RawMessage) []string {
	elements, err := rawjson.Elements(raw)
	if err != nil {
		return nil
	}
	texts := make([]string, 0, len(elements))
	for _, element := range elements {
		if rawjson.KindOf(element) != rawjson.String {
			return nil
		}
		texts = append(texts, rawjson.Text(element))
	}
	return texts
}
