package insights

import (
	"encoding/json"
	"time"

	"github.com/opsroom-go/opsroom/internal/rawjson"
)

// Details are the evidence for an insight and the fix that is proposed.
type Details struct {
	// HighlightedTraces is "highlighted_traces", the telling ones; the service
	// documents at most 5.
	HighlightedTraces []HighlightedTrace

	// LinkedTraces is "linked_traces", the most recent ones; the service
	// documents at most 200.
	LinkedTraces []LinkedTrace

	// RecommendedActions is "recommended_actions", which is one object in spite
	// of its name.
	RecommendedActions *RecommendedActions

	// Raw is the details in the service's exact bytes.
	Raw json.RawMessage
}

// A HighlightedTrace is a trace that shows what the insight is about.
type HighlightedTrace struct {
	TraceID     string          // "trace_id"
	Summary     string          // "summary"
	Duration    *time.Duration  // "duration_ms"; nil if absent
	TotalTokens *int64          // "total_tokens"; nil if absent
	Timestamp   time.Time       // "timestamp"
	Raw         json.RawMessage // the trace in the service's exact bytes
}

// A LinkedTrace is a trace that belongs to the insight.
type LinkedTrace struct {
	TraceID   string          // "trace_id"
	Timestamp time.Time       // "timestamp"
	Raw       json.RawMessage // the trace in the service's exact bytes
}

// RecommendedActions are what the analysis recommends.
type RecommendedActions struct {
	ProposedFix *ProposedFix    // "proposed_fix"; nil if absent or null
	Raw         json.RawMessage // the recommendation in the service's exact bytes
}

// A ProposedFix is a suggestion for a person to weigh. It is no permission to
// change code or prompts.
type ProposedFix struct {
	Kind    FixKind         // "kind"
	Text    string          // "text"
	Changes []Change        // "changes"; nil if absent or no list
	Raw     json.RawMessage // the fix in the service's exact bytes
}

// FixKind says what a proposed fix would change. The set is open: others have
// been seen.
type FixKind string

// The published kinds of fixes.
const (
	FixProse        FixKind = "prose" // advice only, without changes
	FixCodeChange   FixKind = "code_change"
	FixPromptChange FixKind = "prompt_change"
)

// A Change is one edit of a proposed fix. Which fields are set depends on the
// fix's kind; a change that is no object has only Raw.
type Change struct {
	Path     string // "path" of the file, in a code change
	Language string // "language", in a code change
	Diff     string // "diff", a unified diff, in a code change

	Surface     string // "surface", in a prompt change; published are "instructions" and "tool"
	Target      string // "target", in a prompt change
	Description string // "description"; not published, but seen

	// OldValue and NewValue are "old_value" and "new_value" of a prompt change:
	// any JSON in the service's exact bytes. Nil means that the member is
	// absent, which is not the same as the four bytes null.
	OldValue json.RawMessage
	NewValue json.RawMessage

	Raw json.RawMessage // the change in the service's exact bytes
}

// MarshalJSON returns the exact bytes of the details; null for the zero value.
func (d Details) MarshalJSON() ([]byte, error) { return marshalRaw(d.Raw) }

// MarshalJSON returns the exact bytes of the trace; null for the zero value.
func (t HighlightedTrace) MarshalJSON() ([]byte, error) { return marshalRaw(t.Raw) }

// MarshalJSON returns the exact bytes of the trace; null for the zero value.
func (t LinkedTrace) MarshalJSON() ([]byte, error) { return marshalRaw(t.Raw) }

// MarshalJSON returns the exact bytes of the recommendation; null for the zero
// value.
func (r RecommendedActions) MarshalJSON() ([]byte, error) { return marshalRaw(r.Raw) }

// MarshalJSON returns the exact bytes of the fix; null for the zero value.
func (f ProposedFix) MarshalJSON() ([]byte, error) { return marshalRaw(f.Raw) }

// MarshalJSON returns the exact bytes of the change; null for the zero value.
func (c Change) MarshalJSON() ([]byte, error) { return marshalRaw(c.Raw) }

func newDetails(raw json.RawMessage) *Details {
	members, err := rawjson.Members(raw)
	if err != nil {
		return nil // null, or nothing that could be called details
	}
	d := &Details{Raw: raw}
	for _, m := range members {
		switch m.Name {
		case "highlighted_traces":
			d.HighlightedTraces = list(m.Value, newHighlightedTrace)
		case "linked_traces":
			d.LinkedTraces = list(m.Value, newLinkedTrace)
		case "recommended_actions":
			d.RecommendedActions = newRecommendedActions(m.Value)
		}
	}
	return d
}

func newHighlightedTrace(raw json.RawMessage) HighlightedTrace {
	t := HighlightedTrace{Raw: raw}
	for _, m := range membersOf(raw) {
		switch m.Name {
		case "trace_id":
			t.TraceID = rawjson.Text(m.Value)
		case "summary":
			t.Summary = rawjson.Text(m.Value)
		case "duration_ms":
			t.Duration = milliseconds(m.Value)
		case "total_tokens":
			t.TotalTokens = integer(m.Value)
		case "timestamp":
			t.Timestamp = instant(m.Value)
		}
	}
	return t
}

func newLinkedTrace(raw json.RawMessage) LinkedTrace {
	t := LinkedTrace{Raw: raw}
	for _, m := range membersOf(raw) {
		switch m.Name {
		case "trace_id":
			t.TraceID = rawjson.Text(m.Value)
		case "timestamp":
			t.Timestamp = instant(m.Value)
		}
	}
	return t
}

func newRecommendedActions(raw json.RawMessage) *RecommendedActions {
	members, err := rawjson.Members(raw)
	if err != nil {
		return nil
	}
	r := &RecommendedActions{Raw: raw}
	if fix, found := rawjson.Lookup(members, "proposed_fix"); found {
		r.ProposedFix = newProposedFix(fix)
	}
	return r
}

func newProposedFix(raw json.RawMessage) *ProposedFix {
	members, err := rawjson.Members(raw)
	if err != nil {
		return nil
	}
	f := &ProposedFix{Raw: raw}
	for _, m := range members {
		switch m.Name {
		case "kind":
			f.Kind = FixKind(rawjson.Text(m.Value))
		case "text":
			f.Text = rawjson.Text(m.Value)
		case "changes":
			f.Changes = list(m.Value, newChange)
		}
	}
	return f
}

func newChange(raw json.RawMessage) Change {
	c := Change{Raw: raw}
	for _, m := range membersOf(raw) {
		switch m.Name {
		case "path":
			c.Path = rawjson.Text(m.Value)
		case "language":
			c.Language = rawjson.Text(m.Value)
		case "diff":
			c.Diff = rawjson.Text(m.Value)
		case "surface":
			c.Surface = rawjson.Text(m.Value)
		case "target":
			c.Target = rawjson.Text(m.Value)
		case "description":
			c.Description = rawjson.Text(m.Value)
		case "old_value":
			c.OldValue = m.Value
		case "new_value":
			c.NewValue = m.Value
		}
	}
	return c
}
