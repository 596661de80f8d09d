package opsroom_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom"
)

func TestInputErrorIsOneLineThatNamesEachFailure(t *testing.T) {
	t.Parallel()
	err := error(&opsroom.InputError{Operation: "list_agent_runs", Failures: []opsroom.InputFailure{
		{Pointer: "/missionId", Rule: opsroom.RuleRequired, Message: "is required"},
		{Pointer: "/missionID", Rule: opsroom.RuleUnknown, Message: "is not a known member", Suggestion: "missionId"},
	}})
	require.EqualError(t, err, `list_agent_runs: invalid arguments, nothing was sent: `+
		`missionId: is required; missionID: is not a known member (did you mean "missionId"?)`)

	input, ok := errors.AsType[*opsroom.InputError](fmt.Errorf("wrapped: %w", err))
	require.True(t, ok)
	require.Len(t, input.Failures, 2)
}

func TestInputErrorWithoutOperation(t *testing.T) {
	t.Parallel()
	err := &opsroom.InputError{Failures: []opsroom.InputFailure{{Rule: opsroom.RuleType, Message: "must be a JSON object, not an array"}}}
	require.EqualError(t, err, "invalid arguments, nothing was sent: arguments: must be a JSON object, not an array")
}

func TestInputErrorSpellsOutOnlySoManyFailures(t *testing.T) {
	t.Parallel()
	err := &opsroom.InputError{Operation: "x"}
	for i := range 12 {
		err.Failures = append(err.Failures, opsroom.InputFailure{Pointer: fmt.Sprintf("/m%d", i), Message: "is odd"})
	}
	require.NotContains(t, err.Error(), "more")
	require.Contains(t, err.Error(), "m11: is odd")
	err.Failures = append(err.Failures, opsroom.InputFailure{Pointer: "/m12"}, opsroom.InputFailure{Pointer: "/m13"})
	require.True(t, strings.HasSuffix(err.Error(), "m11: is odd; and 2 more"), err.Error())
}

func TestInputFailureNamesMembersSafely(t *testing.T) {
	t.Parallel()
	for pointer, want := range map[string]string{
		"":                              "arguments",
		"/":                             `""`,
		"/a~1b":                         "a/b",
		"/a~0b":                         `"a~b"`,
		"/a~01":                         `"a~1"`,
		"/detail/amount":                "detail/amount",
		"/a b":                          `"a b"`,
		"/x\n\u202ey":                   `"x\n\u202ey"`,
		"/\xff":                         `"\xff"`,
		"/" + strings.Repeat("a", 41):   `"` + strings.Repeat("a", 40) + `"…`,
		"/$ref":                         "$ref",
		"/" + strings.Repeat("é", 4000): `"` + strings.Repeat("é", 40) + `"…`,
	} {
		require.Equal(t, want+": is odd", opsroom.InputFailure{Pointer: pointer, Message: "is odd"}.String(), pointer)
	}
}
