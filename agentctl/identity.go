package agentctl

import (
	"crypto/sha256"
	"encoding/json"

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
	identity := e.ID
	if c.options.ExceptionID != nil {
		identity = c.options.ExceptionID(e)
	}
	return keyOf(identity, e.Raw)
}

func (c *Client) runKey(r Run) rowKey { return keyOf(c.runIdentity(r), r.Raw) }

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
