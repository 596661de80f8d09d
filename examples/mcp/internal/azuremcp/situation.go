package azuremcp

// A Situation is one in which the server does not simply pass a call on.
type Situation string

// Situations of the router and of the single proxy.
const (
	Learn             Situation = "learn"               // it takes the call for one with learn:true
	UnknownCommand    Situation = "unknown-command"     // Foundry's server does not list the command
	NoClient          Situation = "no-client"           // Foundry's server cannot be reached
	NullClient        Situation = "null-client"         // there is no client for Foundry's server
	CallFailed        Situation = "call-failed"         // the call behind it times out
	CallRefused       Situation = "call-refused"        // the call behind it is answered with HTTP 401
	CallInvalid       Situation = "call-invalid"        // the call behind it is answered with JSON-RPC -32602
	MissingOptions    Situation = "missing-options"     // the tool misses an argument, and the router adds advice
	UnknownServer     Situation = "unknown-server"      // the registry has no such server
	NoCommand         Situation = "no-command"          // it takes the call for one without command and intent
	ReadOnly          Situation = "read-only"           // the server is read-only, and the tool not known to be
	LocalOnly         Situation = "local-only"          // the server runs remotely, and the tool must not
	NotLoaded         Situation = "not-loaded"          // the server was started for other services only
	LoadersNotStarted Situation = "loaders-not-started" // the loading of tools failed
)

// Situations of mode "all".
const (
	UnknownTool    Situation = "unknown-tool"    // the tool is not in the registry
	Filtered       Situation = "filtered"        // the server exposes other tools only
	ProtocolError  Situation = "protocol-error"  // the call behind it ends with a JSON-RPC error
	ToolException  Situation = "tool-exception"  // the call behind it fails with a message
	OtherException Situation = "other-exception" // the call behind it fails without one
)

// ToolsMissing is a server that could not reach Foundry when it started, in any mode.
const ToolsMissing Situation = "tools-missing"

// Situations returns them all.
func Situations() []Situation {
	return []Situation{
		Learn, UnknownCommand, NoClient, NullClient, CallFailed, CallRefused, CallInvalid, MissingOptions, UnknownServer,
		NoCommand, ReadOnly, LocalOnly, NotLoaded, LoadersNotStarted,
		UnknownTool, Filtered, ProtocolError, ToolException, OtherException,
		ToolsMissing,
	}
}
