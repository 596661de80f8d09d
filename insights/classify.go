package insights

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/url"
	"regexp"
	"slices"
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
	if failure, ok := errors.AsType[*Error](err); ok {
		return failure.Message
	}
	if kind, ok := errors.AsType[Kind](err); ok { // which Error says by itself
		return presentable(strings.Trim(strings.Replace(err.Error(), kind.Error(), "", 1), ": "))
	}
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
	case result.IsError || said.explicit:
		failure.Kind, failure.Message = Backend, said.message()
	default:
		failure.Kind, failure.Message = MalformedPage, cause.Error()
	}
	return failure
}

// A complaint is what a result says went wrong.
type complaint struct {
	text     string
	status   int  // HTTP status, if one was given as a number
	explicit bool // the result says that it is a failure, if not by isError
}

// complaintOf gathers the texts of a result that holds no page. Of a JSON
// object only the members that are meant to describe an error are read.
func complaintOf(result ToolResult) complaint {
	var said complaint
	for _, text := range result.Text {
		text = trim(text)
		switch d, ok := newDocument(json.RawMessage(text)); {
		case ok:
			said.add(d.complaint())
		case strings.HasPrefix(text, "{") || strings.HasPrefix(text, "["):
			// A page cut short, perhaps: what its insights speak of is no
			// complaint.
		default:
			said.add(unwrapped(text))
		}
	}
	if d, ok := newDocument(result.Structured); ok && said.text == "" {
		said.add(d.complaint())
	}
	return said
}

func (c *complaint) add(more complaint) {
	if more.text != "" && c.text != "" {
		c.text += "\n"
	}
	c.text += more.text
	if c.status == 0 {
		c.status = more.status
	}
	c.explicit = c.explicit || more.explicit
}

// complaint reads the error shapes of Foundry's REST service, of Azure MCP's
// envelope, and {"error": "text"}. An error's code comes second, so that the
// message is what is shown.
func (d document) complaint() complaint {
	said := complaint{status: d.status(), explicit: d.has("error") && rawjson.KindOf(d.member("error").raw) != rawjson.Null}
	code := ""
	for _, place := range []document{d.member("error"), d.member("results"), d} {
		for _, name := range []string{"message", "error", "detail"} {
			said.text = cmp.Or(said.text, place.text(name))
		}
		code = cmp.Or(code, place.text("code"))
		said.status = cmp.Or(said.status, place.status())
	}
	said.text = strings.TrimSpace(said.text + "\n" + code)
	said.explicit = said.explicit || said.status >= 400
	return said
}

// unwrapped reads a text of prose. What Azure's router says about a call behind
// it that failed counts as the failure's own message.
func unwrapped(text string) complaint {
	if !strings.HasPrefix(strings.ToLower(text), callFailed) {
		return complaint{text: text}
	}
	_, message, found := strings.Cut(text, "\nError: ")
	if !found {
		return complaint{text: text, explicit: true}
	}
	message, _, _ = strings.Cut(message, "\n\nRun again")
	return complaint{text: strings.TrimSpace(message), explicit: true}
}

// How texts of Azure's router begin, in lower case.
const (
	callFailed = "there was an error finding or calling tool"
	learnIntro = "here are the available commands and their input schema"
)

// beginning returns as much of the text as is read; it says what is wrong at
// once, or not at all.
func (c complaint) beginning() string {
	const enough = 4096
	if len(c.text) > enough {
		return strings.ToValidUTF8(c.text[:enough], "")
	}
	return c.text
}

// without returns the complaint without the texts that the caller sent, which
// services like to repeat: an agent named "monitor-403" must not decide what a
// failure is taken for.
func (c complaint) without(parameters map[string]any) complaint {
	text := strings.ToLower(c.beginning())
	for _, name := range []string{"projectEndpoint", "agentName", "category", "severity", "after"} {
		sent, _ := parameters[name].(string)
		if sent == "" {
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
	c.text = text
	return c
}

// kind classifies by the first rule that applies; "" if none does. The exact
// wordings of the service are not published, so all but the router's are
// guesses.
func (c complaint) kind() Kind {
	text := strings.ToLower(c.beginning())
	statuses := statusesIn(text)
	if c.status != 0 {
		statuses = append(statuses, c.status)
	}
	for _, rule := range rules {
		covered := func(status int) bool { return slices.Contains(rule.statuses, status) }
		if rule.words.MatchString(text) || slices.ContainsFunc(statuses, covered) {
			return rule.kind
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

// rules are tried in order; the later a rule, the vaguer its words. A 404 comes
// last, as a failure of the service: that there is no monitor it has to say in
// words, since it may as well mean that the whole feature is off.
var rules = []rule{
	{ToolUnavailable, words(
		`^`+learnIntro,
		`\btool\b:? *(\S{1,160} )?(was |is )?not found\b`,
		`\btool\b:? *(\S{1,160} ){1,2}is not available\b`,
		`\b(unknown|no such) tool\b`,
		`\bfailed to initialize tool loaders\b`,
		`\brequires local execution\b`,
	), nil},
	{InvalidArgument, words(`\bmissing required (option|parameter|argument|propert)`), nil},
	{Unauthorized, words(
		`\bun-?authori[sz]ed\b`, `\bnot authori[sz]ed\b`, `\bforbidden\b`, `\bunauthenticated\b`,
		`\b(access|permission) (is |was )?denied\b`, `\bpermissiondenied\b`, `\bauth\w+failed\b`, `\binvalid_?(authentication)?token\b`,
		`\b(no|not have|n't have) (the )?(required |necessary )?(access|permissions?|authori[sz]ation|rights?)\b`, `\baadsts\d+`,
	), []int{401, 403}},
	{Backend, words(`\bno (response|answer|reply|connection)\b`), nil},
	{NoMonitor, words(
		`monitors?\b[^.\n]{0,160}\b(not found|does not exist|doesn't exist|do not exist|not been (created|set up))`,
		`\b(not found|could not find|cannot find|couldn't find|can't find)\b[^.\n]{0,80}monitors?\b`,
		`\bno\b[^.\n]{0,80}monitors?\b`,
		`\bnot have an?\b[^.\n]{0,40}monitor\b`,
	), nil},
	{Unauthorized, words(
		`\bauthentication\b`, `\bauthori[sz]ation\b`, `\bpermissions?\b`, `credential`, `\bdenied\b`,
		`\b(access|bearer|id) token\b`, `\bsign(ed)? ?in\b`, `\blog(ged)? ?in\b`,
	), nil},
	{Backend, words(
		`\binternal (server )?error\b`, `\bbad gateway\b`, `\bunavailable\b`, `\btimed? ?out\b`, `\btimeout\b`,
		`\bconnection\b`, `\btoo many requests\b`, `\brate limit`, `\bthrottl`,
	), []int{408, 429, 500, 501, 502, 503, 504}},
	{InvalidArgument, words(
		`\binvalid\b`, `\bnot (a )?valid\b`, `\bmust be\b`, `\b(is|are) required\b`, `\bbad request\b`, `\bout of range\b`,
		`\bvalidation\b`, `\b(un|not )supported\b`, `\bunrecogni[sz]ed\b`, `\bunknown (parameter|argument|option|property|filter|value)`,
		`\bargument\b.{0,40}\bnot found\b`, `\binvalid_\w`,
	), []int{400, 422}},
	{Backend, words(`\berror occurred\b`, `\bnot found\b`, `\bfailed to\b`), []int{404}},
}

func words(patterns ...string) *regexp.Regexp {
	return regexp.MustCompile(`(?m)` + strings.Join(patterns, "|"))
}

// A number is only taken for an HTTP status where the words around it say so;
// "got 500" may speak of a limit.
var statusPatterns = []*regexp.Regexp{
	regexp.MustCompile(`\b(?:http(?:/[0-9.]+)?|status|status ?code|response)\b[^0-9\n]{0,40}\b([45][0-9][0-9])\b`),
	regexp.MustCompile(`\berror[ :(]{1,3}([45][0-9][0-9])\b`),
	regexp.MustCompile(`^([45][0-9][0-9])\b`),
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
	if strings.Contains(strings.ToLower(c.beginning()), learnIntro) {
		return "the router does not know the command " + ToolName
	}
	return presentable(c.text)
}
