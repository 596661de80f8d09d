package agentctl

import (
	"context"
	"iter"
)

// Runs walks over all runs of a mission that params select, newest first. It is
// as exact as [Client.Exceptions], and ends in the same ways.
func (c *Client) Runs(ctx context.Context, params ListRunsParams) iter.Seq2[Run, error] {
	return walk[Run]{
		operation: listRuns,
		page: func(ctx context.Context, limit int, offset int64) ([]Run, error) {
			p := params
			p.Limit, p.Offset = limit, offset
			page, err := c.ListRuns(ctx, p)
			return page.Runs, err
		},
		key:    c.runKey,
		limit:  params.Limit,
		offset: params.Offset,
		ahead:  c.options.ReadAhead,
	}.rows(ctx)
}
