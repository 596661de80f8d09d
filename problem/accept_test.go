package problem

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAcceptChoosesTheFormat(t *testing.T) {
	t.Parallel()
	tests := []struct {
		accept string
		xml    bool
	}{
		{"", false},
		{"*/*", false},
		{"application/*", false},
		{"application/json", false},
		{"application/problem+json", false},
		{"text/plain", false},
		{"application/problem+xml", true},
		{"Application/Problem+XML", true},
		{"application/problem+xml; charset=utf-8", true},
		{"application/xml", true},
		{"text/xml", true},
		{"application/problem+xml, application/problem+json", false},
		{"application/problem+json;q=0.5, application/problem+xml", true},
		{"application/problem+json;q=0.5, application/problem+xml;q=0.4", false},
		{"application/problem+xml;q=0.5, */*;q=0.4", true},
		{"application/problem+xml;q=0.5, */*", false},
		{"application/json;q=0.2, application/xml;q=0.3", true},
		{"application/problem+json;q=0, */*", true},
		{"application/json;q=0, application/problem+json, */*;q=0.1", false},
		{"application/problem+xml;q=0, */*", false},
		{"application/problem+xml;q=0, application/problem+json;q=0", false},
		{"application/*;q=0.1, */*;q=0.9, application/problem+xml;q=0.2", true},
		{"application/problem+xml;q=0.1, application/problem+xml;q=0.9, application/json;q=0.5", true},
		{"application/problem+xml;q=0.9, application/problem+xml;q=0.1, application/json;q=0.5", true},
		{"application/problem+json;q=-1", false},
		{"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", false},
		{"text/html, application/problem+xml, */*;q=0.1", true},
		{"application/problem+xml;q=2", false},
		{"application/problem+xml;q=-1", false},
		{"application/problem+xml;q=NaN", false},
		{"application/problem+xml;q=x", false},
		{"application/problem+xml;q", false},
		{`application/json;x="a,application/problem+xml", application/json`, false},
		{`text/plain;x="\",", application/problem+xml`, true},
		{",,;;=, application/problem+xml ,", true},
		{`"`, false},
		{`"\`, false},
	}
	for _, test := range tests {
		t.Run(test.accept, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, test.xml, prefersXML([]string{test.accept}))
		})
	}
	require.False(t, prefersXML(nil))
	require.True(t, prefersXML([]string{"application/json;q=0.1", "application/xml"}), "several lines are one list")
	require.False(t, prefersXML([]string{strings.Repeat("a/b;q=0.1,", 100000)}))
}
