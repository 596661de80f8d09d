package opsroom_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom"
)

func TestResultOfASuccessIsTheSameJSONTwice(t *testing.T) {
	t.Parallel()
	raw := []byte(`{"n": 9007199254740993, "n": 1.50}`)
	result := opsroom.NewResult(raw)
	require.Equal(t, string(raw), string(result.Structured))
	require.Equal(t, string(raw), result.Text)
	require.False(t, result.IsError)
}

func TestResultOfAFailureIsTextAlone(t *testing.T) {
	t.Parallel()
	result := opsroom.NewErrorResult(errors.New("no luck"))
	require.Nil(t, result.Structured)
	require.Equal(t, "no luck", result.Text)
	require.True(t, result.IsError)
}
