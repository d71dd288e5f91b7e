package store

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/puddle/v2"
)

// pgPool holds the connections of a store.
type pgPool struct {
	*puddle.Pool[*pgConn]
	config   *pgconn.Config
	unnamed  bool          // prepares no statements
	lifetime time.Duration // after which a connection is not used again
	idle     time.Duration // after which an unused connection is closed
}

// newPGPool makes a pool for an address. The settings of pgxpool are read, except those that only
// say when connections are made in advance.
func newPGPool(address string) (p *pgPool, err error) {
	p = &pgPool{lifetime: time.Hour, idle: 30 * time.Minute}
	if p.config, err = pgconn.ParseConfig(address); err != nil {
		return nil, err
	}
	if p.config.ConnectTimeout <= 0 {
		p.config.ConnectTimeout = 2 * time.Minute // a connection is made even if nobody waits for it any more
	}
	size := max(4, int64(runtime.NumCPU()))
	for name, value := range p.config.RuntimeParams {
		switch name {
		case "pool_max_conns":
			size, err = strconv.ParseInt(value, 10, 32)
		case "pool_max_conn_lifetime":
			p.lifetime, err = time.ParseDuration(value)
		case "pool_max_conn_idle_time":
			p.idle, err = time.ParseDuration(value)
		case "default_query_exec_mode":
			p.unnamed = value != "cache_statement"
			if !slices.Contains([]string{"cache_statement", "cache_describe", "describe_exec", "exec", "simple_protocol"}, value) {
				err = errors.New("unknown mode")
			}
		case "statement_cache_capacity", "description_cache_capacity":
		default:
			if !strings.HasPrefix(name, "pool_") {
				continue // a setting of the server
			}
		}
		if err != nil {
			return nil, err
		}
		delete(p.config.RuntimeParams, name)
	}
	p.Pool, err = puddle.NewPool(&puddle.Config[*pgConn]{
		Constructor: func(ctx context.Context) (*pgConn, error) { return p.connect(ctx, nil) },
		Destructor:  (*pgConn).close,
		MaxSize:     int32(size),
	})
	return p, err
}

// connect makes a connection, which calls a function for each notification.
func (p *pgPool) connect(ctx context.Context, notified func(*pgconn.PgConn, *pgconn.Notification)) (*pgConn, error) {
	config := p.config.Copy()
	config.OnNotification = notified
	c, err := pgconn.ConnectConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	return &pgConn{PgConn: c, unnamed: p.unnamed, prepared: map[string]*pgconn.StatementDescription{}}, nil
}

// close closes a connection, and waits until the server knows.
func (c *pgConn) close() {
	ctx, cancel := context.WithTimeout(context.Background(), 15*time.Second)
	defer cancel()
	_ = c.Close(ctx)
	select {
	case <-c.CleanupDone():
	case <-ctx.Done():
	}
}

// with calls a function with a connection of the pool.
func (p *pgPool) with(ctx context.Context, f func(*pgConn) error) error {
	res, err := p.Acquire(ctx)
	for err == nil && (p.expired(res) || res.IdleDuration() > time.Second && res.Value().Ping(ctx) != nil) {
		res.Destroy()
		res, err = p.Acquire(ctx)
	}
	if err != nil {
		return err
	}
	c := res.Value()
	defer func() {
		if c.IsClosed() || c.IsBusy() || c.TxStatus() != 'I' {
			res.Destroy()
		} else {
			res.Release()
		}
	}()
	return f(c)
}

func (p *pgPool) expired(res *puddle.Resource[*pgConn]) bool {
	return time.Since(res.CreationTime()) > p.lifetime
}

// closeIdle closes connections that were not used for long, until ctx is done.
func (p *pgPool) closeIdle(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Minute):
		}
		for _, res := range p.AcquireAllIdle() {
			if p.expired(res) || res.IdleDuration() > p.idle {
				res.Destroy()
			} else {
				res.ReleaseUnused()
			}
		}
	}
}
