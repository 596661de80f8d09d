package environment

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
)

func TestSplitCommand(t *testing.T) {
	t.Parallel()
	for line, words := range map[string][]string{
		`server`:                      {"server"},
		`  npx -y @azure/mcp@latest `: {"npx", "-y", "@azure/mcp@latest"},
		"a\tb\nc":                     {"a", "b", "c"},
		`"/opt/my server/run" --x`:    {"/opt/my server/run", "--x"},
		`a '' ""`:                     {"a", "", ""},
		`a --name='two words'x`:       {"a", "--name=two wordsx"},
		`a "it's" 'say "hi"'`:         {"a", "it's", `say "hi"`},
		`C:\tools\mcp.exe start`:      {`C:\tools\mcp.exe`, "start"},
		`a $HOME ; b`:                 {"a", "$HOME", ";", "b"},
	} {
		got, err := splitCommand(line)
		require.NoError(t, err, line)
		require.Equal(t, words, got, line)
	}
	for line, reason := range map[string]string{
		`a "b`:     "a quote is not closed",
		`a 'b"`:    "a quote is not closed",
		`  `:       "names no program",
		`'' start`: "names no program",
	} {
		_, err := splitCommand(line)
		require.EqualError(t, err, reason, line)
	}
}

// Any words that are quoted come back as they were.
func FuzzSplitCommand(f *testing.F) {
	f.Add("a", "b c", `it's`)
	f.Add("", `"`, "\n")
	f.Add("\xff", "é", "\u2028")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		words := []string{"program", a, b, c}
		var line strings.Builder
		for _, word := range words {
			line.WriteByte(' ')
			if word == "" {
				line.WriteString(`""`)
			}
			for _, r := range word {
				switch {
				case r == '"':
					line.WriteString(`'"'`)
				case r == '\'':
					line.WriteString(`"'"`)
				case unicode.IsSpace(r):
					line.WriteString(`"` + string(r) + `"`)
				default:
					line.WriteRune(r)
				}
			}
		}
		for i := range words {
			words[i] = string([]rune(words[i])) // what is no UTF-8 is replaced
		}
		got, err := splitCommand(line.String())
		require.NoError(t, err)
		require.True(t, slices.Equal(words, got), "%q %q", words, got)

		_, _ = splitCommand(a + b) // whatever it is
	})
}
