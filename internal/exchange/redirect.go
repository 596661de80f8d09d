package exchange

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/problem"
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

// redirect returns where the answer to a request leads, or a redirectError.
func (r *Request) redirect(answer *http.Response, hops int) (string, error) {
	if !r.repeatable() {
		return "", newRedirectError(answer, errRedirectPost)
	}
	if hops >= maxRedirects {
		return "", newRedirectError(answer, errRedirectMany)
	}
	target, err := answer.Location()
	if err != nil || target.User != nil {
		return "", newRedirectError(answer, errRedirectTarget)
	}
	if !sameOrigin(target, answer.Request.URL) {
		return "", newRedirectError(answer, errRedirectOrigin)
	}
	target.Fragment, target.RawFragment = "", ""
	return target.String(), nil
}

// A redirectError says that a redirect was not followed, and why.
type redirectError struct {
	reason  error
	problem *problem.Problem
}

// newRedirectError leaves the body aside, which is for browsers.
func newRedirectError(answer *http.Response, reason error) error {
	return &redirectError{reason, problem.Parse(answer.StatusCode, answer.Header, answer.Request.URL, nil)}
}

func (e *redirectError) Error() string {
	return fmt.Sprintf("%v: %d %s; %v", opsroom.ErrRedirect, e.problem.Status, http.StatusText(e.problem.Status), e.reason)
}

func (e *redirectError) Unwrap() []error { return []error{opsroom.ErrRedirect, e.problem} }

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
