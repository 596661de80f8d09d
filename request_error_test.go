package opsroom_test

import (
	"errors"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom"
)

func TestRequestErrorSaysWhatWasTriedInOneLine(t *testing.T) {
	t.Parallel()
	for want, failure := range map[string]*opsroom.RequestError{
		"list: cause": {Operation: "list", Err: errors.New("cause"), Attempts: 1, Status: 500, RetryAfter: time.Second},
		"list: cause (after 3 attempts)": {
			Operation: "list", Err: errors.New("cause"), Attempts: 3,
		},
		"list: cause (not repeated: no time; after 2 attempts; request id req-1)": {
			Operation: "list", Err: errors.New("cause"), Attempts: 2, GaveUp: "no time", RequestID: "req-1",
		},
		": ": {},
	} {
		require.Equal(t, want, failure.Error())
	}
}

func TestRequestErrorLeadsToItsCause(t *testing.T) {
	t.Parallel()
	err := fmt.Errorf("host: %w", &opsroom.RequestError{Operation: "list", Err: errors.Join(opsroom.ErrTransport, io.EOF)})
	require.ErrorIs(t, err, opsroom.ErrTransport)
	require.ErrorIs(t, err, io.EOF)
	require.NotErrorIs(t, err, opsroom.ErrTimeout)
	require.NoError(t, (&opsroom.RequestError{}).Unwrap())
}
