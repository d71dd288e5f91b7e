package store

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/pactkit/pactkit/store/journal"
)

// Append writes the frames after the last complete append, in one write, and waits until they are
// on disk.
func (s *dirStore) Append(ctx context.Context, id string, after Version, frames ...Frame) (Version, error) {
	path, err := s.begin(ctx, id)
	if err != nil {
		return Version{}, err
	}
	if why := checkFrames(after, frames); why != "" {
		return Version{}, s.fail(ErrFrames, id, why, nil)
	}
	begins := after == Version{}
	if begins && s.file == "" && !fileHoldsID(path, frames[0], id) {
		return Version{}, s.fail(ErrFrames, id, "the header must contain the id, which is too long for a file name", nil)
	}
	f, unlock, err := s.lock(ctx, id, path, begins)
	if err != nil {
		if errors.Is(err, ErrNotFound) {
			err = s.fail(ErrConflict, id, conflictMessage(after, Version{}), nil)
		}
		return Version{}, err
	}
	defer unlock()
	end, err := s.endOf(path, f)
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
		err = s.rewrite(ctx, id, path, f, data, nil)
	} else if err = s.write(path, f, end, data); err != nil {
		err = s.undo(id, path, f, end, err)
	}
	if err != nil {
		return Version{}, err
	}
	if begins && !endsOnce(frames) {
		return head, nil // in another file
	}
	if now, err := f.Stat(); err == nil {
		s.remember(path, dirEnd{now, end.end + int64(len(data)), head, true})
	}
	return head, nil
}

// endsOnce reports whether only the last frame has an end mark. Then an interrupted write of the
// frames does not count.
func endsOnce(frames []Frame) bool {
	return slices.IndexFunc(frames, func(f Frame) bool { return f.End }) == len(frames)-1
}

// write replaces everything after the end of an append by data.
func (s *dirStore) write(path string, f *os.File, end dirEnd, data []byte) error {
	if end.file.Size() > end.end {
		if err := f.Truncate(end.end); err != nil {
			return err
		}
	}
	if _, err := f.WriteAt(data, end.end); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if end.synced {
		return nil
	}
	return syncDir(filepath.Dir(path))
}

// undo undoes a failed append.
func (s *dirStore) undo(id, path string, f *os.File, end dirEnd, cause error) error {
	s.forget(path)
	err := f.Truncate(end.end)
	if err == nil && end.end == 0 {
		err = os.Remove(path)
	}
	if err != nil {
		return s.fail(ErrUnknown, id, "the append failed, and what it wrote cannot be removed", errors.Join(cause, err))
	}
	return s.wrap(id, "the frames cannot be written", cause)
}

// rewrite replaces a locked journal by a new file: data, followed by what tail reads. If ctx is
// canceled while it reads, the journal stays as it is.
func (s *dirStore) rewrite(ctx context.Context, id, path string, f *os.File, data []byte, tail io.Reader) error {
	s.forget(path)
	temp, err := os.CreateTemp(filepath.Dir(path), ".pactkit-*.tmp")
	if err != nil {
		return s.wrap(id, "the journal cannot be rewritten", err)
	}
	done := func() error {
		if info, err := f.Stat(); err == nil {
			if err := temp.Chmod(info.Mode().Perm()); err != nil {
				return err
			}
		}
		if _, err := temp.Write(data); err != nil {
			return err
		}
		for tail != nil {
			if err := ctx.Err(); err != nil {
				return err
			}
			if _, err := io.CopyN(temp, tail, 1<<20); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return err
			}
		}
		return temp.Sync()
	}
	err = done()
	if closed := temp.Close(); err == nil {
		err = closed
	}
	closeBeforeReplace(f)
	if err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		return s.wrap(id, "the journal cannot be rewritten", errors.Join(err, os.Remove(temp.Name())))
	}
	if err := syncDir(filepath.Dir(path)); err != nil {
		return s.fail(ErrUnknown, id, "the new journal is in place, but the folder cannot be flushed", err)
	}
	return nil
}

// lock opens the journal of an id for writing and waits for its lock. A file that was replaced
// while it waited is opened again.
func (s *dirStore) lock(ctx context.Context, id, path string, create bool) (*os.File, func(), error) {
	flag := os.O_RDWR
	if create {
		flag |= os.O_CREATE
		if err := makeDir(s.dir); err != nil {
			return nil, nil, s.wrap(id, "the folder cannot be created", err)
		}
	}
	for {
		f, unlock, err := openLocked(ctx, path, flag)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil, s.fail(ErrNotFound, id, "there is no such history", nil)
		}
		if ctx.Err() != nil && err != nil {
			return nil, nil, ctx.Err()
		}
		if err != nil {
			return nil, nil, s.wrap(id, "the journal cannot be opened for writing", err)
		}
		mine, err := f.Stat()
		if err == nil {
			if named, err := os.Stat(path); err == nil && os.SameFile(mine, named) {
				return f, unlock, nil
			}
		}
		unlock()
	}
}

// makeDir creates a folder and its parents durably.
func makeDir(dir string) error {
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	parent := filepath.Dir(dir)
	if err := makeDir(parent); err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return syncDir(parent)
}

// Delete removes the file.
func (s *dirStore) Delete(ctx context.Context, id string) error {
	path, err := s.begin(ctx, id)
	if err != nil {
		return err
	}
	f, unlock, err := s.lock(ctx, id, path, false)
	if err != nil {
		return err
	}
	defer unlock()
	end, err := s.endOf(path, f)
	if err == nil && end.version == (Version{}) {
		return s.fail(ErrNotFound, id, "there is no such history", nil)
	}
	s.forget(path)
	closeBeforeReplace(f)
	if err := os.Remove(path); err != nil {
		return s.wrap(id, "the journal cannot be deleted", err)
	}
	return s.wrap(id, "the folder cannot be flushed", syncDir(s.dir))
}

// Replace writes a new file that replaces the old one.
func (s *dirStore) Replace(ctx context.Context, id string, upTo Version, frames ...Frame) (Version, error) {
	path, err := s.begin(ctx, id)
	if err != nil {
		return Version{}, err
	}
	if why := checkReplacement(frames); why != "" {
		return Version{}, s.fail(ErrFrames, id, why, nil)
	}
	if s.file == "" && !fileHoldsID(path, frames[0], id) {
		return Version{}, s.fail(ErrFrames, id, "the header must contain the id, which is too long for a file name", nil)
	}
	f, unlock, err := s.lock(ctx, id, path, false)
	if err != nil {
		return Version{}, err
	}
	defer unlock()
	end, err := s.endOf(path, f)
	if err != nil {
		return Version{}, s.wrap(id, "the journal cannot be read", err)
	}
	last := frames[len(frames)-1]
	head, from := end.version, end.end
	if upTo == end.version {
		head = last.Version()
	} else {
		if from, err = s.after(ctx, id, f, end.end, upTo); err != nil {
			return Version{}, err
		}
		if last.Digest != upTo.Digest {
			return Version{}, s.fail(ErrConflict, id, conflictMessage(upTo, end.version), nil)
		}
	}
	var data []byte
	for _, frame := range frames {
		data = frame.AppendLine(data)
	}
	if err := s.rewrite(ctx, id, path, f, data, io.NewSectionReader(f, from, end.end-from)); err != nil {
		return Version{}, err
	}
	return head, nil
}

// after returns where the frame after a version begins. It reads from the end.
func (s *dirStore) after(ctx context.Context, id string, r io.ReaderAt, end int64, v Version) (int64, error) {
	if v == (Version{}) {
		return 0, nil
	}
	at := end
	for line, err := range journal.Backward(r, end) {
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return 0, s.wrap(id, "the journal cannot be read", err)
		}
		if d, ok := journal.LineDigest(line.Text); ok && d == v.Digest {
			return at, nil
		}
		at = line.Start
	}
	return 0, s.fail(ErrChanged, id, goneMessage(v), nil)
}

// fileHoldsID reports whether the name of a file, or its header, contains the id.
func fileHoldsID(path string, header Frame, id string) bool {
	if _, whole, _ := fileID(filepath.Base(path)); whole {
		return true
	}
	about, err := journal.ReadHeader(header)
	return err == nil && about.ID == id
}
