package problem

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The most bytes that each part of a text may take. All parts together stay
// under maxText, which no text passes.
const (
	maxText   = 1900
	maxTitle  = 160
	maxCode   = 80
	maxDetail = 800
	maxURI    = 200
	maxRel    = 40
	maxHint   = 200
)

// ellipsis stands for what was cut off.
const ellipsis = "…"

// clean makes text from the network fit for one line of a log, a terminal or a
// prompt: valid UTF-8, white space collapsed, no characters that control or
// hide anything, no queries or user information in URLs, and no more than
// limit bytes.
func clean(text string, limit int) string {
	var b strings.Builder
	for word := range strings.FieldsFuncSeq(text, isSpace) {
		word = redact(strings.Map(visible, word))
		if word == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(word)
		if b.Len() > limit {
			break
		}
	}
	return cut(b.String(), limit)
}

// cut shortens text to limit bytes, at the border of a character.
func cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	end := limit - len(ellipsis)
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return strings.TrimRight(text[:end], " ") + ellipsis
}

// isSpace reports whether a character separates words, for people or for a
// terminal.
func isSpace(r rune) bool { return unicode.IsSpace(r) || unicode.Is(unicode.Z, r) }

// visible drops what people do not see but programs and models may obey:
// controls, bidirectional formatting, zero-width characters, variation
// selectors, tags, fillers, private use and unassigned code points.
func visible(r rune) rune {
	if !unicode.IsPrint(r) || r == '\u2800' ||
		unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) {
		return -1
	}
	return r
}

// redact removes user information and queries from the URLs in a word, since
// both carry credentials. A query is replaced by "?…" up to the word's end.
func redact(word string) string {
	if !strings.ContainsAny(word, "@?#") {
		return word
	}
	var b strings.Builder
	rest, isURL := word, false
	for {
		before, after, found := strings.Cut(rest, "://")
		if !found {
			break
		}
		if query, ok := cutQuery(before, isURL); ok {
			b.WriteString(query)
			return b.String()
		}
		b.WriteString(before + "://")
		authority := after[:endOfAuthority(after)]
		rest, isURL = after[strings.LastIndexByte(authority, '@')+1:], true
	}
	query, _ := cutQuery(rest, isURL)
	b.WriteString(query)
	return b.String()
}

func endOfAuthority(text string) int {
	if end := strings.IndexAny(text, "/?#"); end >= 0 {
		return end
	}
	return len(text)
}

// cutQuery cuts a query, or a fragment with parameters, off. Outside a URL
// a question mark is punctuation unless parameters follow.
func cutQuery(text string, isURL bool) (string, bool) {
	mark := strings.IndexAny(text, "?#")
	if mark < 0 || mark == len(text)-1 {
		return text, false
	}
	tail := text[mark+1:]
	if text[mark] == '?' && isURL || strings.Contains(tail, "=") {
		return text[:mark+1] + ellipsis, true
	}
	return text, false
}
