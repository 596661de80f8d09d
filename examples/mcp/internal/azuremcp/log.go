package azuremcp

import (
	"encoding/json"
	"fmt"
	"strings"
)

// A Message is one that the server has received.
type Message struct {
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

// Messages returns the messages that were received according to the log of an
// [mcp.LoggingTransport], in order.
func Messages(log string) ([]Message, error) {
	var messages []Message
	for line := range strings.Lines(log) {
		raw, received := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "read: ")
		if !received {
			continue
		}
		var message Message
		if err := json.Unmarshal([]byte(raw), &message); err != nil {
			return nil, fmt.Errorf("azuremcp: log: %w", err)
		}
		messages = append(messages, message)
	}
	return messages, nil
}

// A Call is the parameters of a tools/call.
type Call struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

// Calls returns the tools/call messages in such a log.
func Calls(log string) ([]Call, error) {
	messages, err := Messages(log)
	if err != nil {
		return nil, err
	}
	var calls []Call
	for _, message := range messages {
		if message.Method != "tools/call" {
			continue
		}
		var call Call
		if err := json.Unmarshal(message.Params, &call); err != nil {
			return nil, fmt.Errorf("azuremcp: log: %w", err)
		}
		calls = append(calls, call)
	}
	return calls, nil
}
