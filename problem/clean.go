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

// maxRead is how many bytes of a field are looked at for a text.
const maxRead = 16 << 10

// clean makes text from the network fit for one line of a log, a terminal or a
// prompt: valid UTF-8, white space collapsed, no characters that control or
// hide anything, no queries or user information in URLs, nothing from where an
// HTML page begins, and no more than limit bytes.
func clean(text string, limit int) string { return cleaned(text, limit, false) }

// cleanURI is clean for a URI reference, where each question mark begins a query.
func cleanURI(uri string, limit int) string { return cleaned(uri, limit, true) }

func cleaned(text string, limit int, isURI bool) string {
	var b strings.Builder
	for word := range strings.FieldsFuncSeq(cut(text, maxRead), isSpace) {
		word, isPage := cutPage(strings.Map(visible, word))
		word = redact(word, isURI)
		if b.Len() > 0 && (word != "" || isPage) {
			b.WriteByte(' ')
		}
		b.WriteString(word)
		if isPage && b.Len() > 0 {
			b.WriteString(ellipsis)
		}
		if isPage || b.Len() > limit {
			break
		}
	}
	return cut(b.String(), limit)
}

// cut shortens text to limit bytes, at the border of a character. Of a URL that
// is cut within its authority only the scheme is left: a password would look
// like a host without the @ that follows it.
func cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	end := limit - len(ellipsis)
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	text = text[:end]
	if slash := strings.LastIndexByte(text, '/'); slash >= 0 && startsAuthority(text[:slash]) && isAuthority(text[slash+1:]) {
		text = text[:slash+1]
	}
	return strings.TrimRight(text, " ") + ellipsis
}

// cutPage cuts a text off where an HTML page begins, which is of no use in a
// line of text, and reports whether one does.
func cutPage(text string) (before string, found bool) {
	for i := 0; i < len(text); i++ {
		next := strings.IndexByte(text[i:], '<')
		if next < 0 {
			break
		}
		i += next
		for _, start := range [...]string{"<html", "<!doctype"} {
			if len(text)-i >= len(start) && strings.EqualFold(text[i:i+len(start)], start) {
				return text[:i], true
			}
		}
	}
	return text, false
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
