package arguments_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom/internal/arguments"
	"github.com/opsroom-go/opsroom/internal/rawjson"
)

func TestArgumentsWithTooManyMembersAreRefusedWhole(t *testing.T) {
	t.Parallel()
	check := arguments.FromJSON("list_things", []byte("{"+strings.Repeat(`"a":0,`, rawjson.MaxItems)+`"name":"x"}`))
	value, given := check.Text("name", arguments.Text{Required: true})
	require.Empty(t, value)
	require.False(t, given)
	require.EqualError(t, check.Err(), "list_things: invalid arguments, nothing was sent: "+
		"arguments: must be a JSON object of reasonable size: more than 65536 items in one container")
}
