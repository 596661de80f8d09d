package opsroom

import (
	"context"
	"errors"
	"net/http"
	"strings"
)

// Bearer returns an [Endpoint].Authorize function that sends token as a Bearer
// token (RFC 6750). An empty token, or one that cannot be sent in a header, is
// an error at the time of the call.
func Bearer(token string) func(*http.Request) error {
	return func(r *http.Request) error { return setBearer(r, token) }
}

// BearerFunc returns an [Endpoint].Authorize function that asks token for the
// Bearer token (RFC 6750) of each attempt. The function gets the context of the
// call, and must be safe for concurrent use; caching is its business. After
// a 401 it is asked once more, and [Refused] tells so: a cache should then be
// passed over.
func BearerFunc(token func(context.Context) (string, error)) func(*http.Request) error {
	return func(r *http.Request) error {
		value, err := token(r.Context())
		if err != nil {
			return err
		}
		return setBearer(r, value)
	}
}

var errToken = errors.New("the token is empty or has characters that a header cannot carry")

func setBearer(r *http.Request, token string) error {
	if token == "" || strings.ContainsFunc(token, func(c rune) bool { return c <= ' ' || c >= 0x7f }) {
		return errToken
	}
	r.Header.Set("Authorization", "Bearer "+token)
	return nil
}

type refusedKey struct{}

// Refused reports whether ctx belongs to a request whose credentials the server
// has just refused with 401, so that a cached token should be fetched anew.
// It is for functions used as [Endpoint].Authorize.
func Refused(ctx context.Context) bool {
	refused, _ := ctx.Value(refusedKey{}).(bool)
	return refused
}

// WithRefused returns a context for which [Refused] is true. The clients of this
// module use it; tests of Authorize functions may.
func WithRefused(ctx context.Context) context.Context {
	return context.WithValue(ctx, refusedKey{}, true)
}
