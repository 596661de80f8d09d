package main

import (
	"fmt"
	"regexp"

	"github.com/opsroom-go/opsroom/insights"
)

// summary says in one line how far the insights go.
func summary(found insights.Collection, failure error) string {
	switch {
	case failure != nil && found.Pages == 0:
		return cause(failure).Error()
	case failure != nil:
		return fmt.Sprintf("INCOMPLETE after %s and %s: %v%s",
			counted(found.Pages, "page"), counted(len(found.Insights), "insight"), cause(failure), goOn(found))
	case found.Complete && len(found.Insights) == 0:
		return "complete: no matching insights (which does not say that the agent is well)"
	case found.Complete:
		return fmt.Sprintf("complete: %s in %s", counted(len(found.Insights), "insight"), counted(found.Pages, "page"))
	default:
		return fmt.Sprintf("limited to %s, with more remaining%s", counted(len(found.Insights), "insight"), goOn(found))
	}
}

// goOn tells how to read what is missing.
func goOn(found insights.Collection) string {
	switch {
	case found.After == "":
		return ""
	case !plainCursor.MatchString(found.After):
		return "" // nothing to be pasted into a shell
	}
	return "; go on with -after " + found.After
}

// plainCursor matches cursors that mean nothing special to a terminal or a shell.
var plainCursor = regexp.MustCompile(`^[A-Za-z0-9._~+/=:@%,][A-Za-z0-9._~+/=:@%,-]{0,511}$`)

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
