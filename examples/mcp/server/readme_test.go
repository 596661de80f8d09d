package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestREADMEShowsTheAdapterAsItIs(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("../README.md")
	require.NoError(t, err)
	source, err := os.ReadFile("register.go")
	require.NoError(t, err)
	_, adapter, found := strings.Cut(string(source), "\nfunc register(")
	require.True(t, found)
	require.Contains(t, string(readme), "\nfunc register("+adapter+"```\n")
}
