package agentctltest_test

import (
	"context"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom/agentctl/agentctltest"
)

func TestAPipeServerLivesInABubble(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := agentctltest.NewServer(agentctltest.Pipe())
		defer server.Close()
		server.Fail(agentctltest.ListExceptions, agentctltest.Delay(time.Hour), agentctltest.Hang(), agentctltest.CutBody())

		start := time.Now()
		response, err := server.Client().Get(server.URL + "/api/v1/agent/exceptions")
		require.NoError(t, err)
		body, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		require.Equal(t, `{"exceptions":[]}`, string(body))
		require.Equal(t, time.Hour, time.Since(start))

		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL+"/api/v1/agent/exceptions", nil)
		require.NoError(t, err)
		_, err = server.Client().Do(request)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Equal(t, time.Hour+5*time.Second, time.Since(start))

		response, err = server.Client().Get(server.URL + "/api/v1/agent/exceptions")
		require.NoError(t, err)
		_, err = io.ReadAll(response.Body)
		require.ErrorIs(t, err, io.ErrUnexpectedEOF)
		require.NoError(t, response.Body.Close())
	})
}
