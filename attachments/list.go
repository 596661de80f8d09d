package attachments

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/opsroom-go/opsroom/internal/rawjson"
)

// A List holds the attachments of one agent, in the backend's order.
type List struct {
	// Attachments are the elements of the array. The slice is empty, not nil,
	// for an agent without any.
	Attachments []Attachment

	// RequestID is the answer's x-request-id, or "". Operators of the backend
	// find the request by it.
	RequestID string

	// Raw is the array in the backend's exact bytes. The attachments share its
	// memory.
	Raw json.RawMessage
}

// parseList reads the body of a successful answer: a bare array of objects.
func parseList(body []byte) (List, error) {
	if err := rawjson.Check(body); err != nil {
		return List{}, err
	}
	elements, err := rawjson.Elements(body)
	if err != nil {
		return List{}, err
	}
	list := List{Attachments: make([]Attachment, 0, len(elements)), Raw: bytes.TrimSpace(body)}
	for i, element := range elements {
		attachment, err := parseAttachment(element)
		if err != nil {
			return List{}, fmt.Errorf("element %d: %w", i, err)
		}
		list.Attachments = append(list.Attachments, attachment)
	}
	return list, nil
}

// MarshalJSON returns the exact bytes of the array, so that a host can hand the
// list on; null for the zero List. Note that encoding/json compacts what it gets.
func (l List) MarshalJSON() ([]byte, error) {
	if l.Raw == nil {
		return []byte("null"), nil
	}
	return l.Raw, nil
}

// Find returns the attachment with exactly this name. Names are unique within a list.
func (l List) Find(name string) (Attachment, bool) {
	for _, a := range l.Attachments {
		if a.Name == name {
			return a, true
		}
	}
	return Attachment{}, false
}

// NeedingConnection returns the attachments that no call can use until somebody
// connects an account, in the order of the list. Who that can be is for
// [Attachment.Remedy] to say.
func (l List) NeedingConnection() []Attachment {
	return l.where(func(a Attachment) bool { return a.State == StateConnectionMissing })
}

// ByRemedy returns the attachments whose remedy is one of the given ones, in
// the order of the list:
//
//	list.ByRemedy(attachments.RemedyConnect, attachments.RemedyAuthorize) // what this caller can fix
//	list.ByRemedy(attachments.RemedyAskAdmin)                             // what only an administrator can
func (l List) ByRemedy(remedies ...Remedy) []Attachment {
	return l.where(func(a Attachment) bool {
		remedy := a.Remedy()
		for _, wanted := range remedies {
			if remedy == wanted {
				return true
			}
		}
		return false
	})
}

// Overriding returns the attachments that take the place of one with the same
// name in a lower layer, in the order of the list. [Attachment.Layers] tells
// which layers those are.
func (l List) Overriding() []Attachment {
	return l.where(func(a Attachment) bool { return len(a.OverriddenSources) > 0 })
}

func (l List) where(keep func(Attachment) bool) []Attachment {
	var kept []Attachment
	for _, a := range l.Attachments {
		if keep(a) {
			kept = append(kept, a)
		}
	}
	return kept
}
