package problem

import (
	"encoding/json"
	"net/url"
)

// Action is one entry of allowed_actions: something that the caller can do
// about a problem. The server's vocabulary is open. Absent members, and those
// of another type than text, are "".
type Action struct {
	// Rel is the link relation, such as "retry", "retry-later" or "get-existing".
	Rel string
	// OperationID is the operationId of the operation to call.
	OperationID string
	// Method is the HTTP method for Href.
	Method string
	// Hint is a short text that says what to do.
	Hint string
	// Href is the link as written, perhaps relative.
	Href string
	// SchemaRef points to the schema of the request body.
	SchemaRef string
	// URL is Href after resolution against the base URI of the response, or ""
	// when there is no Href. It is not written. It is untrusted: nothing here
	// follows it, and whoever does should send credentials to the service's
	// own origin only.
	URL string
	// Extensions holds every other member, with its exact bytes.
	Extensions map[string]json.RawMessage
}

// field returns the field that holds the named member, or nil.
func (a *Action) field(name string) *string {
	switch name {
	case "rel":
		return &a.Rel
	case "operation_id":
		return &a.OperationID
	case "method":
		return &a.Method
	case "hint":
		return &a.Hint
	case "href":
		return &a.Href
	case "schema_ref":
		return &a.SchemaRef
	}
	return nil
}

// actionMembers are the names that field knows, in the order in which they are written.
var actionMembers = [...]string{"rel", "operation_id", "method", "hint", "href", "schema_ref"}

// parseActions reads the value of allowed_actions. Anything but an array of
// objects is of the wrong type. The value must be valid JSON.
func parseActions(value []byte, base *url.URL) ([]Action, bool) {
	if value[0] != '[' {
		return nil, false
	}
	actions := []Action{}
	for item := range elements(value) {
		if item[0] != '{' {
			return nil, false
		}
		actions = append(actions, parseAction(item, base))
	}
	return actions, true
}

func parseAction(object []byte, base *url.URL) Action {
	var a Action
	for name, value := range members(object) {
		field := a.field(name)
		if field != nil {
			*field = ""
			delete(a.Extensions, name)
		}
		// An empty text stays in its bytes, so that writing keeps it.
		if field != nil && value[0] == '"' && len(value) > len(`""`) {
			*field = unquote(value)
			continue
		}
		if a.Extensions == nil {
			a.Extensions = make(map[string]json.RawMessage)
		}
		a.Extensions[name] = value
	}
	if len(a.Extensions) == 0 {
		a.Extensions = nil
	}
	if a.Href != "" {
		a.URL = resolve(base, a.Href)
	}
	return a
}

// appendJSON writes the action as a JSON object.
func (a *Action) appendJSON(b []byte) []byte {
	o := object{b: append(b, '{')}
	for _, name := range actionMembers {
		if text := *a.field(name); text != "" {
			o.text(name, text)
		}
	}
	for _, name := range writableNames(a.Extensions, maxJSONDepth-3) {
		if field := a.field(name); field == nil || *field == "" {
			o.raw(name, a.Extensions[name])
		}
	}
	return o.close()
}
