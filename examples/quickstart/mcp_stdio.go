package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"time"
)

// A stdioTransport speaks to a program that it started, a line a message.
type stdioTransport struct {
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader

	patience time.Duration // how long Close waits before it kills the program
}

// startServer starts an MCP server: a program and its arguments. It ends with ctx.
func startServer(ctx context.Context, words []string) (*stdioTransport, error) {
	t := &stdioTransport{command: exec.CommandContext(ctx, words[0], words[1:]...), patience: 5 * time.Second}
	t.command.Env = slices.DeleteFunc(os.Environ(), ownVariable.MatchString)
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

// ownVariable matches this program's variables. The keys of the other backends are no
// business of the server.
var ownVariable = regexp.MustCompile(`^(AGENTCTL_API_|EVERRUNS_|INSIGHTS_MCP_|INSIGHTS_ROUTE)`)

var (
	commandWord   = regexp.MustCompile(`(?:'[^']*'|"[^"]*"|[^\s'"])+`)
	quotedInAWord = regexp.MustCompile(`'([^']*)'|"([^"]*)"`)
)

// splitCommand splits a command line at white space, except within single or double
// quotes. There is no shell, and nothing else is special.
func splitCommand(line string) ([]string, error) {
	words := commandWord.FindAllString(line, -1)
	for i, word := range words {
		words[i] = quotedInAWord.ReplaceAllString(word, "$1$2")
	}
	switch {
	case strings.TrimSpace(commandWord.ReplaceAllString(line, "")) != "":
		return nil, errors.New("INSIGHTS_MCP_COMMAND has a quote that is not closed")
	case len(words) == 0 || words[0] == "":
		return nil, errors.New("INSIGHTS_MCP_COMMAND names no program")
	}
	return words, nil
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

// Close ends the program by ending its input, or by force if that does not help.
func (t *stdioTransport) Close() {
	_ = t.in.Close()
	killing := time.AfterFunc(t.patience, func() { _ = t.command.Process.Kill() })
	defer killing.Stop()
	_ = t.command.Wait()
}
