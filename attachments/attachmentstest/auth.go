package attachmentstest

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
)

const accessToken = "evr_pat_"

var (
	accessTokenForm = regexp.MustCompile(`^evr_pat_[0-9a-f]{64}$`)
	orgForm         = regexp.MustCompile(`^org_[0-9a-f]{32}$`)
)

// authenticate finds out who sent a request. The mutex is held.
func (s *Server) authenticate(r *http.Request) (*caller, *refusal) {
	token, refused := credentials(r)
	if refused != nil {
		return nil, refused
	}
	if strings.HasPrefix(token, accessToken) && !accessTokenForm.MatchString(token) {
		return nil, unauthorized("Invalid personal access token format")
	}
	c := s.callers[token]
	if c == nil {
		return nil, unauthorized("Invalid or expired token")
	}
	return c, nil
}

// credentials returns the token of a request: after Bearer or ApiKey in any
// case, a personal access token also without a scheme, or a session's cookie.
func credentials(r *http.Request) (token string, refused *refusal) {
	header := r.Header.Get("Authorization")
	if header == "" {
		cookie, err := r.Cookie("access_token")
		if err != nil || cookie.Value == "" || strings.HasPrefix(cookie.Value, accessToken) {
			return "", unauthorized("Authentication required")
		}
		return cookie.Value, nil
	}
	scheme, rest, found := strings.Cut(header, " ")
	token = strings.TrimSpace(rest)
	isAccessToken := strings.HasPrefix(token, accessToken)
	switch {
	case !found && strings.HasPrefix(header, accessToken):
		return header, nil
	case strings.EqualFold(scheme, "Bearer") && token != "", strings.EqualFold(scheme, "ApiKey") && isAccessToken:
		return token, nil
	}
	return "", unauthorized("Invalid authorization header")
}

// organisation finds out which of the caller's organisations a request is for.
func (c *caller) organisation(r *http.Request) (orgID string, refused *refusal) {
	wanted := r.Header.Get("X-Org-Id")
	if wanted == "" {
		if cookie, err := r.Cookie("everruns_org"); err == nil {
			wanted = cookie.Value
		}
	}
	switch {
	case wanted != "" && !orgForm.MatchString(wanted):
		return "", unauthorized("Invalid organization ID format")
	case wanted != "" && !slices.Contains(c.OrgIDs, wanted):
		return "", notFound("Organization not found", "")
	case wanted != "":
		return wanted, nil
	case len(c.OrgIDs) > 1 && strings.HasPrefix(c.Token, accessToken):
		return "", severalOrganisations()
	}
	return c.OrgIDs[0], nil
}
