package attachmentstest

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"
)

// serve answers a request that met no fault. As in the backend, an address that
// it does not have, and a method that the address does not have, get an empty answer.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	segment, found := route(r.URL.EscapedPath())
	switch {
	case !found:
		w.WriteHeader(http.StatusNotFound)
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET,HEAD")
		w.WriteHeader(http.StatusMethodNotAllowed)
	default:
		s.serveList(w, r, segment)
	}
}

// route returns the encoded agent of the one address that the server has.
func route(path string) (segment string, found bool) {
	rest, found := strings.CutPrefix(path, "/api/v1/agents/")
	if !found {
		return "", false
	}
	segment, found = strings.CutSuffix(rest, "/mcp-attachments")
	return segment, found && segment != "" && !strings.Contains(segment, "/")
}

func (s *Server) serveList(w http.ResponseWriter, r *http.Request, segment string) {
	reference, err := url.PathUnescape(segment)
	if err != nil || !utf8.ValidString(reference) {
		http.Error(w, "Invalid URL: the path is not valid UTF-8", http.StatusBadRequest)
		return
	}
	body, refused := s.list(r, reference)
	if refused != nil {
		refused.write(w)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = w.Write(body) // an error means that the client has gone
}

// list makes the body of a successful answer, or says why there is none.
func (s *Server) list(r *http.Request, reference string) (body []byte, refused *refusal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, refused := s.authenticate(r)
	if refused != nil {
		return nil, refused
	}
	orgID, refused := c.organisation(r)
	if refused != nil {
		return nil, refused
	}
	if c.Denied {
		return nil, standardRefusal(http.StatusForbidden)
	}
	agent := s.find(orgID, reference)
	if agent == nil {
		return nil, standardRefusal(http.StatusNotFound)
	}
	return agent.encode(c), nil
}

// encode writes the agent's attachments as one array, each in its exact bytes.
func (a *Agent) encode(c *caller) []byte {
	body := []byte{'['}
	for i, attachment := range a.attachments {
		if i > 0 {
			body = append(body, ',')
		}
		element, _ := a.resolve(attachment, c).MarshalJSON() // never fails
		body = append(body, element...)
	}
	return append(body, ']')
}
