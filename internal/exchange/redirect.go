package exchange

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/problem"
)

// A redirectError says that a redirect was not followed. Where it leads is not
// told: a Location may carry secrets in its query.
type redirectError struct{ problem *problem.Problem }

func (e *redirectError) Error() string {
	return opsroom.ErrRedirect.Error() + ": " + e.problem.Error()
}

func (e *redirectError) Unwrap() []error { return []error{opsroom.ErrRedirect, e.problem} }

func isRedirect(answer *http.Response) bool {
	switch answer.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther,
		http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return true
	}
	return false
}

// sameOrigin returns where a redirect leads if that is the same scheme, host
// and port as the request's, else "".
func sameOrigin(answer *http.Response) string {
	target, err := answer.Location()
	if err != nil || target.User != nil {
		return ""
	}
	from := answer.Request.URL
	if target.Scheme != from.Scheme || !strings.EqualFold(target.Hostname(), from.Hostname()) || port(target) != port(from) {
		return ""
	}
	target.Fragment, target.RawFragment = "", ""
	return target.String()
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
