package opsroom

import (
	"context"
	"net/http"
	"strings"
)

// Bearer returns an [Endpoint].Authorize function that sends token as a Bearer
// token (RFC 6750). A token that is empty, or that a header cannot carry, is
// [ErrUnusableToken] at the time of the call.
func Bearer(token string) func(*http.Request) error {
	return func(r *http.Request) error { return setBearer(r, token) }
}

// BearerFunc returns an [Endpoint].Authorize function that asks token for the
// Bearer token (RFC 6750) of each request. The function gets the context of the
// request, must return when that ends, and must be safe for concurrent use.
// Caching is its business. After a 401 it is asked once more, with a context for
// which [Refused] is true: a cache should then be passed over.
func BearerFunc(token func(context.Context) (string, error)) func(*http.Request) error {
	return func(r *http.Request) error {
		value, err := token(r.Context())
		if err != nil {
			return err
		}
		return setBearer(r, value)
	}
}

func setBearer(r *http.Request, token string) error {
	if token == "" || strings.ContainsFunc(token, func(c rune) bool { return c <= ' ' || c >= 0x7f }) {
		return ErrUnusableToken
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
// module use it, and tests of Authorize functions may.
func WithRefused(ctx context.Context) context.Context {
	return context.WithValue(ctx, refusedKey{}, true)
}
