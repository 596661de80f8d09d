package exchange

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"github.com/opsroom-go/opsroom/problem"
)

const (
	redacted = "[credential]"
	// minSecret is the length from which a header value is looked for in texts. Shorter
	// ones are no credentials worth the name, and would hit ordinary words.
	minSecret = 8
)

// redact blanks the request's credentials where the server repeats them in the
// texts of a problem, which are shown to people and models. The body that the
// problem keeps stays as it was.
func redact(p *problem.Problem, request *http.Request) {
	secrets := credentials(request)
	if len(secrets) == 0 {
		return
	}
	// The longest first, since one may be the beginning of another.
	slices.SortFunc(secrets, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	var pairs []string
	for _, secret := range secrets {
		pairs = append(pairs, secret, redacted)
	}
	clean := strings.NewReplacer(pairs...).Replace
	p.Title, p.Detail, p.Code = clean(p.Title), clean(p.Detail), clean(p.Code)
	for i := range p.AllowedActions {
		action := &p.AllowedActions[i]
		action.Rel, action.Hint = clean(action.Rel), clean(action.Hint)
	}
}

// credentials returns the secrets that the request carries: cookies, and what is in
// headers and query parameters that by their names hold credentials.
func credentials(request *http.Request) (secrets []string) {
	add := func(word string) {
		if len(word) >= minSecret {
			secrets = append(secrets, word)
		}
	}
	for _, cookie := range request.Cookies() {
		add(cookie.Value)
	}
	for name, values := range request.URL.Query() {
		if holdsCredentials(name) {
			for _, value := range values {
				add(value)
			}
		}
	}
	for name, values := range request.Header {
		if !holdsCredentials(name) {
			continue
		}
		for _, value := range values {
			// The first of several words names the scheme, as Bearer does.
			words := strings.FieldsFunc(value, isBetweenWords)
			for i, word := range words {
				if i > 0 || len(words) == 1 {
					add(word)
				}
			}
		}
	}
	return secrets
}

func holdsCredentials(name string) bool {
	name = strings.ToLower(name)
	for _, part := range []string{"auth", "token", "key", "secret", "signature", "session", "password", "credential"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

func isBetweenWords(r rune) bool { return strings.ContainsRune(" \t,;\"", r) }
