package problem

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// maker makes problems at random, as a host could.
type maker struct {
	*rand.Rand
	xml bool // only what XML can carry
}

func (m maker) text(length int) string {
	letters := []string{"a", "Z", "7", " ", "\"", "\\", "<", "&", "]]>", "é", "数", "😀", "\n", "\t", "\r", "\u2028", "\u202e", "https://u:p@e.org/?q", "\ufffd"}
	if !m.xml {
		letters = append(letters, "\x00", "\x1b", "\x7f", "\uffff")
	}
	var b strings.Builder
	for range m.IntN(length) {
		b.WriteString(letters[m.IntN(len(letters))])
	}
	return b.String()
}

func (m maker) uri() string {
	return []string{"", "/p", "p?q=1", "https://e.org/p", "urn:p", "%zz", "about:blank"}[m.IntN(7)]
}

func (m maker) value(depth int) any {
	switch m.IntN(6) {
	case 0, 1:
		return "x" + m.text(5)
	case 2:
		if !m.xml {
			return []any{nil, true, 1e300, int64(9007199254740993), []any{}, map[string]any{}, ""}[m.IntN(7)]
		}
	case 3:
		if depth > 0 {
			list := []any{m.value(depth - 1)}
			for range m.IntN(3) {
				list = append(list, m.value(depth-1))
			}
			return list
		}
	case 4:
		if depth > 0 {
			return map[string]any{"a1": m.value(depth - 1), "i": m.value(depth - 1)}
		}
	}
	return "x"
}

func (m maker) extensions(t *testing.T) map[string]json.RawMessage {
	names := []string{"abc", "a_b", "a.b", "Title", "é", "i"}
	if !m.xml {
		names = append(names, "", "a b", "<", "\x00", "\"")
	}
	var made map[string]json.RawMessage
	for range m.IntN(4) {
		raw, err := json.Marshal(m.value(3))
		require.NoError(t, err)
		if made == nil {
			made = make(map[string]json.RawMessage)
		}
		made[names[m.IntN(len(names))]] = raw
	}
	return made
}

func (m maker) problem(t *testing.T) Problem {
	p := Problem{
		Type: m.uri(), Title: "T" + m.text(8), Status: 400 + m.IntN(200), Detail: m.text(20), Instance: m.uri(), Code: m.text(4),
		RetryAfterSeconds: int64(m.IntN(3) * m.IntN(31536001) / 2), Extensions: m.extensions(t),
	}
	for range m.IntN(3) {
		a := Action{Rel: "r" + m.text(4), OperationID: m.text(4), Method: m.text(3), Hint: m.text(9), SchemaRef: m.text(3), Href: m.uri()}
		a.URL, a.Extensions = a.Href, m.extensions(t)
		p.AllowedActions = append(p.AllowedActions, a)
	}
	return p
}

// respelt returns p with the spelling of encoding/json in all extensions.
func respelt(t *testing.T, p Problem) Problem {
	spell := func(extensions map[string]json.RawMessage) {
		for name, raw := range extensions {
			var value any
			require.NoError(t, json.Unmarshal(raw, &value))
			raw, err := json.Marshal(value)
			require.NoError(t, err)
			extensions[name] = raw
		}
	}
	spell(p.Extensions)
	for _, a := range p.AllowedActions {
		spell(a.Extensions)
	}
	return p
}

func TestServingAndReadingIsTheIdentity(t *testing.T) {
	t.Parallel()
	for _, format := range []string{MediaTypeJSON, MediaTypeXML} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(400) {
				m := maker{rand.New(rand.NewPCG(seed, 1)), format == MediaTypeXML}
				p := m.problem(t)
				q := recorded(t, &p, format)
				if m.xml {
					p, *q = respelt(t, p), respelt(t, *q) // XML keeps texts, not how JSON spells them
				}
				require.Equal(t, p, bare(q), "seed %d", seed)
				require.Equal(t, p.Error(), q.Error(), "seed %d", seed)
				requireSafeText(t, q.Error())
				requireSafeText(t, fmt.Sprintf("%+v", q))
			}
		})
	}
}

// one returns one of the texts.
func (m maker) one(texts ...string) string { return texts[m.IntN(len(texts))] }

// secretURL makes a URL with a secret where URLs carry secrets.
func (m maker) secretURL(secret string) string {
	filler := strings.Repeat("p", m.IntN(60))
	start := m.one("https://", "HTTPS://", "postgres://", "a+b://", "//", `https:\/\/`, "https:/\u200b/")
	user := m.one("", "u:"+filler+secret+"@", "u:"+secret+filler+"@", secret+":@", "u:p@"+secret+"@", "d\\u:"+secret+"@",
		"u:p/"+secret+"@", "u:p?"+secret+"@", "u:p#"+secret+"@")
	query := m.one("", "?"+secret, "?"+filler+secret, "?a="+secret, "?a=b&"+secret, "?x#"+secret, "#t="+secret, "#/x?"+secret)
	return start + user + m.one("e.org", "e.org:80", "[::1]", "[::1]:80") + m.one("", "/", "/a/b", "/@a/b", "/a//b") + query
}

func TestNoCredentialInAURLIsShown(t *testing.T) {
	t.Parallel()
	const secret = "c4n4ry"
	for seed := range uint64(500) {
		m := maker{Rand: rand.New(rand.NewPCG(seed, 2))}
		uri := m.secretURL(secret)
		text := strings.Repeat("w ", m.IntN(420)) + m.one("", "(", `"`, "<", "x=", "a,", "see:") + uri + m.one("", " end", ")", `"`, " <html>", ", https://e.org/")
		problems := []*Problem{
			{Type: uri, Title: text, Detail: text, Instance: uri, Code: uri, AllowedActions: []Action{{Rel: uri, Hint: text}}},
			parseAt(t, 500, "text/plain", text+strings.Repeat("y", m.IntN(500))),
		}
		for _, p := range problems {
			require.NotContains(t, fmt.Sprintf("%v %+v %#v", p, p, p), secret, "seed %d: %s", seed, uri)
		}
		require.NotContains(t, clean(text, 4+m.IntN(900)), secret, "seed %d: %s", seed, uri)
		require.NotContains(t, Type(uri).Error(), secret, "seed %d: %s", seed, uri)
	}
}
