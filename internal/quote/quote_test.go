package quote_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom/internal/quote"
)

func TestShortCutsAndEscapes(t *testing.T) {
	t.Parallel()
	require.Equal(t, `"plain"`, quote.Short("plain"))
	require.Equal(t, `"a\n\u202e\xff"`, quote.Short("a\n\u202e\xff"))
	require.Equal(t, `"`+strings.Repeat("漢", 40)+`"`, quote.Short(strings.Repeat("漢", 40)))
	require.Equal(t, `"`+strings.Repeat("漢", 40)+`"…`, quote.Short(strings.Repeat("漢", 41)))
}
