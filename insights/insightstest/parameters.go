package insightstest

import (
	"encoding/json"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/opsroom-go/opsroom/insights"
)

// parameters are the tool's arguments.
type parameters struct {
	ProjectEndpoint string `json:"projectEndpoint"`
	AgentName       string `json:"agentName"`
	Category        string `json:"category"`
	Severity        string `json:"severity"`
	Status          string `json:"status"`
	IncludeDetails  bool   `json:"includeDetails"`
	Order           string `json:"order"`
	After           string `json:"after"`
	Limit           *int   `json:"limit"`
}

// inputSchema is what arguments are held against: the published schema as
// jsonschema-go reads it, so that the kit does not share the checks of the code
// that it is to test.
var inputSchema = sync.OnceValues(func() (*jsonschema.Resolved, error) {
	client, err := insights.New(insights.CallerFunc(nil), nil)
	if err != nil {
		return nil, err
	}
	return client.Tools()[0].InputSchema.JSONSchema().Resolve(nil)
})

// parseParameters checks and reads the tool's arguments.
func parseParameters(raw json.RawMessage) (parameters, *insights.ToolResult) {
	var p parameters
	var members map[string]any
	if err := json.Unmarshal(raw, &members); err != nil {
		return p, failure("Invalid arguments: no JSON object.")
	}
	var missing []string
	for _, required := range []string{"projectEndpoint", "agentName"} {
		if _, given := members[required]; !given {
			missing = append(missing, required)
		}
	}
	if len(missing) > 0 {
		return p, failure("Missing required options: " + strings.Join(missing, ", "))
	}
	schema, err := inputSchema()
	if err == nil {
		err = schema.Validate(members)
	}
	if err != nil {
		return p, failure("Invalid arguments: " + err.Error())
	}
	if limit, given := members["limit"].(float64); given {
		members["limit"] = int(limit) // 5.0 is an integer to the schema, but not to encoding/json
	}
	normal, err := json.Marshal(members)
	if err == nil {
		err = json.Unmarshal(normal, &p)
	}
	if err != nil {
		return p, failure("Invalid arguments.")
	}
	return p, nil
}
