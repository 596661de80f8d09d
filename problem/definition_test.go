package problem

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestADefinitionMakesOccurrences(t *testing.T) {
	t.Parallel()
	outOfCredit := Definition{Type: "https://example.com/probs/out-of-credit", Title: "You do not have enough credit.", Status: 403}
	require.NoError(t, outOfCredit.Validate())
	a, b := outOfCredit.New("30 is too little."), outOfCredit.New("")
	require.Equal(t, &Problem{
		Type: "https://example.com/probs/out-of-credit", Title: "You do not have enough credit.", Status: 403, Detail: "30 is too little.",
	}, a)
	require.NotSame(t, a, b)
	require.ErrorIs(t, a, outOfCredit)
	require.ErrorIs(t, b, outOfCredit)
}

func TestValidateNamesEachFault(t *testing.T) {
	t.Parallel()
	const (
		badType   = "problem: the type of a definition must be an absolute URI"
		badTitle  = "problem: a definition needs a title"
		badStatus = "problem: the status of a definition must be 400 to 599, not "
	)
	tests := []struct {
		name string
		d    Definition
		want string
	}{
		{"nothing", Definition{}, badType + "\n" + badTitle + "\n" + badStatus + "0"},
		{"a relative type", Definition{"/errors/x", "T", 404}, badType},
		{"no URI", Definition{"https://[", "T", 404}, badType},
		{"a blank title", Definition{"https://e.org/x", " ", 404}, badTitle},
		{"a success", Definition{"https://e.org/x", "T", 200}, badStatus + "200"},
		{"no HTTP status", Definition{"https://e.org/x", "T", 600}, badStatus + "600"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			require.EqualError(t, test.d.Validate(), test.want)
		})
	}
	for _, sound := range []Definition{
		{"https://iana.org/assignments/http-problem-types#date", "Date Not Acceptable", 400},
		{"urn:example:x", "T", 599}, {"tag:e.org,2026:x", "T", 500},
	} {
		require.NoError(t, sound.Validate())
	}
}
