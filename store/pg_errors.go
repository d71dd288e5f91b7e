package store

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/puddle/v2"
)

const (
	// maxRetries is how often a transaction that the server rolled back is retried.
	maxRetries = 50
	// patience is how long a call waits for a server that restarts, or for a standby that takes
	// over.
	patience = 15 * time.Second
)

// rolledBack reports whether the server rolled back a transaction because of concurrent ones, and
// expects a retry: after a serialization failure or a deadlock.
func rolledBack(err error) bool {
	e, ok := errors.AsType[*pgconn.PgError](err)
	return ok && (e.Code == "40001" || e.Code == "40P01")
}

// lost reports whether the connection broke, or the server is stopping or starting. Then it is
// unknown whether a statement was executed, unless pgconn.SafeToRetry reports that it was not sent.
func lost(err error) bool {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		switch e.Code {
		case "40003", "57P01", "57P02", "57P03", "57P05", "53300": // completion unknown, shutdown, crash, starting, idle, too many connections
			return true
		}
		return e.Code[:2] == "08"
	}
	own, isOwn := errors.AsType[*Error](err)
	return !isOwn && !errors.Is(err, errNoRow) && !errors.Is(err, errType) && !errors.Is(err, puddle.ErrClosedPool) || isOwn && own.Code == ErrUnavailable
}

// codeOf returns the code for an error of the server, by its SQLSTATE.
func codeOf(sqlstate string) Code {
	switch sqlstate {
	case "25006":
		return ErrReadOnly
	case "40001", "40P01", "55P03":
		return ErrBusy
	case "42501":
		return ErrPermission
	case "53100":
		return ErrFull
	case "3D000":
		return ErrAddress
	case "3F000", "42P01", "42703", "42804", "42P10", "23502", "22P02":
		return ErrSchema
	}
	switch sqlstate[:2] {
	case "28":
		return ErrPermission
	case "08", "53", "57":
		return ErrUnavailable
	}
	return ErrServer
}

// codeOfError is codeOf for any error of pgx: all other errors concern the connection.
func codeOfError(err error) Code {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return codeOf(e.Code)
	}
	if errors.Is(err, errType) {
		return ErrSchema
	}
	return ErrUnavailable
}

// wrap adds a code to an error of pgx. Errors with a code, and errors of the caller's context, are
// returned unchanged.
func (s *pgStore) wrap(ctx context.Context, id, msg string, err error) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*Error](err); ok {
		return err
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	code := codeOfError(err)
	if errors.Is(err, puddle.ErrClosedPool) {
		code, msg, err = ErrClosed, "the store is closed", nil
	}
	return s.fail(code, id, msg, err)
}

// again runs a query that changes nothing. It retries if the server rolled the query back and, for
// as long as an append would, if the connection is broken, as all connections are after a restart
// of the server.
func (s *pgStore) again(ctx context.Context, query func() error) error {
	var since time.Time
	for try := 0; ; try++ {
		err := query()
		switch {
		case err == nil:
			return nil
		case lost(err):
			if since.IsZero() {
				since = time.Now()
			}
		case !rolledBack(err) || try == maxRetries:
			return err
		}
		if !since.IsZero() && time.Since(since) > s.patience || pause(ctx, try) != nil {
			return err
		}
	}
}

// pause waits before another try, longer each time, up to a quarter of a second.
func pause(ctx context.Context, try int) error {
	d := time.Millisecond << min(try, 8)
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d/2 + rand.N(d/2+1)):
		return nil
	}
}
