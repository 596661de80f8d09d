package insights

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// longestMessage bounds how much outside text an error repeats, in characters.
const longestMessage = 200

// presentable returns the first line of an outside text if it is short, plain
// prose that can go into an error; else "".
func presentable(text string) string {
	line, _, _ := strings.Cut(trim(text), "\n")
	line = strings.TrimSpace(line)
	switch {
	case line == "", utf8.RuneCountInString(line) > longestMessage, !utf8.ValidString(line):
		return ""
	case strings.ContainsAny(line[:1], "{[<"): // data or markup
		return ""
	case strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsPrint(r) && r != '\t' }):
		return "" // control, bidirectional and other invisible characters
	case suspect.MatchString(line):
		return ""
	}
	return line
}

// suspect finds what could be, or could carry, a credential: an assignment to a
// telling name, a URL with user information or a query, a word too long to be
// one.
var suspect = regexp.MustCompile(`(?i)` + strings.Join([]string{
	`\b(bearer|basic)\s+\S`,
	`\b\w*(token|secret|password|passwd|pwd|key|signature|sig|authorization|cookie)["']?\s*[=:]\s*\S`,
	`\beyj[\w-]{8}`,
	`\bapi[-_ ]?key\b`,
	`://\S*[@?#]`,
	`[^\s/]{41}`,
}, "|"))
