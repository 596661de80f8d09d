package exchange

import (
	"context"
	"log/slog"
	"time"
)

// log writes the record of an attempt.
func (k *call) log(ctx context.Context, limited time.Duration, started time.Time, err error) {
	logger := k.client.logger
	if logger == nil || !logger.Enabled(ctx, slog.LevelDebug) {
		return
	}
	attributes := []slog.Attr{
		slog.String("operation", k.request.Operation),
		slog.String("method", k.request.Method),
		slog.String("path", k.request.Template),
		slog.Int("status", k.status),
		slog.Int("attempt", k.tries),
		slog.Duration("duration", time.Since(started)),
		slog.Duration("wait", k.wait+limited),
		slog.String("request_id", k.requestID),
	}
	if err != nil {
		attributes = append(attributes, slog.String("error", err.Error()))
	}
	logger.LogAttrs(ctx, slog.LevelDebug, "http attempt", attributes...)
}
