package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"github.com/opsroom-go/opsroom/problem"
)

// An httpTransport speaks streamable HTTP: a POST a message, answered with JSON
// or with a stream of events.
type httpTransport struct {
	address string
	session string // Mcp-Session-Id, once the server has given one
}

const maxMessage = 64 << 20

func (t *httpTransport) send(ctx context.Context, message rpcMessage) (rpcMessage, error) {
	body, err := json.Marshal(message)
	if err != nil {
		return rpcMessage{}, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, t.address, bytes.NewReader(body))
	if err != nil {
		return rpcMessage{}, errors.New("INSIGHTS_MCP_URL is not a valid URL")
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")
	request.Header.Set("Mcp-Protocol-Version", protocolVersion)
	if t.session != "" {
		request.Header.Set("Mcp-Session-Id", t.session)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		if failure, ok := errors.AsType[*url.Error](err); ok {
			err = failure.Err // without the address, which may hold a key
		}
		return rpcMessage{}, err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode >= http.StatusBadRequest {
		return rpcMessage{}, problem.FromResponse(response)
	}
	if session := response.Header.Get("Mcp-Session-Id"); session != "" {
		t.session = session
	}
	if message.ID == nil {
		return rpcMessage{}, nil
	}
	return readAnswer(response, *message.ID)
}

// plainAddress reports whether an address can be used, and has nothing in it that
// should be in a header.
func plainAddress(address string) bool {
	parsed, err := url.Parse(address)
	return err == nil && (parsed.Scheme == "http" || parsed.Scheme == "https") && parsed.Host != "" && parsed.User == nil
}

func readAnswer(response *http.Response, id int64) (rpcMessage, error) {
	body := io.LimitReader(response.Body, maxMessage)
	mediaType, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	if mediaType != "text/event-stream" {
		var answer rpcMessage
		if err := json.NewDecoder(body).Decode(&answer); err != nil {
			return rpcMessage{}, fmt.Errorf("the MCP server's answer is no JSON-RPC message")
		}
		return answer, nil
	}
	lines := bufio.NewScanner(body)
	lines.Buffer(nil, maxMessage)
	for lines.Scan() {
		data, found := strings.CutPrefix(lines.Text(), "data:")
		var answer rpcMessage
		if found && json.Unmarshal([]byte(data), &answer) == nil &&
			answer.Method == "" && answer.ID != nil && *answer.ID == id {
			return answer, nil
		}
	}
	return rpcMessage{}, errors.New("the MCP server's stream ended without an answer")
}

// Close has nothing to end: the session expires on the server.
func (t *httpTransport) Close() {}
