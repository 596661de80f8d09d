package attachmentstest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"

	"github.com/opsroom-go/opsroom/attachments"
)

// An Agent is an agent of the server. Its fields are for reading; its methods
// change it, and are safe for concurrent use.
type Agent struct {
	ID    string // "agent_" and 32 hexadecimal digits
	Name  string // unique within the organisation, if tests keep it so
	OrgID string

	server      *Server
	attachments []attachments.Attachment
	accounts    map[string]string // connected for the agent, by provider
}

// AddAgent adds an agent with these attachments to the default organisation:
// see [Agent.Attach].
func (s *Server) AddAgent(name string, list ...attachments.Attachment) *Agent {
	return s.AddAgentTo(DefaultOrgID, name, list...)
}

// AddAgentTo adds an agent to the given organisation, which exists as soon as it
// is named.
func (s *Server) AddAgentTo(orgID, name string, list ...attachments.Attachment) *Agent {
	a := &Agent{Name: name, OrgID: orgID, server: s, accounts: map[string]string{}}
	s.mu.Lock()
	a.ID = fmt.Sprintf("agent_%032x", s.next())
	s.agents = append(s.agents, a)
	s.mu.Unlock()
	a.Attach(list...)
	return a
}

// Attach adds attachments, each in place of one with the same name.
//
// What the server answers for an attachment depends on how it was made:
//   - with Raw, those very bytes, whatever they are;
//   - with a State, all fields as they are, for every caller;
//   - without a State, as the backend would: State, Action, ConnectedAs and
//     CanRevoke follow from the accounts that are connected and from
//     the caller's rights, and fields that were left empty get the backend's
//     defaults. PresetName without PresetID is a preset that is missing.
func (a *Agent) Attach(list ...attachments.Attachment) {
	a.server.mu.Lock()
	defer a.server.mu.Unlock()
	for _, attachment := range list {
		if attachment.Raw != nil {
			attachment = withName(attachment)
		}
		a.detach(attachment.Name)
		a.attachments = append(a.attachments, attachment)
	}
	slices.SortStableFunc(a.attachments, func(x, y attachments.Attachment) int { return cmp.Compare(x.Name, y.Name) })
}

// withName gives an attachment of raw bytes the name to sort it by.
func withName(a attachments.Attachment) attachments.Attachment {
	raw := slices.Clone(a.Raw)
	parsed := attachments.Attachment{Name: a.Name}
	if json.Valid(raw) {
		_ = parsed.UnmarshalJSON(raw) // what is no object keeps the name it was given
	}
	return attachments.Attachment{Name: parsed.Name, Raw: raw}
}

// Detach removes the attachment with this name, if there is one.
func (a *Agent) Detach(name string) {
	a.server.mu.Lock()
	defer a.server.mu.Unlock()
	a.detach(name)
}

func (a *Agent) detach(name string) {
	a.attachments = slices.DeleteFunc(a.attachments, func(other attachments.Attachment) bool { return other.Name == name })
}

// Delete removes the agent from the server.
func (a *Agent) Delete() {
	a.server.mu.Lock()
	defer a.server.mu.Unlock()
	a.server.agents = slices.DeleteFunc(a.server.agents, func(other *Agent) bool { return other == a })
}

// Connect records that an account was connected for the agent with a provider:
// the one that an attachment names as its ServiceConnectionProvider, or
// else as its ConnectionProvider.
func (a *Agent) Connect(provider, account string) {
	a.server.mu.Lock()
	defer a.server.mu.Unlock()
	a.accounts[provider] = account
}

// Disconnect takes back what [Agent.Connect] did.
func (a *Agent) Disconnect(provider string) {
	a.server.mu.Lock()
	defer a.server.mu.Unlock()
	delete(a.accounts, provider)
}

var prefixedID = regexp.MustCompile(`^agent_[0-9a-f]{32}$`)

// find returns the agent that is called by its id or name in an organisation.
// The mutex is held.
func (s *Server) find(orgID, reference string) *Agent {
	for _, a := range s.agents {
		if a.OrgID != orgID {
			continue
		}
		if prefixedID.MatchString(reference) && a.ID == reference || !prefixedID.MatchString(reference) && a.Name == reference {
			return a
		}
	}
	return nil
}
