// Package atomicfile reads regular files without hanging on other kinds, and replaces their content
// so that a reader, or a crash at any moment, finds either the old bytes or the new ones.
package atomicfile

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// The reasons for which a file is refused. Errors of this package wrap them, or an error of package
// os.
var (
	ErrNotRegular = errors.New("not a regular file")
	ErrTooLarge   = errors.New("file is too large")
	ErrReadOnly   = errors.New("file is read-only")
	ErrChanged    = errors.New("file was changed in the meantime")
)

// Reason returns the cause of an error about a file, for a message that names the file itself.
func Reason(err error) string {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err.Error()
	}
	return err.Error()
}

// The name of a temporary file. It begins with a dot, so tools that list or watch folders ignore
// it.
const (
	tempPrefix = ".pactkit-"
	tempSuffix = ".tmp"
)

// writing is held by everything that writes a file.
var writing sync.RWMutex

// Hold waits for the files that are being written and blocks new writes: a program that is about to
// exit calls it, so no temporary file is left behind.
func Hold() { writing.Lock() }

// Open opens a regular file for reading. Symbolic links are followed. It never waits for a writer:
// a named pipe, a device, a socket or a folder is [ErrNotRegular].
func Open(path string) (*os.File, error) {
	f, _, err := open(path)
	return f, err
}

func open(path string) (*os.File, fs.FileInfo, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|openNoWait, 0)
	if err != nil {
		return nil, nil, refineOpenError(path, err)
	}
	info, err := f.Stat()
	if err == nil {
		err = checkRegular(info)
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// Read returns the content of a regular file of at most limit bytes; it opens it as [Open] does.
func Read(path string, limit int64) ([]byte, error) {
	f, info, err := open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info.Size() > limit {
		return nil, ErrTooLarge
	}
	// The size may have been wrong (files in /proc), or the file may have grown since.
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(data)) > limit {
		return nil, ErrTooLarge
	}
	return data, err
}

// refineOpenError says what a path is if it could not be opened because it is not a regular file.
func refineOpenError(path string, err error) error {
	if info, statErr := os.Stat(path); statErr == nil {
		if kindErr := checkRegular(info); kindErr != nil {
			return kindErr
		}
	}
	return err
}

func checkRegular(info fs.FileInfo) error {
	kind := ""
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		kind = "a folder"
	case mode&fs.ModeNamedPipe != 0:
		kind = "a named pipe"
	case mode&fs.ModeSocket != 0:
		kind = "a socket"
	case mode&fs.ModeDevice != 0:
		kind = "a device"
	default:
		kind = "of an unknown kind"
	}
	return fmt.Errorf("%w: it is %s", ErrNotRegular, kind)
}

// Replace replaces old by data; old is the content that the file was last seen to hold. The steps
// are those of a careful shell script: write a temporary file beside the target, flush it to the
// disk, rename it over the target, flush the folder. Symbolic links are followed and stay;
// permissions stay, the owner too where the system allows it. Other hard links to the file keep the
// old content.
//
// A file without any write permission is refused even if the system would allow it, and one whose
// content is no longer old is not changed. After an error the file is as it was, unless the error
// came from flushing the folder.
func Replace(path string, old, data []byte) error {
	return replace(path, old, data, system)
}

// operations are the steps of a replacement that can fail for reasons outside the program.
type operations struct {
	write  func(*os.File, func(io.Writer) error) error
	sync   func(*os.File) error
	rename func(from, to string) error
}

var system = operations{
	write:  func(f *os.File, fill func(io.Writer) error) error { return fill(f) },
	sync:   (*os.File).Sync,
	rename: os.Rename,
}

func replace(path string, old, data []byte, ops operations) error {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	info, err := replaceable(target)
	if err != nil {
		return err
	}
	fill := func(w io.Writer) error { _, err := w.Write(data); return err }
	return publish(target, info, fill, ops, func() error {
		now, err := Read(target, int64(len(old)))
		if errors.Is(err, ErrTooLarge) || err == nil && !bytes.Equal(now, old) {
			return ErrChanged
		}
		return err
	})
}

// replaceable returns what is known of a file that may be replaced, and otherwise why it may not.
func replaceable(path string) (fs.FileInfo, error) {
	info, err := os.Lstat(path)
	if err == nil {
		err = checkRegular(info)
	}
	if err == nil {
		err = checkWritable(path, info)
	}
	return info, err
}

// Write creates a file, or replaces the content of a regular file, whatever it was, as carefully as
// [Replace].
func Write(path string, data []byte) error {
	return WriteFrom(path, func(w io.Writer) error { _, err := w.Write(data); return err })
}

// WriteFrom is [Write] with the content that fill writes. If fill fails, the file stays as it was,
// and the error is that of fill.
func WriteFrom(path string, fill func(io.Writer) error) error {
	target, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		// A dangling link is refused: we should not guess what it was meant to name.
		if _, linkErr := os.Lstat(path); linkErr == nil {
			return err
		}
		return publish(path, nil, fill, system, func() error { return nil })
	}
	if err != nil {
		return err
	}
	info, err := replaceable(target)
	if err != nil {
		return err
	}
	return publish(target, info, fill, system, func() error { return nil })
}

// publish writes a temporary file beside the target and renames it over the target, which info
// describes; nil means that the target does not exist yet. check runs last, right before the
// rename.
func publish(target string, info fs.FileInfo, fill func(io.Writer) error, ops operations, check func() error) error {
	writing.RLock()
	defer writing.RUnlock()
	temp, err := createTemp(filepath.Dir(target))
	if err != nil {
		return err
	}
	published := false
	defer func() {
		temp.Close()
		if !published {
			os.Remove(temp.Name())
		}
	}()
	if err := ops.write(temp, fill); err != nil {
		return err
	}
	mode := newFileMode
	if info != nil {
		keepOwner(temp, info)
		mode = info.Mode() & (fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky)
	}
	if err := temp.Chmod(mode); err != nil {
		return err
	}
	if err := ops.sync(temp); err != nil {
		return err
	}
	if err := check(); err != nil {
		return err
	}
	if !canRenameOpenFile {
		if err := temp.Close(); err != nil {
			return err
		}
	}
	if err := ops.rename(temp.Name(), target); err != nil {
		return err
	}
	published = true
	return syncFolder(filepath.Dir(target))
}

// newFileMode is the customary permission of a new file.
const newFileMode fs.FileMode = 0o644

// checkWritable refuses a file that the user protected or cannot write. It also checks the
// permission bits, because for the superuser every open succeeds.
func checkWritable(path string, info fs.FileInfo) error {
	if info.Mode().Perm()&0o222 == 0 {
		return ErrReadOnly
	}
	f, err := os.OpenFile(path, os.O_WRONLY|openNoWait, 0)
	if err != nil {
		return err
	}
	return f.Close()
}

// createTemp makes a temporary file and locks it for as long as it is open, which shows [Sweep]
// that it is in use.
func createTemp(folder string) (*os.File, error) {
	for {
		name := filepath.Join(folder, tempPrefix+rand.Text()+tempSuffix)
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return nil, err
		}
		if err := lock(f); err != nil {
			f.Close()
			os.Remove(name)
			return nil, err
		}
		// Between the creation and the lock a sweep may have removed the file.
		if _, err := os.Lstat(name); err == nil {
			return f, nil
		}
		f.Close()
	}
}

// Sweep removes the temporary files that a crash or a power cut left in a folder. Those of a
// running process stay. On systems without file locks it does nothing.
func Sweep(folder string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	var errs []error
	for _, e := range entries {
		if e.Type().IsRegular() && isTemp(e.Name()) {
			errs = append(errs, sweepFile(filepath.Join(folder, e.Name())))
		}
	}
	return errors.Join(errs...)
}

func isTemp(name string) bool {
	return strings.HasPrefix(name, tempPrefix) && strings.HasSuffix(name, tempSuffix)
}
