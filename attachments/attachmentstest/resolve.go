package attachmentstest

import (
	"cmp"

	"github.com/opsroom-go/opsroom/attachments"
)

// resolve completes an attachment that was given without a State for a caller.
// The mutex is held.
func (a *Agent) resolve(attachment attachments.Attachment, c *caller) attachments.Attachment {
	if attachment.Raw != nil || attachment.State != "" {
		return attachment
	}
	withDefaults(&attachment)
	attachment.State = attachments.StateReady
	attachment.Action = attachments.ActionNone
	attachment.ConnectedAs, attachment.CanRevoke = "", false
	if attachment.PresetName != "" && attachment.PresetID == "" {
		attachment.State = attachments.StatePresetMissing
		return attachment
	}
	l := a.logins(attachment, c)
	switch {
	case !l.own.wanted && !l.service.wanted:
		return attachment
	case l.own.connected || l.service.connected:
		attachment.ConnectedAs = cmp.Or(l.account(), attachment.PresetName)
	default:
		attachment.State = attachments.StateConnectionMissing
	}
	if attachment.Source != attachments.SourceCapability {
		attachment.Action = l.action()
		attachment.CanRevoke = l.own.connected || l.service.connected && l.manager
	}
	return attachment
}

// withDefaults fills in what the backend never leaves empty.
func withDefaults(a *attachments.Attachment) {
	a.Source = cmp.Or(a.Source, attachments.SourceAgent)
	if a.Source == attachments.SourceAgent {
		a.SourceLabel = cmp.Or(a.SourceLabel, "Agent")
	}
	a.ActsAs = cmp.Or(a.ActsAs, attachments.ActsAsNone)
	a.ConnectInChat = cmp.Or(a.ConnectInChat, attachments.ConnectInChatAsk)
	a.ToolsAvailable = len(a.Tools) > 0
	a.Editable = a.Source == attachments.SourceAgent
}

// A login is an account that may be connected.
type login struct {
	wanted    bool // the attachment can use such a login
	connected bool
	account   string
}

// logins are those that count for an attachment and a caller.
type logins struct {
	own, service login
	manager      bool
}

func (a *Agent) logins(attachment attachments.Attachment, c *caller) logins {
	l := logins{manager: c.Manager}
	switch attachment.ActsAs {
	case attachments.ActsAsUser:
		l.own.wanted = true
	case attachments.ActsAsService:
		l.service.wanted = true
	case attachments.ActsAsUserOrService:
		l.own.wanted, l.service.wanted = true, true
	}
	if l.own.wanted {
		l.own.account, l.own.connected = c.accounts[attachment.ConnectionProvider]
	}
	if l.service.wanted {
		provider := cmp.Or(attachment.ServiceConnectionProvider, attachment.ConnectionProvider)
		l.service.account, l.service.connected = a.accounts[provider]
	}
	return l
}

// account is that of the login in use; the caller's own comes first.
func (l logins) account() string {
	if l.own.connected {
		return l.own.account
	}
	return l.service.account
}

// action is what the caller can do about the logins that are not there.
func (l logins) action() attachments.Action {
	switch {
	case l.own.wanted && !l.own.connected:
		return attachments.ActionConnect
	case !l.service.wanted || l.service.connected:
		return attachments.ActionNone
	case l.manager:
		return attachments.ActionAuthorize
	case l.own.connected:
		return attachments.ActionNone
	}
	return attachments.ActionAskAdmin
}
