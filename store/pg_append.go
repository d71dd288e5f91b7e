package store

import (
	"context"
	"crypto/rand"
	"errors"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5/pgconn"
)

const (
	// maxPart is the largest piece of a frame in one row.
	maxPart = 512 << 10
	// maxStatement is how many bytes of frames go into one statement. CockroachDB takes messages of
	// up to 16 MiB.
	maxStatement = 4 << 20
)

// pgAppend is an append, which may be sent several times.
type pgAppend struct {
	id      string
	key     []byte
	after   Version
	head    Version // the version after the append
	frames  int64
	bytes   int64
	attempt []byte // distinguishes this append from that of the same frames by another writer
	chunks  []rows // at most maxStatement bytes each
}

// rows are rows of pactkit_frame, by column. n counts the frames of the append from 1.
type rows struct {
	n      []int64
	part   []int64
	kind   []int64
	cycle  []int64
	ends   []bool
	digest [][]byte
	body   []string
	// attempt is null in all rows except the last.
	attempt [][]byte
}

func newPGAppend(id string, after Version, frames []Frame) *pgAppend {
	a := &pgAppend{id: id, key: []byte(sortKey(id)), after: after, head: frames[len(frames)-1].Version(), frames: int64(len(frames)), attempt: make([]byte, 16)}
	rand.Read(a.attempt)
	a.chunks = make([]rows, 1)
	size := 0
	for i, f := range frames {
		a.bytes += lineLen(f)
		for part, rest := int64(0), f.Body; part == 0 || rest != ""; part++ {
			piece := rest[:cut(rest, maxPart)]
			rest = rest[len(piece):]
			if size += len(piece); size > maxStatement {
				a.chunks, size = append(a.chunks, rows{}), len(piece)
			}
			r := &a.chunks[len(a.chunks)-1]
			r.n, r.part, r.kind, r.cycle = append(r.n, int64(i)+1), append(r.part, part), append(r.kind, int64(f.Kind)), append(r.cycle, f.Cycle)
			r.ends, r.digest, r.body = append(r.ends, f.End), append(r.digest, f.Digest[:]), append(r.body, piece)
			r.attempt = append(r.attempt, nil)
		}
	}
	last := a.chunks[len(a.chunks)-1].attempt
	last[len(last)-1] = a.attempt
	return a
}

// cut returns how many of the first n bytes of a text form whole characters.
func cut(text string, n int) int {
	if len(text) <= n {
		return len(text)
	}
	for !utf8.RuneStart(text[n]) {
		n--
	}
	return n
}

const (
	moveHead = `update pactkit_head set seq = seq + $2, cycle = $3, digest = $4, bytes = bytes + $5, changed = now()
		where history = $1 and digest = $6 returning seq`
	newHead = `insert into pactkit_head (history, seq, cycle, digest, bytes, changed, id) values ($1, $2, $3, $4, $5, now(), $6)
		on conflict (history) do nothing returning seq`
	// appendOne appends a single frame in a single row, which is what nearly every commit needs.
	appendOne = `with head as (` + moveHead + `)
		insert into pactkit_frame (history, seq, part, kind, cycle, ends, digest, body, attempt)
		select $1, seq, 0, $7, $3, $8, $4, $9, $10 from head`
	// insertFrames follows moveHead or newHead in their transaction. Frame n of the append gets the
	// number $2 + n.
	insertFrames = `insert into pactkit_frame (history, seq, part, kind, cycle, ends, digest, body, attempt)
		select $1, $2::bigint + n, part, kind, cycle, ends, digest, body, attempt
		from unnest($3::bigint[], $4::integer[], $5::smallint[], $6::bigint[], $7::boolean[], $8::bytea[], $9::text[], $10::bytea[])
			as f (n, part, kind, cycle, ends, digest, body, attempt)`
)

// headArgs are the arguments of moveHead and newHead.
func (a *pgAppend) headArgs() []any {
	if a.after != (Version{}) {
		return []any{a.key, a.frames, a.head.Cycle, a.head.Digest[:], a.bytes, a.after.Digest[:]}
	}
	var id []byte // only if the key is not the id
	if string(a.key) != a.id {
		id = []byte(a.id)
	}
	return []any{a.key, a.frames, a.head.Cycle, a.head.Digest[:], a.bytes, id}
}

// Append sends one statement, or a transaction for several frames or a long one. If the connection
// breaks, it tries again. If the first try did arrive, the second is a conflict, and the frame in
// the table shows that it is ours.
func (s *pgStore) Append(ctx context.Context, id string, after Version, frames ...Frame) (Version, error) {
	if err := s.checkID(id); err != nil {
		return Version{}, err
	}
	if why := checkFrames(after, frames); why != "" {
		return Version{}, s.fail(ErrFrames, id, why, nil)
	}
	return s.send(ctx, newPGAppend(id, after, frames), s.try)
}

// send tries an append until it is certain whether it arrived.
func (s *pgStore) send(ctx context.Context, a *pgAppend, attempt func(context.Context, *pgAppend) (bool, error)) (Version, error) {
	id, after := a.id, a.after
	sent := false // a try may have arrived
	var since time.Time
	for try := 0; ; try++ {
		won, err := attempt(ctx, a)
		if err == nil && !won && sent {
			won, err = s.arrived(ctx, a)
		}
		switch {
		case won:
			s.notifier.announce(a.key)
			return a.head, nil
		case err == nil:
			return Version{}, s.conflict(ctx, id, after)
		case lost(err):
			sent = sent || !pgconn.SafeToRetry(err)
			if since.IsZero() {
				since = time.Now()
			}
		case !rolledBack(err) || try == maxRetries:
			return Version{}, s.wrap(ctx, id, "the frames cannot be appended", err)
		}
		if ctx.Err() == nil && (since.IsZero() || time.Since(since) < s.patience) && pause(ctx, try) == nil {
			continue
		}
		if sent {
			return s.checkArrived(ctx, a, err)
		}
		return Version{}, s.wrap(ctx, id, "the frames cannot be appended", err)
	}
}

// try sends the append. It reports false if the head has changed.
func (s *pgStore) try(ctx context.Context, a *pgAppend) (bool, error) {
	head := moveHead
	if a.after == (Version{}) {
		head = newHead
	}
	if r := &a.chunks[0]; len(a.chunks) == 1 && len(r.n) == 1 {
		added, err := execute(ctx, s.pool, appendOne, append(a.headArgs(), r.kind[0], r.ends[0], r.body[0], r.attempt[0])...)
		return added > 0, err
	}
	won := false
	err := transact(ctx, s.pool, func(tx *pgConn) error {
		var seq int64
		err := queryRow(ctx, tx, []any{&seq}, head, a.headArgs()...)
		if errors.Is(err, errNoRow) {
			return nil
		}
		if err != nil {
			return err
		}
		won = true
		return insertChunks(ctx, tx, a, seq-a.frames)
	})
	return won && err == nil, err
}

// insertChunks inserts the frames of an append from number base + 1.
func insertChunks(ctx context.Context, tx *pgConn, a *pgAppend, base int64) error {
	for _, r := range a.chunks {
		if _, err := execute(ctx, tx, insertFrames, a.key, base, r.n, r.part, r.kind, r.cycle, r.ends, r.digest, r.body, r.attempt); err != nil {
			return err
		}
	}
	return nil
}

// arrived reports whether the history has the frames of this append.
func (s *pgStore) arrived(ctx context.Context, a *pgAppend) (bool, error) {
	var found bool
	err := queryRow(ctx, s.pool, []any{&found}, "select exists (select 1 from pactkit_frame where history = $1 and attempt = $2 and digest = $3)",
		a.key, a.attempt, a.head.Digest[:])
	return found, err
}

// checkArrived checks a last time whether an append has arrived, even if the caller's context is
// done. If it has not, that is not certain, because the server may still process the statement.
func (s *pgStore) checkArrived(ctx context.Context, a *pgAppend, cause error) (Version, error) {
	short, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	if found, err := s.arrived(short, a); err == nil && found {
		s.notifier.announce(a.key)
		return a.head, nil
	}
	return Version{}, s.fail(ErrUnknown, a.id, "the connection broke during the append, and it is unknown whether the server executed it", errors.Join(ctx.Err(), cause))
}

// conflict returns the error for a lost race.
func (s *pgStore) conflict(ctx context.Context, id string, after Version) error {
	h, err := s.head(ctx, id)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return s.fail(ErrConflict, id, "the history has a different head", err)
	}
	return s.fail(ErrConflict, id, conflictMessage(after, h.version), nil)
}
