package attachments

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkDecode compares what List makes of an answer, exact rows included,
// with encoding/json's decoding into a plain struct, which keeps none.
func BenchmarkDecode(b *testing.B) {
	row := Attachment{
		Name: "code-host", Source: SourceAgent, SourceLabel: "Agent", OverriddenSources: []Layer{{SourceHarness, "Reviewer"}},
		ActsAs: ActsAsUser, ConnectInChat: ConnectInChatAsk, PresetName: "code-host", PresetID: "mcp_0000000000000000000000000000c0de",
		ConnectionProvider: "mcp_oauth_00000000-0000-4000-8000-00000000c0de", URL: "https://mcp.code-host.example/v1",
		Tools: []string{"find_code", "open_change"}, ToolsAvailable: true, State: StateReady, Action: ActionNone, Editable: true,
	}
	body, err := json.Marshal(slices.Repeat([]Attachment{row}, 50))
	require.NoError(b, err)
	b.Run("list", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := parseList(body); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("encoding-json", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var rows []document
			if err := json.Unmarshal(body, &rows); err != nil {
				b.Fatal(err)
			}
		}
	})
}
