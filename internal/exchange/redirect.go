package exchange

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
)

// maxRedirects is how many redirects a GET follows.
const maxRedirects = 3

// Reasons for not following a redirect. None tells where it leads: a Location
// may carry secrets in its query.
var (
	errRedirectPost   = errors.New("a POST follows none")
	errRedirectMany   = errors.New("it is the fourth in a row")
	errRedirectTarget = errors.New("it names no usable target")
	errRedirectOrigin = errors.New("it leads to another origin; check BaseURL")
)

func isRedirect(answer *http.Response) bool {
	switch answer.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther,
		http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return true
	}
	return false
}

// redirect returns where the answer to a request leads, or why it is not followed.
func (r *Request) redirect(answer *http.Response, hops int) (string, error) {
	if !r.repeatable() {
		return "", errRedirectPost
	}
	if hops >= maxRedirects {
		return "", errRedirectMany
	}
	target, err := answer.Location()
	if err != nil || target.User != nil {
		return "", errRedirectTarget
	}
	if !sameOrigin(target, answer.Request.URL) {
		return "", errRedirectOrigin
	}
	target.Fragment, target.RawFragment = "", ""
	return target.String(), nil
}

// sameOrigin reports whether two addresses have scheme, host and port in common.
func sameOrigin(a, b *url.URL) bool {
	return a.Scheme == b.Scheme && strings.EqualFold(a.Hostname(), b.Hostname()) && port(a) == port(b)
}

func port(u *url.URL) string {
	switch {
	case u.Port() != "":
		return u.Port()
	case u.Scheme == "https":
		return "443"
	default:
		return "80"
	}
}
