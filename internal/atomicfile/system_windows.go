package atomicfile

import (
	"context"
	"errors"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/windows"
)

const (
	openNoWait        = 0
	canRenameOpenFile = false
)

// lockName is the file of which a byte is locked for each locked file of the folder.
const lockName = ".pactkit-lock"

func (f osFile) TryLock() (bool, error) {
	return true, nil // nobody can remove or replace an open file
}

func (f osFile) Lock() error { return nil }

// openLocked takes the lock of the file of l, for which it may wait, and opens it. The lock is
// that of another file, because an open file cannot be replaced.
func (s FS) openLocked(ctx context.Context, l *Locked, create, wait bool) error {
	flag := os.O_RDWR
	if create {
		flag |= os.O_CREATE
	} else if _, err := s.sys.Stat(l.name); err != nil {
		return err
	}
	lock, err := s.sys.OpenFile(filepath.Join(filepath.Dir(l.name), lockName), os.O_RDWR|os.O_CREATE, newFileMode)
	if err != nil {
		return err
	}
	if err := lockFile(ctx, lock, filepath.Base(l.name), wait); err != nil {
		lock.Close()
		return err
	}
	f, info, err := s.open(l.name, flag)
	if err != nil {
		lock.Close()
		return err
	}
	l.File, l.info, l.unlock = f, info, func() {
		f.Close() // perhaps a second time
		lock.Close()
	}
	return nil
}

// lockFile locks the byte of a file that stands for a name.
func lockFile(ctx context.Context, f File, name string, wait bool) error {
	file, ok := f.(osFile)
	if !ok {
		return f.Lock()
	}
	place := fnv.New64a()
	_, _ = place.Write([]byte(strings.ToLower(name)))
	at := place.Sum64() >> 1 // offsets are signed
	for pause := time.Millisecond; ; pause = min(2*pause, 100*time.Millisecond) {
		where := windows.Overlapped{Offset: uint32(at), OffsetHigh: uint32(at >> 32)}
		err := windows.LockFileEx(windows.Handle(file.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &where)
		if !errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
			return err
		}
		if !wait {
			return ErrInUse
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}

// closeBeforeReplace closes a file, because an open one cannot be replaced or removed. The lock of
// the folder stays.
func closeBeforeReplace(f File) { f.Close() }

// sweepFile removes a temporary file that nobody has open.
func (s FS) sweepFile(name string) error {
	err := s.sys.Remove(name)
	if errors.Is(err, windows.ERROR_SHARING_VIOLATION) {
		return ErrInUse
	}
	return err
}

// chownLike does nothing: a new file has the owner that its folder gives it.
func chownLike(File, fs.FileInfo) (user, group bool, err error) { return true, true, nil }

// linkCount does not know of other names.
func linkCount(fs.FileInfo) uint64 { return 1 }

// syncFolder does nothing: the names in a folder are durable when the call that creates them
// returns.
func syncFolder(func() (*os.File, error)) error { return nil }
