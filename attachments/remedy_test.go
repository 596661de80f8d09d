package attachments_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/attachments"
	"github.com/opsroom-go/opsroom/attachments/attachmentstest"
)

func TestARemedyFollowsFromStateAndActionTogether(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		state  attachments.State
		action attachments.Action
		want   attachments.Remedy
	}{
		{attachments.StateReady, attachments.ActionNone, attachments.RemedyNone},
		{attachments.StateReady, attachments.ActionConnect, attachments.RemedyNone},
		{attachments.StateReady, attachments.ActionAuthorize, attachments.RemedyNone},
		{attachments.StateReady, "new", attachments.RemedyNone},
		{attachments.StateConnectionMissing, attachments.ActionConnect, attachments.RemedyConnect},
		{attachments.StateConnectionMissing, attachments.ActionAuthorize, attachments.RemedyAuthorize},
		{attachments.StateConnectionMissing, attachments.ActionAskAdmin, attachments.RemedyAskAdmin},
		{attachments.StateConnectionMissing, attachments.ActionNone, attachments.RemedyUnknown},
		{attachments.StateConnectionMissing, "new", attachments.RemedyUnknown},
		{attachments.StateConnectionMissing, "", attachments.RemedyUnknown},
		{attachments.StatePresetMissing, attachments.ActionNone, attachments.RemedyReconfigure},
		{attachments.StatePresetMissing, attachments.ActionConnect, attachments.RemedyReconfigure},
		{"new", attachments.ActionConnect, attachments.RemedyUnknown},
		{"", "", attachments.RemedyUnknown},
	} {
		a := attachments.Attachment{State: test.state, Action: test.action}
		require.Equal(t, test.want, a.Remedy(), "%s, %s", test.state, test.action)
	}
}

func names(list []attachments.Attachment) []string {
	var names []string
	for _, a := range list {
		names = append(names, a.Name)
	}
	return names
}

func TestAListSelectsWhatAHostAsksNext(t *testing.T) {
	t.Parallel()
	denied := attachmentstest.NeedsAuthorization()
	denied.Name, denied.Action = "payroll", attachments.ActionAskAdmin
	list := attachments.List{Attachments: append(attachmentstest.Fixtures(), denied)}

	require.Equal(t, []string{"billing", "weather", "payroll"}, names(list.NeedingConnection()))
	require.Equal(t, []string{"billing"}, names(list.ByRemedy(attachments.RemedyConnect, attachments.RemedyAuthorize)))
	require.Equal(t, []string{"payroll"}, names(list.ByRemedy(attachments.RemedyAskAdmin)))
	require.Equal(t, []string{"calendar"}, names(list.ByRemedy(attachments.RemedyReconfigure)))
	require.Equal(t, []string{"code-host", "tickets"}, names(list.ByRemedy(attachments.RemedyNone)))
	require.Equal(t, []string{"weather"}, names(list.ByRemedy(attachments.RemedyUnknown)))
	require.Empty(t, list.ByRemedy())
	require.Equal(t, []string{"code-host"}, names(list.Overriding()))

	found, ok := list.Find("tickets")
	require.True(t, ok)
	require.Equal(t, attachmentstest.Optional(), found)
	_, ok = list.Find("Tickets")
	require.False(t, ok)
}

func TestLayersEndWithTheOneInEffect(t *testing.T) {
	t.Parallel()
	a := attachmentstest.Connected()
	layers := a.Layers()
	require.Equal(t, []attachments.Layer{
		{Source: attachments.SourceCapability, Label: "Code search"},
		{Source: attachments.SourceHarness, Label: "Reviewer"},
		{Source: attachments.SourceAgent, Label: "Agent"},
	}, layers)
	layers[0].Label = "changed"
	require.Equal(t, attachmentstest.Connected(), a, "the caller owns the slice")
	require.Equal(t, []attachments.Layer{{Source: attachments.SourceCapability, Label: "Forecasts"}}, attachmentstest.FromCapability().Layers())
}

func TestRemedyURL(t *testing.T) {
	t.Parallel()
	const id = "agent_00000000000000000000000000000001"
	with := func(a attachments.Attachment, change func(*attachments.Attachment)) attachments.Attachment {
		change(&a)
		return a
	}
	client := newClient(t, opsroom.Endpoint{}, nil)
	for name, test := range map[string]struct {
		agentID    string
		attachment attachments.Attachment
		want       string
	}{
		"an own account": {id, attachmentstest.Optional(),
			"https://app.everruns.com/api/v1/user/connections/mcp_oauth_00000000-0000-4000-8000-0000000071c5/authorize?return_to=%2Fagents%2F" + id + "%3Ftab%3Dmcp&mode=user"},
		"an account for the agent": {id, with(attachmentstest.NeedsAuthorization(), func(a *attachments.Attachment) { a.ServiceConnectionProvider = "" }),
			"https://app.everruns.com/api/v1/user/connections/mcp_oauth_00000000-0000-4000-8000-00000000b111/authorize?return_to=%2Fagents%2F" + id + "%3Ftab%3Dmcp&mode=identity&agent_id=" + id},
		"an integration of the agent": {id, attachmentstest.NeedsAuthorization(), "https://app.everruns.com/agents/" + id + "?tab=integrations"},
		"a capability's page":         {id, attachmentstest.FromCapability(), "https://app.everruns.com/capabilities/forecasts"},
		"odd characters": {"a b&c", with(attachmentstest.Optional(), func(a *attachments.Attachment) { a.ConnectionProvider = "x/../y?z" }),
			"https://app.everruns.com/api/v1/user/connections/x%2F..%2Fy%3Fz/authorize?return_to=%2Fagents%2Fa%2520b%2526c%3Ftab%3Dmcp&mode=user"},

		"nothing to do":            {id, attachmentstest.Connected(), ""},
		"a preset that is missing": {id, attachmentstest.PresetMissing(), ""},
		"only an administrator":    {id, with(attachmentstest.NeedsAuthorization(), func(a *attachments.Attachment) { a.Action = attachments.ActionAskAdmin }), ""},
		"no provider":              {id, attachments.Attachment{Action: attachments.ActionConnect}, ""},
		"a provider of dots":       {id, attachments.Attachment{Action: attachments.ActionConnect, ConnectionProvider: ".."}, ""},
		"no agent":                 {"", attachmentstest.Optional(), ""},
		"an agent of dots":         {"..", attachmentstest.NeedsAuthorization(), ""},
		"a ready capability":       {id, with(attachmentstest.FromCapability(), func(a *attachments.Attachment) { a.State = attachments.StateReady }), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, ok := client.RemedyURL(test.agentID, test.attachment)
			require.Equal(t, test.want, got)
			require.Equal(t, test.want != "", ok)
		})
	}
}

func TestRemedyURLStaysOnTheOriginOfTheAPI(t *testing.T) {
	t.Parallel()
	client := newClient(t, opsroom.Endpoint{BaseURL: "https://agents.example:8443/api/"}, nil)
	for href, want := range map[string]string{
		"/capabilities/x":        "https://agents.example:8443/capabilities/x",
		"/capabilities/x?a=1#b":  "https://agents.example:8443/capabilities/x?a=1#b",
		"https://evil.example/x": "",
		"//evil.example/x":       "",
		"/\\evil.example":        "https://agents.example:8443/%5Cevil.example",
		"javascript:alert(1)":    "",
		"capabilities/x":         "",
		"":                       "",
		"?x":                     "",
		"/\x7f":                  "",
		"///evil.example":        "https://agents.example:8443///evil.example",
		"https:/x":               "",
		"/..//evil.example/x":    "https://agents.example:8443/evil.example/x",
	} {
		a := attachmentstest.FromCapability()
		a.Contributor.Href = href
		got, ok := client.RemedyURL("bot", a)
		require.Equal(t, want, got, href)
		require.Equal(t, want != "", ok, href)
	}
}
