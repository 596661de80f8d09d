package problem

import (
	"net/http"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestRetryAfterHeader(t *testing.T) {
	t.Parallel()
	const date = "Sun, 06 Nov 1994 08:49:37 GMT"
	none := time.Duration(-1)
	tests := []struct {
		name, value, date string
		want              time.Duration
	}{
		{"seconds", "17", "", 17 * time.Second},
		{"zero", "0", "", 0},
		{"leading zeros", "0017", "", 17 * time.Second},
		{"spaces around", " 17\t", "", 17 * time.Second},
		{"a year", "31536000", "", 365 * 24 * time.Hour},
		{"more than a year", "31536001", "", none},
		{"more than any integer", "99999999999999999999999999", "", none},
		{"what would overflow a duration", "9223372036854775807", "", none},
		{"negative", "-1", "", none},
		{"signed", "+1", "", none},
		{"a fraction", "1.5", "", none},
		{"an exponent", "1e3", "", none},
		{"hexadecimal", "0x10", "", none},
		{"other digits", "１７", "", none},
		{"empty", "", "", none},
		{"words", "soon", "", none},
		{"with a unit", "17s", "", none},
		{"a date after Date", "Sun, 06 Nov 1994 08:50:37 GMT", date, time.Minute},
		{"a date in RFC 850 form", "Sunday, 06-Nov-94 08:50:37 GMT", date, time.Minute},
		{"a date in asctime form", "Sun Nov  6 08:50:37 1994", date, time.Minute},
		{"the same date", date, date, 0},
		{"a date before Date", "Sun, 06 Nov 1994 08:49:36 GMT", date, none},
		{"a date far away", "Sun, 06 Nov 9999 08:49:37 GMT", date, none},
		{"a date that is none", "Sun, 99 Nov 1994 08:49:37 GMT", date, none},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			header := http.Header{"Retry-After": {test.value}}
			if test.date != "" {
				header.Set("Date", test.date)
			}
			p := Parse(503, header, nil, nil)
			for _, read := range []func() (time.Duration, bool){p.RetryAfter, p.RetryAfterHeader} {
				wait, ok := read()
				require.Equal(t, test.want != none, ok)
				require.Equal(t, max(test.want, 0), wait)
			}
		})
	}
}

func TestRetryAfterCountsFromNowWithoutADate(t *testing.T) {
	t.Parallel()
	for _, date := range []string{"", "yesterday"} {
		synctest.Test(t, func(t *testing.T) {
			header := http.Header{"Retry-After": {time.Now().Add(90 * time.Second).UTC().Format(http.TimeFormat)}, "Date": {date}}
			wait, ok := Parse(503, header, nil, nil).RetryAfter()
			require.True(t, ok)
			require.Equal(t, 90*time.Second, wait)
		})
	}
}

func TestRetryAfterTakesTheLargerOfTheTwo(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name       string
		header     []string
		body       string
		wait, only time.Duration
		member     int64
		ok, onlyOK bool
	}{
		{"both, the header larger", []string{"17"}, `{"title":"T","retry_after_seconds":1}`, 17 * time.Second, 17 * time.Second, 1, true, true},
		{"both, the body larger", []string{"1"}, `{"title":"T","retry_after_seconds":17}`, 17 * time.Second, time.Second, 17, true, true},
		{"the body alone", nil, `{"title":"T","retry_after_seconds":30}`, 30 * time.Second, 0, 30, true, false},
		{"the body says zero", nil, `{"title":"T","retry_after_seconds":0}`, 0, 0, 0, true, false},
		{"the header unusable", []string{"soon"}, `{"title":"T","retry_after_seconds":30}`, 30 * time.Second, 0, 30, true, false},
		{"the body unusable", []string{"17"}, `{"title":"T","retry_after_seconds":-5}`, 17 * time.Second, 17 * time.Second, 0, true, true},
		{"neither", nil, `{"title":"T"}`, 0, 0, 0, false, false},
		{"several headers", []string{"1", "x", "17", "4"}, `{"title":"T"}`, 17 * time.Second, 17 * time.Second, 0, true, true},
		{"no problem at all", []string{"5"}, `<html>`, 5 * time.Second, 5 * time.Second, 0, true, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := Parse(503, http.Header{"Content-Type": {MediaTypeJSON}, "Retry-After": test.header}, nil, []byte(test.body))
			wait, ok := p.RetryAfter()
			require.Equal(t, test.wait, wait)
			require.Equal(t, test.ok, ok)
			wait, ok = p.RetryAfterHeader()
			require.Equal(t, test.only, wait)
			require.Equal(t, test.onlyOK, ok)
			require.Equal(t, test.member, p.RetryAfterSeconds)
		})
	}
}

func TestRetryAfterSecondsThatAreUnusableStayAnExtension(t *testing.T) {
	t.Parallel()
	for _, value := range []string{
		`-1`, `1.5`, `"30"`, `null`, `[]`, `31536001`, `4294967295`, `9223372036854775808`, `1e400`, `1e99999999999999999999`, `-1e-999999999`, `1e-1`,
		`1e9223372036854775807`, `10e9223372036854775807`, `1.5e-9223372036854775808`, `0.5e9223372036854775807`,
	} {
		p := parseAt(t, 503, MediaTypeJSON, `{"title":"T","retry_after_seconds":`+value+`}`)
		_, ok := p.RetryAfter()
		require.False(t, ok, value)
		require.Zero(t, p.RetryAfterSeconds)
		require.Equal(t, extensions("retry_after_seconds", value), p.Extensions)
	}
	for value, want := range map[string]int64{`60`: 60, `6e1`: 60, `60.0`: 60, `0.6e+2`: 60, `6000e-2`: 60, `-0`: 0, `0e999999`: 0, `31536000`: 31536000} {
		p := parseAt(t, 503, MediaTypeJSON, `{"title":"T","retry_after_seconds":`+value+`}`)
		require.Equal(t, want, p.RetryAfterSeconds, value)
		require.Nil(t, p.Extensions)
	}
}

func TestIntegerIsExact(t *testing.T) {
	t.Parallel()
	for number, want := range map[string]int64{
		"0": 0, "-0": 0, "-0.0e5": 0, "404": 404, "4.04e2": 404, "40400e-2": 404, "404.000": 404, "0.0404E+4": 404,
		"999999999999999999": 999999999999999999, "9.007199254740993e15": 9007199254740993, "1e17": 100000000000000000,
	} {
		n, ok := integer([]byte(number))
		require.True(t, ok, number)
		require.Equal(t, want, n, number)
	}
	for _, number := range []string{
		"-1", "404.5", "404.00000000000000000000000000001", "1e18", "1234567890123456789", "1e-1", `"404"`, "true", "null", "[]", "{}",
	} {
		_, ok := integer([]byte(number))
		require.False(t, ok, number)
	}
}

func TestWaitsAreRoundedUp(t *testing.T) {
	t.Parallel()
	require.Equal(t, "2", wholeSeconds(1001*time.Millisecond))
	require.Equal(t, "1", wholeSeconds(time.Second))
	require.Equal(t, "0", wholeSeconds(0))
}

func TestRetryAfterSecondsOfAHostAreCheckedToo(t *testing.T) {
	t.Parallel()
	for _, seconds := range []int64{-1, 0, 31536001, 1<<63 - 1, -1 << 63} {
		p := &Problem{Status: 503, RetryAfterSeconds: seconds}
		_, ok := p.RetryAfter()
		require.False(t, ok, strconv.FormatInt(seconds, 10))
		encoded, err := p.MarshalJSON()
		require.NoError(t, err)
		require.Equal(t, `{"status":503}`, string(encoded))
	}
}
