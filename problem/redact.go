package problem

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// twoSlashes is what the authority of a URL begins after. Within JSON that is
// quoted in a text the slashes may be escaped.
var twoSlashes = regexp.MustCompile(`(?:\\*/){2}`)

// redact removes user information and queries from the URLs in a word, since
// both carry credentials. A query is replaced by "?…" up to the word's end.
// Outside a URL a question mark is punctuation unless it looks like a query.
func redact(word string, isURL bool) string {
	if !strings.ContainsAny(word, "@?#") {
		return word
	}
	var b strings.Builder
	for {
		slashes := twoSlashes.FindStringIndex(word)
		if slashes == nil {
			break
		}
		if before, found := cutQuery(word[:slashes[0]], isURL); found {
			return b.String() + before
		}
		b.WriteString(word[:slashes[1]])
		word, isURL = withoutUserInformation(word[slashes[1]:]), true
	}
	before, _ := cutQuery(word, isURL)
	return b.String() + before
}

// withoutUserInformation takes the user information off a URL that is given
// from its authority on.
func withoutUserInformation(url string) string {
	authority := url
	if end := strings.IndexAny(url, "/?#"); end >= 0 {
		authority = url[:end]
	}
	at := strings.LastIndexByte(authority, '@')
	if at < 0 && !hasPort(authority) {
		// A password with a slash, or another character that should have been
		// escaped, only looks like the end of the authority.
		at = strings.LastIndexByte(url, '@')
	}
	return url[at+1:]
}

// hasPort reports whether what follows the host in an authority without user
// information is a port, or nothing.
func hasPort(authority string) bool {
	if _, after, isIPv6 := strings.Cut(authority, "]"); isIPv6 {
		authority = after
	}
	_, port, _ := strings.Cut(authority, ":")
	return port == "" || isDigits(port)
}

// startsAuthority reports whether a slash behind text is the second of two.
func startsAuthority(text string) bool {
	return strings.HasSuffix(strings.TrimRight(text, `\`), "/")
}

// isAuthority reports whether text, which follows two slashes, is an authority
// that may go on.
func isAuthority(text string) bool {
	return !strings.ContainsAny(text, "?#") && !strings.ContainsFunc(text, isSpace)
}

// cutQuery cuts off a query, or a fragment with parameters.
func cutQuery(text string, isURL bool) (before string, found bool) {
	query, fragment := strings.IndexByte(text, '?'), strings.IndexByte(text, '#')
	switch {
	case fragment >= 0 && (query < 0 || fragment < query) && strings.Contains(text[fragment:], "="):
		return text[:fragment+1] + ellipsis, true
	case query >= 0 && query < len(text)-1 && (isURL || looksLikeQuery(text[:query], text[query+1:])):
		return text[:query+1] + ellipsis, true
	}
	return text, false
}

// looksLikeQuery reports whether after is a query though no URL is known to be
// before it: it has parameters, or follows a path without a space.
func looksLikeQuery(before, after string) bool {
	first, _ := utf8.DecodeRuneInString(after)
	return strings.Contains(after, "=") ||
		strings.Contains(before, "/") && (unicode.IsLetter(first) || unicode.IsDigit(first))
}
