package main

import (
	"context"
	"net/url"
	"path/filepath"

	"github.com/opsroom-go/opsroom/insights"
	"github.com/opsroom-go/opsroom/insights/insightstest"
)

// connectInsights makes the insights client: over a real MCP server if one is
// configured, else over the one in memory.
func (b *backends) connectInsights(ctx context.Context, c config) error {
	if c.mcpCommand == nil && c.mcpURL == "" {
		server := insightstest.NewSample(insightstest.Router)
		client, err := insights.New(server, &insights.Options{Route: server.Route()})
		b.insights = client
		return err
	}
	session := &mcpClient{transport: &httpTransport{address: c.mcpURL}}
	if c.mcpCommand != nil {
		program, err := startServer(ctx, c.mcpCommand)
		if err != nil {
			return err
		}
		session.transport = program
	}
	b.started = append(b.started, session.transport)
	if err := session.initialize(ctx); err != nil {
		return err
	}
	route, err := findRoute(ctx, c.route, session)
	if err != nil {
		return err
	}
	b.insights, err = insights.New(session, &insights.Options{Route: route})
	return err
}

// findRoute returns how the MCP server offers the tool.
func findRoute(ctx context.Context, name string, session *mcpClient) (insights.Route, error) {
	switch name {
	case "direct":
		return insights.Direct(insights.ToolName), nil
	case "router":
		return insights.Router(insights.RouterName), nil
	case "single":
		return insights.SingleProxy(insights.SingleProxyName), nil
	}
	names, err := session.toolNames(ctx)
	if err != nil {
		return insights.Route{}, err
	}
	return insights.Discover(names)
}

// insightsServer names where insights come from. Arguments of a command and the rest
// of an address may be secret.
func insightsServer(c config) string {
	if c.mcpCommand != nil {
		return filepath.Base(c.mcpCommand[0])
	}
	if address, err := url.Parse(c.mcpURL); err == nil && c.mcpURL != "" {
		return address.Scheme + "://" + address.Host
	}
	return ""
}
