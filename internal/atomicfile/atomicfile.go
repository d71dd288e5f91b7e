// Package atomicfile is how this module uses disks. It reads regular files without waiting for
// files of other kinds, and replaces their content so that a reader, or a crash at any moment,
// finds either the old bytes or the new ones.
//
// The functions work on the file system of the operating system. The methods of [FS] do the same on
// a [System], such as a folder that nothing leads out of ([OpenRoot]).
package atomicfile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"
)

// The reasons for which a file is refused. Errors of this package wrap them, or an error of package
// os.
var (
	ErrNotRegular = errors.New("not a regular file")
	ErrTooLarge   = errors.New("file is too large")
	ErrReadOnly   = errors.New("file is read-only")
	ErrChanged    = errors.New("file was changed in the meantime")
	ErrOutside    = errors.New("the path leads out of the folder")
	ErrOwner      = errors.New("the file belongs to another user, who would lose it")
	ErrLinks      = errors.New("the file has other names (hard links), under which the old content would stay")
	ErrDangling   = errors.New("a symbolic link to a file that does not exist")
	ErrInUse      = errors.New("another program is writing it")
	// ErrUnflushed says that the change is in place, but a crash may undo it.
	ErrUnflushed = errors.New("it cannot be flushed to the disk")
)

// Reason returns the cause of an error about a file, for a message that names the file itself.
func Reason(err error) string {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err.Error()
	}
	return err.Error()
}

// writing is held by everything that replaces a file.
var writing sync.RWMutex

// Hold waits for the files that are being replaced and blocks new replacements. A program calls it
// before it exits, so that no temporary file remains.
func Hold() { writing.Lock() }

// FS reads and writes the files of a [System]. It is safe for concurrent use if the system is.
type FS struct{ sys System }

// New returns the files of a system.
func New(sys System) FS { return FS{sys} }

// With returns the layer over the file system that wrap makes of its own.
func (s FS) With(wrap func(System) System) FS { return FS{wrap(s.sys)} }

// disk is the file system of the operating system.
var disk = New(osSystem{})

// Disk returns the files of the operating system, whose names are paths.
func Disk() FS { return disk }

// Open opens a regular file for reading. Symbolic links are followed. It never waits for a writer:
// a named pipe, a device, a socket or a folder is [ErrNotRegular].
func Open(path string) (File, error) { return disk.Open(path) }

// Read returns the content of a regular file of at most limit bytes; it opens it as [Open] does.
func Read(path string, limit int64) ([]byte, error) { return disk.Read(path, limit) }

// Stat describes what a path names; symbolic links are followed.
func Stat(path string) (fs.FileInfo, error) { return disk.Stat(path) }

// Lstat describes what a path names, which may be a symbolic link.
func Lstat(path string) (fs.FileInfo, error) { return disk.sys.Lstat(path) }

// List returns what is in a folder, sorted by name.
func List(folder string) ([]fs.DirEntry, error) { return disk.List(folder) }

// Resolve returns the absolute or relative path of a file with all symbolic links resolved.
func Resolve(path string) (string, error) { return filepath.EvalSymlinks(path) }

// Replace replaces old by data; old is the content that the file was last seen to hold. The steps
// are those of a careful shell script: write a temporary file beside the target, flush it to the
// disk, rename it over the target, flush the folder. Symbolic links are followed and stay;
// permissions stay, the owner too where the system allows it. Other hard links to the file keep the
// old content.
//
// Replace refuses a file without any write permission, even if the system would allow it, and a
// file whose content differs from old. After an error the file is as it was, unless the error is
// [ErrUnflushed].
func Replace(path string, old, data []byte) error { return disk.Replace(path, old, data) }

// Write creates a file, or replaces the content of a regular file, whatever it was, as carefully as
// [Replace]. A new file has the permissions that the process gives to new files (umask).
func Write(path string, data []byte) error {
	return disk.WriteFrom(path, func(w io.Writer) error { _, err := w.Write(data); return err })
}

// WriteFrom is [Write] with the content that fill writes. If fill fails, the file stays as it was,
// and the error is that of fill.
func WriteFrom(path string, fill func(io.Writer) error) error { return disk.WriteFrom(path, fill) }

// CreateFrom is [WriteFrom] for a new file. If the name exists, the error is [fs.ErrExist]. If fill
// fails, CreateFrom leaves no file.
func CreateFrom(path string, fill func(io.Writer) error) error { return disk.CreateFrom(path, fill) }

// MakeFolder creates a folder and its parents. Also a folder that was there is durable when it
// returns.
func MakeFolder(path string) error { return disk.MakeFolder(path) }

// Sweep removes the temporary files that a crash or a power cut left in a folder. Those of a
// running process stay. On systems that cannot tell these apart it does nothing.
func Sweep(folder string) error {
	_, err := disk.sweep(folder)
	return err
}

// Lock is [FS.Lock] for a path.
func Lock(ctx context.Context, path string, create bool) (*Locked, error) {
	return disk.Lock(ctx, path, create)
}

// Open is the function [Open] for a name in the system.
func (s FS) Open(name string) (File, error) {
	f, _, err := s.open(name, os.O_RDONLY)
	return f, err
}

func (s FS) open(name string, flag int) (File, fs.FileInfo, error) {
	f, err := s.sys.OpenFile(name, flag|openNoWait, newFileMode)
	if err != nil {
		return nil, nil, s.refineOpenError(name, err)
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

// Read is the function [Read] for a name in the system.
func (s FS) Read(name string, limit int64) ([]byte, error) {
	f, info, err := s.open(name, os.O_RDONLY)
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

// Stat is the function [Stat] for a name in the system.
func (s FS) Stat(name string) (fs.FileInfo, error) { return s.sys.Stat(name) }

// Lstat is the function [Lstat] for a name in the system.
func (s FS) Lstat(name string) (fs.FileInfo, error) { return s.sys.Lstat(name) }

// List is the function [List] for a name in the system.
func (s FS) List(folder string) ([]fs.DirEntry, error) { return s.sys.ReadDir(folder) }

// refineOpenError says what a path is if it could not be opened because it is not a regular file.
func (s FS) refineOpenError(name string, err error) error {
	if info, statErr := s.sys.Stat(name); statErr == nil {
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

// maxLinks is how many symbolic links a name may lead through.
const maxLinks = 40

// Target follows the symbolic links of the last element of a name, and returns the name of the file
// that they lead to. If that does not exist, the error is [fs.ErrNotExist]. The names are joined as
// they are written: the system knows what .. means after a link to a folder.
func (s FS) Target(name string) (string, error) {
	for range maxLinks {
		info, err := s.sys.Lstat(name)
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			return name, err
		}
		to, err := s.sys.Readlink(name)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(to) {
			folder, _ := filepath.Split(name)
			to = folder + to
		}
		name = to
	}
	return "", &fs.PathError{Op: "open", Path: name, Err: errors.New("too many levels of symbolic links")}
}

// replaceable returns the file that a name leads to, and what is known of it, nil if it does not
// exist. A dangling link is refused: we should not guess what it was meant to name.
func (s FS) replaceable(name string) (target string, info fs.FileInfo, err error) {
	target, err = s.Target(name)
	if errors.Is(err, fs.ErrNotExist) && target == name {
		return target, nil, nil
	}
	if err == nil {
		info, err = s.sys.Lstat(target)
	}
	if err == nil {
		err = checkRegular(info)
	}
	if err == nil {
		err = s.checkWritable(target, info)
	}
	return target, info, err
}

// checkWritable refuses a file that the user protected or cannot write. It also checks the
// permission bits, because for the superuser every open succeeds.
func (s FS) checkWritable(name string, info fs.FileInfo) error {
	if info.Mode().Perm()&0o222 == 0 {
		return ErrReadOnly
	}
	f, err := s.sys.OpenFile(name, os.O_WRONLY|openNoWait, 0)
	if err != nil {
		return err
	}
	return f.Close()
}

// Replace is the function [Replace] for a name in the system.
func (s FS) Replace(name string, old, data []byte) error {
	target, info, err := s.replaceable(name)
	if err == nil && info == nil {
		err = &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	if err != nil {
		return err
	}
	p := publication{target: target, info: info, fill: func(w io.Writer) error { _, err := w.Write(data); return err }}
	p.last = func() error {
		now, err := s.Read(target, int64(len(old)))
		if errors.Is(err, ErrTooLarge) || err == nil && !bytes.Equal(now, old) {
			return ErrChanged
		}
		return err
	}
	return s.publish(p)
}

// WriteFrom is the function [WriteFrom] for a name in the system.
func (s FS) WriteFrom(name string, fill func(io.Writer) error) error {
	target, info, err := s.replaceable(name)
	if err != nil {
		return err
	}
	return s.publish(publication{target: target, info: info, fill: fill})
}

// CreateFrom is the function [CreateFrom] for a name in the system.
func (s FS) CreateFrom(name string, fill func(io.Writer) error) error {
	f, err := s.sys.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL|openNoWait, newFileMode)
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		return err
	}
	// The empty file reserves the name.
	if err = s.WriteFrom(name, fill); err != nil && !errors.Is(err, ErrUnflushed) {
		err = errors.Join(err, s.sys.Remove(name))
	}
	return err
}

// MakeFolder is the function [MakeFolder] for a name in the system.
func (s FS) MakeFolder(path string) error {
	parent := filepath.Dir(path)
	info, err := s.sys.Stat(path)
	switch {
	case err == nil && !info.IsDir():
		return &fs.PathError{Op: "mkdir", Path: path, Err: syscall.ENOTDIR}
	case err == nil:
		// Whoever made the folder may have stopped before it was durable.
		if err = s.sys.SyncDir(parent); errors.Is(err, fs.ErrPermission) {
			return nil // another user made it
		}
		return err
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if err := s.MakeFolder(parent); err != nil {
		return err
	}
	if err := s.sys.Mkdir(path, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return s.sys.SyncDir(parent)
}
