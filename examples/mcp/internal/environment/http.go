package environment

import (
	"errors"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/agentctl"
	"github.com/opsroom-go/opsroom/agentctl/agentctltest"
	"github.com/opsroom-go/opsroom/attachments"
	"github.com/opsroom-go/opsroom/attachments/attachmentstest"
)

// DemoAgent is the agent whose attachments the embedded backend knows.
const DemoAgent = "payments-clerk"

// ControlPlane makes the client for AGENTCTL_API_URL and AGENTCTL_API_KEY, or for
// an embedded control plane if neither is set.
func ControlPlane(getenv func(string) string) (*agentctl.Client, Source, error) {
	const address, key = "AGENTCTL_API_URL", "AGENTCTL_API_KEY"
	base := getenv(address)
	switch {
	case base == "" && getenv(key) == "":
		server := agentctltest.NewServer(agentctltest.Demo())
		client, err := agentctl.New(server.Endpoint(), nil)
		return client, Source{close: server.Close}, err
	case base == "":
		return nil, Source{}, &ValueError{address, errors.New("an address is required where " + key + " is set")}
	}
	authorize, err := bearer(getenv, key)
	if err != nil {
		return nil, Source{}, err
	}
	client, err := agentctl.New(opsroom.Endpoint{BaseURL: base, Authorize: authorize}, nil)
	if err != nil {
		return nil, Source{}, &ValueError{address, err}
	}
	return client, Source{Where: host(base)}, nil
}

// Attachments makes the client for EVERRUNS_API_URL, EVERRUNS_API_KEY and
// EVERRUNS_ORG_ID, or for an embedded Everruns if none is set. A key without an
// address is one for the production API.
func Attachments(getenv func(string) string) (*attachments.Client, Source, error) {
	const address, key, org = "EVERRUNS_API_URL", "EVERRUNS_API_KEY", "EVERRUNS_ORG_ID"
	base := getenv(address)
	if base == "" && getenv(key) == "" && getenv(org) == "" {
		server := attachmentstest.NewServer()
		server.AddAgent(DemoAgent, attachmentstest.Fixtures()...)
		client, err := attachments.New(server.Endpoint(), nil)
		return client, Source{close: server.Close}, err
	}
	if base == "" {
		base = attachments.DefaultBaseURL
	}
	authorize, err := bearer(getenv, key)
	if err != nil {
		return nil, Source{}, err
	}
	endpoint := opsroom.Endpoint{BaseURL: base, Authorize: authorize}
	if _, err := attachments.New(endpoint, nil); err != nil {
		return nil, Source{}, &ValueError{address, err}
	}
	client, err := attachments.New(endpoint, &attachments.Options{OrgID: getenv(org)})
	if err != nil {
		return nil, Source{}, &ValueError{org, err} // all else has just been found right
	}
	return client, Source{Where: host(base)}, nil
}
