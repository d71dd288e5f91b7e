package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// The permissions of private files, which do not depend on the umask.
const (
	privateFile   fs.FileMode = 0o600
	privateFolder fs.FileMode = 0o700
)

// MakePrivateFolder creates a folder that only its owner can enter, and its parents. It does not
// change the permissions of existing folders.
func MakePrivateFolder(path string) error { return os.MkdirAll(path, privateFolder) }

// CreatePrivate creates a file that only its owner can read, for appending and reading. If the name
// exists, the error is [fs.ErrExist].
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

// AppendPrivate opens a regular file for appending and reading. A missing file is created as by
// [CreatePrivate].
func AppendPrivate(path string) (File, error) {
	f, _, err := disk.open(path, os.O_RDWR|os.O_APPEND)
	if errors.Is(err, fs.ErrNotExist) {
		return CreatePrivate(path)
	}
	return f, err
}

// Growing is a file that grows at its end. It must not be used concurrently.
type Growing struct {
	File
	Size int64
}

// Append writes data at the end of the file, which must have been opened for appending. If it
// fails, the file keeps its old size.
func (g *Growing) Append(data []byte) error {
	if _, err := g.Write(data); err != nil {
		return errors.Join(err, g.Truncate(g.Size))
	}
	g.Size += int64(len(data))
	return nil
}

// RemoveUnused removes a folder and everything in it. If another program holds the lock of one of
// the named files in the folder, it removes nothing and returns [ErrInUse]. It does not follow
// symbolic links.
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
