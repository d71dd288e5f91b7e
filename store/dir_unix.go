//go:build unix

package store

import (
	"context"
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

var (
	readOnlyErrors = []error{syscall.EROFS}
	fullErrors     = []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG}
	pathErrors     = []error{syscall.ENOTDIR, syscall.EISDIR, syscall.ENAMETOOLONG, syscall.ELOOP}
)

// openLocked opens a file and waits for its exclusive lock. unlock closes the file.
func openLocked(ctx context.Context, path string, flag int) (f *os.File, unlock func(), err error) {
	f, err = os.OpenFile(path, flag|syscall.O_NONBLOCK, 0o666)
	if err != nil {
		return nil, nil, err
	}
	unlock = func() { f.Close() } // the data is already on disk
	err = flock(f, unix.LOCK_EX|unix.LOCK_NB)
	if !errors.Is(err, unix.EWOULDBLOCK) {
		if err != nil {
			unlock()
		}
		return f, unlock, err
	}
	locked := make(chan error, 1)
	go func() { locked <- flock(f, unix.LOCK_EX) }()
	select {
	case err = <-locked:
		if err != nil {
			unlock()
		}
		return f, unlock, err
	case <-ctx.Done():
		go func() {
			<-locked
			unlock()
		}()
		return nil, nil, ctx.Err()
	}
}

func flock(f *os.File, how int) error {
	for {
		if err := unix.Flock(int(f.Fd()), how); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

// closeBeforeReplace does nothing: an open file can be replaced and removed.
func closeBeforeReplace(*os.File) {}

// syncDir makes the entries of a folder durable.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = d.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		err = nil // a file system that does not support this does not need it
	}
	return errors.Join(err, d.Close())
}
