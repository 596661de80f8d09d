package insightstest_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/opsroom-go/opsroom/insights"
	"github.com/opsroom-go/opsroom/insights/insightstest"
)

var modes = []insightstest.Mode{insightstest.Direct, insightstest.Prefixed, insightstest.Router, insightstest.SingleProxy}

func sampleClient(t *testing.T, mode insightstest.Mode) (*insightstest.Backend, *insights.Client) {
	t.Helper()
	backend := insightstest.NewSample(mode)
	client, err := insights.New(backend, &insights.Options{Route: backend.Route()})
	require.NoError(t, err)
	return backend, client
}

var sampleQuery = insights.Query{ProjectEndpoint: insightstest.SampleEndpoint, AgentName: insightstest.SampleAgent}

func TestEveryFaultIsReportedAsItsKindInEveryMode(t *testing.T) {
	t.Parallel()
	for _, mode := range modes {
		for _, fault := range insightstest.Faults() {
			t.Run(string(mode)+"/"+string(fault), func(t *testing.T) {
				t.Parallel()
				backend, client := sampleClient(t, mode)
				if fault == insightstest.EmptyPage {
					backend.Fail(fault, insightstest.None, fault)
				} else {
					backend.FailAlways(fault)
				}
				ctx := t.Context()
				if fault == insightstest.Hang {
					var cancel context.CancelFunc
					ctx, cancel = context.WithTimeout(ctx, time.Millisecond)
					defer cancel()
				}
				found, err := client.Collect(ctx, sampleQuery)
				require.Equal(t, fault.Kind(), insights.KindOf(err), "%v", err)
				if fault.Kind() == "" {
					require.NoError(t, err)
					require.Len(t, found.Insights, 230)
				}
				t.Log(err)
			})
		}
	}
}
