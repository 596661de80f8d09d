package operation_test

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/internal/operation"
)

func TestResultOfASuccessIsTheSameJSONTwice(t *testing.T) {
	t.Parallel()
	const answer = `{"n": 9007199254740993, "n": 1.50}`
	call := operation.Call(func(_ context.Context, arguments json.RawMessage) (json.RawMessage, error) {
		require.Equal(t, `{"a": 1}`, string(arguments))
		return json.RawMessage(answer), nil
	})
	result, err := call(t.Context(), json.RawMessage(`{"a": 1}`))
	require.NoError(t, err)
	require.Equal(t, opsroom.Result{Structured: json.RawMessage(answer), Text: answer}, result)
}

func TestResultOfAFailureIsTextAlone(t *testing.T) {
	t.Parallel()
	failure := errors.New("no luck")
	call := operation.Call(func(context.Context, json.RawMessage) (json.RawMessage, error) {
		return json.RawMessage(`{"half": true}`), failure
	})
	result, err := call(t.Context(), nil)
	require.Equal(t, failure, err)
	require.Equal(t, opsroom.Result{Text: "no luck", IsError: true}, result)
}

//go:embed schemas/*.json
var schemas embed.FS

func TestSchemaOfAFileThatIsNoneAcceptsEverything(t *testing.T) {
	t.Parallel()
	require.Equal(t, `{"type": "object"}`, operation.Schema(schemas, "good").String())
	require.Equal(t, opsroom.Schema{}, operation.Schema(schemas, "bad"))
	require.Equal(t, opsroom.Schema{}, operation.Schema(schemas, "absent"))
}
