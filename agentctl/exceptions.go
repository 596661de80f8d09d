package agentctl

import (
	"context"
	"iter"
)

// Exceptions walks over all exceptions that params select, newest first: a page of 200 at
// a time, or of params.Limit.
//
// The walk is exact although others raise and resolve exceptions meanwhile: each row that
// matches from the walk's beginning to its end is yielded once. Rows that come or go
// meanwhile may be yielded, once, or not. To that end pages overlap a little, and larger
// ones than params.Limit are asked for while the list moves much. It relies on the server
// keeping the order of the rows that stay. With params.Offset the walk begins with
// whatever row is there at first.
//
// An error is yielded once, last, with a zero Exception: an [*opsroom.InputError] before
// anything is sent, an [*opsroom.RequestError], or an [*UnstableError] if the list cannot
// be read without gaps. A walk that ended without an error is complete, but no snapshot:
// the server has the last word when it is asked to act on it.
//
// Each range over the sequence is a walk of its own. No goroutine outlives the range.
func (c *Client) Exceptions(ctx context.Context, params ListExceptionsParams) iter.Seq2[Exception, error] {
	return walk[Exception]{
		operation: listExceptions,
		page: func(ctx context.Context, limit int, offset int64) ([]Exception, error) {
			p := params
			p.Limit, p.Offset = limit, offset
			page, err := c.ListExceptions(ctx, p)
			return page.Exceptions, err
		},
		key:    c.exceptionKey,
		limit:  params.Limit,
		offset: params.Offset,
		ahead:  c.options.ReadAhead,
	}.rows(ctx)
}
