// Package environment gives the example programs their backends: real ones where
// environment variables name them, embedded ones with made-up data elsewhere.
package environment

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/agentctl"
	"github.com/opsroom-go/opsroom/attachments"
	"github.com/opsroom-go/opsroom/insights"
)

// Backends are the clients of the three services, each real or embedded.
type Backends struct {
	ControlPlane *agentctl.Client
	Insights     *insights.Client
	Attachments  *attachments.Client

	sources []Source
}

// Open makes all three clients. Its error is a [ValueError] if a variable has a
// value that cannot be used. Whether the backends can be reached is left for the
// calls to find out. Close ends what Open started.
func Open(ctx context.Context, getenv func(string) string) (b *Backends, err error) {
	b = &Backends{sources: make([]Source, 3)}
	defer func() {
		if err != nil {
			b.Close()
			b = nil
		}
	}()
	if b.ControlPlane, b.sources[0], err = ControlPlane(getenv); err != nil {
		return b, err
	}
	if b.Attachments, b.sources[2], err = Attachments(getenv); err != nil {
		return b, err
	}
	b.Insights, b.sources[1], err = Insights(ctx, getenv) // last, as it may start a program
	return b, err
}

// Close ends sessions and embedded servers.
func (b *Backends) Close() {
	for _, source := range b.sources {
		source.Close()
	}
}

// String tells which backends are real and which are embedded, in one line.
func (b *Backends) String() string {
	return fmt.Sprintf("control plane: %s; insights: %s; attachments: %s", b.sources[0], b.sources[1], b.sources[2])
}

// A Source is where a client gets its data from.
type Source struct {
	// Where describes a real backend without anything secret; "" for an embedded one.
	Where string

	close func()
}

// Close ends what belongs to the source.
func (s Source) Close() {
	if s.close != nil {
		s.close()
	}
}

// String describes the source.
func (s Source) String() string { return cmp.Or(s.Where, "embedded, with made-up data") }

// A ValueError says that an environment variable has a value that cannot be used,
// or lacks one that it needs.
type ValueError struct {
	Variable string
	Err      error
}

// Error names the variable and the reason. It does not repeat the value.
func (e *ValueError) Error() string { return e.Variable + ": " + e.Err.Error() }

// Unwrap returns the reason.
func (e *ValueError) Unwrap() error { return e.Err }

// bearer returns what authorizes requests with the token in a variable; nil, for a
// service that wants none, if it is not set.
func bearer(getenv func(string) string, variable string) (func(*http.Request) error, error) {
	token := getenv(variable)
	if token == "" {
		return nil, nil
	}
	authorize := opsroom.Bearer(token)
	if err := authorize(&http.Request{Header: http.Header{}}); err != nil {
		return nil, &ValueError{variable, err}
	}
	return authorize, nil
}

// host returns what may be shown of an address.
func host(address string) string {
	parsed, err := url.Parse(address)
	if err != nil || parsed.Host == "" {
		return "a server"
	}
	return parsed.Scheme + "://" + parsed.Host
}
