package exchange

import (
	"context"
	"log/slog"
	"time"
)

// record begins the record of an attempt, and returns what writes it at its end.
// Of a problem it tells the status and the request id alone: its texts are
// the server's, and may name what the call was about.
func (k *call) record(ctx context.Context, limited time.Duration) func(error) {
	logger := k.client.logger
	if logger == nil || !logger.Enabled(ctx, slog.LevelDebug) {
		return func(error) {}
	}
	started := time.Now()
	return func(err error) {
		var status int
		var requestID string
		if k.answered {
			status, requestID = k.status, k.requestID
		}
		attributes := []slog.Attr{
			slog.String("operation", k.request.Operation),
			slog.String("method", k.request.Method),
			slog.String("path", k.request.Template),
			slog.Int("status", status),
			slog.Int("attempt", k.attempts),
			slog.Duration("duration", time.Since(started)),
			slog.Duration("wait", k.wait+limited),
			slog.String("request_id", requestID),
		}
		if err != nil && problemOf(err) == nil {
			attributes = append(attributes, slog.String("error", err.Error()))
		}
		logger.LogAttrs(ctx, slog.LevelDebug, "http attempt", attributes...)
	}
}
