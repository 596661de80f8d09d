package exchange

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom"
)

func TestCredentialsThatTheServerRepeatsAreBlanked(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/problem+json")
		w.WriteHeader(http.StatusForbidden)
		cookie, _ := r.Cookie("sid")
		fmt.Fprintf(w, `{"title":"Bearer %[1]s","detail":"Invalid token %[1]s, key %[2]s, session %[3]s; date %[4]s.","code":"c_%[1]s","allowed_actions":[{"rel":"r","hint":"replace %[1]s"}]}`,
			r.Header.Get("Authorization")[len("Bearer "):], r.Header.Get("X-Api-Key"), cookie.Value, r.Header.Get("X-Date"))
	}))
	defer server.Close()
	client, err := New(opsroom.Endpoint{BaseURL: server.URL, Authorize: func(r *http.Request) error {
		r.Header.Set("X-Api-Key", "key-0123456789")
		r.Header.Set("X-Date", "20261130T120000Z")
		r.AddCookie(&http.Cookie{Name: "sid", Value: "cookie-0123456789="})
		return opsroom.Bearer("token-0123456789")(r)
	}})
	require.NoError(t, err)
	_, err = client.Do(t.Context(), Request{Operation: "list_things", Method: http.MethodGet, Path: "/"})
	require.EqualError(t, err, "list_things: 403 Bearer [credential] (c_[credential]): Invalid token [credential], key [credential], "+
		"session [credential]; date 20261130T120000Z; allowed actions: r (replace [credential])")
}

func TestCredentialsOfAllSortsAreBlankedWhole(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusForbidden)
		_, _ = io.WriteString(w, "refused: "+r.URL.Query().Get("access_token")+", "+r.Header.Get("X-Api-Key")+", "+r.Header.Get("X-Session-Token"))
	}))
	defer server.Close()
	client, err := New(opsroom.Endpoint{BaseURL: server.URL, Authorize: func(r *http.Request) error {
		r.URL.RawQuery = "access_token=query-0123456789"
		r.Header.Set("X-Api-Key", "prefix-0123")
		r.Header.Set("X-Session-Token", "prefix-0123-and-more")
		return nil
	}})
	require.NoError(t, err)
	for range 20 { // headers come in random order
		_, err = client.Do(t.Context(), Request{Operation: "list_things", Method: http.MethodGet, Path: "/"})
		require.EqualError(t, err, "list_things: 403 Forbidden: refused: [credential], [credential], [credential]")
	}
}

func TestWordsThatAreNoCredentialsStay(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusForbidden)
		_, _ = io.WriteString(w, "Signature required; application/json only; short")
	}))
	defer server.Close()
	client, err := New(opsroom.Endpoint{BaseURL: server.URL, Authorize: func(r *http.Request) error {
		r.Header.Set("Authorization", "Signature short")
		return nil
	}})
	require.NoError(t, err)
	_, err = client.Do(t.Context(), Request{Operation: "list_things", Method: http.MethodGet, Path: "/"})
	require.EqualError(t, err, "list_things: 403 Forbidden: Signature required; application/json only; short")
}
