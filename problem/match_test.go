package problem

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestErrorsIsMatchesWhatTheTargetSays(t *testing.T) {
	t.Parallel()
	outOfCredit := Definition{Type: "https://api.example.org/probs/out-of-credit", Title: "Out of credit", Status: 403}
	p := parseAt(t, 403, MediaTypeJSON, `{"type":"/probs/out-of-credit","title":"No credit","status":404,"code":"no_credit"}`)
	blank := parseAt(t, 404, MediaTypeJSON, `{"title":"T"}`)
	tests := []struct {
		name    string
		problem *Problem
		target  error
		want    bool
	}{
		{"the HTTP status", p, Status(403), true},
		{"not the status member", p, Status(404), false},
		{"the code", p, Code("no_credit"), true},
		{"no other code", p, Code("No_Credit"), false},
		{"no empty code", blank, Code(""), false},
		{"the resolved type", p, Type("https://api.example.org/probs/out-of-credit"), true},
		{"not the type as written", p, Type("/probs/out-of-credit"), false},
		{"no type is about:blank", blank, AboutBlank, true},
		{"an empty target is about:blank", blank, Type(""), true},
		{"a typed problem is not about:blank", p, AboutBlank, false},
		{"a definition", p, outOfCredit, true},
		{"a definition by pointer", p, &outOfCredit, true},
		{"a definition whatever its status", p, Definition{Type: outOfCredit.Type, Status: 402}, true},
		{"another definition", blank, outOfCredit, false},
		{"a definition that is nil", p, (*Definition)(nil), false},
		{"about:blank with its status", blank, Definition{Type: "about:blank", Status: 404}, true},
		{"about:blank with another status", blank, Definition{Type: "about:blank", Status: 403}, false},
		{"another error", p, io.EOF, false},
		{"itself", p, p, true},
		{"not another problem like it", p, &Problem{Status: 403}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, test.want, errors.Is(fmt.Errorf("list: %w", test.problem), test.target))
		})
	}
}

func TestErrorsAsAndUnwrap(t *testing.T) {
	t.Parallel()
	p := &Problem{Status: 502, Cause: io.ErrUnexpectedEOF}
	wrapped := fmt.Errorf("list: %w", p)
	found, ok := errors.AsType[*Problem](wrapped)
	require.True(t, ok)
	require.Same(t, p, found)
	require.ErrorIs(t, wrapped, io.ErrUnexpectedEOF)
	require.NotContains(t, wrapped.Error(), "EOF")
}

func TestTargetsDescribeThemselves(t *testing.T) {
	t.Parallel()
	require.EqualError(t, Status(404), "status 404 Not Found")
	require.EqualError(t, Status(799), "status 799")
	require.EqualError(t, Code("a\x1bb"), "problem code ab")
	require.EqualError(t, Type("https://e.org/p?secret"), "problem type https://e.org/p?…")
	require.EqualError(t, Type(""), "problem type about:blank")
	require.EqualError(t, Definition{Title: "Out of credit", Status: 403}, "403 Out of credit")
}
