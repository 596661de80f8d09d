package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
)

// A stdioTransport speaks to a program that it started, a line a message.
type stdioTransport struct {
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
}

// startServer starts an MCP server. The command line is split at white space.
// The program ends with ctx.
func startServer(ctx context.Context, commandLine string) (*stdioTransport, error) {
	words := strings.Fields(commandLine)
	if len(words) == 0 {
		return nil, errors.New("INSIGHTS_MCP_COMMAND names no program")
	}
	t := &stdioTransport{command: exec.CommandContext(ctx, words[0], words[1:]...)}
	t.command.Stderr = os.Stderr
	var err error
	if t.in, err = t.command.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := t.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	t.out = bufio.NewReader(out)
	return t, t.command.Start()
}

func (t *stdioTransport) send(_ context.Context, message rpcMessage) (rpcMessage, error) {
	if err := t.write(message); err != nil || message.ID == nil {
		return rpcMessage{}, err
	}
	for {
		line, err := t.out.ReadBytes('\n')
		if err != nil {
			return rpcMessage{}, errors.New("the MCP server ended the session")
		}
		var answer rpcMessage
		switch {
		case json.Unmarshal(line, &answer) != nil: // an id that is no number is not ours
		case answer.Method != "" && answer.ID != nil:
			// The server asks something. A ping is all that is answered kindly.
			if err := t.write(reply(answer)); err != nil {
				return rpcMessage{}, err
			}
		case answer.Method == "" && answer.ID != nil && *answer.ID == *message.ID:
			return answer, nil
		}
	}
}

func reply(request rpcMessage) rpcMessage {
	if request.Method == "ping" {
		return rpcMessage{JSONRPC: "2.0", ID: request.ID, Result: json.RawMessage("{}")}
	}
	return rpcMessage{JSONRPC: "2.0", ID: request.ID, Error: &rpcError{Code: -32601, Message: "method not found"}}
}

func (t *stdioTransport) write(message rpcMessage) error {
	line, err := json.Marshal(message)
	if err != nil {
		return err
	}
	_, err = t.in.Write(append(line, '\n'))
	return err
}

// Close ends the program by ending its input.
func (t *stdioTransport) Close() {
	_ = t.in.Close()
	_ = t.command.Wait()
}
