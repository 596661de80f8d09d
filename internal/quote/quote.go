// Package quote repeats outside text in errors and logs safely.
package quote

import "strconv"

// Max is how many characters of a value an error may repeat.
const Max = 40

// Short returns at most the first [Max] characters of s as a quoted string in
// which control, bidirectional and other invisible characters are escaped.
func Short(s string) string {
	count := 0
	for i := range s {
		if count == Max {
			return strconv.Quote(s[:i]) + "…"
		}
		count++
	}
	return strconv.Quote(s)
}
