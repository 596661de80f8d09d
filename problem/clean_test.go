package problem

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func TestCleanLeavesOneVisibleLine(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, want string }{
		{"plain", "Agent not found", "Agent not found"},
		{"lines and tabs", " a\r\n\tb\v\fc ", "a b c"},
		{"other spaces", "a\u00a0b\u3000c\u2028d\u2029e\u0085f", "a b c d e f"},
		{"controls", "a\x00\x07\x1b[31mb\x7fc\u009bd", "a[31mbcd"},
		{"bidirectional formatting", "a\u202eb\u2066c\u2069d\u200ee\u061cf", "abcdef"},
		{"zero width", "a\u200bb\u200cc\u200dd\ufeffe\u2060f\u00adg", "abcdefg"},
		{"variation selectors", "a\ufe0fb\U000e0100c\u180bd", "abcd"},
		{"tags", "a\U000e0041\U000e007fb", "ab"},
		{"fillers", "a\u3164b\u115fc\uffa0d\u2800e\u034ff", "abcdef"},
		{"private use and unassigned", "a\ue000b\U0010ffffc\u0378d", "abcd"},
		{"invalid UTF-8", "a\xffb\xe2\x82c", "a\uFFFDb\uFFFD\uFFFDc"},
		{"scripts and symbols stay", "Größe 数 नमस्ते 😀 <= ≠", "Größe 数 नमस्ते 😀 <= ≠"},
		{"an invisible word", "a \u200b b", "a b"},
		{"only invisible", "\u200b\u202e \x00", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, test.want, clean(test.text, 200))
		})
	}
}

func TestCleanCutsAtTheLimit(t *testing.T) {
	t.Parallel()
	require.Equal(t, "123456789", clean("123456789", 9))
	require.Equal(t, "1234567…", clean("12345678901", 10))
	require.Equal(t, "abc…", clean("abc    efghijk", 7))
	require.Equal(t, "éé…", clean("ééééé", 8))
	require.Len(t, clean(strings.Repeat("x", 1<<20), 100), 100)
	require.Len(t, clean(strings.Repeat("x", 1<<20), 1<<20), 16<<10, "no more is looked at")
}

func TestCleanTakesCredentialsOutOfURLs(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, want string }{
		{"query", "at https://e.org/a?token=s end", "at https://e.org/a?… end"},
		{"query without a value", "https://e.org/a?s", "https://e.org/a?…"},
		{"user information", "https://user:s@e.org/a", "https://e.org/a"},
		{"user information with @", "https://user:s@s@e.org/a", "https://e.org/a"},
		{"both, in brackets", "(https://u:s@e.org?q=s)", "(https://e.org?…"},
		{"fragment with parameters", "https://e.org/cb#access_token=s&x=y", "https://e.org/cb#…"},
		{"fragment", "https://iana.org/assignments/http-problem-types#date", "https://iana.org/assignments/http-problem-types#date"},
		{"a path with a query", "Cannot GET /v1/x?token=s&a=b", "Cannot GET /v1/x?…"},
		{"a URL in a query", "/login?to=https://e.org/?t=s", "/login?…"},
		{"two URLs in a word", "https://a:s@x.org,https://b:s@y.org", "https://x.org,https://y.org"},
		{"another scheme", "redis://:s@cache:6379/0", "redis://cache:6379/0"},
		{"an invisible character in the way", "https:/\u200b/user:s@e.org/?t=s", "https://e.org/?…"},
		{"a question", "Did you mean a/b? Or c?", "Did you mean a/b? Or c?"},
		{"a question at the end of a URL", "Is it https://e.org/a?", "Is it https://e.org/a?"},
		{"an address", "ask ops@e.org", "ask ops@e.org"},
		{"a path with @", "https://e.org/@scope/pkg@1", "https://e.org/@scope/pkg@1"},
		{"a path with @ behind a port", "https://e.org:8080/@scope", "https://e.org:8080/@scope"},
		{"an IPv6 address", "http://[fe80::1]/@x", "http://[fe80::1]/@x"},
		{"a reference without a scheme", "see //user:s@e.org/a?s", "see //e.org/a?…"},
		{"slashes that are escaped", `{"u":"https:\/\/user:s@e.org\/a?s"}`, `{"u":"https:\/\/e.org\/a?…`},
		{"a password with a slash", "postgres://user:pa/s@db/x", "postgres://db/x"},
		{"a password with a question mark", "postgres://user:pa?s@db/x", "postgres://db/x"},
		{"a password with a number sign", "postgres://user:pa#s@db/x", "postgres://db/x"},
		{"a path with a query without a value", "Cannot GET /v1/x?s", "Cannot GET /v1/x?…"},
		{"a relative path with one", "at e.org/x?s", "at e.org/x?…"},
		{"a fragment with parameters behind a query", "https://e.org/a?s#x=y", "https://e.org/a?…"},
		{"a query in a fragment", "https://e.org/#/login?s", "https://e.org/#/login?…"},
		{"a question about a path in brackets", "(is it a/b?)", "(is it a/b?)"},
		{"a question without a space", "what?Why", "what?Why"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, test.want, clean(test.text, 200))
		})
	}
}

func TestCleanCutsNoURLInItsUserInformation(t *testing.T) {
	t.Parallel()
	secret := strings.Repeat("s", 100)
	require.Equal(t, "at https://…", cut("at https://user:"+secret+"@e.org", 50))
	require.Equal(t, `at https:\/\/…`, cut(`at https:\/\/user:`+secret+"@e.org", 50))
	require.Equal(t, "at //…", cut("at //user:"+secret+"@e.org", 50))
	require.Equal(t, "https://e.org/"+secret[:33]+"…", cut("https://e.org/"+secret, 50))
	require.Equal(t, "https://e.org "+secret[:33]+"…", cut("https://e.org "+secret, 50))
	long := strings.Repeat("x ", 8000)
	require.False(t, strings.Contains(clean(long+"https://user:"+strings.Repeat("s", 1000)+"@e.org", 1<<20), "sss"), "nor where reading stops")
}

func TestCleanShowsNoQueryOfAURI(t *testing.T) {
	t.Parallel()
	for uri, want := range map[string]string{
		"/x?s": "/x?…", "x?s": "x?…", "?s": "?…", "urn:x?s": "urn:x?…", "mailto:a@e.org?s": "mailto:a@e.org?…", "//user:s@e.org/x?s": "//e.org/x?…",
		"https://user:s@e.org/x?s#f": "https://e.org/x?…", "https://e.org/x#f": "https://e.org/x#f", "https://e.org/x#t=s": "https://e.org/x#…", "tag:e.org,2026:x": "tag:e.org,2026:x",
	} {
		require.Equal(t, want, cleanURI(uri, 200))
	}
}

func TestCleanEndsWhereAPageBegins(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"upstream said: <html><body>secret": "upstream said: …",
		"upstream:<!DOCTYPE html> secret":   "upstream:…",
		"a <HTML lang=en> secret":           "a …",
		"<html>secret":                      "",
		"\u200b<ht\u200bml>secret":          "",
		"a <b> c < html <= <htm":            "a <b> c < html <= <htm",
	} {
		require.Equal(t, want, clean(text, 200))
	}
}

// requireSafeText asserts what holds for each text that is made of a problem.
func requireSafeText(t *testing.T, text string) {
	t.Helper()
	require.Less(t, len(text), 2000)
	require.True(t, utf8.ValidString(text))
	unsafe := strings.IndexFunc(text, func(r rune) bool {
		return !unicode.IsPrint(r) || unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
	})
	require.Negative(t, unsafe, "%q", text)
}
