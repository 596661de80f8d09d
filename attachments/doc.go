// Package attachments reads which MCP servers an Everruns agent can use: the
// effective MCP attachments, after the layers of its configuration are merged,
// with the state of their connections as the current caller sees it.
//
//	client, err := attachments.New(opsroom.Endpoint{Authorize: opsroom.Bearer(token)}, nil)
//	…
//	list, err := client.List(ctx, "support-desk") // an agent's id or name
//	for _, a := range list.Attachments {
//		fmt.Println(a.Name, a.State, a.Remedy())
//	}
//
// The same operation comes as a tool from [Client.Tools], for a host whose
// model is to ask by itself.
//
// # What an attachment says
//
// Layers are merged from capability over harness to agent; Source is the one that
// won, and [Attachment.Layers] tells what it replaced. State says whether the
// attachment can be used, Action what this caller can do about its connection,
// and the two have to be read together:
//
//	State               Action                what it means                          Remedy
//	ready               none                  usable                                 RemedyNone
//	ready               connect, authorize    usable; one more login is on offer     RemedyNone
//	connection_missing  connect               this caller can log in                 RemedyConnect
//	connection_missing  authorize             this caller can log in for the agent   RemedyAuthorize
//	connection_missing  ask_admin             only an administrator can              RemedyAskAdmin
//	connection_missing  none                  of a capability: see its page          RemedyUnknown
//	preset_missing      none                  the catalog entry is gone              RemedyReconfigure
//
// [Attachment.Remedy] is that table. On a list, [List.NeedingConnection],
// [List.ByRemedy] and [List.Overriding] select by it, and [Client.RemedyURL] has an
// address to send a person to, which is a guess and says so.
//
// # Leniency
//
// The backend gained several members within a month, so nothing that is new or
// gone may break a host. Values of State, Action and their like are open sets:
// unknown ones are kept. Optional members may be null or absent, with the same
// result. A member of the wrong type leaves its field at the zero value.
// Members that this package does not know stay in [Attachment].Raw, the exact
// bytes of the element, where [Attachment.Decode] finds them. Only an answer that is not
// an array of objects is an error, [opsroom.ErrMalformedBody].
//
// The published output schema of the tool follows the same rule. MCP clients
// refuse results that do not fit it, so it has the contract's members and
// their types, but lists known values as examples only, requires no member of
// an attachment, and allows others.
//
// # Errors
//
// An agent that a URL cannot name is an [*opsroom.InputError], and nothing is
// sent. All else is an [*opsroom.RequestError], whose cause for an error
// status is a *problem.Problem, whatever the answer's body or content type was:
//
//	if errors.Is(err, problem.Status(http.StatusNotFound)) { … }
//	if p, ok := errors.AsType[*problem.Problem](err); ok { … }
//
// The contract lists 404 and 500. These are known to occur:
//
//	400  the token belongs to several organisations: name one in [Options].OrgID
//	401  no credentials, bad ones, or an OrgID that is not "org_" and 32 hexadecimal digits
//	403  the caller may not see agents; has no code
//	404  the agent is not there; or its harness, with code not_found; or the
//	     caller is no member of the organisation. The detail tells people which
//	     it was, and nothing tells programs: do not conclude that the agent is gone
//	429  code rate_limited; says when to come back, mostly after 60 seconds, which
//	     is longer than the client waits by itself. It is labelled
//	     application/json and is read as a problem all the same
//	500  code internal_error
//	503  code database_pool_exhausted, may be tried again after a second
//
// The client repeats what may pass by itself, as [opsroom.Endpoint].Retry has it.
//
// # Callers and organisations
//
// A list is resolved for the owner of the credentials: two callers see
// different states, so a cache has to be kept apart by token and organisation.
// The documented form of credentials is a personal access token with
// [opsroom.Bearer]; a host with many tenants picks the token, and the X-Org-Id if
// need be, in [opsroom.Endpoint].Authorize.
//
// # Testing
//
// Package attachmentstest is the backend in memory.
package attachments
