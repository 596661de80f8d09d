package attachmentstest

import "github.com/opsroom-go/opsroom/attachments"

// Fixtures returns one attachment of each kind that a host has to tell apart, in
// the order of their names: [NeedsAuthorization], [PresetMissing],
// [Connected], [Optional], [FromCapability].
func Fixtures() []attachments.Attachment {
	return []attachments.Attachment{NeedsAuthorization(), PresetMissing(), Connected(), Optional(), FromCapability()}
}

// Connected is a catalog server that the caller has connected with an account of
// their own. It is defined on the agent and overrides two lower layers.
func Connected() attachments.Attachment {
	return attachments.Attachment{
		Name:        "code-host",
		Source:      attachments.SourceAgent,
		SourceLabel: "Agent",
		OverriddenSources: []attachments.Layer{
			{Source: attachments.SourceCapability, Label: "Code search"},
			{Source: attachments.SourceHarness, Label: "Reviewer"},
		},
		ActsAs:             attachments.ActsAsUser,
		ConnectInChat:      attachments.ConnectInChatAsk,
		PresetName:         "code-host",
		PresetID:           "mcp_0000000000000000000000000000c0de",
		ConnectionProvider: "mcp_oauth_00000000-0000-4000-8000-00000000c0de",
		URL:                "https://mcp.code-host.example/v1",
		HeaderNames:        []string{"X-Team"},
		Tools:              []string{"find_code", "open_change"},
		ToolsAvailable:     true,
		State:              attachments.StateReady,
		Action:             attachments.ActionNone,
		ConnectedAs:        "ada",
		CanRevoke:          true,
		Editable:           true,
	}
}

// NeedsAuthorization is a server that works with the agent's own account, which
// nobody has connected yet; this caller may, on the agent's integrations.
// Set its Action to [attachments.ActionAskAdmin] for a caller who may not.
func NeedsAuthorization() attachments.Attachment {
	return attachments.Attachment{
		Name:                      "billing",
		Source:                    attachments.SourceAgent,
		SourceLabel:               "Agent",
		ActsAs:                    attachments.ActsAsService,
		ConnectInChat:             attachments.ConnectInChatNever,
		Deferred:                  true,
		PresetName:                "billing",
		PresetID:                  "mcp_0000000000000000000000000000b111",
		ConnectionProvider:        "mcp_oauth_00000000-0000-4000-8000-00000000b111",
		ServiceConnectionProvider: "ledger",
		URL:                       "https://billing.example/mcp",
		Tools:                     []string{"find_invoice"},
		ToolsAvailable:            true,
		State:                     attachments.StateConnectionMissing,
		Action:                    attachments.ActionAuthorize,
		Editable:                  true,
	}
}

// Optional is a server that is ready, since the agent's account serves everyone,
// and offers this caller to connect an own account all the same.
func Optional() attachments.Attachment {
	return attachments.Attachment{
		Name:               "tickets",
		Source:             attachments.SourceHarness,
		SourceLabel:        "Support desk",
		ActsAs:             attachments.ActsAsUserOrService,
		ConnectInChat:      attachments.ConnectInChatAsk,
		PresetName:         "tickets",
		PresetID:           "mcp_000000000000000000000000000071c5",
		ConnectionProvider: "mcp_oauth_00000000-0000-4000-8000-0000000071c5",
		URL:                "https://tickets.example/mcp",
		Tools:              []string{"read_ticket", "reply"},
		ToolsAvailable:     true,
		State:              attachments.StateReady,
		Action:             attachments.ActionConnect,
		ConnectedAs:        "desk-bot",
	}
}

// FromCapability is a server that a capability brought along. Its connection is
// missing, and the list offers nothing to do about it.
func FromCapability() attachments.Attachment {
	return attachments.Attachment{
		Name:        "weather",
		Source:      attachments.SourceCapability,
		SourceLabel: "Forecasts",
		Contributor: &attachments.Contributor{
			ID: "forecasts", Name: "Forecasts", Href: "/capabilities/forecasts",
		},
		ActsAs:             attachments.ActsAsUser,
		ConnectInChat:      attachments.ConnectInChatAsk,
		PresetName:         "weather",
		PresetID:           "mcp_00000000000000000000000000000f0c",
		ConnectionProvider: "mcp_oauth_00000000-0000-4000-8000-000000000f0c",
		URL:                "https://weather.example/mcp",
		State:              attachments.StateConnectionMissing,
		Action:             attachments.ActionNone,
	}
}

// PresetMissing refers to a catalog entry that is not there any more.
func PresetMissing() attachments.Attachment {
	return attachments.Attachment{
		Name:          "calendar",
		Source:        attachments.SourceAgent,
		SourceLabel:   "Agent",
		ActsAs:        attachments.ActsAsUser,
		ConnectInChat: attachments.ConnectInChatAsk,
		PresetName:    "old-calendar",
		State:         attachments.StatePresetMissing,
		Action:        attachments.ActionNone,
		Editable:      true,
	}
}
