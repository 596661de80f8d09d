package main

import (
	"bytes"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func readme(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../README.md")
	require.NoError(t, err)
	return string(text)
}

func TestREADMEShowsTheAdapterAsItIs(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("register.go")
	require.NoError(t, err)
	_, adapter, found := strings.Cut(string(source), "\nfunc register(")
	require.True(t, found)
	require.Contains(t, readme(t), "\nfunc register("+adapter+"```\n")
}

// TestREADMEHostCompiles follows the README: a module elsewhere, with a few files
// copied from here and the program that is printed there.
func TestREADMEHostCompiles(t *testing.T) {
	t.Parallel()
	_, rest, found := strings.Cut(readme(t), "```go\npackage main\n")
	require.True(t, found)
	program, _, found := strings.Cut(rest, "```\n")
	require.True(t, found)
	program = "package main\n" + program
	formatted, err := format.Source([]byte(program))
	require.NoError(t, err)
	require.Equal(t, string(formatted), program)

	host := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(host, "main.go"), []byte(program), 0o600))
	copyTo(t, host, "register.go", "drain.go", "../go.sum")
	sources, err := filepath.Glob("../caller/*.go")
	require.NoError(t, err)
	for _, source := range sources {
		if !strings.HasSuffix(source, "_test.go") {
			copyTo(t, filepath.Join(host, "caller"), source)
		}
	}
	module, err := os.ReadFile("../go.mod")
	require.NoError(t, err)
	root, err := filepath.Abs("../../..")
	require.NoError(t, err)
	module = regexp.MustCompile(`(?m)^module .*$`).ReplaceAll(module, []byte("module example.com/my-host"))
	module = bytes.ReplaceAll(module, []byte("=> ../.."), []byte("=> "+strconv.Quote(root)))
	require.NoError(t, os.WriteFile(filepath.Join(host, "go.mod"), module, 0o600))

	vet := exec.Command("go", "vet", "./...")
	vet.Dir = host
	vet.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=readonly", "GOPROXY=off")
	output, err := vet.CombinedOutput()
	require.NoError(t, err, string(output))
}

func copyTo(t *testing.T, folder string, names ...string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(folder, 0o700))
	for _, name := range names {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(folder, filepath.Base(name)), text, 0o600))
	}
}
