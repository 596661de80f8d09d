package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/opsroom-go/opsroom/insights"
)

// An mcpClient is the least that an insights.Caller takes: one call at a time,
// no capabilities, no notifications. A host has an MCP client already, and puts
// an adapter of a few lines around it: examples/mcp has two.
type mcpClient struct {
	transport mcpTransport
	lastID    int64
}

// An mcpTransport carries JSON-RPC messages to a server.
type mcpTransport interface {
	// send sends a message. With an id it returns the response to it.
	send(ctx context.Context, message rpcMessage) (rpcMessage, error)
	Close()
}

// An rpcMessage is a JSON-RPC 2.0 request, notification or response.
type rpcMessage struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      *int64          `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  any             `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *rpcError       `json:"error,omitempty"`
}

type rpcError struct {
	Code    int64  `json:"code"`
	Message string `json:"message"`
}

const protocolVersion = "2025-06-18"

// initialize opens the session. No capability is offered, sampling least of all.
func (c *mcpClient) initialize(ctx context.Context) error {
	err := c.request(ctx, "initialize", map[string]any{
		"protocolVersion": protocolVersion,
		"capabilities":    struct{}{},
		"clientInfo":      map[string]string{"name": "opsroom-quickstart", "version": "1"},
	}, nil)
	if err != nil {
		return fmt.Errorf("the MCP session could not be opened: %w", err)
	}
	_, err = c.transport.send(ctx, rpcMessage{JSONRPC: "2.0", Method: "notifications/initialized"})
	return err
}

// request sends a request and reads its result into result, if that is not nil.
func (c *mcpClient) request(ctx context.Context, method string, params, result any) error {
	c.lastID++
	id := c.lastID
	answer, err := c.transport.send(ctx, rpcMessage{JSONRPC: "2.0", ID: &id, Method: method, Params: params})
	switch {
	case err != nil:
		return err
	case answer.Error != nil:
		return &insights.RPCError{Code: answer.Error.Code, Message: answer.Error.Message}
	case result == nil:
		return nil
	}
	return json.Unmarshal(answer.Result, result)
}

// toolNames reads tools/list, which comes in pages.
func (c *mcpClient) toolNames(ctx context.Context) (names []string, err error) {
	params := map[string]any{}
	const maxPages = 64
	for range maxPages {
		var page struct {
			Tools []struct {
				Name string `json:"name"`
			} `json:"tools"`
			NextCursor string `json:"nextCursor"`
		}
		if err := c.request(ctx, "tools/list", params, &page); err != nil {
			return nil, err
		}
		for _, tool := range page.Tools {
			names = append(names, tool.Name)
		}
		if page.NextCursor == "" {
			return names, nil
		}
		params["cursor"] = page.NextCursor
	}
	return nil, errors.New("the MCP server's list of tools does not end")
}

// CallTool implements insights.Caller.
func (c *mcpClient) CallTool(ctx context.Context, name string, arguments map[string]any) (insights.ToolResult, error) {
	var result struct {
		Content []struct {
			Type string `json:"type"`
			Text string `json:"text"`
		} `json:"content"`
		StructuredContent json.RawMessage `json:"structuredContent"`
		IsError           bool            `json:"isError"`
	}
	err := c.request(ctx, "tools/call", map[string]any{"name": name, "arguments": arguments}, &result)
	if err != nil {
		return insights.ToolResult{}, err
	}
	out := insights.ToolResult{Structured: result.StructuredContent, IsError: result.IsError}
	for _, block := range result.Content {
		if block.Type == "text" {
			out.Text = append(out.Text, block.Text)
		}
	}
	return out, nil
}
