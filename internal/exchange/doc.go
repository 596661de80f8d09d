// Package exchange carries the HTTP operations of agentctl and attachments: at
// most once for a POST, within bounds for a GET, and without a trace of
// credentials, queries or bodies in what it reports.
//
// A call (retry.go) is a loop of attempts. An attempt (attempt.go) is a chain
// of requests: the first, the one with fresh credentials after a 401, the ones
// that follow a redirect within the same origin (redirect.go). Only a GET has
// more than one request, and only a GET has more than one attempt; what is
// known of a POST that got no answer is for delivery.go to say.
//
// Requests go to the host's http.RoundTripper and not through http.Client, which
// would follow redirects of its own accord and hide answers behind errors.
package exchange
