package problem

import (
	"net/http"
	"net/url"
)

// documentBase returns the base URI of a response's document (RFC 3986,
// section 5.1): the Content-Location if there is a usable one, else the URL
// that was requested last. User information and query are left out, so that
// no resolved URI can carry a credential on. Nil is no base.
func documentBase(request *url.URL, header http.Header) *url.URL {
	base := request
	if location := header.Get("Content-Location"); location != "" {
		if u, err := url.Parse(location); err == nil {
			if request != nil {
				u = request.ResolveReference(u)
			}
			if isHierarchical(u) {
				base = u
			}
		}
	}
	if base == nil || !isHierarchical(base) {
		return nil
	}
	return &url.URL{Scheme: base.Scheme, Host: base.Host, Path: base.Path, RawPath: base.RawPath}
}

func isHierarchical(u *url.URL) bool { return u.Scheme != "" && u.Host != "" && u.Opaque == "" }

// resolve returns the URI that reference means at base. An absolute reference
// keeps its spelling, since URIs are compared by character; what is no URI
// reference is its own meaning.
func resolve(base *url.URL, reference string) string {
	if base == nil {
		return reference
	}
	u, err := url.Parse(reference)
	if err != nil || u.IsAbs() {
		return reference
	}
	return base.ResolveReference(u).String()
}
