package insights

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/opsroom-go/opsroom/internal/rawjson"
)

// A complaint is what a result says went wrong.
type complaint struct {
	text     string
	status   int  // HTTP status, if one was given as a number
	explicit bool // the result says that it is a failure, if not by isError
}

// enough is how much of what is said is read, in bytes; it says what is wrong
// at once, or not at all.
const enough = 4096

// complaintOf gathers the texts of a result that holds no page. Of a JSON
// object only the members that are meant to describe an error are read.
func complaintOf(result ToolResult) complaint {
	var said complaint
	broken := false
	for _, text := range result.Text {
		if len(said.text) > enough {
			break
		}
		text = trim(text)
		switch d, ok := newDocument(json.RawMessage(text)); {
		case ok:
			said.add(d.complaint())
		case isData(text):
			// A page cut short, perhaps: what its insights speak of is no
			// complaint, and what follows may be the rest of it.
			broken = true
		case !broken:
			said.add(spoken(text, result.IsError))
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
	code, said := "", complaint{explicit: d.has("error") && rawjson.KindOf(d.member("error").raw) != rawjson.Null}
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

// spoken reads a text of prose. If nothing marks it as a failure, it may as well
// be an account of insights, which speak of failures a lot. So then only its
// first line counts, if that is short, and of it what comes before any JSON.
func spoken(text string, flagged bool) complaint {
	said := unwrapped(strings.ReplaceAll(text, "\r\n", "\n"))
	if flagged || said.explicit {
		return said
	}
	line, _, _ := strings.Cut(said.text, "\n")
	line, _, _ = strings.Cut(line, "{")
	if utf8.RuneCountInString(line) > longestMessage {
		line = ""
	}
	return complaint{text: strings.TrimSpace(line)}
}

// unwrapped recognises what Azure's router makes of failures. Of a call behind
// it that failed, the failure's own message counts.
func unwrapped(text string) complaint {
	lower := strings.ToLower(text)
	if !strings.HasPrefix(lower, callFailed) {
		rewrapped := strings.Contains(lower, missingOptions) && strings.Contains(lower, commandSpec)
		return complaint{text: text, explicit: rewrapped}
	}
	_, message, found := strings.Cut(text, "\nError: ")
	if !found {
		return complaint{text: text, explicit: true}
	}
	message, _, _ = strings.Cut(message, "\n\nRun again")
	return complaint{text: strings.TrimSpace(message), explicit: true}
}

// What texts of Azure's router begin with or contain, in lower case.
const (
	callFailed     = "there was an error finding or calling tool"
	learnIntro     = "here are the available commands and their input schema"
	missingOptions = "missing required options"
	commandSpec    = "command spec:"
)

// beginning returns as much of the text as is read.
func (c complaint) beginning() string {
	if len(c.text) > enough {
		return strings.ToValidUTF8(c.text[:enough], "")
	}
	return c.text
}

// without returns the complaint without addresses and the texts that the caller
// sent, which services like to repeat: neither a path to agent_insight_monitors
// nor an agent named "monitor-403" must decide what a failure is taken for.
func (c complaint) without(parameters map[string]any) complaint {
	text := addresses.ReplaceAllString(strings.ToLower(c.beginning()), "$1…")
	for _, sent := range textsIn(parameters) {
		for _, quote := range []string{`"`, `'`, "`"} {
			text = strings.ReplaceAll(text, quote+sent+quote, "…")
		}
		if strings.ContainsFunc(sent, func(r rune) bool { return r < 'a' || r > 'z' }) {
			text = withoutWord(text, sent) // too odd to be a word of the message itself
		}
	}
	c.text = text
	return c
}

// addresses finds URLs and absolute paths.
var addresses = regexp.MustCompile(`(^|[\s"'(\[=<])(?:[a-z][a-z0-9+.-]*://|/)[^\s"'()<>]*`)

// textsIn returns what the caller sent, in lower case, with the parts of the
// endpoint, such as the name of the project.
func textsIn(parameters map[string]any) []string {
	var texts []string
	for _, name := range []string{"projectEndpoint", "agentName", "category", "severity", "after"} {
		sent, _ := parameters[name].(string)
		sent = strings.ToLower(sent)
		texts = append(texts, sent)
		if name == "projectEndpoint" {
			texts = append(texts, strings.Split(sent, "/")...)
		}
	}
	return slices.DeleteFunc(texts, func(text string) bool { return text == "" })
}

// withoutWord takes word out of the text where it is no part of a longer one:
// an agent named "1" is not in "401".
func withoutWord(text, word string) string {
	var out strings.Builder
	for rest := text; ; {
		before, after, found := strings.Cut(rest, word)
		out.WriteString(before)
		if !found {
			return out.String()
		}
		first, _ := utf8.DecodeRuneInString(word)
		last, _ := utf8.DecodeLastRuneInString(word)
		left, _ := utf8.DecodeLastRuneInString(text[:len(text)-len(rest)+len(before)])
		right, _ := utf8.DecodeRuneInString(after)
		if isWord(left) && isWord(first) || isWord(last) && isWord(right) {
			out.WriteString(word)
		} else {
			out.WriteString("…")
		}
		rest = after
	}
}

func isWord(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// message returns what the complaint may be quoted with.
func (c complaint) message() string {
	if strings.Contains(strings.ToLower(c.beginning()), learnIntro) {
		return "the router does not know the command " + ToolName
	}
	return presentable(c.text)
}
