package agentctl_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/agentctl"
)

// newLongList starts a server whose list has n rows that are made when they are asked for.
func newLongList(t *testing.T, n int) *agentctl.Client {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		limit, _ := strconv.Atoi(r.URL.Query().Get("limit"))
		offset, _ := strconv.Atoi(r.URL.Query().Get("offset"))
		var page bytes.Buffer
		page.WriteString(`{"exceptions":[`)
		for i := offset; i < min(offset+limit, n); i++ {
			if i > offset {
				page.WriteByte(',')
			}
			fmt.Fprintf(&page, `{"id":"exception-%d","runId":"run-1","status":"open","message":"a message of the usual length, more or less"}`, i)
		}
		page.WriteString(`]}`)
		_, _ = w.Write(page.Bytes())
	}))
	t.Cleanup(server.Close)
	return newClient(t, opsroom.Endpoint{BaseURL: server.URL}, &agentctl.Options{ReadAhead: 2})
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// Not parallel: other tests would add to the heap.
func TestALongWalkNeedsLittleMemory(t *testing.T) {
	const rows = 100_000
	client := newLongList(t, rows)
	before, most, count := heap(), uint64(0), 0
	for _, err := range client.Exceptions(t.Context(), agentctl.ListExceptionsParams{}) {
		require.NoError(t, err)
		count++
		if count%(rows/10) == 0 {
			most = max(most, heap())
		}
	}
	require.Equal(t, rows, count)
	growth := int64(most) - int64(before)
	require.Less(t, growth, int64(32<<20))
	t.Logf("the heap grew by %.1f MiB", float64(growth)/(1<<20))
}
