package agentctl

import (
	"fmt"
	"time"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/internal/exchange"
)

// A Client talks to one agent control plane. It is safe for concurrent use by any number
// of goroutines, and there is nothing to close.
type Client struct {
	exchange *exchange.Client
	options  Options
}

// Options adjust a [Client]. The zero value is the default of everything. Functions must
// be safe for concurrent use.
type Options struct {
	// ExceptionID returns what identifies an exception among all exceptions, or "" if the
	// row does not tell. The contract does not model rows; nil means the row's "id"
	// member if it is a string, which is a guess. Rows without identity are told apart by
	// their exact bytes.
	ExceptionID func(Exception) string

	// RunID does the same for runs. Nil means the row's "id" member, or its "runId"
	// member where there is no "id".
	RunID func(Run) string

	// ExceptionTime returns when an exception was recorded, if its row tells. Only
	// [Client.FindRaised] uses it. Nil means the row's "createdAt" member if that is a
	// time of RFC 3339, which is a guess.
	ExceptionTime func(Exception) (time.Time, bool)

	// ApprovalPending reports whether a run's row tells of a pending approval. Only
	// [Client.CheckResume] uses it. Rows carry counts of control records, but the
	// contract does not name them, so nil means that only the status waiting_approval
	// tells; a blocked run may then wait for an approval as well without a sign of it.
	ApprovalPending func(Run) bool

	// ReadAhead is how many further pages [Client.Exceptions] and [Client.Runs] fetch
	// while the host works on one. It shortens walks over long lists, asks for a few
	// pages in vain at their end, and obeys the endpoint's Limiter. Zero or less fetches
	// none; 16 is the most.
	ReadAhead int
}

// New returns a client of the control plane at endpoint. Nil options are the defaults. It
// is an error if the endpoint's BaseURL is unusable, and [opsroom.ErrPlainHTTP] if
// credentials would travel unprotected. Nothing is sent.
func New(endpoint opsroom.Endpoint, options *Options) (*Client, error) {
	carrier, err := exchange.New(endpoint)
	if err != nil {
		return nil, fmt.Errorf("agentctl: %w", err)
	}
	c := &Client{exchange: carrier}
	if options != nil {
		c.options = *options
	}
	return c, nil
}
