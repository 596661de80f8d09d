package insights

import (
	"errors"
	"fmt"
	"net/url"
	"reflect"
	"strings"
)

// The JSON-RPC error codes that tell a kind.
const (
	codeMethodNotFound = -32601
	codeInvalidParams  = -32602
)

// readable replaces a nil pointer that a Caller returned as its error, a slip
// that Go makes easy: it has no text, and nothing can be unwrapped from it.
func readable(err error) error {
	if v := reflect.ValueOf(err); v.Kind() == reflect.Pointer && v.IsNil() {
		return fmt.Errorf("the Caller returned a nil %T as its error", err)
	}
	return err
}

// callFailure makes the error for a call that brought no result.
func (c *Client) callFailure(parameters map[string]any, err error) error {
	failure := &Error{Err: err, Message: messageOf(err)}
	if c.options.Classify != nil {
		failure.Kind = c.options.Classify(ToolResult{}, err)
	}
	if failure.Kind == "" {
		failure.Kind = kindOfCallError(parameters, err)
	}
	return failure
}

func kindOfCallError(parameters map[string]any, err error) Kind {
	if kind := KindOf(err); kind != "" {
		return kind // the adapter knew better
	}
	said := complaint{text: err.Error()}
	rpc, isRPC := errors.AsType[*RPCError](err)
	isRPC = isRPC && rpc != nil
	if isRPC {
		said.text = rpc.Message
	}
	kind := said.without(parameters).kind()
	switch {
	case isRPC && rpc.Code == codeMethodNotFound:
		return ToolUnavailable
	case isRPC && rpc.Code == codeInvalidParams && (kind == "" || kind == Backend):
		return InvalidArgument
	case kind == "":
		return Backend
	}
	return kind
}

// messageOf returns what an error of the Caller may be quoted with.
func messageOf(err error) string {
	if failure, ok := errors.AsType[*Error](err); ok && failure != nil {
		return presentable(failure.Message) // an adapter may have put anything there
	}
	if kind, ok := errors.AsType[Kind](err); ok { // which Error says by itself
		return presentable(strings.Trim(strings.Replace(err.Error(), kind.Error(), "", 1), ": "))
	}
	if rpc, ok := errors.AsType[*RPCError](err); ok && rpc != nil {
		return presentable(rpc.Message)
	}
	if failure, ok := errors.AsType[*url.Error](err); ok && failure != nil {
		if failure.Err == nil {
			return ""
		}
		return presentable(failure.Err.Error()) // without the address
	}
	return presentable(err.Error())
}

// resultFailure makes the error for a result in which readPage found no page.
func (c *Client) resultFailure(parameters map[string]any, result ToolResult, cause error) error {
	failure := &Error{result: &result}
	said := complaintOf(result)
	if c.options.Classify != nil {
		failure.Kind = c.options.Classify(result, nil)
	}
	// What an ill-formed page says besides is no complaint, unless it is marked
	// as one.
	_, isMalformed := cause.(malformedError)
	if failure.Kind == "" && (!isMalformed || said.explicit) {
		failure.Kind = said.without(parameters).kind()
	}
	switch {
	case failure.Kind != "":
		failure.Message = said.message()
	case result.IsError || said.explicit:
		failure.Kind, failure.Message = Backend, said.message()
	default:
		failure.Kind, failure.Message = MalformedPage, cause.Error()
	}
	return failure
}
