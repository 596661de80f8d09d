package attachmentstest_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/attachments"
	"github.com/opsroom-go/opsroom/attachments/attachmentstest"
	"github.com/opsroom-go/opsroom/problem"
)

// A test lets its user log in between two calls.
func Example() {
	server := attachmentstest.NewServer()
	defer server.Close()
	server.AddAgent("support-desk", attachments.Attachment{
		Name: "tickets", ActsAs: attachments.ActsAsUser,
		PresetName: "tickets", PresetID: "mcp_1", ConnectionProvider: "mcp_oauth_1",
	})
	client, err := attachments.New(server.Endpoint(), nil)
	if err != nil {
		log.Fatal(err)
	}
	show := func() {
		list, err := client.List(context.Background(), "support-desk")
		if err != nil {
			log.Fatal(err)
		}
		a := list.Attachments[0]
		fmt.Printf("%s: %s, %s, %q\n", a.Name, a.State, a.Action, a.ConnectedAs)
	}

	show()
	server.Connect(attachmentstest.DefaultToken, "mcp_oauth_1", "ada")
	show()
	fmt.Println(server.Requests()[0].Target)
	// Output:
	// tickets: connection_missing, connect, ""
	// tickets: ready, none, "ada"
	// /api/v1/agents/support-desk/mcp-attachments
}

func ExampleServer_Fail() {
	server := attachmentstest.NewServer()
	defer server.Close()
	server.AddAgent("support-desk")
	endpoint := server.Endpoint()
	endpoint.Retry = opsroom.Retry{Attempts: 1} // let each fault reach the caller
	client, err := attachments.New(endpoint, nil)
	if err != nil {
		log.Fatal(err)
	}

	server.Fail(attachmentstest.Status(503), attachmentstest.TruncateBody())
	for range 3 {
		_, err := client.List(context.Background(), "support-desk")
		switch details, isProblem := errors.AsType[*problem.Problem](err); {
		case isProblem:
			fmt.Println(details)
		case errors.Is(err, opsroom.ErrMalformedBody):
			fmt.Println("malformed")
		default:
			fmt.Println(err)
		}
	}
	// Output:
	// 503 Service Unavailable (database_pool_exhausted): Database capacity is temporarily unavailable; retry after 1s
	// malformed
	// <nil>
}
