package exchange

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/problem"
)

func ok(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "{}") }

type tenantKey struct{}

func TestAuthorizeSeesTheContextOfTheCall(t *testing.T) {
	t.Parallel()
	server := newRecorder(t, ok)
	client := server.client(t, opsroom.Endpoint{Authorize: opsroom.BearerFunc(func(ctx context.Context) (string, error) {
		return "token-of-" + ctx.Value(tenantKey{}).(string), nil
	})})
	for _, tenant := range []string{"a", "b"} {
		ctx := context.WithValue(t.Context(), tenantKey{}, tenant)
		_, err := get(ctx, client)
		require.NoError(t, err)
		_, err = post(ctx, client, "{}")
		require.NoError(t, err)
	}
	require.Equal(t, []string{"Bearer token-of-a", "Bearer token-of-a", "Bearer token-of-b", "Bearer token-of-b"}, server.seen("Authorization"))
}

func TestCredentialsAreFreshForEachAttemptAndHop(t *testing.T) {
	t.Parallel()
	var calls atomic.Int64
	server := newRecorder(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.Header.Get("Authorization") {
		case "Bearer 1":
			w.WriteHeader(503)
		case "Bearer 2":
			http.Redirect(w, r, "/moved#part", http.StatusTemporaryRedirect)
		default:
			ok(w, r)
		}
	})
	client := server.client(t, opsroom.Endpoint{Authorize: opsroom.BearerFunc(func(context.Context) (string, error) {
		return strconv.FormatInt(calls.Add(1), 10), nil
	})})
	_, err := get(t.Context(), client)
	require.NoError(t, err)
	require.Equal(t, []string{"Bearer 1", "Bearer 2", "Bearer 3"}, server.seen("Authorization"))
	require.Equal(t, "/moved", server.requests[2].RequestURI)
	require.Empty(t, server.requests[2].Referer())
}

// refreshing is a token source with a cache that goes stale.
type refreshing struct{ cached, fresh string }

func (s *refreshing) token(ctx context.Context) (string, error) {
	if opsroom.Refused(ctx) {
		s.cached = s.fresh
	}
	return s.cached, nil
}

func TestARefusedGetIsRepeatedOnceWithOtherCredentials(t *testing.T) {
	t.Parallel()
	server := newRecorder(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Request-Id", r.Header.Get("Authorization")[len("Bearer "):])
		if r.Header.Get("Authorization") != "Bearer good" {
			w.WriteHeader(http.StatusUnauthorized)
		}
	})
	for name, test := range map[string]struct {
		source *refreshing
		want   []string
		fails  bool
	}{
		"renewed":           {&refreshing{"stale", "good"}, []string{"Bearer stale", "Bearer good"}, false},
		"good at once":      {&refreshing{"good", "good"}, []string{"Bearer good"}, false},
		"nothing else":      {&refreshing{"stale", "stale"}, []string{"Bearer stale"}, true},
		"renewed in vain":   {&refreshing{"stale", "bad"}, []string{"Bearer stale", "Bearer bad"}, true},
		"renewal is broken": {&refreshing{"stale", ""}, []string{"Bearer stale"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			before := server.count()
			client := server.client(t, opsroom.Endpoint{Authorize: opsroom.BearerFunc(test.source.token)})
			_, err := get(t.Context(), client)
			require.Equal(t, test.want, server.seen("Authorization")[before:])
			if !test.fails {
				require.NoError(t, err)
				return
			}
			failure := requestError(t, err)
			require.ErrorIs(t, failure, problem.Status(401))
			require.Equal(t, test.want[len(test.want)-1], "Bearer "+failure.RequestID)
			require.Equal(t, 1, failure.Attempts)
		})
	}
	require.Equal(t, 7, server.count())
	require.Equal(t, 1, server.connections(), "the answers in between cost no connection")
}

func TestARefusedPostIsNotRepeated(t *testing.T) {
	t.Parallel()
	server := newRecorder(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) })
	source := &refreshing{"stale", "good"}
	_, err := post(t.Context(), server.client(t, opsroom.Endpoint{Authorize: opsroom.BearerFunc(source.token)}), "{}")
	require.ErrorIs(t, err, problem.Status(401))
	require.False(t, requestError(t, err).NotSent)
	require.Equal(t, []string{"Bearer stale"}, server.seen("Authorization"))
}

var errVault = errors.New("vault said: token secret-1 has expired")

func TestNothingIsSentWithoutCredentials(t *testing.T) {
	t.Parallel()
	server := newRecorder(t, ok)
	for name, test := range map[string]struct {
		authorize func(*http.Request) error
		is        error
		text      string
	}{
		"its error is wrapped, but not told": {
			opsroom.BearerFunc(func(context.Context) (string, error) { return "", errVault }), errVault,
			"no credentials could be had",
		},
		"empty token": {
			opsroom.Bearer(""), opsroom.ErrUnusableToken,
			"no credentials could be had: the token is empty or has characters that a header cannot carry",
		},
		"token with a line break": {
			opsroom.Bearer("secret-1\n"), opsroom.ErrUnusableToken,
			"no credentials could be had: the token is empty or has characters that a header cannot carry",
		},
		"header with a line break": {
			func(r *http.Request) error { r.Header.Set("X-Key", "secret-1\r\nX-Other: 1"); return nil }, nil,
			"no credentials could be had: a header that Authorize has set cannot be sent",
		},
		"header with an impossible name": {
			func(r *http.Request) error { r.Header["secret-1 "] = []string{"x"}; return nil }, nil,
			"no credentials could be had: a header that Authorize has set cannot be sent",
		},
	} {
		t.Run(name, func(t *testing.T) {
			client := server.client(t, opsroom.Endpoint{Authorize: test.authorize})
			_, getErr := get(t.Context(), client)
			_, postErr := post(t.Context(), client, "{}")
			require.EqualError(t, getErr, "list_things: "+test.text)
			require.EqualError(t, postErr, "add_thing: "+test.text)
			for _, err := range []error{getErr, postErr} {
				require.ErrorIs(t, err, opsroom.ErrAuthorize)
				require.True(t, requestError(t, err).NotSent)
				if test.is != nil {
					require.ErrorIs(t, err, test.is)
				}
			}
		})
	}
	require.Zero(t, server.count())
}

// The error of a token function may be a problem of the token server. It is
// wrapped, but it is no answer of the backend.
func TestProblemsOfOthersAreNotTakenForAnAnswer(t *testing.T) {
	t.Parallel()
	server := newRecorder(t, ok)
	foreign := &problem.Problem{Status: 503, RetryAfterSeconds: 1}
	calls := 0
	client := server.client(t, opsroom.Endpoint{Authorize: func(*http.Request) error { calls++; return foreign }})
	_, err := get(t.Context(), client)
	failure := requestError(t, err)
	require.EqualError(t, failure, "list_things: no credentials could be had")
	require.ErrorIs(t, failure, problem.Status(503))
	require.Zero(t, failure.Status)
	require.Zero(t, failure.RetryAfter)
	require.Equal(t, 1, calls, "it is not repeated")

	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(foreign)
	_, err = get(ctx, client)
	failure = requestError(t, err)
	require.EqualError(t, failure, "list_things: the call was cancelled")
	require.ErrorIs(t, failure, foreign)
	require.Zero(t, failure.RetryAfter)
}

func TestATokenServerIsNotTakenForTheBackend(t *testing.T) {
	t.Parallel()
	tokens := newRecorder(t, ok)
	client, err := New(opsroom.Endpoint{
		BaseURL: "http://" + unusedAddress(t),
		Authorize: opsroom.BearerFunc(func(ctx context.Context) (string, error) {
			r, err := http.NewRequestWithContext(ctx, http.MethodGet, tokens.URL, nil)
			if err != nil {
				return "", err
			}
			answer, err := tokens.Client().Do(r)
			if err != nil {
				return "", err
			}
			return "token", answer.Body.Close()
		}),
	})
	require.NoError(t, err)
	_, err = post(t.Context(), client, "{}")
	require.EqualError(t, err, "add_thing: no complete answer: cannot connect to the server")
	require.True(t, requestError(t, err).NotSent, "the connection to the token server does not count")
	require.Equal(t, 1, tokens.count())
}

func TestAuthorizeMaySignTheBodyButNotChangeIt(t *testing.T) {
	t.Parallel()
	server := newRecorder(t, ok)
	client := server.client(t, opsroom.Endpoint{Authorize: func(r *http.Request) error {
		query := r.URL.Query()
		query.Set("key", "k")
		r.URL.RawQuery = query.Encode()
		if r.GetBody == nil {
			return nil
		}
		body, err := r.GetBody()
		if err != nil {
			return err
		}
		hash := sha256.New()
		if _, err := io.Copy(hash, body); err != nil {
			return err
		}
		r.Header.Set("X-Signature", hex.EncodeToString(hash.Sum(nil)))
		r.Header.Set("Idempotency-Key", "1")
		r.Header["x-idempotency-key"] = []string{"1"}
		r.Body, r.ContentLength = http.NoBody, 0
		return nil
	}})
	_, err := post(t.Context(), client, `{"a":1}`)
	require.NoError(t, err)
	require.Equal(t, []string{`{"a":1}`}, server.bodies)
	require.Equal(t, []string{"015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862"}, server.seen("X-Signature"))
	require.Equal(t, []string{""}, server.seen("Idempotency-Key"))
	require.Equal(t, []string{""}, server.seen("X-Idempotency-Key"))
	require.Equal(t, "/things?key=k", server.requests[0].RequestURI)
	require.EqualValues(t, 7, server.requests[0].ContentLength)
}

func TestTheHostsJarIsUsed(t *testing.T) {
	t.Parallel()
	server := newRecorder(t, func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "session", Value: strconv.Itoa(len(r.Cookies())), Path: "/"})
	})
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	host := *server.Client()
	host.Jar = jar
	client := server.client(t, opsroom.Endpoint{HTTPClient: &host})
	for range 2 {
		_, err := get(t.Context(), client)
		require.NoError(t, err)
	}
	_, err = post(t.Context(), client, "{}")
	require.NoError(t, err)
	require.Equal(t, []string{"", "session=0", "session=1"}, server.seen("Cookie"))
}

// FuzzHeaders holds isSendable against net/http's own verdict.
func FuzzHeaders(f *testing.F) {
	f.Add("X-Key", "value")
	f.Add("x key", "value")
	f.Add("X-Key", "\tb\u00fc\x80")
	f.Add("X:", "a\x00")
	f.Add("", "")
	f.Fuzz(func(t *testing.T, name, value string) {
		var dialled atomic.Bool
		transport := &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
			dialled.Store(true)
			return nil, errVault
		}}
		r, err := http.NewRequest(http.MethodGet, "http://host/", nil)
		require.NoError(t, err)
		r.Header[name] = []string{value}
		_, err = transport.RoundTrip(r)
		require.Error(t, err)
		require.Equal(t, dialled.Load(), isSendable(r.Header), "%q: %q", name, value)
	})
}
