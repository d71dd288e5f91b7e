package atomicfile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// Locked is a regular file that is open for reading and writing, and locked until it is closed. The
// lock is that of the file, whatever links lead to it.
type Locked struct {
	File
	files  FS
	name   string // of the file itself, after links
	opened string // as the caller named it
	info   fs.FileInfo
	unlock func()
}

// Lock opens a regular file for reading and writing, following symbolic links, and waits for its
// lock. A file that is replaced in the meantime is opened again. With create, a file that does not
// exist is created; a dangling link is not. The caller closes it.
func (s FS) Lock(ctx context.Context, name string, create bool) (*Locked, error) {
	return s.lock(ctx, name, create, true)
}

// TryLock is like [FS.Lock], and fails with [ErrInUse] if somebody else has the lock. Whoever holds
// a lock that another process may wait for must not wait for one of that process.
func (s FS) TryLock(name string, create bool) (*Locked, error) {
	return s.lock(context.Background(), name, create, false)
}

func (s FS) lock(ctx context.Context, name string, create, wait bool) (*Locked, error) {
	for {
		target, err := s.Target(name)
		if errors.Is(err, fs.ErrNotExist) && create {
			if err = nil; target != name {
				err = &fs.PathError{Op: "open", Path: name, Err: ErrDangling}
			}
		}
		if err != nil {
			return nil, err
		}
		l := &Locked{files: s, name: target, opened: name}
		if err := s.openLocked(ctx, l, create, wait); err != nil {
			return nil, err
		}
		// The name may have been replaced while we waited, or the link to it.
		named, err := s.sys.Stat(name)
		if err == nil && SameFile(l.info, named) {
			return l, nil
		}
		l.unlock()
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
}

// Name returns the name of the file itself: symbolic links are resolved.
func (l *Locked) Name() string { return l.name }

// Close ends the lock.
func (l *Locked) Close() error {
	l.unlock()
	return nil
}

// Also makes Close call f after it has ended the lock.
func (l *Locked) Also(f func() error) {
	unlock := l.unlock
	l.unlock = func() {
		unlock()
		_ = f() // of a folder that was only read
	}
}

// Sweep removes the temporary files that interrupted writes left in the folder of the file, and
// returns those that are still there and may be of this file. While the lock is held, no other
// [Locked.Rewrite] of the file is running.
func (l *Locked) Sweep() ([]Leftover, error) {
	list, err := l.files.sweep(folderOf(l.name))
	if list == nil {
		return nil, err
	}
	var left []Leftover
	for _, x := range list {
		if x.stem == "" || x.stem == tempStem(l.name) {
			left = append(left, x)
		}
	}
	return left, nil
}

// Rewrite replaces the content of the file as a whole by what fill writes, which may read the file.
// Permissions and owner stay. It fails with [ErrOwner] if the owner cannot stay, and with
// [ErrLinks] if the file has further hard links, which would keep the old content. After an error
// other than [ErrUnflushed] the file is as it was. Afterwards the lock is that of a file without a
// name: there is nothing to do but to close it.
func (l *Locked) Rewrite(fill func(io.Writer) error) error {
	info, err := l.Stat()
	if err != nil {
		return err
	}
	if linkCount(info) > 1 {
		return ErrLinks
	}
	return l.files.publish(publication{target: l.name, info: info, fill: fill, strict: true, last: func() error {
		closeBeforeReplace(l.File)
		return nil
	}})
}

// Like gives a new file that will have content of another one the owner of that, as far as the
// system allows it, and no permission that the other one lacks.
func (l *Locked) Like(other fs.FileInfo) error {
	mode, err := keepOwner(l.File, publication{info: other})
	if err != nil {
		return err
	}
	now, err := l.Stat()
	if err != nil || now.Mode().Perm()&^mode == 0 {
		return err
	}
	return l.Chmod(now.Mode().Perm() & mode)
}

// Remove removes the name of the file, and the link that it was opened with. Further hard links
// keep the content. After [ErrUnflushed] the name is gone, but a crash may bring it back.
func (l *Locked) Remove() error {
	closeBeforeReplace(l.File)
	if err := l.files.sys.Remove(l.name); err != nil {
		return err
	}
	if l.opened != l.name {
		if err := l.files.sys.Remove(l.opened); err != nil {
			return err
		}
		if err := l.files.sys.SyncDir(folderOf(l.opened)); err != nil {
			return err
		}
	}
	if err := l.SyncFolder(); err != nil {
		return fmt.Errorf("%w: %w", ErrUnflushed, err)
	}
	return nil
}

// SyncFolder makes the name of the file durable.
func (l *Locked) SyncFolder() error { return l.files.sys.SyncDir(folderOf(l.name)) }

// SyncNamed makes the content and the name of the file durable.
func (l *Locked) SyncNamed() error { return l.files.sys.Both(l.Sync, l.SyncFolder) }
