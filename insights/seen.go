package insights

import "crypto/sha256"

// seen is a set of texts of any length at a fixed price for each. A 128-bit
// digest is as good as the text: nobody can make two that are taken for one.
type seen map[[16]byte]struct{}

func digest(text string) [16]byte {
	sum := sha256.Sum256([]byte(text))
	return [16]byte(sum[:16])
}

func (s seen) add(text string) { s[digest(text)] = struct{}{} }

func (s seen) has(text string) bool {
	_, found := s[digest(text)]
	return found
}
