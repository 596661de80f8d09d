package attachmentstest

import (
	"fmt"
	"slices"
)

// A Caller is somebody who may talk to the server.
type Caller struct {
	// Token is what the caller authenticates with. A token that starts with
	// "evr_pat_" is a personal access token, any other one the token of a
	// browser session. Empty means a new personal access token.
	Token string

	// OrgIDs are the organisations that the caller belongs to, the default one
	// if there are none. An organisation exists as soon as it is named.
	OrgIDs []string

	// Manager says that the caller may connect accounts for agents.
	Manager bool

	// Denied says that the caller may not see agents.
	Denied bool
}

// caller is a Caller with what changes about it.
type caller struct {
	Caller
	accounts map[string]string // connected accounts by provider
}

// AddCaller lets somebody talk to the server, and returns the caller with what
// was left open filled in. A token that is known already gets the new rights,
// and loses its connections.
func (s *Server) AddCaller(c Caller) Caller {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.Token == "" {
		c.Token = fmt.Sprintf("evr_pat_%064x", 0x1000+s.next())
	}
	if len(c.OrgIDs) == 0 {
		c.OrgIDs = []string{DefaultOrgID}
	}
	c.OrgIDs = slices.Clone(c.OrgIDs)
	s.callers[c.Token] = &caller{Caller: c, accounts: map[string]string{}}
	return c
}

// Connect records that the caller with this token has connected an account with a
// provider, as if by a login in the browser. An empty account is one of which
// the provider did not tell the name. A token that is not known changes nothing.
func (s *Server) Connect(token, provider, account string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.callers[token]; c != nil {
		c.accounts[provider] = account
	}
}

// Disconnect takes back what [Server.Connect] did.
func (s *Server) Disconnect(token, provider string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.callers[token]; c != nil {
		delete(c.accounts, provider)
	}
}
