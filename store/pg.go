package store

import (
	"context"
	"errors"
	"io/fs"
	"regexp"
	"strconv"
	"sync"
	"time"
)

// pgStore is a store in PostgreSQL, or in a database that supports its protocol and its basic SQL.
// One row of pactkit_head says where a history ends; an append is one statement that moves the
// head, if it is still where the caller expects it, and inserts the frames.
type pgStore struct {
	pool     *pgPool
	address  string        // without a password
	patience time.Duration // how long a call waits for a server that is not reachable

	stop     context.CancelFunc // ends the goroutines
	running  sync.WaitGroup
	notifier notifier
	listener listener
}

// oldestServer is the oldest supported major version: that of the oldest YugabyteDB servers still
// in use.
const oldestServer = 11

// openPG connects to the server of an address, checks it, and creates or upgrades the tables.
func openPG(ctx context.Context, address string) (*pgStore, error) {
	s := &pgStore{address: Redacted(address), patience: patience}
	var err error
	if s.pool, err = newPGPool(address); err != nil || !isPostgres(address) || isAmbiguous(schemes.ReplaceAllLiteralString(address, "")) {
		return nil, s.errAddress(err)
	}
	if params := s.pool.config.RuntimeParams; params["application_name"] == "" {
		params["application_name"] = "pactkit"
	}
	if err := s.pool.with(ctx, func(c *pgConn) error { return s.prepare(ctx, c) }); err != nil {
		s.pool.Close()
		return nil, s.wrap(ctx, "", "the server does not answer", err)
	}
	background, stop := context.WithCancel(context.Background())
	s.stop = stop
	s.notifier.start(background, s)
	s.listener.start(background, s)
	s.running.Go(func() { s.pool.closeIdle(background) })
	return s, nil
}

// unreadable says how an address is written.
const unreadable = "the address cannot be read: it is postgres://user:password@host:port/database?setting=value, " +
	"and in the user and the password %40 stands for @, %3A for :, %2F for /, %3F for ?, %23 for # and %25 for %; " +
	"if a history follows, #id, the password is not a setting"

// errAddress is the error of an address that is no use. The errors of pgx may quote a part of the
// address that is one of a password; those about a file do not.
func (s *pgStore) errAddress(err error) error {
	if file, ok := errors.AsType[*fs.PathError](err); ok {
		return s.fail(ErrAddress, "", "a file that the address names cannot be read", file)
	}
	return s.fail(ErrAddress, "", unreadable, nil)
}

// prepare checks the server and its tables.
func (s *pgStore) prepare(ctx context.Context, c *pgConn) error {
	if v := c.ParameterStatus("server_version"); major(v) < oldestServer {
		return s.fail(ErrServer, "", "the server is of version "+v+"; at least "+strconv.Itoa(oldestServer)+" is needed", nil)
	}
	var durable, encoding string
	if err := queryRow(ctx, c, []any{&durable, &encoding}, "select current_setting($1), current_setting($2)", "synchronous_commit", "server_encoding"); err != nil {
		return s.wrap(ctx, "", "the settings of the server cannot be read", err)
	}
	if encoding != "UTF8" {
		return s.fail(ErrServer, "", "the database is encoded in "+encoding+", which has no place for some characters; create one with encoding UTF8", nil)
	}
	if durable == "off" {
		return s.fail(ErrServer, "", "synchronous_commit is off, so a crash of the server loses commits that it has confirmed; "+
			"turn it on for this role: alter role NAME set synchronous_commit = on", nil)
	}
	return s.migrate(ctx, c)
}

// major returns the major version of a server, or 0 for a text that is not one.
func major(version string) int {
	n, _ := strconv.Atoi(regexp.MustCompile(`^\d*`).FindString(version))
	return n
}

// Close ends the goroutines and the connections.
func (s *pgStore) Close() error {
	s.stop()
	s.running.Wait()
	s.pool.Close()
	return nil
}

// Head reads the version in one query.
func (s *pgStore) Head(ctx context.Context, id string) (Version, error) {
	if err := s.checkID(id); err != nil {
		return Version{}, err
	}
	h, err := s.head(ctx, id)
	return h.version, err
}

// pgHead is a row of pactkit_head.
type pgHead struct {
	seq     int64 // of the last frame
	version Version
	base    []byte // of a fork that shares frames: the key of the other history
	shared  *int64 // the number of the last one of them
}

func (s *pgStore) head(ctx context.Context, id string) (pgHead, error) {
	return s.headOf(ctx, s.pool, id, selectHead(id, ""))
}

func selectHead(id, lock string) statement {
	return statement{"select seq, cycle, digest, base, shared from pactkit_head where history = $1" + lock, []any{[]byte(sortKey(id))}}
}

// headOf reads a head with a query, and the columns after it.
func (s *pgStore) headOf(ctx context.Context, q querier, id string, query statement, more ...any) (pgHead, error) {
	var h pgHead
	var digest []byte
	into := append([]any{&h.seq, &h.version.Cycle, &digest, &h.base, &h.shared}, more...)
	err := s.ask(ctx, q, func() error { return queryRow(ctx, q, into, query.sql, query.args...) })
	switch {
	case errors.Is(err, errNoRow):
		return h, s.fail(ErrNotFound, id, "there is no such history", nil)
	case err != nil:
		return h, s.wrap(ctx, id, "the head cannot be read", err)
	case len(digest) != len(h.version.Digest):
		return h, s.fail(ErrSchema, id, "the digest of the head has the wrong length", nil)
	}
	copy(h.version.Digest[:], digest)
	return h, nil
}

// ask runs a query that changes nothing, again if need be, unless it is part of a transaction.
func (s *pgStore) ask(ctx context.Context, q querier, query func() error) error {
	if _, inTx := q.(*pgConn); inTx {
		return query()
	}
	return s.again(ctx, query)
}

// Delete removes the head first. This waits for appends in progress, so their frames are visible to
// the second statement.
func (s *pgStore) Delete(ctx context.Context, id string) error {
	if err := s.checkID(id); err != nil {
		return err
	}
	key := []byte(sortKey(id))
	defer s.notifier.announce(key)
	return s.inTx(ctx, id, "the history cannot be deleted", func(tx *pgConn) error {
		if err := s.handOver(ctx, tx, id); err != nil {
			return err
		}
		deleted, err := execute(ctx, tx, "delete from pactkit_head where history = $1", key)
		if err != nil {
			return err
		}
		if deleted == 0 {
			return s.fail(ErrNotFound, id, "there is no such history", nil)
		}
		if _, err = execute(ctx, tx, "delete from pactkit_frame where history = $1", key); err != nil {
			return err
		}
		_, err = execute(ctx, tx, "delete from pactkit_fork where history = $1", key)
		return err
	})
}

// inTx runs f in a transaction. It repeats the transaction if the server asks for that, and wraps
// errors.
func (s *pgStore) inTx(ctx context.Context, id, what string, f func(*pgConn) error) error {
	for try := 0; ; try++ {
		err := transact(ctx, s.pool, f)
		if err == nil {
			return nil
		}
		if !rolledBack(err) || try == maxRetries {
			return s.wrap(ctx, id, what, err)
		}
		if err := pause(ctx, try); err != nil {
			return err
		}
	}
}

func (s *pgStore) checkID(id string) error {
	if why := checkID(id); why != "" {
		return s.fail(ErrID, id, why, nil)
	}
	return nil
}

func (s *pgStore) fail(code Code, id, msg string, cause error) error {
	return &Error{Code: code, Store: s.address, ID: id, Msg: msg, Err: cause}
}
