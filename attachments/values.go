package attachments

// The values below are those that the contract lists. Each set is open: a value
// that is not among the constants is kept as it is, so a switch over one
// needs a default.

// A Source is a layer of configuration. Higher layers replace the attachments of
// lower ones: the agent's stand above its harness's, and those above the ones
// that capabilities bring along.
type Source string

// The layers, lowest first.
const (
	SourceCapability Source = "capability"
	SourceHarness    Source = "harness"
	SourceAgent      Source = "agent"
)

// ActsAs says whose connection is used for calls to an MCP server.
type ActsAs string

// The identities that an attachment can act as.
const (
	ActsAsNone          ActsAs = "none"            // no connection is needed
	ActsAsService       ActsAs = "service"         // the agent's own
	ActsAsUser          ActsAs = "user"            // that of the person who uses the agent
	ActsAsUserOrService ActsAs = "user_or_service" // either
)

// ConnectInChat says what happens to a call for which a sign-in is missing.
type ConnectInChat string

// What a missing sign-in does.
const (
	ConnectInChatAsk   ConnectInChat = "ask"   // the turn pauses with a card to sign in
	ConnectInChatNever ConnectInChat = "never" // the call fails with a link to the settings
)

// A State says whether an attachment can be used.
type State string

// The states of attachments.
const (
	StateReady             State = "ready"
	StateConnectionMissing State = "connection_missing" // no usable account is connected
	StatePresetMissing     State = "preset_missing"     // the catalog entry is gone
)

// An Action is what the current caller can do about an attachment's connection.
type Action string

// The actions that a caller may have.
const (
	ActionNone      Action = "none"
	ActionConnect   Action = "connect"   // connect the caller's own account
	ActionAuthorize Action = "authorize" // connect an account for the agent
	ActionAskAdmin  Action = "ask_admin" // ask an administrator to do so
)
