package problem

import (
	"fmt"
	"io"
	"log/slog"
	"strings"
)

// Format makes each verb of package fmt safe: %+v and %#v list the fields that
// [Problem.LogValue] lists, and all others format the text of Error. It has a
// value receiver so that a Problem that is no pointer is safe too.
func (p Problem) Format(s fmt.State, verb rune) {
	switch {
	case verb == 'v' && s.Flag('#'):
		_, _ = io.WriteString(s, p.list("problem.Problem{", ":", ", ", "}"))
	case verb == 'v' && s.Flag('+'):
		_, _ = io.WriteString(s, p.list("", "=", " ", ""))
	default:
		_, _ = fmt.Fprintf(s, fmt.FormatString(s, verb), p.Error())
	}
}

func (p *Problem) list(open, equals, separator, end string) string {
	var fields []string
	for _, attr := range p.attributes() {
		value := attr.Value.String()
		if attr.Value.Kind() == slog.KindString {
			value = fmt.Sprintf("%q", value)
		}
		fields = append(fields, attr.Key+equals+value)
	}
	return cut(open+strings.Join(fields, separator), maxText) + end
}

// LogValue returns the problem as a group: status, title, code, detail, type
// and instance without queries, retry_after, allowed_actions, what the body
// was, and the request id. Headers, the body and other extensions are no part
// of it, and each text is bounded and cleaned like that of Error.
func (p Problem) LogValue() slog.Value { return slog.GroupValue(p.attributes()...) }

func (p *Problem) attributes() []slog.Attr {
	attrs := []slog.Attr{slog.Int("status", p.Status)}
	text := func(key, cleaned string) {
		if cleaned != "" {
			attrs = append(attrs, slog.String(key, cleaned))
		}
	}
	if p.StatusMismatch() {
		attrs = append(attrs, slog.Int("status_member", p.memberStatus))
	}
	text("title", clean(p.Title, maxTitle))
	text("code", clean(p.Code, maxCode))
	text("detail", clean(p.Detail, maxDetail))
	if uri := p.TypeURI(); uri != string(AboutBlank) {
		text("type", cleanURI(uri, maxURI))
	}
	text("instance", cleanURI(p.InstanceURI(), maxURI))
	if wait, ok := p.RetryAfter(); ok {
		attrs = append(attrs, slog.Duration("retry_after", wait))
	}
	text("allowed_actions", clean(p.actionsText(), maxText/3))
	if p.body.Kind != BodyNone {
		attrs = append(attrs, slog.String("body", p.body.Kind.String()))
	}
	text("request_id", clean(p.requestID, maxCode))
	return attrs
}
