package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgconn"
)

// migrations are applied in order; the version of a schema is how many of them it has. A released
// one never changes. They use only what CockroachDB and YugabyteDB support too. Because of "if not
// exists", an administrator can create a table in advance, for instance one that is partitioned by
// the hash of history, which is in every primary key.
var migrations = []string{`
create table if not exists pactkit_head (
	history bytea primary key,            -- the id; of one over 512 bytes its beginning, 0xFF and its SHA-256
	id bytea,                             -- the whole id, if history is not
	seq bigint not null,                  -- of the last frame
	cycle bigint not null,                -- of the last frame
	digest bytea not null,                -- of the last frame: the version
	bytes bigint not null,                -- of all frames, as lines of a journal
	changed timestamptz not null
);
create table if not exists pactkit_frame (
	history bytea not null,
	seq bigint not null,                  -- counts the frames of a history
	part integer not null,                -- counts the pieces of a long frame, from 0
	kind smallint not null,
	cycle bigint not null,
	ends boolean not null,                -- the last frame of an append
	digest bytea not null,
	body text not null,                   -- a piece of the line without its digest, at most 512 KiB
	attempt bytea,                        -- names the append; in its last frame
	primary key (history, seq, part)
)`, `
alter table pactkit_head add column if not exists base bytea;    -- of a fork: whose frames it begins with
alter table pactkit_head add column if not exists shared bigint; -- of a fork: the last of them
create index if not exists pactkit_head_base on pactkit_head (base) where base is not null;
create table if not exists pactkit_fork (
	base bytea not null,
	history bytea not null,               -- was forked from base, and may have its own copy of the frames by now
	primary key (base, history)
)`}

// migrate creates the tables or upgrades them, under the lock of the row that holds their version.
// Several processes may do so at once. If there is nothing to do, it only reads, so it works on a
// standby.
func (s *pgStore) migrate(ctx context.Context, c *pgConn) error {
	version, err := schemaVersion(ctx, c, "")
	for try := 0; version < len(migrations) && (err == nil || missing(err) || collided(err)) && try < maxRetries; try++ {
		if err = createVersion(ctx, c); err == nil {
			err = transact(ctx, c, func(tx *pgConn) error { return upgrade(ctx, tx) })
		}
		if err == nil {
			version, err = schemaVersion(ctx, c, "")
		} else if wait := pause(ctx, try); wait != nil {
			return wait
		}
	}
	switch {
	case err != nil:
		return s.wrap(ctx, "", "the tables cannot be created or upgraded", err)
	case version > len(migrations):
		return s.fail(ErrSchema, "", fmt.Sprintf("the tables have version %d, and this program knows %d", version, len(migrations)), nil)
	}
	return s.probe(ctx, c)
}

// createVersion creates the table with one row, the version.
func createVersion(ctx context.Context, c *pgConn) error {
	if _, err := execute(ctx, c, "create table if not exists pactkit_schema (one integer primary key, version integer not null)"); err != nil {
		return err
	}
	_, err := execute(ctx, c, "insert into pactkit_schema (one, version) values (1, 0) on conflict (one) do nothing")
	return err
}

func upgrade(ctx context.Context, tx *pgConn) error {
	version, err := schemaVersion(ctx, tx, " for update")
	if err != nil {
		return err
	}
	for version < len(migrations) {
		if _, err := execute(ctx, tx, migrations[version]); err != nil {
			return err
		}
		version++
		if _, err := execute(ctx, tx, "update pactkit_schema set version = $1 where one = 1", version); err != nil {
			return err
		}
	}
	return nil
}

func schemaVersion(ctx context.Context, q querier, lock string) (int, error) {
	var version int64
	err := queryRow(ctx, q, []any{&version}, "select version from pactkit_schema where one = $1"+lock, 1)
	return int(version), err
}

// probe selects every column, so tables of another program are detected now and not at the first
// append.
func (s *pgStore) probe(ctx context.Context, c *pgConn) error {
	for _, sql := range []string{
		"select history, id, seq, cycle, digest, bytes, changed, base, shared from pactkit_head where history is null",
		"select history, seq, part, kind, cycle, ends, digest, body, attempt from pactkit_frame where history is null",
		"select base, history from pactkit_fork where history is null",
	} {
		if _, err := execute(ctx, c, sql); err != nil {
			what := "the tables cannot be read"
			if codeOfError(err) == ErrSchema {
				what = "the tables are not those of pactkit"
			}
			return s.wrap(ctx, "", what, err)
		}
	}
	return nil
}

// missing reports whether the database does not have our tables yet.
func missing(err error) bool {
	e, ok := errors.AsType[*pgconn.PgError](err)
	return errors.Is(err, errNoRow) || ok && e.Code == "42P01"
}

// collided reports whether another process created the same thing at the same time. PostgreSQL
// checks the table, its row type and its index one after the other, so a lost race can show up at
// any of them.
func collided(err error) bool {
	e, ok := errors.AsType[*pgconn.PgError](err)
	if !ok {
		return false
	}
	switch e.Code {
	case "42P07", "42710", "23505": // duplicate table, object, key
		return true
	case "40001", "40P01": // serialization failure, deadlock
		return true
	}
	return false
}
