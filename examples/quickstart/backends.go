package main

import (
	"context"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/agentctl"
	"github.com/opsroom-go/opsroom/agentctl/agentctltest"
	"github.com/opsroom-go/opsroom/attachments"
	"github.com/opsroom-go/opsroom/attachments/attachmentstest"
	"github.com/opsroom-go/opsroom/insights"
)

// backends are the three clients, and what was started for them.
type backends struct {
	control     *agentctl.Client
	attachments *attachments.Client
	insights    *insights.Client

	everruns *attachmentstest.Server // nil if a real one is used
	started  []interface{ Close() }
}

// connect makes the clients: of the real backends that are configured, and of
// in-memory ones for the rest. The backends are to be closed even after an error.
func connect(ctx context.Context, c config) (*backends, error) {
	b := &backends{}
	var err error
	if b.control, err = agentctl.New(b.controlEndpoint(c), nil); err != nil {
		return b, err
	}
	if b.attachments, err = attachments.New(b.everrunsEndpoint(c), &attachments.Options{OrgID: c.orgID}); err != nil {
		return b, err
	}
	return b, b.connectInsights(ctx, c)
}

func (b *backends) close() {
	for _, server := range b.started {
		server.Close()
	}
}

func (b *backends) controlEndpoint(c config) opsroom.Endpoint {
	if c.controlURL != "" {
		return endpoint(c.controlURL, c.controlKey)
	}
	server := agentctltest.NewServer(agentctltest.Demo())
	b.started = append(b.started, server)
	return server.Endpoint()
}

func (b *backends) everrunsEndpoint(c config) opsroom.Endpoint {
	if c.everrunsURL != "" {
		return endpoint(c.everrunsURL, c.everrunsKey)
	}
	b.everruns = attachmentstest.NewServer()
	b.everruns.AddAgent(demoAgent, attachmentstest.Fixtures()...)
	b.started = append(b.started, b.everruns)
	return b.everruns.Endpoint()
}

func endpoint(url, key string) opsroom.Endpoint {
	e := opsroom.Endpoint{BaseURL: url}
	if key != "" {
		e.Authorize = opsroom.Bearer(key)
	}
	return e
}
