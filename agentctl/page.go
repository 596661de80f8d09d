package agentctl

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/opsroom-go/opsroom/internal/exchange"
	"github.com/opsroom-go/opsroom/internal/rawjson"
)

// An ExceptionPage is one page of exceptions, newest first.
type ExceptionPage struct {
	Exceptions []Exception
	Raw        json.RawMessage // the whole answer in the server's exact bytes
	RequestID  string          // the answer's x-request-id, if it had one
}

// A RunPage is one page of a mission's runs, newest first.
type RunPage struct {
	Runs      []Run
	Raw       json.RawMessage // the whole answer in the server's exact bytes
	RequestID string          // the answer's x-request-id, if it had one
}

// list sends a list request and returns its answer with the rows found in the array
// member called name.
func (c *Client) list(ctx context.Context, request exchange.Request, name string) (*exchange.Response, []json.RawMessage, error) {
	response, err := c.exchange.Do(ctx, request)
	if err != nil {
		return nil, nil, err
	}
	value, err := envelopeMember(response.Body, name)
	if err != nil {
		return nil, nil, response.Malformed(request.Operation, err)
	}
	rows, err := rawjson.Elements(value)
	if err != nil {
		return nil, nil, response.Malformed(request.Operation, fmt.Errorf("member %q: %w", name, err))
	}
	return response, rows, nil
}

// envelopeMember returns the one member that the contract requires of an answer.
func envelopeMember(body []byte, name string) (json.RawMessage, error) {
	if err := rawjson.Check(body); err != nil {
		return nil, err
	}
	members, err := rawjson.Members(body)
	if err != nil {
		return nil, err
	}
	var value json.RawMessage
	for _, m := range members {
		switch {
		case m.Name != name:
		case value != nil:
			// Which one counts differs between readers, and an empty list that
			// is not meant may let a run be resumed.
			return nil, fmt.Errorf("member %q is repeated", name)
		default:
			value = m.Value
		}
	}
	if value == nil {
		return nil, fmt.Errorf("member %q is missing", name)
	}
	return value, nil
}

// rowsOf turns raw rows into typed ones.
func rowsOf[T any](raw []json.RawMessage, row func(json.RawMessage) T) []T {
	rows := make([]T, len(raw))
	for i := range raw {
		rows[i] = row(raw[i])
	}
	return rows
}
