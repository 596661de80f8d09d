// Package problem reads and serves problem details for HTTP APIs (RFC 9457),
// in JSON and XML. It needs nothing but the standard library.
//
// [FromResponse] and [Parse] make a [Problem] of any error response.
package problem
