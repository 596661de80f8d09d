// # What happens on the wire
//
// A client sends a GET up to three times ([Retry]) and a POST once. The table
// lists what can go wrong on the way, and what comes of it with the zero Retry:
// how many requests the server gets to see, and how the call ends. Calls that
// fail return a [RequestError] that is the named error, or a problem of package
// problem with the named status. For a POST, which in this module is always a raise, the
// table adds the outcome that agentctl.RaiseError states: "not sent" means that
// raising again is safe, "unknown" that it is not.
//
// The limits of what a client can know are those of HTTP:
//
//   - Once a connection was had, a POST without an answer is unknown, even where
//     no server has read it, and even where HTTP/2 says that it was not processed.
//   - net/http repeats a GET on its own when a connection that it has used before
//     breaks, and when HTTP/2 refuses a stream, that even several times within
//     [Endpoint].Timeout (a quarter of a second in the table). Such repetitions
//     are no attempts of the client's and come on top of those that Retry allows.
//     A POST of this module is never repeated by net/http.
//   - A 429 counts as rejected, which is its usual meaning, though no
//     backend promises it.
//
// The table is checked against the clients by a test.
//
//	Fault                                    GET                  POST
//	connection refused                       0  ErrTransport      0  not sent   ErrTransport
//	dial without end                         0  ErrTimeout        0  not sent   ErrTimeout
//	host name unknown                        0  ErrTransport      0  not sent   ErrTransport
//	proxy refuses to connect                 0  ErrTransport      0  not sent   ErrTransport
//	TLS to a server without TLS              0  ErrTransport      0  not sent   ErrTransport
//	TLS certificate not trusted              0  ErrTransport      0  not sent   ErrTransport
//	TLS handshake cut                        0  ErrTransport      0  not sent   ErrTransport
//	TLS handshake without end                0  ErrTimeout        0  not sent   ErrTimeout
//	closed before the request is read        0  ErrTransport      0  unknown    ErrTransport
//	reset before the request is read         0  ErrTransport      0  unknown    ErrTransport
//	reset after the request's headers        3  ErrTransport      1  unknown    ErrTransport
//	closed after the request is read         3  ErrTransport      1  unknown    ErrTransport
//	reset after the request is read          3  ErrTransport      1  unknown    ErrTransport
//	no answer                                3  ErrTimeout        1  unknown    ErrTimeout
//	used connection: closed after request    2  answered          1  unknown    ErrTransport
//	used connection: reset after request     2  answered          1  unknown    ErrTransport
//	used connection: no answer               2  answered          1  unknown    ErrTimeout
//	no HTTP at all                           3  ErrTransport      1  unknown    ErrTransport
//	status that is no number                 3  ErrTransport      1  unknown    ErrTransport
//	header line without colon                3  ErrTransport      1  unknown    ErrTransport
//	contradicting lengths                    3  ErrTransport      1  unknown    ErrTransport
//	negative length                          3  ErrTransport      1  unknown    ErrTransport
//	unknown transfer coding                  3  ErrTransport      1  unknown    ErrTransport
//	cut in the status line                   3  ErrTransport      1  unknown    ErrTransport
//	cut in the headers                       3  ErrTransport      1  unknown    ErrTransport
//	stalled in the headers                   3  ErrTimeout        1  unknown    ErrTimeout
//	headers larger than the transport takes  3  ErrTransport      1  unknown    ErrTransport
//	100 before the answer                    1  answered          1  recorded   answered
//	103 before the answer                    1  answered          1  recorded   answered
//	1xx and no answer                        3  ErrTransport      1  unknown    ErrTransport
//	1xx and then silence                     3  ErrTimeout        1  unknown    ErrTimeout
//	101, then the bare connection            1  problem 101       1  unknown    problem 101
//	body cut                                 3  ErrTransport      1  accepted   ErrTransport
//	body reset                               3  ErrTransport      1  accepted   ErrTransport
//	body stalled                             3  ErrTimeout        1  accepted   ErrTimeout
//	chunked body cut in a chunk              3  ErrTransport      1  accepted   ErrTransport
//	chunked body without its end             3  ErrTransport      1  accepted   ErrTransport
//	chunk size that is no number             3  ErrTransport      1  accepted   ErrTransport
//	gzip cut                                 3  ErrTransport      1  accepted   ErrTransport
//	gzip corrupt                             1  ErrMalformedBody  1  accepted   ErrMalformedBody
//	gzip that is none                        1  ErrMalformedBody  1  accepted   ErrMalformedBody
//	content coding not asked for             1  ErrMalformedBody  1  accepted   ErrMalformedBody
//	length too short                         1  ErrMalformedBody  1  accepted   ErrMalformedBody
//	length too long                          3  ErrTransport      1  accepted   ErrTransport
//	body over the limit, announced           1  ErrBodyTooLarge   1  accepted   ErrBodyTooLarge
//	body over the limit, in chunks           1  ErrBodyTooLarge   1  accepted   ErrBodyTooLarge
//	gzip bomb                                1  ErrBodyTooLarge   1  accepted   ErrBodyTooLarge
//	204 without a body                       1  ErrMalformedBody  1  accepted   ErrMalformedBody
//	empty body                               1  ErrMalformedBody  1  accepted   ErrMalformedBody
//	HTML page                                1  ErrMalformedBody  1  accepted   ErrMalformedBody
//	JSON cut, but framed                     1  ErrMalformedBody  1  accepted   ErrMalformedBody
//	JSON with trailing data                  1  ErrMalformedBody  1  accepted   ErrMalformedBody
//	JSON in invalid UTF-8                    1  ErrMalformedBody  1  accepted   ErrMalformedBody
//	brackets nested without end              1  ErrMalformedBody  1  accepted   ErrMalformedBody
//	envelope of another kind                 1  ErrMalformedBody  1  accepted   ErrMalformedBody
//	envelope without its member              1  ErrMalformedBody  1  accepted   ErrMalformedBody
//	member of another kind                   1  ErrMalformedBody  1  accepted   ErrMalformedBody
//	bytes after the body                     1  answered          1  recorded   answered
//	408                                      3  problem 408       1  unknown    problem 408
//	429                                      3  problem 429       1  rejected   problem 429
//	500                                      3  problem 500       1  unknown    problem 500
//	502                                      3  problem 502       1  unknown    problem 502
//	503                                      3  problem 503       1  unknown    problem 503
//	504                                      3  problem 504       1  unknown    problem 504
//	400                                      1  problem 400       1  rejected   problem 400
//	401                                      1  problem 401       1  rejected   problem 401
//	403                                      1  problem 403       1  rejected   problem 403
//	404                                      1  problem 404       1  rejected   problem 404
//	409                                      1  problem 409       1  rejected   problem 409
//	413                                      1  problem 413       1  rejected   problem 413
//	422                                      1  problem 422       1  rejected   problem 422
//	425                                      1  problem 425       1  rejected   problem 425
//	300                                      1  problem 300       1  unknown    problem 300
//	501                                      1  problem 501       1  unknown    problem 501
//	599                                      1  problem 599       1  unknown    problem 599
//	799                                      1  problem 799       1  unknown    problem 799
//	401, then well with other credentials    2  answered          1  rejected   problem 401
//	401 whatever the credentials             2  problem 401       1  rejected   problem 401
//	401 with its body stalled                2  answered          1  rejected   problem 401
//	304 to who has nothing                   1  problem 304       1  unknown    problem 304
//	503, then well                           2  answered          1  unknown    problem 503
//	503 with a Retry-After over the cap      1  problem 503       1  unknown    problem 503
//	503 with its body cut                    3  problem 503       1  unknown    problem 503
//	503 with its body stalled                3  problem 503       1  unknown    problem 503
//	400 with its body stalled                1  problem 400       1  rejected   problem 400
//	400 with a gzip bomb                     1  problem 400       1  rejected   problem 400
//	413 before the request is read           1  problem 413       1  rejected   problem 413
//	301 to the same origin                   2  answered          1  unknown    ErrRedirect
//	301 to another origin                    1  ErrRedirect       1  unknown    ErrRedirect
//	302 to the same origin                   2  answered          1  unknown    ErrRedirect
//	302 to another origin                    1  ErrRedirect       1  unknown    ErrRedirect
//	303 to the same origin                   2  answered          1  unknown    ErrRedirect
//	303 to another origin                    1  ErrRedirect       1  unknown    ErrRedirect
//	307 to the same origin                   2  answered          1  unknown    ErrRedirect
//	307 to another origin                    1  ErrRedirect       1  unknown    ErrRedirect
//	308 to the same origin                   2  answered          1  unknown    ErrRedirect
//	308 to another origin                    1  ErrRedirect       1  unknown    ErrRedirect
//	302 to another port                      1  ErrRedirect       1  unknown    ErrRedirect
//	302 to https                             1  ErrRedirect       1  unknown    ErrRedirect
//	302 in circles                           4  ErrRedirect       1  unknown    ErrRedirect
//	302 without Location                     1  ErrRedirect       1  unknown    ErrRedirect
//	302 with a broken Location               1  ErrRedirect       1  unknown    ErrRedirect
//	302 with its body stalled                2  answered          1  unknown    ErrRedirect
//	HTTP/2: stream refused once              2  answered          1  unknown    ErrTransport
//	HTTP/2: every stream refused             6  ErrTimeout        1  unknown    ErrTransport
//	HTTP/2: GOAWAY, request not processed    2  answered          1  unknown    ErrTransport
//	HTTP/2: GOAWAY, then closed              3  ErrTransport      1  unknown    ErrTransport
//	HTTP/2: stream reset, PROTOCOL_ERROR     2  answered          1  unknown    ErrTransport
//	HTTP/2: stream reset, INTERNAL_ERROR     3  ErrTransport      1  unknown    ErrTransport
//	HTTP/2: stream reset in the body         3  ErrTransport      1  accepted   ErrTransport
//	HTTP/2: connection closed                3  ErrTransport      1  unknown    ErrTransport
//	HTTP/2: no answer                        3  ErrTimeout        1  unknown    ErrTimeout
//	HTTP/2: HTTP/1.1 spoken                  0  ErrTransport      0  unknown    ErrTransport
//
// "answered" and "recorded" are success: the fault was overcome, or is none.
// A redirect is followed within its origin alone; "ErrTimeout" comes with
// ErrTransport.
package opsroom
