package attachments_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/attachments"
	"github.com/opsroom-go/opsroom/attachments/attachmentstest"
	"github.com/opsroom-go/opsroom/problem"
)

// The examples run against the backend in memory. Against the real one, the
// endpoint is opsroom.Endpoint{Authorize: opsroom.Bearer(token)}.
func exampleBackend() *attachmentstest.Server {
	server := attachmentstest.NewServer()
	server.AddAgent("support-desk", attachmentstest.Fixtures()...)
	return server
}

func Example() {
	server := exampleBackend()
	defer server.Close()

	client, err := attachments.New(server.Endpoint(), nil)
	if err != nil {
		log.Fatal(err)
	}
	list, err := client.List(context.Background(), "support-desk")
	if err != nil {
		log.Fatal(err)
	}
	for _, a := range list.Attachments {
		fmt.Printf("%-10s %-19s %s\n", a.Name, a.State, a.Remedy())
	}
	// Output:
	// billing    connection_missing  authorize
	// calendar   preset_missing      reconfigure
	// code-host  ready               none
	// tickets    ready               none
	// weather    connection_missing  unknown
}

// A host tells its user what to do about the servers that cannot be used yet.
func ExampleAttachment_Remedy() {
	server := exampleBackend()
	defer server.Close()
	client, err := attachments.New(server.Endpoint(), nil)
	if err != nil {
		log.Fatal(err)
	}
	list, err := client.List(context.Background(), "support-desk")
	if err != nil {
		log.Fatal(err)
	}
	for _, a := range list.Attachments {
		switch a.Remedy() {
		case attachments.RemedyNone:
		case attachments.RemedyConnect:
			fmt.Printf("%s: connect your account\n", a.Name)
		case attachments.RemedyAuthorize:
			fmt.Printf("%s: connect an account for the agent\n", a.Name)
		case attachments.RemedyAskAdmin:
			fmt.Printf("%s: ask an administrator\n", a.Name)
		case attachments.RemedyReconfigure:
			fmt.Printf("%s: preset %q is gone\n", a.Name, a.PresetName)
		default:
			if a.Contributor != nil {
				fmt.Printf("%s: see the capability %q\n", a.Name, a.Contributor.Name)
			}
		}
	}
	// Output:
	// billing: connect an account for the agent
	// calendar: preset "old-calendar" is gone
	// weather: see the capability "Forecasts"
}

func ExampleAttachment_Layers() {
	for _, layer := range attachmentstest.Connected().Layers() {
		fmt.Printf("%s (%s)\n", layer.Source, layer.Label)
	}
	// Output:
	// capability (Code search)
	// harness (Reviewer)
	// agent (Agent)
}

// Members that the package does not know are there for the host to read.
func ExampleAttachment_Decode() {
	var a attachments.Attachment
	if err := json.Unmarshal([]byte(`{"name":"tickets","state":"ready","quota":9007199254740993}`), &a); err != nil {
		log.Fatal(err)
	}
	var extra struct {
		Quota int64 `json:"quota"`
	}
	if err := a.Decode(&extra); err != nil {
		log.Fatal(err)
	}
	fmt.Println(a.Name, extra.Quota)
	// Output: tickets 9007199254740993
}

func ExampleList_ByRemedy() {
	server := exampleBackend()
	defer server.Close()
	client, err := attachments.New(server.Endpoint(), nil)
	if err != nil {
		log.Fatal(err)
	}
	list, err := client.List(context.Background(), "support-desk")
	if err != nil {
		log.Fatal(err)
	}
	for _, a := range list.ByRemedy(attachments.RemedyConnect, attachments.RemedyAuthorize) {
		fmt.Println("this caller can fix", a.Name)
	}
	for _, a := range list.ByRemedy(attachments.RemedyAskAdmin) {
		fmt.Println("an administrator can fix", a.Name)
	}
	// Output: this caller can fix billing
}

func ExampleClient_List_errors() {
	server := exampleBackend()
	defer server.Close()
	client, err := attachments.New(server.Endpoint(), nil)
	if err != nil {
		log.Fatal(err)
	}

	_, err = client.List(context.Background(), "..")
	if input, ok := errors.AsType[*opsroom.InputError](err); ok {
		fmt.Println("refused:", input.Failures[0].Rule)
	}

	_, err = client.List(context.Background(), "nobody")
	if errors.Is(err, problem.Status(http.StatusNotFound)) {
		fmt.Println("not found:", err)
	}
	// Output:
	// refused: pathSegment
	// not found: list_agent_mcp_attachments: 404 Not Found: Agent not found (request id 00000000-0000-4000-8000-000000000001)
}

func ExampleClient_Tools() {
	server := attachmentstest.NewServer()
	defer server.Close()
	server.AddAgent("support-desk", attachments.Attachment{Raw: json.RawMessage(`{"name":"tickets","state":"ready"}`)})
	client, err := attachments.New(server.Endpoint(), nil)
	if err != nil {
		log.Fatal(err)
	}
	tool := client.Tools()[0]

	result, err := tool.Call(context.Background(), json.RawMessage(`{"agent_id":"support-desk"}`))
	fmt.Println(result.Text, err)

	result, _ = tool.Call(context.Background(), json.RawMessage(`{"agentId":"support-desk"}`))
	fmt.Println(result.IsError, result.Text)
	// Output:
	// {"attachments":[{"name":"tickets","state":"ready"}]} <nil>
	// true list_agent_mcp_attachments: invalid arguments, nothing was sent: agent_id: is required; agentId: is not a known member (did you mean "agent_id"?)
}
