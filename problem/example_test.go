package problem_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"github.com/opsroom-go/opsroom/problem"
)

// outOfCredit declares a problem type once, for all of its occurrences.
var outOfCredit = problem.Definition{
	Type:   "https://example.com/probs/out-of-credit",
	Title:  "You do not have enough credit.",
	Status: http.StatusForbidden,
}

// call is how a client turns a failed response into an error.
func call(url string) error {
	resp, err := http.Get(url)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 400 {
		return fmt.Errorf("buy: %w", problem.FromResponse(resp))
	}
	return nil
}

func ExampleFromResponse() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusTooManyRequests)
		io.WriteString(w, `{"title": "Too Many Requests", "status": 429, "code": "rate_limited", "detail": "Slow down.",
			"retry_after_seconds": 60, "allowed_actions": [{"rel": "retry-later", "hint": "Wait, then try again."}]}`)
	}))
	defer server.Close()

	err := call(server.URL)
	fmt.Println(err)
	if p, ok := errors.AsType[*problem.Problem](err); ok {
		wait, _ := p.RetryAfter()
		fmt.Println(p.Status, wait, p.AllowedActions[0].Rel)
	}
	// Output:
	// buy: 429 Too Many Requests (rate_limited): Slow down; retry after 60s; allowed actions: retry-later (Wait, then try again.)
	// 429 1m0s retry-later
}

// Bodies that are no problems make errors that say so.
func ExampleFromResponse_gateway() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusBadGateway)
		io.WriteString(w, "<!DOCTYPE html><html><body>nginx</body></html>")
	}))
	defer server.Close()

	fmt.Println(call(server.URL))
	// Output:
	// buy: 502 Bad Gateway: the response body is HTML, not problem details
}

func ExampleProblem_Is() {
	server := httptest.NewServer(outOfCredit.New("Your balance is 30, but that costs 50."))
	defer server.Close()

	err := call(server.URL)
	fmt.Println(errors.Is(err, outOfCredit))
	fmt.Println(errors.Is(err, problem.Type("https://example.com/probs/out-of-credit")))
	fmt.Println(errors.Is(err, problem.Status(http.StatusForbidden)))
	fmt.Println(errors.Is(err, problem.Code("rate_limited")))
	// Output:
	// true
	// true
	// true
	// false
}

func ExampleWrite() {
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p := outOfCredit.New("Your balance is 30, but that costs 50.")
		p.Instance = "/account/12345/msgs/abc"
		if err := p.SetExtension("balance", 30); err != nil {
			p.Cause = err
		}
		problem.Write(w, r, p)
	})
	r := httptest.NewRequest(http.MethodPost, "/buy", nil)
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	fmt.Println(w.Code, w.Header().Get("Content-Type"))
	fmt.Println(w.Body)

	r.Header.Set("Accept", "application/problem+xml")
	w = httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	fmt.Println(w.Code, w.Header().Get("Content-Type"))
	// Output:
	// 403 application/problem+json
	// {"type":"https://example.com/probs/out-of-credit","title":"You do not have enough credit.","status":403,"detail":"Your balance is 30, but that costs 50.","instance":"/account/12345/msgs/abc","balance":30}
	// 403 application/problem+xml
}

func ExampleDefinition() {
	// A test of the program checks all of its definitions.
	fmt.Println(outOfCredit.Validate())

	p := outOfCredit.New("Your balance is 30, but that costs 50.")
	fmt.Println(p)
	fmt.Println(errors.Is(p, outOfCredit))
	// Output:
	// <nil>
	// 403 You do not have enough credit: Your balance is 30, but that costs 50
	// true
}

func ExampleExtension() {
	p := problem.Parse(http.StatusForbidden, http.Header{"Content-Type": {"application/problem+json"}}, nil,
		[]byte(`{"title": "You do not have enough credit.", "balance": 30, "accounts": ["/account/12345"]}`))
	balance, ok := problem.Extension[int](p, "balance")
	fmt.Println(balance, ok)
	_, ok = problem.Extension[string](p, "balance")
	fmt.Println(ok)
	fmt.Printf("%s\n", p.Extensions["accounts"])
	// Output:
	// 30 true
	// false
	// ["/account/12345"]
}
