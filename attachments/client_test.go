package attachments_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/attachments"
	"github.com/opsroom-go/opsroom/attachments/attachmentstest"
)

func newServer(t *testing.T) *attachmentstest.Server {
	t.Helper()
	server := attachmentstest.NewServer()
	t.Cleanup(server.Close)
	return server
}

func newClient(t *testing.T, endpoint opsroom.Endpoint, options *attachments.Options) *attachments.Client {
	t.Helper()
	client, err := attachments.New(endpoint, options)
	require.NoError(t, err)
	return client
}

// once is the endpoint of a server without repetition.
func once(server *attachmentstest.Server) opsroom.Endpoint {
	endpoint := server.Endpoint()
	endpoint.Retry = opsroom.Retry{Attempts: 1}
	return endpoint
}

func TestListReturnsWhatTheBackendHas(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	agent := server.AddAgent("support-desk", attachmentstest.Fixtures()...)
	client := newClient(t, server.Endpoint(), nil)
	for _, reference := range []string{agent.ID, agent.Name} {
		list, err := client.List(t.Context(), reference)
		require.NoError(t, err)
		require.Len(t, list.Attachments, 5)
		for i, want := range attachmentstest.Fixtures() {
			got := list.Attachments[i]
			require.NotEmpty(t, got.Raw)
			raw, err := want.MarshalJSON()
			require.NoError(t, err)
			require.Equal(t, string(raw), string(got.Raw))
			requireSameFields(t, want, got)
		}
	}
}

// requireSameFields compares all fields but Raw. What Go leaves nil comes back
// as the empty array that the contract demands.
func requireSameFields(t *testing.T, want, got attachments.Attachment) {
	t.Helper()
	got.Raw = nil
	if want.OverriddenSources == nil {
		want.OverriddenSources = []attachments.Layer{}
	}
	if want.HeaderNames == nil {
		want.HeaderNames = []string{}
	}
	if want.Tools == nil {
		want.Tools = []string{}
	}
	require.Equal(t, want, got)
}

func TestARequestIsByteExact(t *testing.T) {
	t.Parallel()
	for agentID, target := range map[string]string{
		"agent_0123456789abcdef0123456789abcdef": "/api/v1/agents/agent_0123456789abcdef0123456789abcdef/mcp-attachments",
		"example":                                "/api/v1/agents/example/mcp-attachments",
		"a b/c?d#e%f":                            "/api/v1/agents/a%20b%2Fc%3Fd%23e%25f/mcp-attachments",
		"$&+,:;=@":                               "/api/v1/agents/%24%26%2B%2C%3A%3B%3D%40/mcp-attachments",
		"-_.!~*'()":                              "/api/v1/agents/-_.!~*'()/mcp-attachments",
		"...":                                    "/api/v1/agents/.../mcp-attachments",
		"a/../b":                                 "/api/v1/agents/a%2F..%2Fb/mcp-attachments",
		"%2e%2e":                                 "/api/v1/agents/%252e%252e/mcp-attachments",
		"é漢\U0001F600":                           "/api/v1/agents/%C3%A9%E6%BC%A2%F0%9F%98%80/mcp-attachments",
		"\x00\r\n":                               "/api/v1/agents/%00%0D%0A/mcp-attachments",
		strings.Repeat("\U0001F600", 128):        "/api/v1/agents/" + strings.Repeat("%F0%9F%98%80", 128) + "/mcp-attachments",
	} {
		t.Run(agentID, func(t *testing.T) {
			t.Parallel()
			server := newServer(t)
			server.AddAgent(agentID)
			client := newClient(t, server.Endpoint(), nil)
			arguments, err := json.Marshal(map[string]string{"agent_id": agentID})
			require.NoError(t, err)

			list, err := client.List(t.Context(), agentID)
			if !strings.HasPrefix(agentID, "agent_") { // that one has the form of an id and is none
				require.NoError(t, err)
				require.Empty(t, list.Attachments)
			}
			_, _ = client.Tools()[0].Call(t.Context(), arguments)

			requests := server.Requests()
			require.Len(t, requests, 2)
			for _, request := range requests {
				require.Equal(t, attachmentstest.Request{
					Method: "GET",
					Target: target,
					Header: http.Header{
						"Accept":          {"application/json, application/problem+json"},
						"Accept-Encoding": {"gzip"},
						"Authorization":   {"Bearer " + attachmentstest.DefaultToken},
						"User-Agent":      {"opsroom-go"},
					},
				}, request)
			}
		})
	}
}

func TestTheOrganisationIsSentOnlyIfOneIsSet(t *testing.T) {
	t.Parallel()
	const other = "org_000000000000000000000000000000ff"
	server := newServer(t)
	agent := server.AddAgentTo(other, "elsewhere", attachmentstest.Connected())
	caller := server.AddCaller(attachmentstest.Caller{OrgIDs: []string{attachmentstest.DefaultOrgID, other}})

	list, err := newClient(t, server.EndpointAs(caller), &attachments.Options{OrgID: other}).List(t.Context(), agent.Name)
	require.NoError(t, err)
	require.Len(t, list.Attachments, 1)
	require.Equal(t, []string{other}, server.Requests()[0].Header["X-Org-Id"])

	_, err = newClient(t, server.EndpointAs(caller), nil).List(t.Context(), agent.Name)
	require.Error(t, err)
	require.NotContains(t, server.Requests()[1].Header, "X-Org-Id")
}

func TestAuthorizeMayPickTheOrganisation(t *testing.T) {
	t.Parallel()
	type tenant struct{}
	server := newServer(t)
	server.AddAgentTo("org_000000000000000000000000000000aa", "bot")
	endpoint := server.EndpointAs(server.AddCaller(attachmentstest.Caller{OrgIDs: []string{"org_000000000000000000000000000000aa"}}))
	bearer := endpoint.Authorize
	endpoint.Authorize = func(r *http.Request) error {
		r.Header.Set("X-Org-Id", r.Context().Value(tenant{}).(string))
		return bearer(r)
	}
	client := newClient(t, endpoint, &attachments.Options{OrgID: attachmentstest.DefaultOrgID})
	_, err := client.List(context.WithValue(t.Context(), tenant{}, "org_000000000000000000000000000000aa"), "bot")
	require.NoError(t, err)
}

func TestNewRefusesWhatItCannotUse(t *testing.T) {
	t.Parallel()
	bearer := opsroom.Bearer("t")
	for name, test := range map[string]struct {
		endpoint opsroom.Endpoint
		orgID    string
		want     string
	}{
		"no URL at all":              {opsroom.Endpoint{BaseURL: "ftp://example.com"}, "", "attachments: BaseURL must start with http:// or https://"},
		"credentials without TLS":    {opsroom.Endpoint{BaseURL: "http://example.com", Authorize: bearer}, "", "attachments: " + opsroom.ErrPlainHTTP.Error()},
		"organisation with newline":  {opsroom.Endpoint{}, "org_1\r\nX-Evil: 1", "attachments: OrgID has characters that a header cannot carry"},
		"organisation beyond ASCII":  {opsroom.Endpoint{}, "orgé", "attachments: OrgID has characters that a header cannot carry"},
		"organisation with a margin": {opsroom.Endpoint{}, "org_1 ", "attachments: OrgID has characters that a header cannot carry"},
		"organisation with a tab":    {opsroom.Endpoint{}, "org\t1", "attachments: OrgID has characters that a header cannot carry"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client, err := attachments.New(test.endpoint, &attachments.Options{OrgID: test.orgID})
			require.EqualError(t, err, test.want)
			require.Nil(t, client)
		})
	}
	_, err := attachments.New(opsroom.Endpoint{BaseURL: "http://example.com", Authorize: bearer}, nil)
	require.ErrorIs(t, err, opsroom.ErrPlainHTTP)
}

// A roundTripper answers in place of the network.
type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestTheProductionAPIIsTheDefault(t *testing.T) {
	t.Parallel()
	var asked string
	client := newClient(t, opsroom.Endpoint{HTTPClient: &http.Client{Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
		asked = r.URL.String()
		return &http.Response{StatusCode: 200, Body: http.NoBody, Request: r}, nil
	})}}, nil)
	_, err := client.List(t.Context(), "example")
	require.ErrorIs(t, err, opsroom.ErrMalformedBody, "an empty body is no list")
	require.Equal(t, "https://app.everruns.com/api/v1/agents/example/mcp-attachments", asked)
}

func TestABaseURLMayEndInASlash(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	server.AddAgent("bot")
	endpoint := server.Endpoint()
	endpoint.BaseURL += "/"
	_, err := newClient(t, endpoint, nil).List(t.Context(), "bot")
	require.NoError(t, err)
}

func TestAnAgentThatAURLCannotNameIsRefusedUnsent(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	client := newClient(t, server.Endpoint(), nil)
	for agentID, want := range map[string]opsroom.InputFailure{
		"":             {Pointer: "/agent_id", Rule: opsroom.RuleMinLength, Message: "must have at least 1 character, has 0"},
		".":            {Pointer: "/agent_id", Rule: opsroom.RulePathSegment, Message: `must not be ".": a URL path cannot carry it`},
		"..":           {Pointer: "/agent_id", Rule: opsroom.RulePathSegment, Message: `must not be "..": a URL path cannot carry it`},
		"a\xff":        {Pointer: "/agent_id", Rule: opsroom.RuleUnicode, Message: "must be valid Unicode text"},
		"\xed\xa0\x80": {Pointer: "/agent_id", Rule: opsroom.RuleUnicode, Message: "must be valid Unicode text"},
	} {
		list, err := client.List(t.Context(), agentID)
		require.Equal(t, &opsroom.InputError{Operation: "list_agent_mcp_attachments", Failures: []opsroom.InputFailure{want}}, err)
		require.Zero(t, list)
	}
	require.Empty(t, server.Requests())
}
