package agentctl

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/internal/arguments"
	"github.com/opsroom-go/opsroom/internal/escape"
	"github.com/opsroom-go/opsroom/internal/exchange"
	"github.com/opsroom-go/opsroom/internal/rawjson"
)

const raiseException = "raise_agent_exception"

// RaiseExceptionParams describes an exception to raise. RunID, Category, Severity and
// Message are required.
type RaiseExceptionParams struct {
	// RunID is the active run to block: 1 to 128 characters, but not "." or "..".
	RunID string

	// Category is a stable category for machines: lower-case words of letters and digits,
	// the first starting with a letter, joined by one of ". _ : -", 120 characters at
	// most. Example: "policy.spend-limit".
	Category string

	// Severity is SeverityInfo, SeverityWarning or SeverityCritical.
	Severity Severity

	// Message tells people what happened: 1 to 2000 characters.
	Message string

	// Detail is anything that encoding/json encodes as an object: a map, a struct, or a
	// json.RawMessage, whose bytes are sent as they are. A nil value, of whatever type,
	// is not sent. Servers written in JavaScript round integers beyond 2^53; send those
	// as strings. Of strings in Go values encoding/json replaces what is not UTF-8.
	Detail any

	// StepID names the step that the exception belongs to: up to 128 characters. Empty is
	// not sent.
	StepID string
}

// RaiseException records an exception on an active run, which blocks the run, and returns
// the record.
//
// It sends one request, once. The API knows no way to make a repeated raise harmless, and
// each open exception has to be resolved by a person, so nothing is ever retried. Every
// error is a [*RaiseError] that says what is known about the outcome; see there before
// raising again.
//
// Contract: raise_agent_exception, POST /api/v1/agent/runs/{runId}/exceptions.
func (c *Client) RaiseException(ctx context.Context, params RaiseExceptionParams) (Exception, error) {
	record, _, err := c.raise(ctx, params.arguments())
	return record, err
}

func (p RaiseExceptionParams) arguments() *arguments.Check {
	var m []rawjson.Member
	m = appendText(m, "runId", p.RunID)
	m = appendText(m, "category", p.Category)
	m = appendText(m, "severity", string(p.Severity))
	m = appendText(m, "message", p.Message)
	detail, refusal := encodeDetail(p.Detail)
	if detail != nil {
		m = append(m, rawjson.Member{Name: "detail", Value: detail})
	}
	m = appendText(m, "stepId", p.StepID)
	check := arguments.FromValues(raiseException, m...)
	if refusal != "" {
		check.Refuse("detail", opsroom.RuleType, refusal)
	}
	return check
}

// raise sends the raise and returns the record and the whole answer.
func (c *Client) raise(ctx context.Context, check *arguments.Check) (Exception, json.RawMessage, error) {
	started := time.Now()
	request, params, err := raiseRequest(check)
	if err != nil {
		return Exception{}, nil, &RaiseError{Outcome: OutcomeNotSent, Params: params, Started: started, Err: err}
	}
	response, err := c.exchange.Do(ctx, request)
	if err != nil {
		return Exception{}, nil, newRaiseError(params, started, err)
	}
	value, err := envelopeMember(response.Body, "exception")
	if err == nil && rawjson.KindOf(value) != rawjson.Object {
		err = fmt.Errorf("member %q: %w", "exception", &rawjson.KindError{Want: rawjson.Object, Got: rawjson.KindOf(value)})
	}
	if err != nil {
		return Exception{}, nil, newRaiseError(params, started, response.Malformed(raiseException, err))
	}
	return newException(value), response.Body, nil
}

// raiseRequest checks the arguments in the order of the input schema and returns the
// request and what it says.
func raiseRequest(check *arguments.Check) (exchange.Request, RaiseExceptionParams, error) {
	var p RaiseExceptionParams
	p.RunID, _ = check.Text("runId", pathIdentifier)
	p.Category, _ = check.Text("category", arguments.Text{
		Required: true, Min: 1, Max: 120, Matches: isCategory,
		Pattern: `lower-case words of letters and digits joined by one of . _ : - (such as "policy.spend-limit")`,
	})
	severity, _ := check.Text("severity", arguments.Text{Required: true, OneOf: severities})
	p.Severity = Severity(severity)
	p.Message, _ = check.Text("message", arguments.Text{Required: true, Min: 1, Max: 2000})
	detail := check.Object("detail")
	if detail != nil {
		p.Detail = detail
	}
	p.StepID, _ = check.Text("stepId", identifier)
	return exchange.Request{
		Operation: raiseException,
		Method:    http.MethodPost,
		Template:  "/api/v1/agent/runs/{runId}/exceptions",
		Path:      "/api/v1/agent/runs/" + escape.PathSegment(p.RunID) + "/exceptions",
		Body:      raiseBody(p, detail),
	}, p, check.Err()
}

// raiseBody writes the body as JavaScript's JSON.stringify would, with the bytes of
// detail as they were given.
func raiseBody(p RaiseExceptionParams, detail json.RawMessage) []byte {
	var b bytes.Buffer
	b.WriteString(`{"category":`)
	b.Write(rawjson.Quote(p.Category))
	b.WriteString(`,"severity":`)
	b.Write(rawjson.Quote(string(p.Severity)))
	b.WriteString(`,"message":`)
	b.Write(rawjson.Quote(p.Message))
	if detail != nil {
		b.WriteString(`,"detail":`)
		b.Write(detail)
	}
	if p.StepID != "" {
		b.WriteString(`,"stepId":`)
		b.Write(rawjson.Quote(p.StepID))
	}
	b.WriteByte('}')
	return b.Bytes()
}
