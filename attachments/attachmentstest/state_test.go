package attachmentstest_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom/attachments"
	"github.com/opsroom-go/opsroom/attachments/attachmentstest"
)

func list(t *testing.T, server *attachmentstest.Server, c attachmentstest.Caller) []attachments.Attachment {
	t.Helper()
	client, err := attachments.New(server.EndpointAs(c), nil)
	require.NoError(t, err)
	list, err := client.List(t.Context(), "bot")
	require.NoError(t, err)
	return list.Attachments
}

func TestAttachmentsComeBackSortedByName(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	agent := server.AddAgent("bot", attachments.Attachment{Name: "b"}, attachments.Attachment{Name: "Z"})
	agent.Attach(attachments.Attachment{Raw: json.RawMessage(`{"name":"é"}`)}, attachments.Attachment{Raw: json.RawMessage(`{"name":"a"}`)})
	agent.Attach(attachments.Attachment{Name: "b", SourceLabel: "second"})
	agent.Detach("Z")
	got := list(t, server, attachmentstest.Caller{Token: attachmentstest.DefaultToken})
	require.Equal(t, "a", got[0].Name)
	require.Equal(t, "b", got[1].Name)
	require.Equal(t, "second", got[1].SourceLabel, "one of the same name is replaced")
	require.Equal(t, "é", got[2].Name)
	require.Len(t, got, 3)
	agent.Detach("no such name")
}

func TestRawBytesAreServedWhateverTheyAre(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	server.AddAgent("bot", attachments.Attachment{Name: "2", Raw: json.RawMessage(`{broken`)}, attachments.Attachment{Name: "1", Raw: json.RawMessage(`[ 1.0 ]`)})
	got, _ := ask(t, server, "GET", listTarget, authorized)
	require.Equal(t, `[[ 1.0 ],{broken]`, got.body)
}

func TestWhatHasAStateIsTheSameForEveryone(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	agent := server.AddAgent("bot", attachmentstest.Fixtures()...)
	for _, a := range attachmentstest.Fixtures() {
		agent.Connect(a.ConnectionProvider, "x")
		server.Connect(attachmentstest.DefaultToken, a.ConnectionProvider, "x")
	}
	one := list(t, server, attachmentstest.Caller{Token: attachmentstest.DefaultToken})
	two := list(t, server, server.AddCaller(attachmentstest.Caller{Manager: true}))
	require.Equal(t, one, two)
}

func TestFixturesAreSortedAndComplete(t *testing.T) {
	t.Parallel()
	fixtures := attachmentstest.Fixtures()
	require.True(t, slices.IsSortedFunc(fixtures, func(a, b attachments.Attachment) int {
		if a.Name < b.Name {
			return -1
		}
		return 1
	}))
	for _, a := range fixtures {
		require.NotEmpty(t, a.Source)
		require.NotEmpty(t, a.SourceLabel)
		require.NotEmpty(t, a.ActsAs)
		require.NotEmpty(t, a.ConnectInChat)
		require.NotEmpty(t, a.State)
		require.NotEmpty(t, a.Action)
		require.Equal(t, len(a.Tools) > 0, a.ToolsAvailable)
		require.Equal(t, a.Source == attachments.SourceAgent, a.Editable)
		require.Equal(t, a.Source == attachments.SourceCapability, a.Contributor != nil)
		require.Equal(t, a.State == attachments.StatePresetMissing, a.PresetID == "")
	}
	fixtures[2].Tools[0] = "changed"
	require.Equal(t, "find_code", attachmentstest.Fixtures()[2].Tools[0], "each call makes new ones")
}

// A view is what depends on the caller.
type view struct {
	state       attachments.State
	action      attachments.Action
	connectedAs string
	canRevoke   bool
}

func TestLoginsTurnIntoStates(t *testing.T) {
	t.Parallel()
	const (
		ready, missing = attachments.StateReady, attachments.StateConnectionMissing
		none, connect  = attachments.ActionNone, attachments.ActionConnect
		authorize, ask = attachments.ActionAuthorize, attachments.ActionAskAdmin
	)
	type logins struct{ own, service, manager bool }
	for _, test := range []struct {
		actsAs attachments.ActsAs
		logins logins
		want   view
	}{
		{attachments.ActsAsNone, logins{}, view{ready, none, "", false}},
		{attachments.ActsAsNone, logins{own: true, service: true, manager: true}, view{ready, none, "", false}},
		{"group", logins{}, view{ready, none, "", false}},

		{attachments.ActsAsUser, logins{}, view{missing, connect, "", false}},
		{attachments.ActsAsUser, logins{service: true, manager: true}, view{missing, connect, "", false}},
		{attachments.ActsAsUser, logins{own: true}, view{ready, none, "ada", true}},

		{attachments.ActsAsService, logins{}, view{missing, ask, "", false}},
		{attachments.ActsAsService, logins{own: true}, view{missing, ask, "", false}},
		{attachments.ActsAsService, logins{manager: true}, view{missing, authorize, "", false}},
		{attachments.ActsAsService, logins{service: true}, view{ready, none, "bot-account", false}},
		{attachments.ActsAsService, logins{service: true, manager: true}, view{ready, none, "bot-account", true}},

		{attachments.ActsAsUserOrService, logins{}, view{missing, connect, "", false}},
		{attachments.ActsAsUserOrService, logins{service: true}, view{ready, connect, "bot-account", false}},
		{attachments.ActsAsUserOrService, logins{own: true}, view{ready, none, "ada", true}},
		{attachments.ActsAsUserOrService, logins{own: true, manager: true}, view{ready, authorize, "ada", true}},
		{attachments.ActsAsUserOrService, logins{own: true, service: true, manager: true}, view{ready, none, "ada", true}},
	} {
		for _, source := range []attachments.Source{attachments.SourceAgent, attachments.SourceHarness, attachments.SourceCapability} {
			t.Run(fmt.Sprintf("%s %+v %s", test.actsAs, test.logins, source), func(t *testing.T) {
				t.Parallel()
				server := newServer(t)
				c := server.AddCaller(attachmentstest.Caller{Manager: test.logins.manager})
				agent := server.AddAgent("bot", attachments.Attachment{
					Name: "a", Source: source, ActsAs: test.actsAs, PresetName: "p", PresetID: "mcp_1", ConnectionProvider: "provider",
				})
				if test.logins.own {
					server.Connect(c.Token, "provider", "ada")
				}
				if test.logins.service {
					agent.Connect("provider", "bot-account")
				}
				want := test.want
				if source == attachments.SourceCapability {
					want.action, want.canRevoke = none, false
				}
				a := list(t, server, c)[0]
				require.Equal(t, want, view{a.State, a.Action, a.ConnectedAs, a.CanRevoke})
				require.Equal(t, source == attachments.SourceAgent, a.Editable)
			})
		}
	}
}

func TestOtherLoginsDoNotCount(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	c := server.AddCaller(attachmentstest.Caller{})
	agent := server.AddAgent("bot", attachments.Attachment{
		Name: "a", ActsAs: attachments.ActsAsUserOrService, PresetName: "p", PresetID: "mcp_1",
		ConnectionProvider: "provider", ServiceConnectionProvider: "github",
	})
	server.Connect("unknown", "provider", "x")
	server.Disconnect("unknown", "provider")
	server.Connect(attachmentstest.DefaultToken, "provider", "somebody else")
	server.Connect(c.Token, "github", "wrong provider")
	agent.Connect("provider", "wrong provider")
	server.AddAgent("other").Connect("github", "other agent")
	require.Equal(t, attachments.StateConnectionMissing, list(t, server, c)[0].State)

	agent.Connect("github", "")
	a := list(t, server, c)[0]
	require.Equal(t, attachments.StateReady, a.State)
	require.Equal(t, "p", a.ConnectedAs, "the preset's name stands in for an unknown account")

	agent.Disconnect("github")
	server.Connect(c.Token, "provider", "ada")
	require.Equal(t, "ada", list(t, server, c)[0].ConnectedAs)
	server.Disconnect(c.Token, "provider")
	require.Equal(t, attachments.StateConnectionMissing, list(t, server, c)[0].State)
}

func TestWhatIsLeftOpenGetsTheBackendsDefaults(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	server.AddAgent("bot",
		attachments.Attachment{Name: "a", Tools: []string{"t"}},
		attachments.Attachment{Name: "b", Source: attachments.SourceHarness, SourceLabel: "H", ActsAs: attachments.ActsAsUser, PresetName: "gone",
			Action: attachments.ActionConnect, CanRevoke: true, ConnectedAs: "x"},
	)
	got := list(t, server, attachmentstest.Caller{Token: attachmentstest.DefaultToken})
	for i := range got {
		got[i].Raw = nil
	}
	require.Equal(t, []attachments.Attachment{
		{Name: "a", Source: attachments.SourceAgent, SourceLabel: "Agent", OverriddenSources: []attachments.Layer{}, ActsAs: attachments.ActsAsNone,
			ConnectInChat: attachments.ConnectInChatAsk, HeaderNames: []string{}, Tools: []string{"t"}, ToolsAvailable: true,
			State: attachments.StateReady, Action: attachments.ActionNone, Editable: true},
		{Name: "b", Source: attachments.SourceHarness, SourceLabel: "H", OverriddenSources: []attachments.Layer{}, ActsAs: attachments.ActsAsUser,
			ConnectInChat: attachments.ConnectInChatAsk, PresetName: "gone", HeaderNames: []string{}, Tools: []string{},
			State: attachments.StatePresetMissing, Action: attachments.ActionNone},
	}, got)
}

func TestAddCallerFillsInWhatIsOpen(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	one, two := server.AddCaller(attachmentstest.Caller{}), server.AddCaller(attachmentstest.Caller{Manager: true})
	require.Regexp(t, `^evr_pat_[0-9a-f]{64}$`, one.Token)
	require.NotEqual(t, one.Token, two.Token)
	require.Equal(t, []string{attachmentstest.DefaultOrgID}, one.OrgIDs)
	require.True(t, two.Manager)

	server.AddAgent("bot", attachments.Attachment{Name: "a", ActsAs: attachments.ActsAsUser, ConnectionProvider: "p"})
	server.Connect(one.Token, "p", "ada")
	server.AddCaller(one)
	require.Equal(t, attachments.StateConnectionMissing, list(t, server, one)[0].State, "a caller who is added again starts anew")
}
