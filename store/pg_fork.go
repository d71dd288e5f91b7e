package store

import (
	"cmp"
	"context"
	"errors"
	"math"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/store/journal"
)

// A fork has a row of pactkit_head that says whose frames it begins with, and the number of the
// last one. Its own frames have the following numbers, so numbers stay when it gets a copy of the
// others. Statements lock a history before its forks.

// pgPlace is where a fork begins.
type pgPlace struct {
	key    string // of the history that has the last common frame
	seq    int64
	after  Version
	cycle  int64 // of the snapshot
	sealed bool  // the state after the snapshot is not known
}

// Fork inserts one row of each table in one transaction, which locks the head of the history that
// has the common frames.
func (s *pgStore) Fork(ctx context.Context, base string, cycle int64, id string) (Version, error) {
	if err := errors.Join(s.checkID(base), s.checkID(id)); err != nil {
		return Version{}, err
	}
	for try := 0; ; try++ {
		at, err := s.place(ctx, s.pool, base, cycle)
		if err != nil {
			return Version{}, s.wrap(ctx, base, "the history cannot be read", err)
		}
		frame := journal.NewFork(at.after, engine.ForkPoint{History: base, Cycle: at.cycle}, at.sealed, id)
		a := newPGAppend(id, Version{}, []Frame{frame})
		v, err := s.send(ctx, a, func(ctx context.Context, a *pgAppend) (bool, error) {
			return s.tryFork(ctx, s.pool, a, at, sortKey(base))
		})
		if !errors.Is(err, ErrChanged) || try == maxRetries || pause(ctx, try) != nil {
			return v, err
		}
	}
}

// place finds the frame after which a fork at a cycle begins: the last one of the append with the
// snapshot. If that has more snapshots, it is the snapshot itself.
func (s *pgStore) place(ctx context.Context, q querier, base string, cycle int64) (at pgPlace, err error) {
	p, newest := pgPart{sortKey(base), noSeq, math.MaxInt64}, pgPlace{}
	for {
		h, ends, err := pgHead{}, false, error(nil)
		h, at, ends, err = s.sealedIn(ctx, q, base, p, cycle)
		if newest.key == "" {
			newest = pgPlace{key: p.key, seq: h.seq, after: h.version}
		} else if errors.Is(err, ErrNotFound) { // it was handed over just now
			return s.place(ctx, q, base, cycle)
		}
		p.last = min(p.last, h.seq)
		switch {
		case err != nil:
			return at, err
		case at.key == "" && h.base != nil && h.shared != nil:
			p = pgPart{string(h.base), noSeq, *h.shared}
			continue
		case at.key == "" || cycle != Newest && at.cycle != cycle:
			return at, errNoSnapshot(base, cycle)
		case cycle == Newest:
			newest.cycle = at.cycle
			return newest, nil
		case ends:
			return at, nil
		}
		end, sealed, err := s.endOf(ctx, q, p, at.seq)
		if at.sealed = sealed || errors.Is(err, errNoRow); at.sealed {
			return at, nil
		}
		end.key, end.cycle = at.key, at.cycle
		return end, err
	}
}

// sealedIn returns the head of the history that has a part, the newest snapshot of the part up to a
// cycle, if there is one, and whether it ends its append. The part has all frames up to its last
// one that its history does not share.
func (s *pgStore) sealedIn(ctx context.Context, q querier, id string, p pgPart, cycle int64) (h pgHead, at pgPlace, ends bool, err error) {
	most := max(0, cycle)
	if cycle == Newest {
		most = math.MaxInt64
	}
	// Each later cycle has at least one frame, unless cycles are missing.
	for _, later := range []bool{true, false} {
		var seq, sealed *int64
		var digest []byte
		h, err = s.headOf(ctx, q, id, statement{`select h.seq, h.cycle, h.digest, h.base, h.shared, f.seq, f.cycle, coalesce(f.ends, false), f.digest
			from pactkit_head h left join lateral (
				select seq, cycle, ends, digest from pactkit_frame
				where history = $1 and seq > coalesce(h.shared, $2) and seq <= least($3, h.seq - case when $4 then greatest(0, h.cycle - $5) else 0 end)
					and part = 0 and kind in ($6, $7) and cycle <= $5 order by seq desc limit 1
			) f on true where h.history = $1`,
			[]any{[]byte(p.key), p.after, p.last, later, most, int16(journal.Snapshot), int16(journal.Delta)}}, &seq, &sealed, &ends, &digest)
		if err == nil && seq != nil {
			at = pgPlace{key: p.key, seq: *seq, after: Version{Cycle: *sealed}, cycle: *sealed}
			copy(at.after.Digest[:], digest)
		}
		if err != nil || cycle == Newest || at.key != "" && at.cycle == cycle {
			break
		}
	}
	return h, at, ends, err
}

// endOf returns the next frame of a part that ends an append. If there is a snapshot before it, it
// returns true.
func (s *pgStore) endOf(ctx context.Context, q querier, p pgPart, seq int64) (at pgPlace, sealed bool, err error) {
	var kind int64
	var digest []byte
	err = s.ask(ctx, q, func() error {
		return queryRow(ctx, q, []any{&at.seq, &at.after.Cycle, &kind, &digest}, `select seq, cycle, kind, digest from pactkit_frame
			where history = $1 and seq > $2 and seq <= $3 and part = 0 and (ends or kind in ($4, $5)) order by seq limit 1`,
			[]byte(p.key), seq, p.last, int16(journal.Snapshot), int16(journal.Delta))
	})
	copy(at.after.Digest[:], digest)
	return at, Frame{Kind: journal.Kind(kind)}.IsSealed(), err
}

// tryFork sends a fork. It reports false if the id exists. If the common frames are not there any
// more, the error has the code [ErrChanged].
func (s *pgStore) tryFork(ctx context.Context, q querier, a *pgAppend, at pgPlace, base string) (won bool, err error) {
	// A statement of its own, so the next one sees what the wait for the lock was for.
	lock := statement{"select seq from pactkit_head where history = $1 for share", []any{[]byte(at.key)}}
	r := &a.chunks[0]
	var id []byte // only if the key is not the id
	if string(a.key) != a.id {
		id = []byte(a.id)
	}
	insert := statement{`with there as (
			select 1 from pactkit_frame where history = $2 and seq = $3 and part = 0 and digest = $4
		), head as (
			insert into pactkit_head (history, seq, cycle, digest, bytes, changed, id, base, shared)
			select $1, $3::bigint + 1, $5, $6, $7, now(), $8, $2, $3 from there on conflict (history) do nothing returning seq
		), kin as (
			insert into pactkit_fork (base, history) select distinct unnest($9::bytea[]), $1::bytea from head on conflict do nothing
		), frame as (
			insert into pactkit_frame (history, seq, part, kind, cycle, ends, digest, body, attempt)
			select $1, seq, 0, $10, $5, true, $6, $11, $12 from head returning seq
		) select exists (select 1 from there), exists (select 1 from frame)`,
		[]any{a.key, []byte(at.key), at.seq, at.after.Digest[:], a.head.Cycle, a.head.Digest[:], a.bytes, id,
			[][]byte{[]byte(at.key), []byte(base)}, r.kind[0], r.body[0], r.attempt[0]}}
	var there bool
	err = q.with(ctx, func(c *pgConn) error { return c.batch(ctx, []any{&there, &won}, lock, insert) })
	if err != nil {
		return false, err
	}
	if !there {
		return false, s.fail(ErrChanged, a.id, "what the fork begins with was handed over or rewritten just now", nil)
	}
	return won, nil
}

// copyFrames gives frames after < seq ≤ last of a history to another one, and returns how many
// bytes their lines have.
func copyFrames(ctx context.Context, tx *pgConn, from string, to []byte, after, last int64) (size int64, err error) {
	err = queryRow(ctx, tx, []any{&size}, `with copied as (
			insert into pactkit_frame (history, seq, part, kind, cycle, ends, digest, body)
			select $2, seq, part, kind, cycle, ends, digest, body from pactkit_frame where history = $1 and seq > $3 and seq <= $4
			returning part, octet_length(body) as n
		) select coalesce(sum(n + case when part = 0 then $5::bigint else 0 end), 0)::bigint from copied`,
		[]byte(from), to, after, last, journal.LineOverhead)
	return size, err
}

// handOver locks a history and gives the common frames to its forks. The one with the most of them
// gets them; the others share them with it from then on. The caller may then change the history.
func (s *pgStore) handOver(ctx context.Context, tx *pgConn, id string) error {
	h, err := s.headOf(ctx, tx, id, selectHead(id, " for update"))
	if err != nil {
		return err
	}
	key := sortKey(id)
	for {
		var heir []byte
		var shared int64
		err := queryRow(ctx, tx, []any{&heir, &shared}, "select history, shared from pactkit_head where base = $1 order by shared desc, history limit 1 for update", []byte(key))
		if errors.Is(err, errNoRow) {
			return nil
		}
		if err != nil {
			return err
		}
		size, err := copyFrames(ctx, tx, key, heir, noSeq, shared)
		if err != nil {
			return err
		}
		var changes []statement
		if h.base != nil {
			changes = append(changes, statement{"insert into pactkit_fork (base, history) values ($1, $2) on conflict do nothing", []any{h.base, heir}})
		}
		changes = append(changes,
			statement{"update pactkit_head set base = $2, shared = $3, bytes = bytes + $4 where history = $1", []any{heir, h.base, h.shared, size}},
			statement{"insert into pactkit_fork (base, history) select $1, history from pactkit_head where base = $2 on conflict do nothing", []any{heir, []byte(key)}},
			statement{"update pactkit_head set base = $1 where base = $2", []any{heir, []byte(key)}})
		if err := tx.batch(ctx, nil, changes...); err != nil {
			return err
		}
	}
}

// kin returns the histories that the store knows to be related to one: those that were forked from
// it, and those it was forked from.
func (s *pgStore) kin(ctx context.Context, id string) (ids []string, err error) {
	err = s.again(ctx, func() error {
		var key, whole []byte
		ids = nil
		return forEachRow(ctx, s.pool, []any{&key, &whole}, func() {
			if whole == nil {
				whole = key
			}
			if checkID(string(whole)) == "" { // not the key of a long id that is gone
				ids = append(ids, string(whole))
			}
		}, `select k.history, h.id from (
				select history from pactkit_fork where base = $1 union select base from pactkit_fork where history = $1
			) as k left join pactkit_head h on h.history = k.history`, []byte(sortKey(id)))
	})
	return ids, s.wrap(ctx, id, "the forks cannot be listed", err)
}

// Rewind makes a fork that keeps everything, gives it what it shares, and replaces the rest of the
// history by the frame of its own fork, in one transaction.
func (s *pgStore) Rewind(ctx context.Context, id string, cycle int64, keep string) (Version, error) {
	if err := errors.Join(s.checkID(id), s.checkID(keep)); err != nil {
		return Version{}, err
	}
	key, v := sortKey(id), Version{}
	err := s.inTx(ctx, id, "the history cannot be rewound", func(tx *pgConn) error {
		h, err := s.headOf(ctx, tx, id, selectHead(id, " for update"))
		if err != nil {
			return err
		}
		at, err := s.place(ctx, tx, id, cycle) // the lock keeps it there, unless another history has it
		if err != nil {
			return err
		}
		newest, err := s.place(ctx, tx, id, Newest)
		if err != nil {
			return err
		}
		if _, err := execute(ctx, tx, "select seq from pactkit_head where history = $1 for share", []byte(at.key)); err != nil {
			return err
		}
		frame := journal.NewFork(h.version, engine.ForkPoint{History: id, Cycle: newest.cycle}, false, keep)
		a := newPGAppend(keep, Version{}, []Frame{frame})
		newest = pgPlace{key: key, seq: h.seq, after: h.version}
		if won, err := s.tryFork(ctx, tx, a, newest, key); err != nil || !won {
			return cmp.Or(err, s.fail(ErrConflict, keep, "the history that would keep everything exists", nil))
		}
		if err := s.handOver(ctx, tx, id); err != nil {
			return err
		}
		if at.key == key { // the fork, or another one at the same place, has it now
			kept, err := s.headOf(ctx, tx, keep, selectHead(keep, ""))
			if err != nil {
				return err
			}
			at.key = sortKey(keep)
			if kept.shared != nil && *kept.shared >= at.seq {
				at.key = string(kept.base)
			}
		}
		for _, sql := range []string{"delete from pactkit_frame where history = $1", "delete from pactkit_head where history = $1"} {
			if _, err := execute(ctx, tx, sql, []byte(key)); err != nil {
				return err
			}
		}
		frame = journal.NewFork(at.after, engine.ForkPoint{History: keep, Cycle: at.cycle}, at.sealed, id)
		v = frame.Version()
		won, err := s.tryFork(ctx, tx, newPGAppend(id, Version{}, []Frame{frame}), at, sortKey(keep))
		if err == nil && !won {
			err = s.fail(ErrConflict, id, "another history has taken its place", nil)
		}
		return err
	})
	if err != nil {
		return Version{}, err
	}
	s.notifier.announce([]byte(key))
	return v, nil
}
