package exchange

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom"
)

func TestNewRefusesUnusableEndpoints(t *testing.T) {
	t.Parallel()
	for base, want := range map[string]string{
		"":                             "BaseURL is empty",
		"control.example.com":          "BaseURL must start with http:// or https://",
		"/api":                         "BaseURL must start with http:// or https://",
		"ftp://control.example.com":    "BaseURL must start with http:// or https://",
		"http:control.example.com":     "BaseURL must start with http:// or https://",
		"https://":                     "BaseURL has no host",
		"https://:8080":                "BaseURL has no host",
		"https://user:secret@host":     "BaseURL must not hold user information: use Authorize",
		"https://user:se\ncret@host":   "BaseURL is not a valid URL",
		"https://secret%zz@host":       "BaseURL is not a valid URL",
		"https://host/?key=secret":     "BaseURL must not have a query or a fragment",
		"https://host/?":               "BaseURL must not have a query or a fragment",
		"https://host/#secret":         "BaseURL must not have a query or a fragment",
		"https://host:secret":          "BaseURL is not a valid URL",
		"https://[::1":                 "BaseURL is not a valid URL",
		"127.0.0.1:8080":               "BaseURL must start with http:// or https://",
		"http://10.0.0.1":              opsroom.ErrPlainHTTP.Error(),
		"http://host":                  opsroom.ErrPlainHTTP.Error(),
		"http://app.localhost":         opsroom.ErrPlainHTTP.Error(),
		"http://localhost.example.com": opsroom.ErrPlainHTTP.Error(),
		"http://127.0.0.1.example.com": opsroom.ErrPlainHTTP.Error(),
		"http://0.0.0.0":               opsroom.ErrPlainHTTP.Error(),
		"https://host":                 "",
		"https://host/api/":            "",
		"HTTPS://host":                 "",
		"http://localhost:80":          "",
		"http://LOCALHOST.":            "",
		"http://127.0.0.1:1/api":       "",
		"http://127.9.9.9":             "",
		"http://[::1]:1":               "",
	} {
		_, err := New(opsroom.Endpoint{BaseURL: base, Authorize: opsroom.Bearer("token")})
		if want == "" {
			require.NoError(t, err, base)
		} else {
			require.EqualError(t, err, want, base)
		}
	}

	_, err := New(opsroom.Endpoint{BaseURL: "http://host", Authorize: opsroom.Bearer("token"), AllowPlainHTTP: true})
	require.NoError(t, err)
	_, err = New(opsroom.Endpoint{BaseURL: "http://host"})
	require.NoError(t, err, "without credentials there is nothing to protect")
	_, err = New(opsroom.Endpoint{BaseURL: "https://host", UserAgent: "a\r\nX: b"})
	require.EqualError(t, err, "UserAgent has control characters")
}

func FuzzBaseURL(f *testing.F) {
	for _, seed := range []string{"https://host", "http://[::1%25lo0]:80/a%2Fb/", "https://host/api//", "https://h\u00f6st/\u00e4?", "//host", "https://host:99999/..", "https://a@b@c"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, base string) {
		client, err := New(opsroom.Endpoint{BaseURL: base})
		if err != nil {
			require.LessOrEqual(t, len(err.Error()), 80)
			return
		}
		message, err := client.build(t.Context(), &Request{Method: http.MethodGet, Path: "/things", Query: "a=b"}, client.base+"/things?a=b")
		require.NoError(t, err)
		want, err := url.Parse(base)
		require.NoError(t, err)
		require.Equal(t, want.Hostname(), message.URL.Hostname())
		require.True(t, sameOrigin(want, message.URL))
		require.Regexp(t, "/things$", message.URL.Path)
		require.Equal(t, "a=b", message.URL.RawQuery)
		require.Nil(t, message.URL.User)
	})
}
