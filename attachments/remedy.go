package attachments

import (
	"net/url"
	"strings"

	"github.com/opsroom-go/opsroom/internal/escape"
)

// A Remedy says what makes an attachment usable, and who can do it.
type Remedy string

// The remedies.
const (
	// RemedyNone: the attachment is ready. Its Action may still offer this
	// caller a further login, such as an own account where the agent's is used.
	RemedyNone Remedy = "none"

	// RemedyConnect: this caller connects an account of their own.
	RemedyConnect Remedy = "connect"

	// RemedyAuthorize: this caller connects an account for the agent. If
	// ServiceConnectionProvider is set, that is done with the agent's integrations.
	RemedyAuthorize Remedy = "authorize"

	// RemedyAskAdmin: only an administrator can connect an account.
	RemedyAskAdmin Remedy = "ask_admin"

	// RemedyReconfigure: the catalog entry that the configuration refers to is
	// gone. It has to be restored, or the reference changed in the layer that
	// Source names; Editable says that this is the agent itself.
	RemedyReconfigure Remedy = "reconfigure"

	// RemedyUnknown: the attachment is not ready, and the backend offers this
	// caller nothing, or something that this package does not know. For an
	// attachment of a capability that is the rule: the place to look is the
	// page of its Contributor.
	RemedyUnknown Remedy = "unknown"
)

// Remedy says what makes the attachment usable. It reads State and Action
// together, because neither tells alone: a ready attachment can offer an
// action, and one whose connection is missing can offer none.
func (a Attachment) Remedy() Remedy {
	switch a.State {
	case StateReady:
		return RemedyNone
	case StatePresetMissing:
		return RemedyReconfigure
	case StateConnectionMissing:
		switch a.Action {
		case ActionConnect:
			return RemedyConnect
		case ActionAuthorize:
			return RemedyAuthorize
		case ActionAskAdmin:
			return RemedyAskAdmin
		}
	}
	return RemedyUnknown
}

// RemedyURL returns where a person does in a browser, signed in to the web
// interface, what the attachment's Action names: [ActionConnect] and
// [ActionAuthorize] lead through a login to the agent's page. For an attachment
// of a capability that is not ready it is the capability's page. ok is false
// if there is no such address.
//
// These addresses are a guess. The contract gives only the provider's
// key and the path of the capability's page; the routes are those of the
// publisher's open-source server in 2026, on the assumption that the web
// interface has the origin of the API. AgentID is best the agent's prefixed id:
// whether the pages also take a name is not known.
//
// No credentials are part of the address, and nothing is sent.
func (c *Client) RemedyURL(agentID string, a Attachment) (address string, ok bool) {
	if !isSegment(agentID) {
		return "", false
	}
	page := "/agents/" + escape.PathSegment(agentID)
	switch {
	case a.Action == ActionConnect:
		return c.loginURL(a, page, "mode", "user")
	case a.Action == ActionAuthorize && a.ServiceConnectionProvider != "":
		return c.pageURL(page + "?tab=integrations")
	case a.Action == ActionAuthorize:
		return c.loginURL(a, page, "mode", "identity", "agent_id", agentID)
	case a.State != StateReady && a.Contributor != nil:
		return c.pageURL(a.Contributor.Href)
	}
	return "", false
}

// loginURL is the API's address that starts a login and leads back to page.
func (c *Client) loginURL(a Attachment, page string, parameters ...string) (string, bool) {
	if !isSegment(a.ConnectionProvider) {
		return "", false
	}
	var query escape.Query
	query.Add("return_to", page+"?tab=mcp")
	for i := 0; i+1 < len(parameters); i += 2 {
		query.Add(parameters[i], parameters[i+1])
	}
	return strings.TrimRight(c.base.String(), "/") + "/v1/user/connections/" + escape.PathSegment(a.ConnectionProvider) + "/authorize?" + query.String(), true
}

// pageURL is the address of a page of the web interface. The path may come from
// the backend, so whatever leads to another origin is refused.
func (c *Client) pageURL(path string) (string, bool) {
	page, err := url.Parse(path)
	if err != nil || page.Scheme != "" || page.Host != "" || page.User != nil || !strings.HasPrefix(page.Path, "/") {
		return "", false
	}
	return c.base.ResolveReference(page).String(), true
}

// isSegment reports whether s can be a segment of a URL path.
func isSegment(s string) bool { return s != "" && s != "." && s != ".." }
