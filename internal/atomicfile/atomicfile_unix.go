//go:build unix

package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// openNoWait keeps open from waiting for the other end of a named pipe.
const openNoWait = syscall.O_NONBLOCK

// canRenameOpenFile lets the lock of a temporary file last until it is the target.
const canRenameOpenFile = true

func lock(f *os.File) error {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}

func sweepFile(name string) error {
	f, err := os.OpenFile(name, os.O_WRONLY|openNoWait, 0)
	if err != nil {
		return ignoreMissing(err)
	}
	defer f.Close()
	if lock(f) != nil {
		return nil
	}
	return ignoreMissing(os.Remove(name))
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// keepOwner gives the new file the owner of the old one. Only a privileged user can do that, so
// failure is the usual case and not an error: the file then belongs to the user who wrote it, as
// with any editor.
func keepOwner(f *os.File, old fs.FileInfo) {
	if st, ok := old.Sys().(*syscall.Stat_t); ok {
		_ = f.Chown(int(st.Uid), int(st.Gid))
	}
}

// syncFolder makes a rename durable. Some file systems cannot flush folders and say so.
func syncFolder(folder string) error {
	d, err := os.Open(folder)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, syscall.ENOTSUP) {
		return err
	}
	return nil
}
