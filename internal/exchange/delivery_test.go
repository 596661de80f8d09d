package exchange

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom"
)

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

var errHost = errors.New("the host's transport failed")

// Transports of the host's own may know nothing of connection traces, so what
// they have done to the body is the proof.
func TestWhatAHostsTransportDoesDecidesWhetherAPostWasSent(t *testing.T) {
	t.Parallel()
	nobody := unusedAddress(t)
	var kept io.Reader
	for name, test := range map[string]struct {
		transport roundTripper
		notSent   bool
	}{
		"it fails before it does anything": {
			func(*http.Request) (*http.Response, error) { return nil, errHost }, true,
		},
		"it closes the body unread": {
			func(r *http.Request) (*http.Response, error) { _ = r.Body.Close(); return nil, errHost }, true,
		},
		"it reads a part of the body": {
			func(r *http.Request) (*http.Response, error) {
				_, _ = r.Body.Read(make([]byte, 1))
				return nil, errHost
			}, false,
		},
		"it reads the body": {
			func(r *http.Request) (*http.Response, error) { _, _ = io.ReadAll(r.Body); return nil, errHost }, false,
		},
		"it wants the body a second time": {
			func(r *http.Request) (*http.Response, error) {
				if r.GetBody != nil {
					return nil, errors.New("the body can be had again")
				}
				return nil, errHost
			}, true,
		},
		"it fails after it has sent the request": {
			func(r *http.Request) (*http.Response, error) {
				answer, err := http.DefaultTransport.RoundTrip(r)
				if err == nil {
					_ = answer.Body.Close()
				}
				return nil, errHost
			}, false,
		},
		"it has looked at the body, and nobody listens": {
			func(r *http.Request) (*http.Response, error) {
				if _, err := httputil.DumpRequestOut(r, true); err != nil {
					return nil, err
				}
				r = r.Clone(r.Context())
				r.URL.Host = nobody
				answer, err := http.DefaultTransport.RoundTrip(r)
				return answer, errors.Join(errHost, err)
			}, false,
		},
		"nobody listens": {
			func(r *http.Request) (*http.Response, error) {
				r = r.Clone(r.Context())
				r.URL.Host = nobody
				answer, err := http.DefaultTransport.RoundTrip(r)
				return answer, errors.Join(errHost, err)
			}, true,
		},
		"it keeps the body and reads it when the call is over": {
			func(r *http.Request) (*http.Response, error) { kept = r.Body; return nil, errHost }, true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			server := newRecorder(t, ok)
			client := server.client(t, opsroom.Endpoint{HTTPClient: &http.Client{Transport: test.transport}})
			_, err := post(t.Context(), client, "{}")
			failure := requestError(t, err)
			require.ErrorIs(t, failure, errHost)
			require.ErrorIs(t, failure, opsroom.ErrTransport)
			require.Equal(t, test.notSent, failure.NotSent)
			require.Equal(t, 1, failure.Attempts)
		})
	}
	content, err := io.ReadAll(kept)
	require.Empty(t, content, "what was reported as not sent cannot be sent later")
	require.ErrorIs(t, err, errWithdrawn)
}

func unusedAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, listener.Close())
	return listener.Addr().String()
}

func TestAHostsTransportMayBeSloppy(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		answer *http.Response
		err    error
		want   string
	}{
		"neither answer nor error": {nil, nil, "no complete answer: the exchange with the server failed"},
		"no body, no request":      {&http.Response{StatusCode: 200}, nil, ""},
		"an error without a body":  {&http.Response{StatusCode: 404}, nil, "404 Not Found: the response has no body"},
		"a redirect from nowhere": {
			&http.Response{StatusCode: 302, Header: http.Header{"Location": {"/x"}}}, nil,
			"the redirect was not followed: 302 Found; it is the fourth in a row",
		},
		"both answer and error": {&http.Response{StatusCode: 200}, errHost, "no complete answer: the exchange with the server failed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client, err := New(opsroom.Endpoint{
				BaseURL: "http://127.0.0.1", Retry: opsroom.Retry{Attempts: 1},
				HTTPClient: &http.Client{Transport: roundTripper(func(*http.Request) (*http.Response, error) {
					if test.answer == nil {
						return nil, test.err
					}
					return new(*test.answer), test.err
				})},
			})
			require.NoError(t, err)
			_, err = get(t.Context(), client)
			if test.want == "" {
				require.NoError(t, err)
			} else {
				require.EqualError(t, err, "list_things: "+test.want)
			}
		})
	}
}

// Idempotency headers, and a body that can be had again, make net/http send
// a POST twice when a used connection breaks. First see that it does, then that
// it does not for us.
func TestNetHTTPDoesNotReplayAPost(t *testing.T) {
	t.Parallel()
	breaking := func(t *testing.T) (address string, seen func() int) {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		bodies := make(chan string, 10)
		go func() {
			for {
				conn, err := listener.Accept()
				if err != nil {
					return
				}
				go func() {
					defer conn.Close() //nolint:errcheck // it is broken on purpose
					reader := bufio.NewReader(conn)
					for n := range 2 {
						r, err := http.ReadRequest(reader)
						if err != nil {
							return
						}
						body, _ := io.ReadAll(r.Body)
						if r.Method == http.MethodPost {
							bodies <- string(body)
						}
						if n == 0 {
							_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
						}
					}
				}()
			}
		}()
		t.Cleanup(func() { _ = listener.Close() })
		return listener.Addr().String(), func() int { return len(bodies) }
	}

	t.Run("bare", func(t *testing.T) {
		t.Parallel()
		address, seen := breaking(t)
		client := &http.Client{Transport: &http.Transport{}}
		defer client.CloseIdleConnections()
		answer, err := client.Get("http://" + address)
		require.NoError(t, err)
		_, _ = io.Copy(io.Discard, answer.Body)
		_ = answer.Body.Close()
		r, err := http.NewRequest(http.MethodPost, "http://"+address, strings.NewReader("{}"))
		require.NoError(t, err)
		r.Header.Set("Idempotency-Key", "1")
		answer, err = client.Do(r)
		require.NoError(t, err)
		_ = answer.Body.Close()
		require.Equal(t, 2, seen(), "this is what the exchange has to prevent")
	})
	t.Run("through the exchange", func(t *testing.T) {
		t.Parallel()
		address, seen := breaking(t)
		transport := &http.Transport{}
		defer transport.CloseIdleConnections()
		client, err := New(opsroom.Endpoint{
			BaseURL: "http://" + address, HTTPClient: &http.Client{Transport: transport},
			Authorize: func(r *http.Request) error { r.Header.Set("Idempotency-Key", "1"); return nil },
		})
		require.NoError(t, err)
		_, err = get(t.Context(), client)
		require.NoError(t, err)
		_, err = post(t.Context(), client, "{}")
		require.False(t, requestError(t, err).NotSent)
		require.Equal(t, 1, seen())
	})
}
