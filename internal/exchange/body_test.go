package exchange

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom"
)

// A meter counts what is read through it.
type meter struct {
	io.Reader
	read int64
}

func (m *meter) Read(p []byte) (int, error) {
	n, err := m.Reader.Read(p)
	m.read += int64(n)
	return n, err
}

func (m *meter) Close() error { return nil }

func TestBodiesAreReadUpToTheLimit(t *testing.T) {
	t.Parallel()
	for _, limit := range []int64{1, 2, 511, presize, presize + 1, trusted} {
		for _, size := range []int64{0, 1, limit - 1, limit, limit + 1, 2*limit + 3} {
			for _, announced := range []int64{-1, size, 0, limit, math.MaxInt64} {
				body := &meter{Reader: bytes.NewReader(bytes.Repeat([]byte("x"), int(size)))}
				got, err := readBounded(&http.Response{ContentLength: announced, Body: body}, limit)
				if size > limit || announced > limit {
					require.ErrorIs(t, err, opsroom.ErrBodyTooLarge)
					require.EqualError(t, err, fmt.Sprintf("the answer is too large: more than the %d bytes that MaxBody allows; of a list, ask for less at a time", limit))
					require.Nil(t, got)
				} else {
					require.NoError(t, err)
					require.Len(t, got, int(size))
				}
				require.LessOrEqual(t, body.read, limit+1)
				if announced > limit {
					require.Zero(t, body.read, "it is refused unread")
				}
			}
		}
	}
}

func TestBuffersAreSizedByWhatIsAnnounced(t *testing.T) {
	t.Parallel()
	for announced, capacity := range map[int64]int{
		0: 1, 100: 101, 23006: 23007, trusted: trusted + 1,
		trusted + 1: trusted + 1, // until so much has really come
		-1:          presize + 1,
	} {
		got, err := readBounded(&http.Response{ContentLength: announced, Body: http.NoBody}, 16<<20)
		require.NoError(t, err)
		require.Equal(t, capacity, cap(got), announced)
	}
}

var errBroken = errors.New("broken")

func TestAnErrorOfTheBodyIsKept(t *testing.T) {
	t.Parallel()
	body := io.NopCloser(io.MultiReader(bytes.NewReader(make([]byte, 100)), iotest.ErrReader(errBroken)))
	got, err := readBounded(&http.Response{ContentLength: 200, Body: body}, 16<<20)
	require.ErrorIs(t, err, errBroken)
	require.Nil(t, got)
}

func FuzzReadBounded(f *testing.F) {
	f.Add([]byte("body"), int64(3), int64(-1), true)
	f.Add(bytes.Repeat([]byte("body"), 5000), int64(20000), int64(20000), false)
	f.Add([]byte{}, int64(math.MaxInt64), int64(math.MaxInt64), true)
	f.Fuzz(func(t *testing.T, content []byte, limit, announced int64, bytewise bool) {
		if limit <= 0 {
			return // no client has such a limit
		}
		var reader io.Reader = bytes.NewReader(content)
		if bytewise {
			reader = iotest.DataErrReader(iotest.OneByteReader(reader))
		}
		body := &meter{Reader: reader}
		got, err := readBounded(&http.Response{ContentLength: announced, Body: body}, limit)
		if announced > limit || int64(len(content)) > limit {
			require.ErrorIs(t, err, opsroom.ErrBodyTooLarge)
			return
		}
		require.NoError(t, err)
		require.True(t, bytes.Equal(content, got))
	})
}
