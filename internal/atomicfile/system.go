package atomicfile

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// System is what this package needs of a file system. Names of files are paths, or relative to the
// folder of a [Root].
type System interface {
	OpenFile(name string, flag int, mode fs.FileMode) (File, error)
	Stat(name string) (fs.FileInfo, error)
	Lstat(name string) (fs.FileInfo, error)
	Readlink(name string) (string, error)
	ReadDir(name string) ([]fs.DirEntry, error)
	Mkdir(name string, mode fs.FileMode) error
	Rename(from, to string) error
	Remove(name string) error
	// SyncDir makes the names in a folder durable.
	SyncDir(name string) error
	// Both makes two flushes, in any order or at the same time.
	Both(a, b func() error) error
	// OpenRoot opens a folder that nothing leads out of.
	OpenRoot(folder string) (System, io.Closer, error)
}

// SameFile is [os.SameFile]. Files of a [System] in memory are the same if their Sys is.
func SameFile(a, b fs.FileInfo) bool {
	return os.SameFile(a, b) || a.Sys() != nil && a.Sys() == b.Sys()
}

// File is an open file.
type File interface {
	io.Reader
	io.ReaderAt
	io.Writer
	io.WriterAt
	io.Closer
	Stat() (fs.FileInfo, error)
	Truncate(size int64) error
	Sync() error
	Chmod(mode fs.FileMode) error
	Chown(uid, gid int) error
	// TryLock takes the lock of the file, which other processes see, until the file is closed. It
	// returns false if somebody has it. Lock waits for it.
	TryLock() (bool, error)
	Lock() error
}

// osFile is a file of the operating system.
type osFile struct{ *os.File }

func fileOf(f *os.File, err error) (File, error) {
	if err != nil {
		return nil, err
	}
	return osFile{f}, nil
}

// osSystem is the file system of the operating system.
type osSystem struct{}

func (osSystem) OpenFile(name string, flag int, mode fs.FileMode) (File, error) {
	return fileOf(os.OpenFile(name, flag, mode))
}
func (osSystem) Stat(name string) (fs.FileInfo, error)      { return os.Stat(name) }
func (osSystem) Lstat(name string) (fs.FileInfo, error)     { return os.Lstat(name) }
func (osSystem) Readlink(name string) (string, error)       { return os.Readlink(name) }
func (osSystem) ReadDir(name string) ([]fs.DirEntry, error) { return os.ReadDir(name) }
func (osSystem) Mkdir(name string, mode fs.FileMode) error  { return os.Mkdir(name, mode) }
func (osSystem) Rename(from, to string) error               { return os.Rename(from, to) }
func (osSystem) Remove(name string) error                   { return os.Remove(name) }
func (osSystem) SyncDir(name string) error {
	return syncFolder(func() (*os.File, error) { return os.OpenFile(name, os.O_RDONLY|openNoWait, 0) })
}

// Both makes them at the same time, because a file system then often needs one write for both.
func (osSystem) Both(a, b func() error) error {
	other := make(chan error, 1)
	go func() { other <- b() }()
	return errors.Join(a(), <-other)
}

func (osSystem) OpenRoot(folder string) (System, io.Closer, error) {
	// With the separator, the name of a pipe fails at once instead of waiting for its writer.
	return rootOf(os.OpenRoot(folder + string(os.PathSeparator)))
}

// Root is a folder. Its files have names relative to it, and no name, no .. and no symbolic link
// leads out of it: such a name is [ErrOutside]. A link with an absolute path counts as leading out.
type Root struct {
	FS
	io.Closer
}

// OpenRoot opens a folder; a symbolic link to it is followed. The caller closes it. Files that were
// opened in it stay open.
func OpenRoot(folder string) (*Root, error) { return disk.OpenRoot(folder) }

// OpenRoot is the function [OpenRoot] for a name in the system.
func (s FS) OpenRoot(folder string) (*Root, error) {
	sys, closer, err := s.sys.OpenRoot(folder)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: folder, Err: cause(err)}
	}
	return &Root{FS{sys}, closer}, nil
}

// rootSystem is a folder that nothing leads out of.
type rootSystem struct{ root *os.Root }

func rootOf(root *os.Root, err error) (System, io.Closer, error) {
	if err != nil {
		return nil, nil, outside(err)
	}
	return rootSystem{root}, root, nil
}

func (r rootSystem) OpenRoot(folder string) (System, io.Closer, error) {
	return rootOf(r.root.OpenRoot(folder))
}

// outside gives the error for a name that leads out of a root an identity; package os has none.
func outside(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok && e.Err.Error() == "path escapes from parent" {
		return &fs.PathError{Op: e.Op, Path: e.Path, Err: ErrOutside}
	}
	return err
}

func (r rootSystem) OpenFile(name string, flag int, mode fs.FileMode) (File, error) {
	f, err := fileOf(r.root.OpenFile(name, flag, mode))
	return f, outside(err)
}

func (r rootSystem) Stat(name string) (fs.FileInfo, error) {
	info, err := r.root.Stat(name)
	return info, outside(err)
}

func (r rootSystem) Lstat(name string) (fs.FileInfo, error) {
	info, err := r.root.Lstat(name)
	return info, outside(err)
}

func (r rootSystem) Readlink(name string) (string, error) {
	to, err := r.root.Readlink(name)
	return to, outside(err)
}

func (r rootSystem) ReadDir(name string) ([]fs.DirEntry, error) {
	list, err := fs.ReadDir(r.root.FS(), name)
	return list, outside(err)
}

func (r rootSystem) Mkdir(name string, mode fs.FileMode) error {
	return outside(r.root.Mkdir(name, mode))
}

func (r rootSystem) Rename(from, to string) error { return outside(r.root.Rename(from, to)) }
func (r rootSystem) Remove(name string) error     { return outside(r.root.Remove(name)) }

func (r rootSystem) SyncDir(name string) error {
	return outside(syncFolder(func() (*os.File, error) { return r.root.OpenFile(name, os.O_RDONLY|openNoWait, 0) }))
}

func (r rootSystem) Both(a, b func() error) error { return osSystem{}.Both(a, b) }

// Folder returns a folder as package fs knows it, which opens regular files only.
func Folder(path string) fs.FS { return disk.Folder(path) }

// Folder is the function [Folder] for a name in the system.
func (s FS) Folder(name string) fs.FS { return folderFS{s, name} }

type folderFS struct {
	files FS
	name  string
}

func (f folderFS) path(name string) string {
	if name == "." {
		return f.name
	}
	return f.name + string(os.PathSeparator) + name
}

// Open opens a regular file, which a message names as it is in the folder.
func (f folderFS) Open(name string) (fs.File, error) {
	file, err := f.files.Open(f.path(name))
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: cause(err)}
	}
	return file, nil
}

// ReadDir lists the folder.
func (f folderFS) ReadDir(name string) ([]fs.DirEntry, error) { return f.files.List(f.path(name)) }
