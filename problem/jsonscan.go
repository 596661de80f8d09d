package problem

import (
	"bytes"
	"encoding/json"
	"iter"
	"strconv"
	"unicode/utf8"
)

// maxJSONDepth is how deep encoding/json lets a document nest.
const maxJSONDepth = 10000

// validJSON reports whether b is one JSON value in UTF-8, as RFC 8259 has it.
func validJSON(b []byte) bool { return utf8.Valid(b) && json.Valid(b) }

// members yields the members of an object in the order of the text, names
// unquoted and values with their exact bytes. The object must be valid JSON.
func members(object []byte) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		rest := skipSpace(object[1:])
		for rest[0] == '"' {
			name, after := cutValue(rest)
			value, after := cutValue(skipSpace(skipSpace(after)[1:]))
			if !yield(unquote(name), value) {
				return
			}
			if rest = skipSpace(after); rest[0] == ',' {
				rest = skipSpace(rest[1:])
			}
		}
	}
}

// elements yields the elements of an array, which must be valid JSON.
func elements(array []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		rest := skipSpace(array[1:])
		for rest[0] != ']' {
			value, after := cutValue(rest)
			if !yield(value) {
				return
			}
			if rest = skipSpace(after); rest[0] == ',' {
				rest = skipSpace(rest[1:])
			}
		}
	}
}

func skipSpace(b []byte) []byte { return bytes.TrimLeft(b, " \t\r\n") }

// cutValue splits b after the valid JSON value that it starts with.
func cutValue(b []byte) (value, rest []byte) {
	end, depth := 0, 0
	for {
		switch b[end] {
		case '"':
			end += stringLength(b[end:])
		case '{', '[':
			depth++
			end++
		case '}', ']':
			depth--
			end++
		case ',', ':', ' ', '\t', '\r', '\n':
			end++
		default:
			end += scalarLength(b[end:])
		}
		if depth == 0 {
			return b[:end:end], b[end:]
		}
	}
}

func stringLength(b []byte) int {
	for i := 1; ; i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
}

func scalarLength(b []byte) int {
	if end := bytes.IndexAny(b, ",:]} \t\r\n"); end > 0 {
		return end
	}
	return len(b)
}

// unquote returns the text of a valid JSON string.
func unquote(quoted []byte) string {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return string(quoted[1 : len(quoted)-1])
	}
	var text string
	_ = json.Unmarshal(quoted, &text) // valid JSON strings decode
	return text
}

// nesting returns how deep the brackets of a valid JSON value nest.
func nesting(value []byte) int {
	depth, deepest := 0, 0
	for i := 0; i < len(value); i++ {
		switch value[i] {
		case '"':
			i += stringLength(value[i:]) - 1
		case '{', '[':
			depth++
			deepest = max(deepest, depth)
		case '}', ']':
			depth--
		}
	}
	return deepest
}

// integer returns the value of a valid JSON number that is mathematically a
// non-negative integer (4.04e2 is 404), and false for all others and for those
// of more than 18 digits. Nothing is rounded.
func integer(number []byte) (int64, bool) {
	if number[0] != '-' && (number[0] < '0' || number[0] > '9') {
		return 0, false
	}
	if n, err := strconv.ParseInt(string(number), 10, 64); err == nil && len(number) <= 18 {
		return n, n >= 0
	}
	mantissa, exponent := number, 0
	if e := bytes.IndexAny(number, "eE"); e >= 0 {
		var err error
		if exponent, err = strconv.Atoi(string(number[e+1:])); err != nil {
			// The exponent alone overflows: whatever that is, nobody means it.
			return 0, false
		}
		mantissa = number[:e]
	}
	whole, fraction, _ := bytes.Cut(mantissa, []byte("."))
	negative := whole[0] == '-'
	digits := append(bytes.TrimLeft(bytes.Clone(whole), "-"), fraction...)
	exponent -= len(fraction)
	digits = bytes.TrimLeft(digits, "0")
	for len(digits) > 0 && digits[len(digits)-1] == '0' {
		digits = digits[:len(digits)-1]
		exponent++
	}
	switch {
	case len(digits) == 0:
		return 0, true
	case negative || exponent < 0 || exponent > 18 || len(digits)+exponent > 18:
		return 0, false
	}
	digits = append(digits, bytes.Repeat([]byte("0"), exponent)...)
	n, err := strconv.ParseInt(string(digits), 10, 64)
	return n, err == nil
}
