//go:build unix

package atomicfile

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

const (
	// openNoWait keeps open from waiting for the other end of a named pipe, and a terminal from
	// becoming that of the process.
	openNoWait = unix.O_NONBLOCK | unix.O_NOCTTY
	// canRenameOpenFile lets the lock of a temporary file last until it is the target.
	canRenameOpenFile = true
)

func (f osFile) TryLock() (bool, error) {
	err := flock(f, unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

func (f osFile) Lock() error { return flock(f, unix.LOCK_EX) }

func flock(f osFile, how int) error {
	for {
		if err := unix.Flock(int(f.Fd()), how); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

// openLocked opens the file of l and takes its lock, for which it may wait.
func (s FS) openLocked(ctx context.Context, l *Locked, create, wait bool) error {
	flag := os.O_RDWR
	if create {
		flag |= os.O_CREATE
	}
	f, info, err := s.open(l.name, flag)
	if err != nil {
		return err
	}
	l.File, l.info, l.unlock = f, info, func() { f.Close() }
	return lockOpen(ctx, f, wait)
}

// lockOpen takes the lock of an open file, for which it may wait. After an error the file is
// closed, perhaps later.
func lockOpen(ctx context.Context, f File, wait bool) error {
	mine, err := f.TryLock()
	if err == nil && !mine && !wait {
		err = ErrInUse
	}
	if err != nil {
		f.Close()
		return err
	}
	if mine {
		return nil
	}
	if ctx.Done() == nil { // nothing else to wait for
		if err = f.Lock(); err != nil {
			f.Close()
		}
		return err
	}
	locked := make(chan error, 1)
	go func() { locked <- f.Lock() }()
	select {
	case err = <-locked:
		if err != nil {
			f.Close()
		}
		return err
	case <-ctx.Done():
		go func() {
			<-locked
			f.Close()
		}()
		return ctx.Err()
	}
}

// closeBeforeReplace does nothing: an open file can be replaced and removed.
func closeBeforeReplace(File) {}

// sweepFile removes a temporary file that nobody has locked.
func (s FS) sweepFile(name string) error {
	f, err := s.sys.OpenFile(name, os.O_RDONLY|openNoWait, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	mine, err := f.TryLock()
	if err == nil && !mine {
		return ErrInUse
	}
	if err == nil {
		err = s.sys.Remove(name)
	}
	return err
}

// chownLike gives a file the owner and group of another one, as far as the system allows it, and
// reports which of them it has.
func chownLike(f File, old fs.FileInfo) (user, group bool, err error) {
	now, err := f.Stat()
	if err != nil {
		return false, false, err
	}
	want, known := old.Sys().(*syscall.Stat_t)
	have, too := now.Sys().(*syscall.Stat_t)
	if !known || !too {
		return true, true, nil // a system without owners
	}
	user, group = have.Uid == want.Uid, have.Gid == want.Gid
	switch {
	case user && group:
	case f.Chown(int(want.Uid), int(want.Gid)) == nil:
		user, group = true, true
	case !group && f.Chown(-1, int(want.Gid)) == nil:
		group = true
	}
	return user, group, nil
}

// linkCount returns how many names a file has.
func linkCount(info fs.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Nlink)
	}
	return 1
}

// syncFolder makes the names in a folder durable. Some file systems cannot flush folders and say
// so.
func syncFolder(open func() (*os.File, error)) error {
	d, err := open()
	if err != nil {
		return err
	}
	err = d.Sync()
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOTSUP) {
		err = nil // a file system that does not support this does not need it
	}
	return errors.Join(err, d.Close())
}
