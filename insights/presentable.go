package insights

import (
	"regexp"
	"slices"
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
	case isData(line), strings.HasPrefix(line, "<"):
		return ""
	case strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsPrint(r) && r != '\t' }):
		return "" // control, bidirectional and other invisible characters
	case suspicious(line):
		return ""
	}
	return line
}

// isData reports whether a text begins like JSON, whole or not, rather than like
// "[Error] It broke".
func isData(text string) bool {
	inner, isList := strings.CutPrefix(text, "[")
	inner = strings.TrimSpace(inner)
	return strings.HasPrefix(text, "{") || isList && (inner == "" || strings.ContainsAny(inner[:1], `{["]`))
}

// suspicious reports whether a line of text could hold a credential. It rather
// loses a harmless message than shows a secret.
func suspicious(line string) bool {
	if suspect.MatchString(line) {
		return true
	}
	if telling.MatchString(line) && slices.ContainsFunc(strings.FieldsFunc(line, isSeparator), isOpaque) {
		return true
	}
	return slices.ContainsFunc(assignment.FindAllString(line, -1), isOpaque)
}

// telling finds words that a credential may stand near to.
var telling = regexp.MustCompile(`(?i)token|secret|passw|pwd|passphrase|key|signature|cookie|credential|authorization|assertion|jwt|\b(pat|sas|sig|auth)\b`)

// assignment finds what is set to a value, with the value.
var assignment = regexp.MustCompile(`=["']?[^\s"'&;,]+`)

func isSeparator(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("\"'`()<>,;:/=", r) }

// isOpaque reports whether a word has both letters and digits, as credentials
// tend to and other words do not. Microsoft Entra's error codes are known.
func isOpaque(word string) bool {
	return len(word) >= 7 && strings.ContainsFunc(word, unicode.IsDigit) && strings.ContainsFunc(word, unicode.IsLetter) &&
		!strings.HasPrefix(word, "AADSTS")
}

// suspect finds what could be, or could carry, a credential: an assignment to a
// telling name, an address with user information or a query, a token of a known
// form, a word too long to be one, and what is left of JSON.
var suspect = regexp.MustCompile(`(?i)` + strings.Join([]string{
	`\b(bearer|basic)\b[\s:=]+\S`,
	`\b[\w-]*(token|secret|password|passwd|pwd|passphrase|key|signature|authorization|cookie|credential|assertion|jwt|session[-_ ]?id)(s|\d+|[-_]?(value|id|string))?["'` + "`" + `]?\s*[=:]\s*\S`,
	`\b(sig|sas|auth|pass|pat|otp)\s*[=:]\s*\S`,
	`\b(token|secret|password|passwd|pwd|passphrase)s? +((is|was) +)?["'` + "`" + `]\S`,
	`\beyj[\w-]{8}`,
	`\b(gh[pousr]_|github_pat_|glpat-|xox[a-z]-|sk-|akia)\w`,
	`\bapi[-_ ]?key\b`,
	`://\S*[@?#;]`, `\?\S*=`, `&[\w.-]+=`, `\S:\S+@\S`,
	`\{"`, `":"`, `\\"`,
	`[^\s/]{41}`,
}, "|"))
