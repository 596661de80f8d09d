package opsroom_test

import (
	"context"
	"errors"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom"
)

func newRequest(ctx context.Context, t *testing.T) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://host/", nil)
	require.NoError(t, err)
	return r
}

func TestBearerSendsUsableTokensOnly(t *testing.T) {
	t.Parallel()
	for token, usable := range map[string]bool{
		"abc-._~+/=":    true,
		"eyJ.eyJ.sig":   true,
		"":              false,
		"two words":     false,
		"line\n":        false,
		"tab\t":         false,
		"nul\x00":       false,
		"del\x7f":       false,
		"\u00fcmlaut":   false,
		"invalid\xff":   false,
		" leading":      false,
		"X: y\r\nZ: yy": false,
	} {
		for name, authorize := range map[string]func(*http.Request) error{
			"Bearer":     opsroom.Bearer(token),
			"BearerFunc": opsroom.BearerFunc(func(context.Context) (string, error) { return token, nil }),
		} {
			r := newRequest(t.Context(), t)
			r.Header.Set("Authorization", "Basic old")
			err := authorize(r)
			if usable {
				require.NoError(t, err)
				require.Equal(t, []string{"Bearer " + token}, r.Header["Authorization"])
				continue
			}
			require.ErrorIs(t, err, opsroom.ErrUnusableToken, "%s(%q)", name, token)
			require.Equal(t, "Basic old", r.Header.Get("Authorization"))
		}
	}
}

func TestBearerFuncPassesContextAndErrorOn(t *testing.T) {
	t.Parallel()
	type key struct{}
	broken := errors.New("broken")
	authorize := opsroom.BearerFunc(func(ctx context.Context) (string, error) {
		if opsroom.Refused(ctx) {
			return "", broken
		}
		return ctx.Value(key{}).(string), nil
	})
	ctx := context.WithValue(t.Context(), key{}, "token")
	r := newRequest(ctx, t)
	require.NoError(t, authorize(r))
	require.Equal(t, "Bearer token", r.Header.Get("Authorization"))
	require.Equal(t, broken, authorize(newRequest(opsroom.WithRefused(ctx), t)))
	require.False(t, opsroom.Refused(ctx))
}
