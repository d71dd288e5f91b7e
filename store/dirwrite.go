package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/store/journal"
)

// Append writes the frames after the last complete append, in one write, and waits until they are
// on disk.
func (s *dirStore) Append(ctx context.Context, id string, after Version, frames ...Frame) (Version, error) {
	if err := s.check(ctx, id); err != nil {
		return Version{}, err
	}
	if why := checkFrames(after, frames); why != "" {
		return Version{}, s.fail(ErrFrames, id, why, nil)
	}
	begins := after == Version{}
	if begins && s.file == "" && !fileHoldsID(frames[0], id) {
		return Version{}, s.fail(ErrFrames, id, "the header must contain the id, which is too long for a file name", nil)
	}
	f, err := s.lock(ctx, id, begins)
	if err != nil {
		if errors.Is(err, ErrNotFound) {
			err = s.fail(ErrConflict, id, conflictMessage(after, Version{}), nil)
		}
		return Version{}, err
	}
	defer f.Close()
	s.sweepOnce(f)
	end, err := s.endOf(f.Name(), f)
	if err != nil {
		return Version{}, s.wrap(id, "the end of the journal cannot be read", err)
	}
	if end.version != after {
		return Version{}, s.fail(ErrConflict, id, conflictMessage(after, end.version), nil)
	}
	var data []byte
	for _, frame := range frames {
		data = frame.AppendLine(data)
	}
	head := frames[len(frames)-1].Version()
	if begins && !endsOnce(frames) {
		err = s.rewrite(ctx, id, f, data, nil)
	} else if err = s.write(f, end, data); err != nil {
		err = s.undo(id, f, end, err)
	}
	if err != nil {
		return Version{}, err
	}
	if begins && !endsOnce(frames) {
		return head, nil // in another file
	}
	if now, err := f.Stat(); err == nil {
		s.remember(f.Name(), dirEnd{now, end.end + int64(len(data)), head, true})
	}
	return head, nil
}

// endsOnce reports whether only the last frame has an end mark. Then an interrupted write of the
// frames does not count.
func endsOnce(frames []Frame) bool {
	return slices.IndexFunc(frames, func(f Frame) bool { return f.End }) == len(frames)-1
}

// write replaces everything after the end of an append by data.
func (s *dirStore) write(f *atomicfile.Locked, end dirEnd, data []byte) error {
	if end.file.Size() > end.end {
		if err := f.Truncate(end.end); err != nil {
			return err
		}
	}
	if _, err := f.WriteAt(data, end.end); err != nil {
		return err
	}
	sync := f.Sync
	if !end.synced {
		sync = f.SyncNamed
	}
	if err := sync(); err != nil {
		return fmt.Errorf("%w: %w", atomicfile.ErrUnflushed, err)
	}
	return nil
}

// undo undoes a failed append. If a flush failed, nobody knows what a crash will leave of it.
func (s *dirStore) undo(id string, f *atomicfile.Locked, end dirEnd, cause error) error {
	s.forget(f.Name())
	err := f.Truncate(end.end)
	if err == nil && end.end == 0 {
		err = f.Remove()
	} else if err == nil {
		err = f.Sync()
	}
	if errors.Is(cause, atomicfile.ErrUnflushed) {
		return s.fail(ErrUnknown, id, "the frames could not be flushed to the disk", errors.Join(cause, err))
	}
	if err != nil {
		return s.fail(ErrUnknown, id, "the append failed, and what it wrote cannot be removed", errors.Join(cause, err))
	}
	return s.wrap(id, "the frames cannot be written", cause)
}

// rewrite replaces a locked journal by a new file: data, followed by what tail reads. If ctx is
// canceled while it reads, the journal stays as it is.
func (s *dirStore) rewrite(ctx context.Context, id string, f *atomicfile.Locked, data []byte, tail io.Reader) error {
	s.forget(f.Name())
	err := f.Rewrite(func(w io.Writer) error {
		if _, err := w.Write(data); err != nil {
			return err
		}
		if tail == nil {
			return nil
		}
		_, err := io.Copy(w, canceled{ctx, tail})
		return err
	})
	return s.wrap(id, "the journal cannot be rewritten", err)
}

// canceled is a reader that ends with the error of a context.
type canceled struct {
	ctx context.Context
	io.Reader
}

func (c canceled) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.Reader.Read(p)
}

// lock opens the journal of an id for writing and waits for its lock. The caller closes it.
func (s *dirStore) lock(ctx context.Context, id string, create bool) (*atomicfile.Locked, error) {
	return s.locked(ctx, id, create, func(p place) (*atomicfile.Locked, error) { return p.files.Lock(ctx, p.name, create) })
}

// locked is lock with another way to take the lock.
func (s *dirStore) locked(ctx context.Context, id string, create bool, take func(place) (*atomicfile.Locked, error)) (*atomicfile.Locked, error) {
	p, err := s.begin(ctx, id, create)
	if err != nil {
		return nil, err
	}
	f, err := take(p)
	if err == nil {
		f.Also(p.close)
		return f, nil
	}
	if err = cmp.Or(ctx.Err(), err); errors.Is(err, fs.ErrNotExist) {
		err = s.notFound(id)
	}
	return nil, errors.Join(s.wrap(id, "the journal cannot be opened for writing", err), p.close())
}

// sweepOnce removes what interrupted runs left in the folder, when the store appends for the first
// time. What cannot be removed does not concern an append.
func (s *dirStore) sweepOnce(f *atomicfile.Locked) {
	s.mu.Lock()
	done := s.swept
	s.swept = true
	s.mu.Unlock()
	if !done {
		_, _ = f.Sweep()
	}
}

// sweep removes what interrupted runs left of a journal, so what is removed from it does not stay
// in a temporary file.
func (s *dirStore) sweep(id string, f *atomicfile.Locked) error {
	left, err := f.Sweep()
	if err != nil {
		return s.wrap(id, "the folder cannot be searched for temporary files", err)
	}
	if len(left) > 0 {
		return s.fail(ErrRemains, id, "the temporary file "+left[0].Name+" may hold the history, and cannot be removed", left[0].Err)
	}
	return nil
}

// Delete removes the file, and the link that leads to it.
func (s *dirStore) Delete(ctx context.Context, id string) error {
	f, err := s.lock(ctx, id, false)
	if err != nil {
		return err
	}
	defer f.Close()
	end, err := s.endOf(f.Name(), f)
	if err == nil && end.version == (Version{}) {
		return s.notFound(id)
	}
	if err := s.sweep(id, f); err != nil {
		return err
	}
	if err := s.handOver(ctx, id, f); err != nil {
		return s.wrap(id, "the forks cannot get what they share", err)
	}
	s.forget(f.Name())
	return s.wrap(id, "the journal cannot be deleted", f.Remove())
}

// Replace writes a new file that replaces the old one.
func (s *dirStore) Replace(ctx context.Context, id string, upTo Version, frames ...Frame) (Version, error) {
	if err := s.check(ctx, id); err != nil {
		return Version{}, err
	}
	if why := checkReplacement(frames); why != "" {
		return Version{}, s.fail(ErrFrames, id, why, nil)
	}
	if s.file == "" && !fileHoldsID(frames[0], id) {
		return Version{}, s.fail(ErrFrames, id, "the header must contain the id, which is too long for a file name", nil)
	}
	f, err := s.lock(ctx, id, false)
	if err != nil {
		return Version{}, err
	}
	defer f.Close()
	if err := s.sweep(id, f); err != nil {
		return Version{}, err
	}
	h, err := s.read(ctx, id) // the lock keeps it as it is
	if err != nil {
		return Version{}, err
	}
	defer h.close()
	last := frames[len(frames)-1]
	head, part, from := h.version, len(h.parts)-1, h.end
	if upTo == h.version {
		head = last.Version()
	} else {
		if part, from, err = s.find(ctx, id, h, upTo); err != nil {
			return Version{}, err
		}
		if last.Digest != upTo.Digest {
			return Version{}, s.fail(ErrConflict, id, conflictMessage(upTo, h.version), nil)
		}
	}
	if err := s.handOver(ctx, id, f); err != nil {
		return Version{}, s.wrap(id, "the forks cannot get what they share", err)
	}
	var data []byte
	for _, frame := range frames {
		data = frame.AppendLine(data)
	}
	if err := s.rewrite(ctx, id, f, data, readers(h.tail(part, from))); err != nil {
		return Version{}, err
	}
	return head, nil
}

// fileHoldsID reports whether the name of a file, or its header, contains the id.
func fileHoldsID(header Frame, id string) bool {
	if _, whole, _ := fileID(fileName(id)); whole {
		return true
	}
	about, err := journal.ReadHeader(header)
	return err == nil && about.ID == id
}
