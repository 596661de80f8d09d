package agentctltest

import (
	"strconv"
	"strings"
	"time"

	"github.com/opsroom-go/opsroom/internal/rawjson"
)

// The kit's own shape of rows. The members whose names requests use are what
// they are there; the others are made up.

func exceptionJSON(e Exception) []byte {
	b := []byte{'{'}
	b = appendText(b, "id", e.ID)
	b = appendText(b, "missionId", e.MissionID)
	b = appendText(b, "runId", e.RunID)
	if e.StepID != "" {
		b = appendText(b, "stepId", e.StepID)
	}
	b = appendText(b, "category", e.Category)
	b = appendText(b, "severity", e.Severity)
	b = appendText(b, "status", e.Status)
	b = appendText(b, "message", e.Message)
	b = appendName(b, "detail")
	if e.Detail == nil {
		b = append(b, "{}"...)
	}
	b = append(b, e.Detail...)
	b = append(b, ',')
	b = appendText(b, "createdAt", e.CreatedAt.Format(time.RFC3339Nano))
	return closeObject(b)
}

func runJSON(run Run) []byte {
	b := []byte{'{'}
	b = appendText(b, "id", run.ID)
	b = appendText(b, "missionId", run.MissionID)
	b = appendText(b, "status", run.Status)
	b = appendName(b, "mandate")
	if run.MandateID == "" {
		b = append(b, "null,"...)
	} else {
		b = closeObject(appendText(append(b, '{'), "id", run.MandateID))
		b = append(b, ',')
	}
	b = appendName(b, "controlRecords")
	b = append(b, '{')
	b = appendInt(b, "exceptions", run.Exceptions)
	b = appendInt(b, "openExceptions", run.OpenExceptions)
	b = appendInt(b, "pendingApprovals", run.PendingApprovals)
	b = append(closeObject(b), ',')
	b = appendText(b, "createdAt", run.CreatedAt.Format(time.RFC3339Nano))
	return closeObject(b)
}

// The append functions write members, each with a comma behind it; closeObject
// turns the last comma into the closing brace.

func appendName(b []byte, name string) []byte { return append(append(b, quoted(name)...), ':') }

func appendText(b []byte, name, text string) []byte {
	return append(append(appendName(b, name), quoted(text)...), ',')
}

func closeObject(b []byte) []byte {
	b[len(b)-1] = '}'
	return b
}

func quoted(s string) []byte { return rawjson.Quote(strings.ToValidUTF8(s, "\ufffd")) }

func appendInt(b []byte, name string, n int) []byte {
	return append(strconv.AppendInt(appendName(b, name), int64(n), 10), ',')
}
