package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/windows"
)

var (
	readOnlyErrors = []error{windows.ERROR_WRITE_PROTECT}
	fullErrors     = []error{windows.ERROR_DISK_FULL, windows.ERROR_HANDLE_DISK_FULL}
	pathErrors     = []error{windows.ERROR_DIRECTORY, windows.ERROR_INVALID_NAME, syscall.ENOTDIR}
)

// lockName is the file that is locked for all journals of a folder, because an open file cannot be
// replaced.
const lockName = ".pactkit-lock"

// openLocked waits for the exclusive lock of the folder, and opens a file. unlock closes both.
func openLocked(ctx context.Context, path string, flag int) (f *os.File, unlock func(), err error) {
	if flag&os.O_CREATE == 0 {
		if _, err := os.Stat(path); err != nil {
			return nil, nil, err
		}
	}
	lock, err := os.OpenFile(filepath.Join(filepath.Dir(path), lockName), os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, nil, err
	}
	for try := 0; ; try++ {
		err := windows.LockFileEx(windows.Handle(lock.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &windows.Overlapped{})
		if err == nil {
			break
		}
		if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
			err = pause(ctx, try)
		}
		if err != nil {
			lock.Close()
			return nil, nil, err
		}
	}
	f, err = os.OpenFile(path, flag, 0o666)
	if err != nil {
		lock.Close()
		return nil, nil, err
	}
	return f, func() {
		f.Close() // perhaps a second time
		lock.Close()
	}, nil
}

// closeBeforeReplace closes a file, because an open one cannot be replaced or removed. The lock of
// the folder stays.
func closeBeforeReplace(f *os.File) { f.Close() }

// syncDir does nothing: the entries of a folder are durable when the call that creates them
// returns.
func syncDir(string) error { return nil }
