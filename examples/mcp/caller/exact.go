package caller

import (
	"context"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// rawStructured is the member of a result's _meta in which [Exact] leaves the
// bytes of the structured content, as a text: the one place where the SDK does
// not touch them.
const rawStructured = "io.github.opsroom-go/structuredContent"

// Exact returns a transport that keeps the exact bytes of structured content for
// the [Caller]. All else goes through unchanged, for other users of the session
// too.
//
// HTTP transports are returned as they are, because the SDK has to find its own
// connection behind them. See the package documentation for what that means.
func Exact(transport mcp.Transport) mcp.Transport {
	switch transport.(type) {
	case *mcp.StreamableClientTransport, *mcp.SSEClientTransport:
		return transport
	}
	return exactTransport{transport}
}

type exactTransport struct{ mcp.Transport }

func (t exactTransport) Connect(ctx context.Context) (mcp.Connection, error) {
	connection, err := t.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return exactConnection{connection}, nil
}

type exactConnection struct{ mcp.Connection }

func (c exactConnection) Read(ctx context.Context) (jsonrpc.Message, error) {
	message, err := c.Connection.Read(ctx)
	if response, ok := message.(*jsonrpc.Response); ok && err == nil {
		response.Result = withRawStructured(response.Result)
	}
	return message, err
}

// withRawStructured adds the text of a result's structured content to its _meta.
// What is not of that form is returned as it is.
func withRawStructured(result json.RawMessage) json.RawMessage {
	var members, meta map[string]json.RawMessage
	if json.Unmarshal(result, &members) != nil {
		return result
	}
	raw := members["structuredContent"]
	if raw == nil || string(raw) == "null" {
		return result
	}
	if given := members["_meta"]; given != nil && json.Unmarshal(given, &meta) != nil {
		return result
	}
	if meta == nil {
		meta = map[string]json.RawMessage{}
	}
	text, err := json.Marshal(string(raw))
	if err != nil {
		return result
	}
	meta[rawStructured] = text
	if members["_meta"], err = json.Marshal(meta); err != nil {
		return result
	}
	extended, err := json.Marshal(members)
	if err != nil {
		return result
	}
	return extended
}
