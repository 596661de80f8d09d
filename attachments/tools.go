package attachments

import (
	"context"
	"embed"
	"encoding/json"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/internal/arguments"
	"github.com/opsroom-go/opsroom/internal/operation"
)

//go:embed schemas/*.json
var schemas embed.FS

// Tools returns the operation as a tool, in a new slice of one:
// list_agent_mcp_attachments.
//
// It is [Client.List] in another form, with the same check and the same
// request. Since tools answer with an object, Result.Structured has the
// backend's array as its only member, byte for byte: {"attachments":[…]}.
//
// The contract is one of an HTTP operation, and prints neither input schema nor
// annotations. The input schema is its table of parameters; that agent_id
// is not empty follows from its place in the path. The annotations are our
// reading: it is a GET, so it changes nothing and can be repeated, and it
// reads the configuration of one organisation, which is a closed world.
// The output schema lists what the contract does, and refuses nothing that a
// newer or older backend may send: see the package documentation.
func (c *Client) Tools() []opsroom.Tool {
	return []opsroom.Tool{{
		Name:  listAttachments,
		Title: "List an agent's MCP attachments",
		Description: "Lists the MCP servers that an agent can use once the layers of its configuration are merged: " +
			"where each comes from and what it replaces, its known tools, whether it is ready, " +
			"and what the current caller can do about a missing connection. " +
			"State and action are to be read together: an attachment may be ready and still offer a login, " +
			"and one that is not ready may offer none.",
		Annotations:  opsroom.Annotations{ReadOnly: true, Idempotent: true},
		InputSchema:  operation.Schema(schemas, listAttachments+".input"),
		OutputSchema: operation.Schema(schemas, listAttachments+".output"),
		Call:         operation.Call(c.callTool),
	}}
}

// callTool is List for the arguments of a tool call.
func (c *Client) callTool(ctx context.Context, raw json.RawMessage) (json.RawMessage, error) {
	list, err := c.list(ctx, arguments.FromJSON(listAttachments, raw))
	if err != nil {
		return nil, err
	}
	return envelope(list.Raw), nil
}

// envelope puts the array into an object without touching its bytes.
func envelope(array json.RawMessage) json.RawMessage {
	const before, after = `{"attachments":`, `}`
	object := make(json.RawMessage, 0, len(before)+len(array)+len(after))
	return append(append(append(object, before...), array...), after...)
}
