package escape_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom/internal/escape"
)

func TestPathSegmentEncodesAsEncodeURIComponent(t *testing.T) {
	t.Parallel()
	// Each expected text is what Node prints for encodeURIComponent(input).
	for input, want := range map[string]string{
		"abcXYZ019":               "abcXYZ019",
		"-_.!~*'()":               "-_.!~*'()",
		"$&+:=@":                  "%24%26%2B%3A%3D%40",
		`,;/?#[]%"<>\^` + "`{|} ": "%2C%3B%2F%3F%23%5B%5D%25%22%3C%3E%5C%5E%60%7B%7C%7D%20",
		"a/../b":                  "a%2F..%2Fb",
		"%2e":                     "%252e",
		"\r\n\x00\x7f":            "%0D%0A%00%7F",
		"é漢\U0001F600":            "%C3%A9%E6%BC%A2%F0%9F%98%80",
		"":                        "",
	} {
		require.Equal(t, want, escape.PathSegment(input), "%q", input)
	}
}

func TestQueryEncodesAsURLSearchParams(t *testing.T) {
	t.Parallel()
	// Each expected text is what Node prints for new URLSearchParams({k: input}).
	for input, want := range map[string]string{
		"abcXYZ019":    "k=abcXYZ019",
		"*-._":         "k=*-._",
		"~":            "k=%7E",
		"a b+c":        "k=a+b%2Bc",
		"!'()":         "k=%21%27%28%29",
		"\r\n":         "k=%0D%0A",
		"a&b=c":        "k=a%26b%3Dc",
		"漢\U0001F600":  "k=%E6%BC%A2%F0%9F%98%80",
		"run:1@x/y?z#": "k=run%3A1%40x%2Fy%3Fz%23",
		"":             "k=",
	} {
		var q escape.Query
		q.Add("k", input)
		require.Equal(t, want, q.String(), "%q", input)
	}
}

func TestQueryKeepsTheOrderOfItsParameters(t *testing.T) {
	t.Parallel()
	var q escape.Query
	require.Empty(t, q.String())
	q.Add("z", "1")
	q.Add("a b", "2")
	require.Equal(t, "z=1&a+b=2", q.String())
}

func TestBothEncodingsDecodeToTheInputForEveryCharacter(t *testing.T) {
	t.Parallel()
	var all strings.Builder
	for r := rune(0); r <= 0x10ffff; r++ {
		if r == 0xd800 {
			r = 0xe000
		}
		all.WriteRune(r)
	}
	path, err := url.PathUnescape(escape.PathSegment(all.String()))
	require.NoError(t, err)
	require.True(t, path == all.String())

	var q escape.Query
	q.Add("k", all.String())
	query, err := url.QueryUnescape(strings.TrimPrefix(q.String(), "k="))
	require.NoError(t, err)
	require.True(t, query == all.String())
}
