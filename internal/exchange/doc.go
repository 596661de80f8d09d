// Package exchange carries the HTTP operations of agentctl and attachments:
// at most once for a POST, within bounds for a GET, and without a trace of
// credentials, queries or bodies in what it reports.
//
// A call is a loop of attempts (retry.go); an attempt is a chain of requests
// (attempt.go): the first, the one with fresh credentials after a 401, the ones that follow a
// redirect within the same origin. Only a GET has more than one request.
package exchange
