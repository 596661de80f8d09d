// Package escape encodes URL parts as the contracts name it: path fields as
// JavaScript's encodeURIComponent does, queries as URLSearchParams does.
//
// net/url differs from both in a few characters (":" and "@" in paths, "~" and
// "*" in queries) and sorts queries. The difference shows wherever a URL is
// compared as text: signatures, caches, routers, golden files.
package escape

import "strings"

const upperHex = "0123456789ABCDEF"

// PathSegment encodes s as encodeURIComponent does.
func PathSegment(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for i := range len(s) {
		if c := s[i]; isAlphanumeric(c) || strings.IndexByte("-_.!~*'()", c) >= 0 {
			b.WriteByte(c)
		} else {
			writeEscaped(&b, c)
		}
	}
	return b.String()
}

// A Query is a URL query under construction, in the order in which its
// parameters are added. The zero value is empty.
type Query struct{ b strings.Builder }

// Add appends a parameter, encoded as URLSearchParams does.
func (q *Query) Add(name, value string) {
	if q.b.Len() > 0 {
		q.b.WriteByte('&')
	}
	writeForm(&q.b, name)
	q.b.WriteByte('=')
	writeForm(&q.b, value)
}

// String returns the query without a leading question mark.
func (q *Query) String() string { return q.b.String() }

func writeForm(b *strings.Builder, s string) {
	for i := range len(s) {
		switch c := s[i]; {
		case isAlphanumeric(c) || strings.IndexByte("*-._", c) >= 0:
			b.WriteByte(c)
		case c == ' ':
			b.WriteByte('+')
		default:
			writeEscaped(b, c)
		}
	}
}

func isAlphanumeric(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

func writeEscaped(b *strings.Builder, c byte) {
	b.WriteByte('%')
	b.WriteByte(upperHex[c>>4])
	b.WriteByte(upperHex[c&15])
}
