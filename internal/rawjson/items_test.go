package rawjson_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom/internal/rawjson"
)

func TestContainersAreBounded(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		open, item, end string
		split           func([]byte) (int, error)
	}{
		{"[", "0", "]", func(raw []byte) (int, error) { e, err := rawjson.Elements(raw); return len(e), err }},
		{"{", `"":0`, "}", func(raw []byte) (int, error) { m, err := rawjson.Members(raw); return len(m), err }},
	} {
		most := test.open + strings.Repeat(test.item+",", rawjson.MaxItems-1) + test.item
		n, err := test.split([]byte(most + test.end))
		require.NoError(t, err)
		require.Equal(t, rawjson.MaxItems, n)

		n, err = test.split([]byte(most + "," + test.item + test.end))
		require.EqualError(t, err, "more than 65536 items in one container")
		require.Zero(t, n)
	}
}
