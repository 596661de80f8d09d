package insights

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Most of these secrets are plain words, so that nothing but the words around
// them can give them away.
func TestLineThatCouldHoldACredentialIsNotPresentable(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"Bearer horse", "Bearer: horse", "basic horse", "Authorization: horse", "authorization=horse", "auth=horse", "auth: horse",
		"sig=horse", "sas: horse", "pass=horse", "PAT: horse", "otp=horse", "password=horse", "Password : horse", "pwd=horse",
		"token=horse", "tokens: horse", "token_value=horse", "x-ms-token: horse", "client_secret=horse", "secret1=horse", `"key": horse`,
		"session_id=horse", "session id: horse", "cookie=horse", "Set-Cookie: horse", "assertion=horse", "jwt=horse", "credential=horse",
		"passphrase: horse", "signature=horse", "The api key horse is bad", "x-api-key horse", "APIKey horse",
		"wrong password 'horse'", `the secret is "horse"`, "token was `horse`",
		"eyJhbGciOiJI.horse", "ghp_horse", "github_pat_horse", "glpat-horse", "xoxb-horse", "sk-horse", "AKIAHORSE",
		"https://horse@example.com/", "https://example.com/?horse", "https://example.com/#horse", "https://example.com/;horse",
		"/path?a=horse", "a=b&c=horse", "user:horse@example.com",
		"the key h0rse-staple", "id=h0rse-staple", `sent {"a": "horse"}`, `horse":"horse`, `\"horse\"`, strings.Repeat("h", 41),
	} {
		require.Empty(t, presentable(line))
		require.Empty(t, presentable("It failed, "+line), line)
	}
	for _, line := range []string{
		"401 Unauthorized: the caller may not read this project.", "status=open is not supported", "The access token has expired.",
		"AADSTS50173: a fresh token is needed.", "https://acct.services.ai.azure.com/api/projects/p1 was not found",
		"Missing Required options: --agent-name", "The key is not valid.", "Tool 'foundry' is not available.", "a/b/c: " + strings.Repeat("h", 40),
		"Request insight_00000000000000000000000f failed", "limit=500 is out of range", "Sign-in failed: ask an administrator",
	} {
		require.Equal(t, line, presentable(line))
	}
}
