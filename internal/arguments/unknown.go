package arguments

import (
	"slices"
	"strings"

	"github.com/opsroom-go/opsroom"
)

// refuseUnknown records a failure for each member that was not asked for.
func (c *Check) refuseUnknown() {
	seen := map[string]bool{}
	for _, m := range c.members {
		if seen[m.Name] || slices.Contains(c.asked, m.Name) {
			continue
		}
		seen[m.Name] = true
		c.failures = append(c.failures, opsroom.InputFailure{
			Pointer: pointer(m.Name), Rule: opsroom.RuleUnknown,
			Message: "is not a known member", Suggestion: nearest(m.Name, c.asked),
		})
	}
}

// nearest returns the known name that name is most likely a misspelling of: it differs by
// case or separators, or by an edit or two. "" if none is near.
func nearest(name string, known []string) string {
	const longest = 64 // no misspelling of a member's name is longer
	if len(name) > longest {
		return ""
	}
	plain := fold(name)
	best, bestDistance := "", 3
	for _, candidate := range known {
		other := fold(candidate)
		distance := editDistance(plain, other)
		if distance < bestDistance && distance*2 < len(other) {
			best, bestDistance = candidate, distance
		}
	}
	return best
}

// fold drops what people vary between in names: case, "_", "-" and blanks.
func fold(name string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case '_', '-', ' ':
			return -1
		}
		return r
	}, strings.ToLower(name))
}

// editDistance is the Levenshtein distance in bytes.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
