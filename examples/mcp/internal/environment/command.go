package environment

import (
	"errors"
	"strings"
	"unicode"
)

// splitCommand splits a command line into words at white space, except within
// single or double quotes. Quotes may stand anywhere in a word, and are not part
// of it. Nothing else is special: no escapes, no variables, no shell.
func splitCommand(line string) ([]string, error) {
	var words []string
	var word strings.Builder
	var quote rune // the one that is open; 0 if none is
	begun := false
	end := func() {
		if begun {
			words = append(words, word.String())
		}
		word.Reset()
		begun = false
	}
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote, begun = r, true
		case unicode.IsSpace(r):
			end()
		default:
			word.WriteRune(r)
			begun = true
		}
	}
	end()
	switch {
	case quote != 0:
		return nil, errors.New("a quote is not closed")
	case len(words) == 0 || words[0] == "":
		return nil, errors.New("names no program")
	}
	return words, nil
}
