package store

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/pactkit/pactkit/store/journal"
)

// pageBytes is the approximate amount of a history that one query fetches.
const pageBytes = 1 << 20

// pgPart is a part of a history: frames after < seq ≤ last of a key.
type pgPart struct {
	key         string
	after, last int64
}

// noSeq is less than the number of any frame.
const noSeq = math.MinInt64

// parts returns the head of a history, and its parts, oldest first. The last one is its own.
func (s *pgStore) parts(ctx context.Context, q querier, id string) (head pgHead, parts []pgPart, err error) {
	if head, err = s.headOf(ctx, q, id, selectHead(id, "")); err != nil {
		return head, nil, err
	}
	parts = []pgPart{{sortKey(id), noSeq, head.seq}}
	for base, shared := head.base, head.shared; base != nil && shared != nil; {
		parts[0].after = *shared
		parts = slices.Insert(parts, 0, pgPart{string(base), noSeq, *shared})
		err = s.ask(ctx, q, func() error {
			return queryRow(ctx, q, []any{&base, &shared}, "select base, shared from pactkit_head where history = $1", base)
		})
		if errors.Is(err, errNoRow) { // it was handed over just now
			return s.parts(ctx, q, id)
		}
		if err != nil {
			return head, nil, s.wrap(ctx, id, "the history cannot be read", err)
		}
	}
	return head, parts, nil
}

// Read fetches the frames in pages, so it holds no connection while the caller works. It ends at
// the frame that was the head when it began.
func (s *pgStore) Read(ctx context.Context, id string, from, to int64) iter.Seq2[Frame, error] {
	return func(yield func(Frame, error) bool) {
		parts, base, err := s.begin(ctx, id, from)
		if err != nil {
			yield(Frame{}, err)
			return
		}
		jumps := base.snapshot > base.header+1
		header := true
		for f, err := range s.frames(ctx, id, parts, base.header-1, nil) {
			if err == nil && header && f.Kind != journal.Header {
				err = s.changed(id)
			}
			if err == nil && !header && f.Cycle > to || !yield(f, err) || err != nil {
				return
			}
			if header = false; jumps {
				break
			}
		}
		if !jumps {
			return
		}
		snapshot := true
		for f, err := range s.frames(ctx, id, parts, base.snapshot-1, nil) {
			if err == nil && snapshot && (f.Kind != journal.Snapshot || f.Cycle > from) {
				err = s.changed(id)
			}
			if err == nil && f.Cycle > to || !yield(f, err) || err != nil {
				return
			}
			snapshot = false
		}
	}
}

// begin finds where a reading begins and ends.
func (s *pgStore) begin(ctx context.Context, id string, from int64) (parts []pgPart, base struct{ header, snapshot int64 }, err error) {
	if err = s.checkID(id); err != nil {
		return nil, base, err
	}
	if _, parts, err = s.parts(ctx, s.pool, id); err != nil {
		return nil, base, err
	}
	for i := len(parts) - 1; i >= 0 && err == nil; i-- {
		p := parts[i]
		err = s.again(ctx, func() error {
			var header, snapshot *int64
			err := queryRow(ctx, s.pool, []any{&header, &snapshot}, `select min(seq), max(case when kind = $5 and cycle <= $4 then seq end) from pactkit_frame
				where history = $1 and seq > $2 and seq <= $3 and part = 0 and kind in ($5, $6)`,
				[]byte(p.key), p.after, p.last, from, int16(journal.Snapshot), int16(journal.Header))
			if header != nil {
				base.header = *header
			}
			if snapshot != nil && base.snapshot == 0 {
				base.snapshot = *snapshot
			}
			return err
		})
	}
	if base.snapshot == 0 {
		base.snapshot = base.header + 1
	}
	return parts, base, s.wrap(ctx, id, "the history cannot be read", err)
}

// Since yields the frames after a version.
func (s *pgStore) Since(ctx context.Context, id string, after Version) iter.Seq2[Frame, error] {
	return func(yield func(Frame, error) bool) {
		if err := s.checkID(id); err != nil {
			yield(Frame{}, err)
			return
		}
		head, parts, err := s.parts(ctx, s.pool, id)
		if err != nil {
			yield(Frame{}, err)
			return
		}
		if head.version == after {
			return
		}
		var seq int64
		err = s.again(ctx, func() (err error) {
			seq, err = s.seqOf(ctx, s.pool, id, parts, after)
			return err
		})
		if err != nil {
			yield(Frame{}, err)
			return
		}
		var before []byte
		if after != (Version{}) {
			before = after.Digest[:]
		}
		for f, err := range s.frames(ctx, id, parts, seq, before) {
			if !yield(f, err) {
				return
			}
		}
	}
}

// seqOf returns the number of the frame of a version. For the zero Version it returns the number
// before the first frame.
func (s *pgStore) seqOf(ctx context.Context, q querier, id string, parts []pgPart, v Version) (int64, error) {
	var seq int64
	if v == (Version{}) {
		err := queryRow(ctx, q, []any{&seq}, "select seq - 1 from pactkit_frame where history = $1 order by seq, part limit 1", []byte(parts[0].key))
		return seq, s.wrap(ctx, id, "the history cannot be read", err)
	}
	for _, p := range slices.Backward(parts) {
		// Search from the end, because requested versions are usually recent.
		err := queryRow(ctx, q, []any{&seq}, `select seq from pactkit_frame where history = $1 and seq > $2 and seq <= $3 and digest = $4
			order by seq desc, part desc limit 1`, []byte(p.key), p.after, p.last, v.Digest[:])
		if !errors.Is(err, errNoRow) {
			return seq, s.wrap(ctx, id, "the history cannot be read", err)
		}
	}
	return 0, s.fail(ErrChanged, id, goneMessage(v), nil)
}

// frames yields the frames of parts with numbers after a given one, which has the digest before,
// unless that is nil. If what a fork shares is handed over meanwhile, it goes on with the new
// parts, in which the frames have the same numbers. If the history is rewritten, it does not mix
// old and new frames.
func (s *pgStore) frames(ctx context.Context, id string, parts []pgPart, after int64, before []byte) iter.Seq2[Frame, error] {
	return func(yield func(Frame, error) bool) {
		limit, last := 64, parts[len(parts)-1].last
		for after < last {
			page, err := s.page(ctx, id, pageAfter(parts, after, before), after, limit)
			if errors.Is(err, ErrChanged) && len(parts) > 1 {
				if _, now, wrong := s.parts(ctx, s.pool, id); wrong == nil {
					now[len(now)-1].last = last
					if !slices.Equal(now, parts) {
						parts = now
						continue
					}
				}
			}
			if err != nil {
				yield(Frame{}, err)
				return
			}
			size := 0
			for _, f := range page {
				size += len(f.Body) + 100
				after++
				before = bytes.Clone(f.Digest[:])
				if !yield(f, nil) {
					return
				}
			}
			limit = max(16, min(4096, pageBytes*len(page)/size))
		}
	}
}

// changed returns the error for a history that is not there as it was.
func (s *pgStore) changed(id string) error {
	return s.fail(ErrChanged, id, "the history was deleted or rewritten while it was read", nil)
}

// pgPage is a part of which a page is read, if the history is there as it was: the part continues
// base and is continued by next, and the frame before the page, which is in the part before, has
// the digest. What is nil does not count.
type pgPage struct {
	pgPart
	base, next, before, digest []byte
}

// pageAfter returns the page after a frame.
func pageAfter(parts []pgPart, after int64, digest []byte) pgPage {
	i := slices.IndexFunc(parts, func(p pgPart) bool { return after < p.last })
	p := pgPage{pgPart: parts[i], digest: digest}
	if i > 0 {
		p.base = []byte(parts[i-1].key)
	}
	if i < len(parts)-1 {
		p.next = []byte(parts[i+1].key)
	}
	if at := slices.IndexFunc(parts, func(p pgPart) bool { return after <= p.last }); digest != nil {
		p.before = []byte(parts[at].key)
	}
	return p
}

// page fetches at most limit rows, and returns the frames that are complete in them, at least one.
func (s *pgStore) page(ctx context.Context, id string, p pgPage, after int64, limit int) (page []Frame, err error) {
	err = s.again(ctx, func() error {
		page, err = s.fetchPage(ctx, id, p, after, limit)
		return err
	})
	return page, err
}

func (s *pgStore) fetchPage(ctx context.Context, id string, p pgPage, after int64, limit int) ([]Frame, error) {
	var page []Frame
	var body strings.Builder // of the last frame of page
	n, gap := 0, false
	finish := func() {
		if len(page) > 0 {
			page[len(page)-1].Body = body.String()
			body.Reset()
		}
	}
	var seq, at, part, kind int64
	var digest []byte
	var piece string
	var f Frame
	err := forEachRow(ctx, s.pool, []any{&at, &part, &kind, &f.Cycle, &f.End, &digest, &piece}, func() {
		n++
		if part == 0 {
			gap = gap || at != after+int64(len(page))+1
			finish()
			f.Kind, seq = journal.Kind(kind), at
			copy(f.Digest[:], digest)
			page = append(page, f)
		}
		gap = gap || at != seq
		body.WriteString(piece)
	}, `select seq, part, kind, cycle, ends, digest, body from pactkit_frame
		where history = $1 and seq > $2 and seq <= $3
			and ($5::bytea is null or exists (select 1 from pactkit_frame where history = $5 and seq = $2 and part = 0 and digest = $6))
			and ($7::bytea is null or exists (select 1 from pactkit_head where history = $1 and base = $7 and shared = $8))
			and ($9::bytea is null or exists (select 1 from pactkit_head where history = $9 and base = $1 and shared = $3))
		order by seq, part limit $4`, []byte(p.key), after, p.last, limit, p.before, p.digest, p.base, p.after, p.next)
	finish()
	switch {
	case err != nil:
		return nil, s.wrap(ctx, id, "the history cannot be read", err)
	case gap, n == 0:
		return nil, s.changed(id)
	case n == limit && len(page) == 1:
		return s.fetchPage(ctx, id, p, after, 2*limit) // the page ends within its first frame
	case n == limit:
		page = page[:len(page)-1] // the last frame may be incomplete
	}
	return page, nil
}

// listPage is how many histories one query lists.
const listPage = 500

// List pages through the heads.
func (s *pgStore) List(ctx context.Context, prefix string) iter.Seq2[Info, error] {
	return func(yield func(Info, error) bool) {
		from, to := keyRange(prefix)
		var upper []byte // null for no limit
		if to != "" {
			upper = []byte(to)
		}
		for more := false; ; more = true {
			var page []Info
			var last string
			err := s.again(ctx, func() (err error) {
				page, last, err = s.listPage(ctx, []byte(from), upper, more)
				return err
			})
			if err != nil {
				yield(Info{}, err)
				return
			}
			for _, i := range page {
				if strings.HasPrefix(i.ID, prefix) && !yield(i, nil) {
					return
				}
			}
			if len(page) < listPage {
				return
			}
			from = last
		}
	}
}

// listPage returns histories with keys from, or after, a key, and the last key.
func (s *pgStore) listPage(ctx context.Context, from, to []byte, after bool) (page []Info, last string, err error) {
	var key, id, digest []byte
	var i Info
	var changed time.Time
	err = forEachRow(ctx, s.pool, []any{&key, &id, &i.Head.Cycle, &digest, &i.Bytes, &changed}, func() {
		i.ID, i.Changed = string(key), changed.UTC()
		if id != nil {
			i.ID = string(id)
		}
		copy(i.Head.Digest[:], digest)
		page, last = append(page, i), string(key)
	}, `select history, id, cycle, digest, bytes, changed from pactkit_head
		where history >= $1 and (history > $1 or not $3) and ($2::bytea is null or history < $2) order by history limit $4`, from, to, after, listPage)
	return page, last, s.wrap(ctx, "", "the histories cannot be listed", err)
}

// Replace deletes the frames up to a version, and inserts the new ones before the rest. Appends
// wait meanwhile for the lock of the head.
func (s *pgStore) Replace(ctx context.Context, id string, upTo Version, frames ...Frame) (Version, error) {
	if err := s.checkID(id); err != nil {
		return Version{}, err
	}
	if why := checkReplacement(frames); why != "" {
		return Version{}, s.fail(ErrFrames, id, why, nil)
	}
	a := newPGAppend(id, upTo, frames)
	head := Version{}
	err := s.inTx(ctx, id, "the history cannot be rewritten", func(tx *pgConn) error {
		h, err := s.headOf(ctx, tx, id, selectHead(id, " for update"))
		if err != nil {
			return err
		}
		_, parts, err := s.parts(ctx, tx, id) // the lock keeps them as they are
		if err != nil {
			return err
		}
		last, err := s.seqOf(ctx, tx, id, parts, upTo)
		if err != nil {
			return err
		}
		head = h.version
		if last == h.seq {
			head = a.head
		} else if a.head.Digest != upTo.Digest {
			return s.fail(ErrConflict, id, conflictMessage(upTo, h.version), nil)
		}
		if err := s.handOver(ctx, tx, id); err != nil {
			return err
		}
		added := a.bytes
		for _, p := range parts[:len(parts)-1] { // what stays of the shared frames
			n, err := copyFrames(ctx, tx, p.key, a.key, max(p.after, last), p.last)
			if err != nil {
				return err
			}
			added += n
		}
		var old int64
		err = queryRow(ctx, tx, []any{&old}, `with gone as (delete from pactkit_frame where history = $1 and seq <= $2 returning part, octet_length(body) as n)
			select coalesce(sum(n + case when part = 0 then $3::bigint else 0 end), 0)::bigint from gone`, a.key, last, journal.LineOverhead)
		if err != nil {
			return err
		}
		if err := insertChunks(ctx, tx, a, last-a.frames); err != nil {
			return err
		}
		_, err = execute(ctx, tx, "update pactkit_head set cycle = $2, digest = $3, bytes = bytes + $4, base = null, shared = null, changed = now() where history = $1",
			a.key, head.Cycle, head.Digest[:], added-old)
		return err
	})
	if err != nil {
		return Version{}, err
	}
	s.notifier.announce(a.key)
	return head, nil
}
