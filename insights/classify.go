package insights

import (
	"encoding/json"
	"errors"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/opsroom-go/opsroom/internal/rawjson"
)

// The JSON-RPC error codes that tell a kind.
const (
	codeMethodNotFound = -32601
	codeInvalidParams  = -32602
)

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
	if rpc, ok := errors.AsType[*RPCError](err); ok {
		return presentable(rpc.Message)
	}
	if failure, ok := errors.AsType[*url.Error](err); ok {
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
	malformed, isMalformed := cause.(malformedError)
	if failure.Kind == "" && !isMalformed {
		failure.Kind = said.without(parameters).kind()
	}
	switch {
	case failure.Kind != "":
		failure.Message = said.message()
	case isMalformed:
		failure.Kind, failure.Message = MalformedPage, malformed.Error()
	case result.IsError:
		failure.Kind, failure.Message = Backend, said.message()
	default:
		failure.Kind, failure.Message = MalformedPage, cause.Error()
	}
	return failure
}

// A complaint is what a result says went wrong.
type complaint struct {
	text   string
	status int // HTTP status, if one was given as a number
}

// complaintOf gathers the texts of a result that holds no page. Of a JSON
// object only the members that are meant to describe an error are read.
func complaintOf(result ToolResult) complaint {
	var said complaint
	add := func(text string, status int) {
		if text != "" && said.text != "" {
			said.text += "\n"
		}
		said.text += text
		if said.status == 0 {
			said.status = status
		}
	}
	for _, text := range result.Text {
		if d, ok := newDocument(json.RawMessage(trim(text))); ok {
			add(d.complaint())
		} else {
			add(unwrapped(trim(text)), 0)
		}
	}
	if d, ok := newDocument(result.Structured); ok && said.text == "" {
		add(d.complaint())
	}
	return said
}

// complaint reads the error shapes of Foundry's REST service, of Azure MCP's
// envelope, and {"error": "text"}.
func (d document) complaint() (text string, status int) {
	status = d.status()
	for _, place := range []document{d.member("error"), d.member("results"), d} {
		for _, name := range []string{"message", "error", "detail", "title", "code"} {
			value, _ := rawjson.Lookup(place.members, name)
			if text = rawjson.Text(value); text != "" {
				if status == 0 {
					status = place.status()
				}
				return text, status
			}
		}
	}
	return "", status
}

// unwrapped returns the message that Azure's router puts into a text of its own
// when the call behind it fails.
func unwrapped(text string) string {
	if !strings.HasPrefix(strings.ToLower(text), callFailed) {
		return text
	}
	_, message, found := strings.Cut(text, "\nError: ")
	if !found {
		return text
	}
	message, _, _ = strings.Cut(message, "\n\nRun again")
	return strings.TrimSpace(message)
}

// How texts of Azure's router begin, in lower case.
const (
	callFailed = "there was an error finding or calling tool"
	learnIntro = "here are the available commands and their input schema"
)

// without returns the complaint without the texts that the caller sent, which
// services like to repeat: an agent named "monitor-403" must not
// decide what a failure is taken for.
func (c complaint) without(parameters map[string]any) complaint {
	text := strings.ToLower(c.text)
	for _, value := range parameters {
		sent, isText := value.(string)
		if !isText || sent == "" {
			continue
		}
		sent = strings.ToLower(sent)
		for _, quote := range []string{`"`, `'`, "`"} {
			text = strings.ReplaceAll(text, quote+sent+quote, "…")
		}
		if strings.ContainsFunc(sent, func(r rune) bool { return r < 'a' || r > 'z' }) {
			text = strings.ReplaceAll(text, sent, "…") // too odd to be a word of the message itself
		}
	}
	return complaint{text: text, status: c.status}
}

// kind classifies by the first rule that applies; "" if none does. The exact
// wordings of the service are not published, so all but the router's are guesses.
func (c complaint) kind() Kind {
	text := strings.ToLower(c.text)
	statuses := statusesIn(text)
	if c.status != 0 {
		statuses = append(statuses, c.status)
	}
	for _, rule := range rules {
		if rule.words.MatchString(text) {
			return rule.kind
		}
		for _, status := range statuses {
			if rule.covers(status) {
				return rule.kind
			}
		}
	}
	return ""
}

// A rule gives the kind to texts with certain words and to certain statuses.
type rule struct {
	kind     Kind
	words    *regexp.Regexp
	statuses []int
}

func (r rule) covers(status int) bool {
	for _, s := range r.statuses {
		if s == status {
			return true
		}
	}
	return false
}

// rules are tried in order. A 404 has none: it may as well mean that the feature is off.
var rules = []rule{
	{ToolUnavailable, words(
		`^`+learnIntro,
		`\bthe tool\b.{1,160}\bwas not found\b`,
		`\btool\b.{1,160}\bis not available\b`,
		`\b(unknown|no such) tool\b`,
		`\btool\b.{0,80}\bnot found\b`,
		`failed to initialize tool loaders`,
		`requires local execution`,
	), nil},
	{InvalidArgument, words(`missing required (option|parameter|argument)s?`), nil},
	{Unauthorized, words(
		`\bun-?authori[sz]ed\b`, `\bnot authori[sz]ed\b`, `\bforbidden\b`, `\bauthentication\b`, `\bauthori[sz]ation\b`,
		`\baccess (is |was )?denied\b`, `\bno access\b`, `\bpermissions?\b`, `\bcredentials?\b`, `\b(access|bearer|id) token\b`,
		`\bsigned? ?in\b`, `\blog ?in\b`, `\baadsts\d+`, `\binvalid_token\b`,
	), []int{401, 403}},
	{NoMonitor, words(
		`\bmonitors?\b[^.\n]{0,160}\b(not found|does not exist|doesn't exist|do not exist|not been (created|set up))`,
		`\b(not found|could not find|cannot find|couldn't find|can't find)\b[^.\n]{0,80}\bmonitors?\b`,
		`\bno\b[^.\n]{0,80}\bmonitors?\b`,
		`\bnot have an?\b[^.\n]{0,40}\bmonitor\b`,
	), nil},
	{Backend, words(
		`\binternal (server )?error\b`, `\bbad gateway\b`, `\bservice (is )?(temporarily )?unavailable\b`, `\btimed? ?out\b`, `\btimeout\b`,
		`\bconnection\b`, `\btoo many requests\b`, `\brate limit`, `\bthrottl`,
	), []int{408, 429, 500, 501, 502, 503, 504}},
	{InvalidArgument, words(
		`\binvalid\b`, `\bnot (a )?valid\b`, `\bmust be\b`, `\b(is|are) required\b`, `\bbad request\b`, `\bout of range\b`,
		`\bvalidation\b`, `\bunsupported\b`, `\bunrecogni[sz]ed\b`, `\bunknown (parameter|argument|option|property|filter|value)`,
		`\bargument\b.{0,40}\bnot found\b`, `invalid_request`,
	), []int{400, 422}},
}

func words(patterns ...string) *regexp.Regexp {
	return regexp.MustCompile(strings.Join(patterns, "|"))
}

// A number is only taken for an HTTP status where the words around it say so;
// "got 500" may speak of a limit.
var statusPatterns = []*regexp.Regexp{
	regexp.MustCompile(`\b(?:http(?:/[0-9.]+)?|status|status ?code|response)\b[^0-9\n]{0,40}\b([45][0-9][0-9])\b`),
	regexp.MustCompile(`\berror[ :(]{1,3}([45][0-9][0-9])\b`),
	regexp.MustCompile(`(?:^|\()([45][0-9][0-9])\b`),
}

func statusesIn(text string) []int {
	var statuses []int
	for _, pattern := range statusPatterns {
		for _, match := range pattern.FindAllStringSubmatch(text, -1) {
			status, _ := strconv.Atoi(match[1])
			statuses = append(statuses, status)
		}
	}
	return statuses
}

// message returns what the complaint may be quoted with.
func (c complaint) message() string {
	if strings.HasPrefix(strings.ToLower(c.text), learnIntro) {
		return "the router does not know the command " + ToolName
	}
	return presentable(c.text)
}
