package atomicfile

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/windows"
)

const (
	openNoWait        = 0
	canRenameOpenFile = false
)

// lockName is the file that is locked for all files of a folder, because an open file cannot be
// replaced.
const lockName = ".pactkit-lock"

func (f osFile) TryLock() (bool, error) {
	return true, nil // nobody can remove or replace an open file
}

func (f osFile) Lock() error { return nil }

// openLocked waits for the lock of the folder, and opens the file of l.
func (s FS) openLocked(ctx context.Context, l *Locked, create bool) error {
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
	if err := lockFile(ctx, lock); err != nil {
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

// lockFile waits for the lock of a file.
func lockFile(ctx context.Context, f File) error {
	file, ok := f.(osFile)
	if !ok {
		return f.Lock()
	}
	for wait := time.Millisecond; ; wait = min(2*wait, 100*time.Millisecond) {
		err := windows.LockFileEx(windows.Handle(file.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &windows.Overlapped{})
		if !errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
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
