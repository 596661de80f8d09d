package attachmentstest

import (
	"encoding/json"
	"net/http"
	"strconv"
)

// A refusal is an error answer of the backend. It has the members that the
// backend sends, and leaves out what the backend leaves out.
type refusal struct {
	Title             string   `json:"title"`
	Status            int      `json:"status"`
	Detail            string   `json:"detail,omitempty"`
	Code              string   `json:"code,omitempty"`
	AllowedActions    []action `json:"allowed_actions,omitempty"`
	RetryAfterSeconds int      `json:"retry_after_seconds,omitempty"`
}

type action struct {
	Rel  string `json:"rel"`
	Hint string `json:"hint,omitempty"`
}

func newRefusal(status int, detail, code string) *refusal {
	return &refusal{Title: http.StatusText(status), Status: status, Detail: detail, Code: code}
}

func unauthorized(detail string) *refusal {
	return newRefusal(http.StatusUnauthorized, detail, "unauthorized")
}

func notFound(detail, code string) *refusal {
	return newRefusal(http.StatusNotFound, detail, code)
}

func severalOrganisations() *refusal {
	return newRefusal(http.StatusBadRequest,
		"Multiple organizations available. Specify the target organization via the X-Org-Id header.", "")
}

// standardRefusal is the answer that the backend usually gives with a status.
func standardRefusal(status int) *refusal {
	switch status {
	case http.StatusBadRequest:
		return severalOrganisations()
	case http.StatusUnauthorized:
		return unauthorized("Authentication required")
	case http.StatusNotFound:
		return notFound("Agent not found", "")
	case http.StatusTooManyRequests:
		r := newRefusal(status, "Too many requests. Please try again later.", "rate_limited")
		r.AllowedActions = []action{{Rel: "retry-later", Hint: "Wait retry_after_seconds before retrying."}}
		r.RetryAfterSeconds = 60
		return r
	case http.StatusInternalServerError:
		return newRefusal(status, "Internal server error", "internal_error")
	case http.StatusServiceUnavailable:
		r := newRefusal(status, "Database capacity is temporarily unavailable", "database_pool_exhausted")
		r.RetryAfterSeconds = 1
		return r
	}
	return newRefusal(status, "", "")
}

func (r *refusal) header() http.Header {
	header := http.Header{"Content-Type": {"application/problem+json"}}
	if r.Status == http.StatusTooManyRequests {
		// The backend's rate limiter stands before what labels problems.
		header.Set("Content-Type", "application/json")
	}
	if r.RetryAfterSeconds > 0 {
		header.Set("Retry-After", strconv.Itoa(r.RetryAfterSeconds))
	}
	return header
}

func (r *refusal) body() []byte {
	body, _ := json.Marshal(r) // strings and numbers always encode
	return body
}

func (r *refusal) write(w http.ResponseWriter) {
	for name, values := range r.header() {
		w.Header()[name] = values
	}
	w.WriteHeader(r.Status)
	_, _ = w.Write(r.body()) // an error means that the client has gone
}
