package rawjson

import "errors"

// A splitter walks over a document that is known to be valid JSON. On anything else it
// stops at the end of the input with failed set, and never panics.
type splitter struct {
	data   []byte
	at     int
	begun  bool
	failed bool
}

var errBroken = errors.New("the value is not valid JSON")

func (s *splitter) err() error {
	if s.failed {
		return errBroken
	}
	return nil
}

func (s *splitter) blank() {
	for s.at < len(s.data) && isBlank(s.data[s.at]) {
		s.at++
	}
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// endsScalar reports whether c cannot be part of a number, true, false or null.
func endsScalar(c byte) bool { return isBlank(c) || c == ',' || c == ']' || c == '}' || c == ':' }

// open steps over the opening bracket of the container.
func (s *splitter) open() {
	s.blank()
	s.at++
}

// more steps to the next item and reports whether there is one.
func (s *splitter) more(closing byte) bool {
	s.blank()
	if s.at >= len(s.data) || s.failed {
		s.failed = true
		return false
	}
	if s.data[s.at] == closing {
		return false
	}
	if s.begun {
		s.skip(',')
	}
	s.begun = true
	return !s.failed
}

func (s *splitter) skip(c byte) {
	s.blank()
	if s.at >= len(s.data) || s.data[s.at] != c {
		s.failed = true
		return
	}
	s.at++
}

// value returns the bytes of the next value and steps over it.
func (s *splitter) value() []byte {
	s.blank()
	start := s.at
	if s.at >= len(s.data) {
		s.failed = true
		return nil
	}
	switch s.data[s.at] {
	case '"':
		s.text()
	case '{', '[':
		s.nested()
	default:
		for s.at < len(s.data) && !endsScalar(s.data[s.at]) {
			s.at++
		}
	}
	if s.failed || s.at == start {
		s.failed = true
		return nil
	}
	return s.data[start:s.at:s.at]
}

func (s *splitter) text() {
	s.at++
	for s.at < len(s.data) {
		switch s.data[s.at] {
		case '\\':
			s.at += 2
		case '"':
			s.at++
			return
		default:
			s.at++
		}
	}
	s.at = len(s.data)
	s.failed = true
}

func (s *splitter) nested() {
	depth := 0
	for s.at < len(s.data) {
		switch s.data[s.at] {
		case '"':
			s.text()
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		s.at++
		if depth == 0 {
			return
		}
	}
	s.failed = true
}
