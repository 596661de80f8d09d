package problem

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// The media types of problem details.
const (
	MediaTypeJSON = "application/problem+json"
	MediaTypeXML  = "application/problem+xml"
)

// staleHeaders describe the response that the problem takes the place of, in
// canonical spelling.
var staleHeaders = []string{
	"Accept-Ranges", "Cdn-Cache-Control", "Content-Digest", "Content-Disposition", "Content-Encoding", "Content-Location",
	"Content-Md5", "Content-Range", "Digest", "Etag", "Expires", "Last-Modified", "Repr-Digest", "Trailer", "Transfer-Encoding",
}

// ServeHTTP answers with the problem, as [Write] does.
func (p *Problem) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	// The connection is gone when this fails, and nobody is left to be told.
	_ = Write(w, r, p)
}

// Write answers a request with a problem and returns the error of the
// connection, if any. Nothing may have been written to w before.
//
// The format is JSON, or XML if the request's Accept header prefers it; the
// response to HEAD has no body. The status is that of the problem, or 500 for
// one outside 400 to 599, and for nil; the status member is always the status
// that is sent. A problem of type about:blank without a title gets the phrase
// of the status. Retry-After is sent if the problem says when to retry.
// Cache-Control is no-store, content sniffing is off, and headers that
// describe another body (Content-Encoding, ETag, …) are removed; all others
// stay. Only the fields are sent, without the cause: of a response that the
// problem was read from, no body and no headers. Relative URIs from it are sent
// resolved, since they would mean something else here. Mind that its detail is
// the words of another service.
//
// R may be nil, which gives JSON.
func Write(w http.ResponseWriter, r *http.Request, p *Problem) error {
	if w == nil {
		return errors.New("problem: no response writer")
	}
	served := p.occurrence()
	contentType, body := MediaTypeJSON, []byte(nil)
	if r != nil && prefersXML(r.Header["Accept"]) {
		contentType, body = MediaTypeXML, served.xmlDocument()
	} else {
		body = served.appendJSON(make([]byte, 0, 512))
	}
	served.setHeaders(w.Header(), contentType, len(body))
	w.WriteHeader(served.Status)
	if r != nil && r.Method == http.MethodHead {
		return nil
	}
	_, err := w.Write(body)
	return err
}

// occurrence returns the problem in the form in which it is sent.
func (p *Problem) occurrence() Problem {
	var served Problem
	if p != nil {
		served = *p
	}
	if !isErrorStatus(served.Status) {
		served.Status = http.StatusInternalServerError
	}
	if served.Title == "" && p.TypeURI() == string(AboutBlank) {
		served.Title = http.StatusText(served.Status)
	}
	if served.base == nil {
		return served
	}
	if p.Type != "" || p.present.has(hasType) {
		served.Type = p.TypeURI()
	}
	served.Instance = p.InstanceURI()
	served.AllowedActions = slices.Clone(p.AllowedActions)
	for i := range served.AllowedActions {
		if a := &served.AllowedActions[i]; a.Href != "" {
			a.Href = resolve(p.base, a.Href)
		}
	}
	return served
}

func (p *Problem) setHeaders(header http.Header, contentType string, contentLength int) {
	for _, name := range staleHeaders {
		delete(header, name)
	}
	// One allocation holds all the values.
	values := [...]string{contentType, strconv.Itoa(contentLength), "no-store", "nosniff"}
	for i, name := range [...]string{"Content-Type", "Content-Length", "Cache-Control", "X-Content-Type-Options"} {
		header[name] = values[i : i+1 : i+1]
	}
	if wait, ok := p.RetryAfter(); ok {
		header.Set("Retry-After", wholeSeconds(wait))
	}
	if !slices.ContainsFunc(header["Vary"], variesByAccept) {
		header["Vary"] = append(header["Vary"], "Accept")
	}
}

// variesByAccept reports whether a Vary header names Accept or everything.
func variesByAccept(vary string) bool {
	for field := range strings.SplitSeq(vary, ",") {
		if field = strings.TrimSpace(field); field == "*" || strings.EqualFold(field, "Accept") {
			return true
		}
	}
	return false
}
