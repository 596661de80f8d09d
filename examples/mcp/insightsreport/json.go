package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"github.com/opsroom-go/opsroom/insights"
)

// A report is the JSON form but for its last member, "insights".
type report struct {
	Complete   bool                `json:"complete"`
	HasMore    bool                `json:"hasMore"`
	Count      int                 `json:"count"`
	Pages      int                 `json:"pages"`
	StopReason insights.StopReason `json:"stopReason"`
	Error      *reportError        `json:"error"`
	Filters    filters             `json:"filters"`
}

type reportError struct {
	Kind    insights.Kind `json:"kind"`
	Message string        `json:"message"`
}

// filters are what the insights were selected by, under the tool's own names, and the
// total. What was not asked for is left out.
type filters struct {
	ProjectEndpoint string            `json:"projectEndpoint"`
	AgentName       string            `json:"agentName"`
	Category        string            `json:"category,omitempty"`
	Severity        insights.Severity `json:"severity,omitempty"`
	Status          insights.Status   `json:"status,omitempty"`
	Order           insights.Order    `json:"order,omitempty"`
	After           string            `json:"after,omitempty"`
	Total           int               `json:"total,omitempty"`
}

// writeJSON writes one JSON object that ends with the insights, one a line, in
// the exact bytes that the service sent.
func writeJSON(w io.Writer, settings settings, found insights.Collection, failure error) error {
	r := report{
		Complete:   found.Complete,
		HasMore:    found.HasMore,
		Count:      len(found.Insights),
		Pages:      found.Pages,
		StopReason: found.StopReason,
		Filters: filters{
			ProjectEndpoint: settings.query.ProjectEndpoint,
			AgentName:       settings.query.AgentName,
			Category:        settings.query.Category,
			Severity:        settings.query.Severity,
			Status:          settings.query.Status,
			Order:           settings.query.Order,
			After:           settings.query.After,
			Total:           settings.total,
		},
	}
	if failure != nil {
		r.Error = &reportError{insights.KindOf(failure), cause(failure).Error()}
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(r); err != nil {
		return err
	}
	out.Truncate(out.Len() - len("}\n"))
	out.WriteString(`,"insights":[`)
	for n, insight := range found.Insights {
		if n > 0 {
			out.WriteByte(',')
		}
		out.WriteByte('\n')
		out.Write(insight.Raw)
	}
	if len(found.Insights) > 0 {
		out.WriteByte('\n')
	}
	out.WriteString("]}\n")
	_, err := w.Write(out.Bytes())
	return err
}

// cause returns what went wrong, without how far the reading had come.
func cause(failure error) error {
	if incomplete, ok := errors.AsType[*insights.Incomplete](failure); ok {
		return incomplete.Err
	}
	return failure
}
