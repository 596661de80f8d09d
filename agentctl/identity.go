package agentctl

import (
	"crypto/sha256"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/opsroom-go/opsroom/internal/rawjson"
)

// A rowKey tells rows apart. It is a hash, so that a walk over very many rows needs
// little memory whatever the rows hold.
type rowKey [16]byte

func keyOf(identity string, raw json.RawMessage) rowKey {
	hash := sha256.New()
	if identity != "" {
		hash.Write([]byte{'i'})
		hash.Write([]byte(identity))
	} else {
		hash.Write([]byte{'r'})
		hash.Write(raw)
	}
	return rowKey(hash.Sum(nil))
}

func (c *Client) exceptionKey(e Exception) rowKey {
	if c.options.ExceptionID != nil {
		return keyOf(c.options.ExceptionID(e), e.Raw)
	}
	return keyOf(unlessReplaced(e.ID), e.Raw)
}

func (c *Client) runKey(r Run) rowKey {
	if c.options.RunID != nil {
		return keyOf(c.options.RunID(r), r.Raw)
	}
	return keyOf(unlessReplaced(c.runIdentity(r)), r.Raw)
}

// unlessReplaced returns identity, or "" if it may stand for several: U+FFFD is what all
// unpaired surrogates of JSON strings become.
func unlessReplaced(identity string) string {
	if strings.ContainsRune(identity, utf8.RuneError) {
		return ""
	}
	return identity
}

// runIdentity returns what callers name a run by.
func (c *Client) runIdentity(r Run) string {
	if c.options.RunID != nil {
		return c.options.RunID(r)
	}
	if r.ID != "" {
		return r.ID
	}
	members, _ := rawjson.Members(r.Raw) // a row that is no object has no members
	value, _ := rawjson.Lookup(members, "runId")
	return rawjson.Text(value)
}
