package store

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"slices"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/store/journal"
)

// The file of a fork begins with a [journal.PrefixLine], which says where in the file of another
// history the common frames end. That file says in a list beside it, FILE.forks, which histories
// were forked from it. A fork gets the common frames before they change or go, so bytes that a
// prefix names never change.
//
// Locks are taken from a history to its forks, never back. Nothing waits for the lock of a fork
// that is being made: somebody who makes another history of that name may be waiting for the base.

// forkAt is where a fork begins.
type forkAt struct {
	part   int
	end    int64 // the offset after the last common line
	after  Version
	cycle  int64 // of the snapshot
	sealed bool  // the state after the snapshot is not known
}

// place finds the frame after which a fork at a cycle begins: the last one of the append with the
// snapshot. If that has more snapshots, it is the snapshot itself.
func (s *dirStore) place(ctx context.Context, id string, h dirHistory, cycle int64) (forkAt, error) {
	var last forkAt
	for part, p := range slices.Backward(h.parts) {
		limit := p.end
		if cycle != Newest {
			limit = skip(p, cycle)
		}
		end := limit
		for line, err := range journal.Backward(p.file, limit) {
			if err = cmp.Or(err, ctx.Err()); err != nil {
				return forkAt{}, s.wrap(id, "the journal cannot be read", err)
			}
			if line.Start < p.from {
				break
			}
			f, err := journal.ParseLine(line.Text)
			if err != nil {
				return forkAt{}, s.wrap(id, "the journal cannot be read", err)
			}
			if f.End && (cycle != Newest || last.after == (Version{})) {
				last = forkAt{part: part, end: end, after: f.Version()}
			}
			switch {
			case f.IsSealed() && (cycle == Newest || f.Cycle == cycle):
				if last.after == (Version{}) {
					last = forkAt{part: part, end: end, after: f.Version(), sealed: true}
				}
				last.cycle = f.Cycle
				return last, nil
			case f.IsSealed() && f.Cycle < cycle, f.Kind == journal.Header:
				return forkAt{}, errNoSnapshot(id, cycle)
			case f.IsSealed(): // a later snapshot
				last = forkAt{}
			}
			end = line.Start
		}
	}
	return forkAt{}, errNoSnapshot(id, cycle)
}

// skip returns an offset between lines of a section that is after the lines of a cycle, and near
// them, by halving, because cycles never go back.
func skip(p section, cycle int64) int64 {
	const near = 1 << 12 // what is read at once
	from, end := p.from, p.end
	for end-from > near {
		middle, later := from+(end-from)/2, false
		for line, err := range journal.Backward(p.file, middle) {
			f, wrong := journal.ParseLine(line.Text)
			if later = err == nil && wrong == nil && line.Start > from && f.Cycle > cycle+1; later {
				end = line.Start + int64(len(line.Text)) + 1
			}
			break
		}
		if !later {
			from = middle
		}
	}
	return end
}

// Fork writes a file with two lines. It holds the lock of the file that has the common frames, so
// that cannot change before its list has the fork.
func (s *dirStore) Fork(ctx context.Context, base string, cycle int64, id string) (Version, error) {
	if err := s.check(ctx, id); err != nil {
		return Version{}, err
	}
	if s.file != "" {
		return Version{}, s.fail(ErrAddress, id, "a journal on its own has no place for a fork; name its folder as file:DIR", nil)
	}
	for try := 0; ; try++ {
		v, err := s.fork(ctx, base, cycle, id)
		if !isMoving(err) && !errors.Is(err, atomicfile.ErrInUse) || try == maxRetries {
			return v, s.wrap(id, "the fork cannot be made", err)
		}
		if err := pause(ctx, try); err != nil {
			return Version{}, err
		}
	}
}

// fork is Fork. It fails with errPrefix if the common frames are elsewhere by now, and with
// [atomicfile.ErrInUse] if somebody else is at the file of the fork.
func (s *dirStore) fork(ctx context.Context, base string, cycle int64, id string) (Version, error) {
	h, err := s.read(ctx, base)
	if err != nil {
		return Version{}, err
	}
	defer h.close()
	at, err := s.place(ctx, base, h, cycle)
	if err != nil {
		return Version{}, err
	}
	owner := h.parts[at.part]
	if head, err := s.Head(ctx, id); err == nil { // also if it is the base itself
		return Version{}, s.fail(ErrConflict, id, conflictMessage(Version{}, head), nil)
	}
	l, err := s.lockSame(ctx, owner, at)
	if err != nil {
		return Version{}, err
	}
	defer l.Close()
	data, v, err := s.forkLines(ctx, base, owner, at, id)
	if err != nil {
		return Version{}, err
	}
	info, err := l.Stat()
	if err != nil {
		return Version{}, err
	}
	return s.begun(ctx, id, data, v, info)
}

// lockSame locks the file of a section and makes it durable: a writer that was killed may have left
// an append that is not, and a fork must not outlive its beginning. If it is another file by now,
// or the append that the fork begins after failed and was undone, it fails with errPrefix.
func (s *dirStore) lockSame(ctx context.Context, owner section, at forkAt) (*atomicfile.Locked, error) {
	l, err := s.lock(ctx, owner.id, false)
	if errors.Is(err, ErrNotFound) {
		return nil, errPrefix
	}
	if err != nil {
		return nil, err
	}
	was, err := owner.file.Stat()
	now, wrong := l.Stat()
	if err = cmp.Or(err, wrong); err == nil && !(atomicfile.SameFile(was, now) && endsWith(l, at.end, at.after.Digest)) {
		err = errPrefix
	}
	if err == nil {
		err = s.flush(l, now)
	}
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// flush makes a locked journal and the folder durable, unless this store has done so since the
// journal last changed.
func (s *dirStore) flush(l *atomicfile.Locked, info fs.FileInfo) error {
	if known, same := s.known(l.Name(), info); same && known.synced && known.isAll(info) {
		return nil
	}
	err := l.SyncNamed()
	if err == nil {
		err = s.disk.MakeFolder(s.dir)
	}
	if err != nil {
		return err
	}
	end, err := s.endOf(l.Name(), l)
	if err == nil {
		end.synced = true
		s.remember(l.Name(), end)
	}
	return err
}

// forkLines returns the lines with which a fork of base begins, whose common frames are in a locked
// file. The lists of forks have it then.
func (s *dirStore) forkLines(ctx context.Context, base string, owner section, at forkAt, id string) ([]byte, Version, error) {
	p, err := s.open()
	if err != nil {
		return nil, Version{}, err
	}
	defer p.close()
	for _, of := range slices.Compact([]string{owner.id, base}) {
		if err := s.note(ctx, p.files, of, id); err != nil {
			return nil, Version{}, err
		}
	}
	line := journal.PrefixLine{ID: id, History: owner.id, End: owner.start + at.end - owner.from, Digest: at.after.Digest}
	frame := journal.NewFork(at.after, engine.ForkPoint{History: base, Cycle: at.cycle}, at.sealed, id)
	return frame.AppendLine(line.Frame().AppendLine(nil)), frame.Version(), nil
}

// Rewind makes a fork that keeps everything, gives it what it shares, and replaces the file by one
// that begins in the file with the frames of the fork.
func (s *dirStore) Rewind(ctx context.Context, id string, cycle int64, keep string) (Version, error) {
	h, err := s.read(ctx, id)
	if err != nil {
		return Version{}, err
	}
	_, err = s.place(ctx, id, h, cycle)
	h.close()
	if err == nil {
		_, err = s.Fork(ctx, id, Newest, keep)
	}
	if err != nil {
		return Version{}, err
	}
	for try := 0; ; try++ {
		v, err := s.rewind(ctx, id, cycle, keep)
		if !isMoving(err) || try == maxRetries {
			return v, s.wrap(id, "the history cannot be rewound", err)
		}
		if err := pause(ctx, try); err != nil {
			return Version{}, err
		}
	}
}

// rewind replaces a history by a fork of keep, which was forked at its end. It fails with errPrefix
// if the frames of keep are elsewhere by now.
func (s *dirStore) rewind(ctx context.Context, id string, cycle int64, keep string) (Version, error) {
	f, err := s.lock(ctx, id, false)
	if err != nil {
		return Version{}, err
	}
	if err = errors.Join(s.handOver(ctx, id, f), f.Close()); err != nil {
		return Version{}, err
	}
	kept, err := s.read(ctx, keep)
	if err != nil {
		return Version{}, err
	}
	defer kept.close()
	at, err := s.place(ctx, keep, kept, cycle)
	if err != nil {
		return Version{}, err
	}
	var was journal.Digest // the end of the history when it was forked
	own := kept.parts[len(kept.parts)-1]
	for line, err := range journal.Backward(own.file, own.end) {
		if was = line.Before; err != nil {
			return Version{}, err
		}
		if k, err := journal.ParseLine(line.Text); err == nil && k.Kind == journal.Fork {
			break
		}
	}
	l, err := s.lockSame(ctx, kept.parts[at.part], at)
	if err != nil {
		return Version{}, err
	}
	defer l.Close()
	if f, err = s.lock(ctx, id, false); err != nil {
		return Version{}, err
	}
	defer f.Close()
	end, err := s.endOf(f.Name(), f)
	if err != nil {
		return Version{}, err
	}
	if end.version.Digest != was {
		return Version{}, s.fail(ErrConflict, id, conflictMessage(Version{Cycle: at.cycle, Digest: was}, end.version), nil)
	}
	if err := s.handOver(ctx, id, f); err != nil {
		return Version{}, err
	}
	data, v, err := s.forkLines(ctx, keep, kept.parts[at.part], at, id)
	if err != nil {
		return Version{}, err
	}
	return v, s.rewrite(ctx, id, f, data, nil)
}

// begun creates the journal of a fork in the folder of its base. It does not wait for its lock. The
// file gets frames of the base when that changes or goes, so it is as private.
func (s *dirStore) begun(ctx context.Context, id string, data []byte, head Version, base fs.FileInfo) (Version, error) {
	f, err := s.locked(ctx, id, false, func(p place) (*atomicfile.Locked, error) { return p.files.TryLock(p.name, true) })
	if err != nil {
		return Version{}, err
	}
	defer f.Close()
	end, err := s.endOf(f.Name(), f)
	if err != nil {
		return Version{}, err
	}
	if end.version != (Version{}) {
		return Version{}, s.fail(ErrConflict, id, conflictMessage(Version{}, end.version), nil)
	}
	if err = f.Like(base); err == nil {
		err = s.write(f, end, data)
	}
	if err != nil {
		return Version{}, s.undo(id, f, end, err)
	}
	if now, err := f.Stat(); err == nil {
		s.remember(f.Name(), dirEnd{now, end.end + int64(len(data)), head, true})
	}
	return head, nil
}
