// Package problem reads and serves problem details for HTTP APIs (RFC 9457),
// in JSON and in XML. It needs nothing but the standard library.
//
// # Reading
//
// [FromResponse] makes a *[Problem] of any error response. It always succeeds:
// what is no problem, such as the HTML page of a gateway, an empty body or
// {"error": "…"}, still becomes a Problem with the status, the hint when to
// retry, and a message if there is one.
//
//	if resp.StatusCode >= 400 {
//		return problem.FromResponse(resp)
//	}
//
// A *Problem is an error. Its text is one line that is safe to log or to show
// to a model, and says what can be done:
//
//	429 Too Many Requests (rate_limited): Slow down; retry after 60s; allowed actions: retry-later (Wait.)
//
// Callers match it with errors.Is, and get at the rest with errors.As:
//
//	if errors.Is(err, problem.Code("rate_limited")) { … }
//	if errors.Is(err, problem.Status(http.StatusNotFound)) { … }
//	if errors.Is(err, problem.Type("https://example.com/probs/out-of-credit")) { … }
//
// [Parse] does the same for a body that is already in memory, and
// [ParsePartial] for one that could not be read to its end. [Problem.Body]
// tells what the body was.
//
// # Serving
//
// A *Problem is an [http.Handler] too. It, and [Write], choose between JSON and
// XML by the Accept header, and take care of the status, the headers and HEAD.
// A [Definition] declares a problem type once and makes occurrences of it:
//
//	var outOfCredit = problem.Definition{
//		Type:   "https://example.com/probs/out-of-credit",
//		Title:  "You do not have enough credit.",
//		Status: http.StatusForbidden,
//	}
//
//	problem.Write(w, r, outOfCredit.New("Your balance is 30, but that costs 50."))
//
// # Rules for reading
//
//   - Names are exact: Title is an extension, not the title.
//   - A member of the wrong type, null included, is absent. It never spoils
//     the others.
//   - Of a name that is given twice in one object the last one counts, also if
//     its value is of the wrong type.
//   - type and instance resolve against the Content-Location of the response,
//     or else against the URL that was requested last. The base has no user
//     information and no query, so that none is passed on: in this the package
//     departs from RFC 3986 for references that are empty or only a fragment.
//   - status is an integer of 100 to 599 (4.04e2 is one). The HTTP status
//     rules; a mismatch can be asked for.
//   - Any object that is declared as application/problem+json is a problem. In
//     any response but a success, so is other JSON that has two well-typed
//     members of type, title, status, detail and instance, one of them type or
//     title; many services declare application/json. XML is a problem if its
//     root is one in the namespace urn:ietf:rfc:7807.
//   - JSON must be one value in UTF-8 with nothing after it. A byte order mark
//     is skipped.
//   - XML is read without document type declarations, entities, or encodings
//     other than UTF-8, to a depth of 128 and up to 10,000 elements.
//   - Extensions keep their exact bytes. Three that tell a caller how to go on
//     have fields: code, allowed_actions and retry_after_seconds.
//   - Nothing is fetched: no type, no instance, and no href of an action.
//
// # What texts hold
//
// Error, all verbs of package fmt, and slog give valid UTF-8 of bounded length
// without control characters, bidirectional formatting or invisible
// characters. They leave out headers, bodies, HTML pages, extensions other than
// the three, causes, and queries and user information of URLs, also of those in
// the server's own words. The fields hold what the server sent, unchanged;
// json.Marshal writes all of the document. A logger that encodes a struct or
// slice with a Problem in it by encoding/json therefore logs the extensions:
// give slog the Problem itself, or an error that wraps it. Package fmt calls no
// method of unexported fields: a struct with one should keep a pointer to the
// Problem there, which %v prints as an address.
//
// # Conformance
//
// The requirements of RFC 9457 with their sections, and the test that shows each
// one, or why it is out of scope.
//
//	R1   3      media-type             TestConformance/R1
//	R2   3      most-relevant-problem  out of scope: which of several problems to send is the application's choice
//	R3   3      sent-unasked           TestConformance/R3
//	R4   3.1    wrong-type-is-absent   TestConformance/R4
//	R5   3.1.1  resolved-identifier    TestConformance/R5
//	R6   3.1.1  about-blank            TestConformance/R6
//	R7   3.1.1  type-leads-to-docs     out of scope: the documentation is the designer's to publish
//	R8   3.1.1  type-is-not-fetched    TestConformance/R8
//	R9   3.1.1  base-of-type           TestConformance/R9
//	R10  3.1.1  absolute-type          TestConformance/R10
//	R11  3.1.1  any-URI-scheme         TestConformance/R11
//	R12  3.1.2  status-as-sent         TestConformance/R12
//	R13  3.1.2  status-is-advice       TestConformance/R13
//	R14  3.1.3  title-is-constant      TestConformance/R14
//	R15  3.1.4  detail-is-not-parsed   TestConformance/R15
//	R16  3.1.4  detail-is-no-debugging TestConformance/R16
//	R17  3.1.5  base-of-instance       TestConformance/R17
//	R18  3.1.5  absolute-instance      TestConformance/R18
//	R19  3.2    extensions             TestConformance/R19
//	R20  3.2    unknown-extensions     TestConformance/R20
//	R21  3.2    names-for-XML          TestConformance/R21
//	R22  4      type-title-status      TestConformance/R22
//	R23  4      Retry-After            TestConformance/R23
//	R24  4      type-resolves-to-HTML  out of scope: the documentation is the designer's to publish
//	R25  4      extension-names        out of scope: advice to designers; names that break it are legal, and SetExtension tells of it
//	R26  4.2    registered-types       TestConformance/R26
//	R27  4.2.1  title-of-about-blank   TestConformance/R27
//	R28  5      nothing-leaks          TestConformance/R28
//	R29  3      negotiation            TestConformance/R29
//	R30  B      XML                    TestConformance/R30
//	R31  A      JSON-schema            TestConformance/R31
//	R32  C      embedding              TestConformance/R32
package problem
