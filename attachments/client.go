package attachments

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/internal/arguments"
	"github.com/opsroom-go/opsroom/internal/escape"
	"github.com/opsroom-go/opsroom/internal/exchange"
)

// DefaultBaseURL is the production API. It is where a [Client] goes if its
// endpoint has no BaseURL.
const DefaultBaseURL = "https://app.everruns.com/api"

// Options adjust a [Client]. The zero value is the default of everything.
type Options struct {
	// OrgID is the organisation to look in, such as
	// "org_00000000000000000000000000000001", sent as X-Org-Id. The backend
	// needs it only for a personal access token that belongs to several
	// organisations. Empty sends no such header.
	//
	// A host that serves several organisations with one client sets the header
	// in [opsroom.Endpoint].Authorize, which sees the call's context and has the
	// last word.
	OrgID string
}

// A Client reads attachments from one Everruns API. It is safe for concurrent
// use by any number of goroutines, and there is nothing to close.
//
// Lists are resolved for whoever the credentials belong to, so a host must not
// share one list between callers or organisations.
type Client struct {
	exchange *exchange.Client
	orgID    string
	base     *url.URL // of the API
}

// New returns a client of the API at endpoint, whose empty BaseURL means
// [DefaultBaseURL]. Nil options are the defaults. It is an error if the
// BaseURL is unusable or the OrgID cannot be sent in a header, and
// [opsroom.ErrPlainHTTP] if credentials would travel unprotected.
// Nothing is sent.
func New(endpoint opsroom.Endpoint, options *Options) (*Client, error) {
	if endpoint.BaseURL == "" {
		endpoint.BaseURL = DefaultBaseURL
	}
	carrier, err := exchange.New(endpoint)
	if err != nil {
		return nil, fmt.Errorf("attachments: %w", err)
	}
	base, _ := url.Parse(endpoint.BaseURL) // exchange.New has read it, too
	c := &Client{exchange: carrier, base: base}
	if options != nil {
		c.orgID = options.OrgID
	}
	if !isHeaderValue(c.orgID) {
		return nil, errors.New("attachments: OrgID has characters that a header cannot carry")
	}
	return c, nil
}

// isHeaderValue reports whether s arrives unchanged as a header's value:
// printable ASCII that neither begins nor ends with a blank (RFC 9110, section 5.5).
func isHeaderValue(s string) bool {
	return strings.TrimSpace(s) == s && !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' })
}

// listAttachments is the contract's name of the operation, and the tool's.
const listAttachments = "list_agent_mcp_attachments"

// List returns the MCP attachments in effect for an agent, as this client's
// credentials see them. The agent is named by its prefixed id ("agent_" and 32
// hexadecimal digits) or by its name.
//
// An agentID that a URL path cannot carry ("", "." or "..", invalid UTF-8) is an
// [*opsroom.InputError], and nothing is sent. Every other failure is an
// [*opsroom.RequestError]; an error status is a *problem.Problem in it, and
// an answer that is no array of objects is [opsroom.ErrMalformedBody].
func (c *Client) List(ctx context.Context, agentID string) (List, error) {
	return c.list(ctx, arguments.FromValues(listAttachments, arguments.StringValue("agent_id", agentID)))
}

// list is the road that both forms of the operation take.
func (c *Client) list(ctx context.Context, check *arguments.Check) (List, error) {
	agentID, err := checkArguments(check)
	if err != nil {
		return List{}, err
	}
	response, err := c.exchange.Do(ctx, c.request(agentID))
	if err != nil {
		return List{}, err
	}
	list, err := parseList(response.Body)
	if err != nil {
		return List{}, response.Malformed(listAttachments, err)
	}
	list.RequestID = response.RequestID
	return list, nil
}

// checkArguments asks for the members of the input schema, in its order.
func checkArguments(check *arguments.Check) (agentID string, err error) {
	agentID, _ = check.Text("agent_id", arguments.Text{Required: true, Min: 1, PathSegment: true})
	return agentID, check.Err()
}

func (c *Client) request(agentID string) exchange.Request {
	request := exchange.Request{
		Operation: listAttachments,
		Method:    http.MethodGet,
		Template:  "/v1/agents/{agent_id}/mcp-attachments",
		Path:      "/v1/agents/" + escape.PathSegment(agentID) + "/mcp-attachments",
	}
	if c.orgID != "" {
		request.Header = exchange.Header{Name: "X-Org-Id", Value: c.orgID}
	}
	return request
}
