package problem

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// maxActions is how many allowed actions a text names.
const maxActions = 6

// Error returns one line of less than 2,000 bytes that a person or a model can
// act on: status, title, code, detail, when to retry, and what is allowed now.
//
//	422 Validation failed (agent_name_too_long): Shorten 'name'; allowed actions: retry create_agent (Shorten 'name' to <= 200 chars.)
//
// It is safe to log and to show: no headers, no URL queries or user
// information, no other extension, no HTML page, and no character that controls
// a terminal or hides text. Detail is the server's text, bounded and cleaned.
func (p *Problem) Error() string {
	if p == nil {
		return "<nil>"
	}
	var b strings.Builder
	b.WriteString(p.headline())
	if code := clean(p.Code, maxCode); code != "" {
		b.WriteString(" (" + code + ")")
	}
	if explanation := p.explanation(); explanation != "" {
		b.WriteString(": " + explanation)
	}
	if wait, ok := p.RetryAfter(); ok {
		b.WriteString("; retry after " + wholeSeconds(wait) + "s")
	}
	if actions := p.actionsText(); actions != "" {
		b.WriteString("; allowed actions: " + actions)
	}
	return cut(b.String(), maxText)
}

// headline is the status and the title, or the phrase of the status.
func (p *Problem) headline() string {
	title := withoutStop(clean(p.Title, maxTitle))
	if title == "" {
		title = http.StatusText(p.Status)
	}
	if p.Status == 0 {
		if title == "" {
			return "unknown problem"
		}
		return title
	}
	return strings.TrimRight(strconv.Itoa(p.Status)+" "+title, " ")
}

// explanation is the detail, or what the body was in place of one. Its final
// stop goes, as that of the title, since the line may go on.
func (p *Problem) explanation() string {
	detail := clean(p.Detail, maxDetail)
	if detail == "" {
		return bodyNotes[p.body.Kind]
	}
	return withoutStop(detail)
}

// withoutStop removes a full stop from the end, but no ellipsis.
func withoutStop(text string) string {
	if strings.HasSuffix(text, "..") {
		return text
	}
	return strings.TrimSuffix(text, ".")
}

// wholeSeconds rounds up, so that nobody waits too short.
func wholeSeconds(d time.Duration) string {
	return strconv.FormatInt(int64((d+time.Second-1)/time.Second), 10)
}

func (p *Problem) actionsText() string {
	var texts []string
	for i := range p.AllowedActions {
		if len(texts) == maxActions {
			texts = append(texts, ellipsis)
			break
		}
		if text := p.AllowedActions[i].text(); text != "" {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, ", ")
}

// text names the action by relation and operation, with its hint.
func (a *Action) text() string {
	name := strings.TrimSpace(clean(a.Rel, maxRel) + " " + clean(a.OperationID, maxRel))
	hint := clean(a.Hint, maxHint)
	switch {
	case name == "":
		return hint
	case hint == "":
		return name
	}
	return name + " (" + hint + ")"
}
