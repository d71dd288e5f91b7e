package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Private files are for their owner only, whatever umask says.
const (
	privateFile   fs.FileMode = 0o600
	privateFolder fs.FileMode = 0o700
)

// MakePrivateFolder creates a folder that only its owner can enter, and its parents. Those that
// are there stay as they are.
func MakePrivateFolder(path string) error { return os.MkdirAll(path, privateFolder) }

// CreatePrivate creates a file that only its owner can read, for writing at its end. It fails if
// the name exists.
func CreatePrivate(path string) (File, error) {
	f, err := fileOf(os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL|os.O_APPEND, privateFile))
	if err != nil {
		return nil, err
	}
	if err := f.Chmod(privateFile); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// AppendPrivate opens a file for writing at its end, and creates it if it is missing, as
// [CreatePrivate] does.
func AppendPrivate(path string) (File, error) {
	f, _, err := disk.open(path, os.O_RDWR|os.O_APPEND)
	if errors.Is(err, fs.ErrNotExist) {
		return CreatePrivate(path)
	}
	return f, err
}

// RemoveUnused removes a folder with everything in it, unless a program holds the lock of one of
// the named files: then it returns [ErrInUse]. Symbolic links are removed and not followed.
func RemoveUnused(folder string, locked ...string) error {
	for _, name := range locked {
		f, err := disk.Open(filepath.Join(folder, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		mine, err := f.TryLock()
		f.Close()
		if err != nil {
			return err
		}
		if !mine {
			return ErrInUse
		}
	}
	return os.RemoveAll(folder)
}
