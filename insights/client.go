package insights

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// A Client reads insights through one MCP server. It is safe for concurrent use
// if its [Caller] is, and there is nothing to close.
type Client struct {
	caller  Caller
	options Options
}

// What [Options] mean where they set nothing.
const (
	DefaultMaxPages     = 1000
	DefaultMaxIdlePages = 5
)

// Options adjust a [Client]. The zero value is the default of everything.
// Functions must be safe for concurrent use.
type Options struct {
	// Route is the way to the tool; see [Discover]. The zero Route calls
	// [ToolName] directly.
	Route Route

	// Classify tells the kind of a failure where the service's own wording is
	// known better than here. It gets what the tool answered, or else the error
	// of the Caller; "" leaves the decision to this package. It is not asked
	// about answers that are a page. Nil asks nobody.
	Classify func(ToolResult, error) Kind

	// MaxPages ends a walk with [PageLimit] after so many pages. Zero means
	// [DefaultMaxPages].
	MaxPages int

	// MaxIdlePages ends a walk with [NoProgress] after so many pages in a row
	// without an insight that is new. Zero means [DefaultMaxIdlePages].
	MaxIdlePages int

	// AllowDuplicates switches the tracking of ids off, which takes about 40
	// bytes of memory per insight. Pages may overlap while an analysis is
	// running, so [Client.All] and [Client.Collect] may then return an insight
	// more than once and count it as often, a [Total] may be reached early, and
	// a service that sends the same insights under ever new cursors is stopped
	// by MaxPages only.
	AllowDuplicates bool
}

// New returns a client that reaches the tool through caller. Nil options are
// the defaults. It is an error if caller is nil, the route has no name, or a
// limit is negative. Nothing is called.
func New(caller Caller, options *Options) (*Client, error) {
	if caller == nil {
		return nil, errors.New("insights: a Caller is required")
	}
	c := &Client{caller: caller}
	if options != nil {
		c.options = *options
	}
	if c.options.Route.Name() == "" {
		return nil, errors.New("insights: the route's tool name is empty")
	}
	for _, limit := range []struct {
		name     string
		value    *int
		standard int
	}{
		{"MaxPages", &c.options.MaxPages, DefaultMaxPages},
		{"MaxIdlePages", &c.options.MaxIdlePages, DefaultMaxIdlePages},
	} {
		switch {
		case *limit.value < 0:
			return nil, fmt.Errorf("insights: %s is negative", limit.name)
		case *limit.value == 0:
			*limit.value = limit.standard
		}
	}
	return c, nil
}

// Page reads one page. Fields of the query that are not set are not sent, so
// the service's own defaults apply: 20 insights, newest first, without details.
//
// Every failure is an [*Error]. A query that breaks a rule of the contract is
// refused before anything is sent; [errors.As] then finds an
// *opsroom.InputError.
func (c *Client) Page(ctx context.Context, query Query) (Page, error) {
	parameters, err := query.parameters()
	if err != nil {
		return Page{}, err
	}
	return c.page(ctx, parameters)
}

// callTool is Page for the arguments of a tool call.
func (c *Client) callTool(ctx context.Context, arguments json.RawMessage) (json.RawMessage, error) {
	parameters, err := parseParameters(arguments)
	if err != nil {
		return nil, err
	}
	page, err := c.page(ctx, parameters)
	return page.Raw, err
}

// page makes one call with parameters that passed the check.
func (c *Client) page(ctx context.Context, parameters map[string]any) (Page, error) {
	if err := ctx.Err(); err != nil {
		return Page{}, interrupted(ctx, nil)
	}
	result, err := c.caller.CallTool(ctx, c.options.Route.Name(), c.options.Route.wrap(parameters))
	if err = readable(err); err != nil {
		if ctx.Err() != nil {
			return Page{}, interrupted(ctx, err)
		}
		return Page{}, c.callFailure(parameters, err)
	}
	page, err := readPage(result)
	if err != nil {
		return Page{}, c.resultFailure(parameters, result, err)
	}
	return page, nil
}

// interrupted is the failure of a call whose context has ended. The Caller's
// error may or may not tell; the context's and its cause always do.
func interrupted(ctx context.Context, err error) error {
	if !errors.Is(err, ctx.Err()) {
		err = ctx.Err()
	}
	if cause := context.Cause(ctx); !errors.Is(err, cause) {
		err = fmt.Errorf("%w: %w", err, cause)
	}
	return &Error{Kind: Interrupted, Message: ctx.Err().Error(), Err: err}
}
