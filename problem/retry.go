package problem

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// maxRetryAfter is the longest wait that is taken for serious. A longer one is
// a mistake or an attack, and the caller's own patience is the better guide.
const maxRetryAfter = 365 * 24 * time.Hour

// RetryAfter returns how long the server asks to wait before the request is
// repeated: the larger of the Retry-After header and retry_after_seconds, since
// waiting for the smaller one may be too soon for the layer that sent the
// other. It is false when neither was usable. A header with a date counts from
// the response's Date. Negative, fractional and malformed values, dates in the
// past, and waits of more than 365 days are not usable.
func (p *Problem) RetryAfter() (time.Duration, bool) {
	if p == nil {
		return 0, false
	}
	header, ok := p.RetryAfterHeader()
	if p.statesRetryAfterSeconds() {
		return max(header, time.Duration(p.RetryAfterSeconds)*time.Second), true
	}
	return header, ok
}

// RetryAfterHeader returns the wait that the Retry-After header alone asks
// for, and false when there was no usable one.
func (p *Problem) RetryAfterHeader() (time.Duration, bool) {
	if p == nil {
		return 0, false
	}
	return p.retryHeader, p.present.has(hasRetryHeader)
}

// statesRetryAfterSeconds reports whether there is a usable
// retry_after_seconds, be it read or set.
func (p *Problem) statesRetryAfterSeconds() bool {
	_, ok := retrySeconds(p.RetryAfterSeconds)
	return ok && (p.RetryAfterSeconds > 0 || p.present.has(hasRetryAfterSeconds))
}

func (p *Problem) takeRetryHeader(header http.Header) {
	if wait, ok := retryAfterHeader(header, time.Now); ok {
		p.retryHeader, p.present = wait, p.present|hasRetryHeader
	}
}

// takeRetryAfterSeconds takes retry_after_seconds; false leaves it to be kept
// as an extension.
func (p *Problem) takeRetryAfterSeconds(value []byte) bool {
	p.RetryAfterSeconds, p.present = 0, p.present&^hasRetryAfterSeconds
	seconds, ok := p.wholeNumber(value)
	if !ok {
		return false
	}
	if _, ok = retrySeconds(seconds); !ok {
		return false
	}
	p.RetryAfterSeconds, p.present = seconds, p.present|hasRetryAfterSeconds
	return true
}

// retryAfterHeader reads the Retry-After header (RFC 9110, section 10.2.3).
// Of several values the largest usable one counts.
func retryAfterHeader(header http.Header, now func() time.Time) (wait time.Duration, ok bool) {
	for _, value := range header["Retry-After"] {
		if w, usable := parseRetryAfter(strings.Trim(value, " \t"), header, now); usable {
			wait, ok = max(wait, w), true
		}
	}
	return wait, ok
}

func parseRetryAfter(value string, header http.Header, now func() time.Time) (time.Duration, bool) {
	if isDigits(value) {
		seconds, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			return 0, false
		}
		return retrySeconds(seconds)
	}
	date, err := http.ParseTime(value)
	if err != nil {
		return 0, false
	}
	sent, err := http.ParseTime(header.Get("Date"))
	if err != nil {
		sent = now()
	}
	wait := date.Sub(sent) // saturates, never wraps
	return wait, wait >= 0 && wait <= maxRetryAfter
}

func retrySeconds(seconds int64) (time.Duration, bool) {
	if seconds < 0 || seconds > int64(maxRetryAfter/time.Second) {
		return 0, false
	}
	return time.Duration(seconds) * time.Second, true
}

// wholeNumber reads a non-negative integer member. XML has no numbers: there
// it is a text of digits.
func (p *Problem) wholeNumber(value []byte) (int64, bool) {
	if !p.present.has(fromXML) || value[0] != '"' {
		return integer(value)
	}
	digits := strings.TrimPrefix(strings.Trim(unquote(value), " \t\r\n"), "+")
	if !isDigits(digits) {
		return 0, false
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	return n, err == nil
}

func isDigits(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}
