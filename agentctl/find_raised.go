package agentctl

import (
	"context"
	"encoding/json"
	"time"

	"github.com/opsroom-go/opsroom/internal/rawjson"
)

// A Finding is what [Client.FindRaised] concludes.
type Finding string

// The findings. None of them says that a raise was not recorded: a request may still be
// under way after its sender has given up on it.
const (
	// FindingFound: exactly one row matches. It is the raise, unless the very same
	// exception was raised on the run before and the rows' times do not tell the two
	// apart.
	FindingFound Finding = "found"

	// FindingNotFound: no row matches yet, which proves nothing. Look again later, and
	// leave it to a person in the end.
	FindingNotFound Finding = "not found"

	// FindingAmbiguous: several rows match.
	FindingAmbiguous Finding = "ambiguous"
)

// A RaiseSearch is the result of [Client.FindRaised].
type RaiseSearch struct {
	Finding Finding
	Matches []Exception // newest first
}

// clockTolerance is how far the server's clock may be behind this machine's, and how
// coarse the times of rows may be. More of it would take an earlier exception for the one
// that is looked for, and that is the worse mistake: what is not found is looked into.
const clockTolerance = 5 * time.Second

// FindRaised looks for the record that a raise with an unknown outcome may have left, so
// that it need not be raised again: in an exact walk over all exceptions of the run, open
// and resolved, it takes those that equal params in category, severity, message and,
// where given, stepId and detail, the latter by JSON value. Numbers in it are compared as
// double-precision values, since servers round them.
//
// Rows that carry a time before since do not count, give or take five seconds; a zero
// since counts all. Params and since are at hand in [RaiseError.Params] and
// [RaiseError.Started]. Which member of a row is its time is told by
// [Options.ExceptionTime]; where clocks differ by more, it can make up for that.
//
// It only reads. Errors are those of [Client.Exceptions], and with an error the finding
// is empty.
func (c *Client) FindRaised(ctx context.Context, params RaiseExceptionParams, since time.Time) (RaiseSearch, error) {
	_, want, err := raiseRequest(params.arguments())
	if err != nil {
		return RaiseSearch{}, err
	}
	var search RaiseSearch
	for row, err := range c.Exceptions(ctx, ListExceptionsParams{RunID: want.RunID}) {
		if err != nil {
			return RaiseSearch{}, err
		}
		if isRaised(row, want) && !c.isOlder(row, since) {
			search.Matches = append(search.Matches, row)
		}
	}
	switch len(search.Matches) {
	case 0:
		search.Finding = FindingNotFound
	case 1:
		search.Finding = FindingFound
	default:
		search.Finding = FindingAmbiguous
	}
	return search, nil
}

// isRaised reports whether row is what a raise of want leaves.
func isRaised(row Exception, want RaiseExceptionParams) bool {
	if row.Category != want.Category || row.Severity != want.Severity || row.Message != want.Message {
		return false
	}
	if row.RunID != "" && row.RunID != want.RunID || want.StepID != "" && row.StepID != want.StepID {
		return false
	}
	detail, given := want.Detail.(json.RawMessage)
	return !given || sameDetail(detail, row.Detail)
}

// sameDetail compares what was sent with what a row has. A row without detail has the
// contract's default.
func sameDetail(sent, listed json.RawMessage) bool {
	if listed == nil {
		listed = json.RawMessage("{}")
	}
	return rawjson.SameValue(sent, listed)
}

func (c *Client) isOlder(row Exception, since time.Time) bool {
	if since.IsZero() {
		return false
	}
	read := c.options.ExceptionTime
	if read == nil {
		read = createdAt
	}
	at, known := read(row)
	return known && at.Before(since.Add(-clockTolerance))
}

// createdAt reads the member that rows are guessed to carry their time in.
func createdAt(row Exception) (time.Time, bool) {
	members, _ := rawjson.Members(row.Raw) // a row that is no object has no members
	value, _ := rawjson.Lookup(members, "createdAt")
	at, err := time.Parse(time.RFC3339, rawjson.Text(value))
	return at, err == nil
}
