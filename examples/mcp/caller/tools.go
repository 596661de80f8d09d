package caller

import (
	"context"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Bounds of [ToolNames]. A server with more has lost its way.
const (
	maxPages = 100
	maxTools = 10_000
)

// ErrEndlessList means that a server's list of tools has no end.
var ErrEndlessList = errors.New("the server's list of tools does not end")

// ToolNames returns the names in the server's tools/list, for
// [insights.Discover]. The SDK's own iterator follows a cursor that comes back
// for ever; this stops. With an error it returns the names that were read until
// then, which may well be enough.
func ToolNames(ctx context.Context, session *mcp.ClientSession) ([]string, error) {
	var names []string
	seen := map[string]bool{}
	for cursor := ""; ; {
		page, err := session.ListTools(ctx, &mcp.ListToolsParams{Cursor: cursor})
		if err != nil {
			return names, translate(err)
		}
		for _, tool := range page.Tools {
			names = append(names, tool.Name)
		}
		seen[cursor] = true
		cursor = page.NextCursor
		switch {
		case cursor == "":
			return names, nil
		case seen[cursor], len(seen) >= maxPages, len(names) >= maxTools:
			return names, fmt.Errorf("%w: %d tools in %d pages so far", ErrEndlessList, len(names), len(seen))
		}
	}
}
