package failfs

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"syscall"
	"time"

	"github.com/pactkit/pactkit/internal/atomicfile"
)

// System returns the files of the disk as the process sees them. There are no symbolic links.
func (p *Process) System() atomicfile.System { return system{p, ""} }

// system is a folder of the disk.
type system struct {
	p      *Process
	folder string
}

// call makes a call about a name.
func (s system) call(op, name string, run func(at string) error) error {
	err := s.p.call(func() error { return run(s.folder + "/" + name) }, nil)
	if err != nil {
		return &fs.PathError{Op: op, Path: name, Err: err}
	}
	return nil
}

// parent returns the folder of a path, and the last element of it.
func (s system) parent(at string) (*node, string, error) {
	folder := s.p.disk.lookup(path.Dir(at))
	switch {
	case folder == nil:
		return nil, "", syscall.ENOENT
	case folder.names == nil:
		return nil, "", syscall.ENOTDIR
	}
	return folder, path.Base(at), nil
}

func (s system) OpenFile(name string, flag int, mode fs.FileMode) (f atomicfile.File, err error) {
	err = s.call("open", name, func(at string) error {
		n := s.p.disk.lookup(at)
		if n != nil && flag&(os.O_CREATE|os.O_EXCL) == os.O_CREATE|os.O_EXCL {
			return syscall.EEXIST
		}
		if n == nil {
			folder, base, err := s.parent(at)
			if err != nil {
				return err
			}
			if flag&os.O_CREATE == 0 {
				return syscall.ENOENT
			}
			n = &node{mode: mode}
			folder.rename(change{base: n})
		}
		f = &file{p: s.p, n: n, name: path.Base(at)}
		return nil
	})
	return f, err
}

func (s system) Stat(name string) (i fs.FileInfo, err error) {
	err = s.call("stat", name, func(at string) error {
		n := s.p.disk.lookup(at)
		if n == nil {
			return syscall.ENOENT
		}
		i = infoOf(path.Base(at), n)
		return nil
	})
	return i, err
}

func (s system) Lstat(name string) (fs.FileInfo, error) { return s.Stat(name) }

func (s system) Readlink(name string) (string, error) {
	return "", &fs.PathError{Op: "readlink", Path: name, Err: syscall.EINVAL}
}

func (s system) ReadDir(name string) (list []fs.DirEntry, err error) {
	err = s.call("readdir", name, func(at string) error {
		n := s.p.disk.lookup(at)
		if n == nil {
			return syscall.ENOENT
		}
		for _, base := range sortedNames(n.names) {
			list = append(list, fs.FileInfoToDirEntry(infoOf(base, n.names[base])))
		}
		return nil
	})
	return list, err
}

func (s system) Mkdir(name string, _ fs.FileMode) error {
	return s.call("mkdir", name, func(at string) error {
		folder, base, err := s.parent(at)
		if err != nil {
			return err
		}
		if folder.names[base] != nil {
			return syscall.EEXIST
		}
		folder.rename(change{base: newFolder()})
		return nil
	})
}

func (s system) Rename(from, to string) error {
	return s.call("rename", from, func(at string) error {
		folder, base, err := s.parent(at)
		target, name, err2 := s.parent(s.folder + "/" + to)
		if err := errors.Join(err, err2); err != nil {
			return err
		}
		n := folder.names[base]
		switch {
		case n == nil:
			return syscall.ENOENT
		case target != folder:
			return syscall.EXDEV
		}
		folder.rename(change{base: nil, name: n})
		return nil
	})
}

func (s system) Remove(name string) error {
	return s.call("remove", name, func(at string) error {
		folder, base, err := s.parent(at)
		if err == nil && folder.names[base] == nil {
			err = syscall.ENOENT
		}
		if err == nil {
			folder.rename(change{base: nil})
		}
		return err
	})
}

func (s system) SyncDir(name string) error {
	return s.call("sync", name, func(at string) error {
		n := s.p.disk.lookup(at)
		if n == nil {
			return syscall.ENOENT
		}
		n.flush()
		return nil
	})
}

// Both makes one after the other, in an order that the disk draws.
func (s system) Both(a, b func() error) error {
	d := s.p.disk
	d.mu.Lock()
	swap := d.rand.IntN(2) == 0
	d.mu.Unlock()
	if swap {
		a, b = b, a
	}
	return cmp.Or(a(), b())
}

func (s system) OpenRoot(name string) (root atomicfile.System, c io.Closer, err error) {
	err = s.call("open", name, func(at string) error {
		n := s.p.disk.lookup(at)
		switch {
		case n == nil:
			return syscall.ENOENT
		case n.names == nil:
			return syscall.ENOTDIR
		}
		root, c = system{s.p, at}, io.NopCloser(nil)
		return nil
	})
	return root, c, err
}

func sortedNames(m map[string]*node) []string { return slices.Sorted(maps.Keys(m)) }

// file is an open file.
type file struct {
	p    *Process
	n    *node
	name string
	at   int
}

func (f *file) call(run func() error) error { return f.p.call(run, nil) }

func (f *file) Read(b []byte) (n int, err error) {
	n, err = f.ReadAt(b, int64(f.at))
	f.at += n
	if n > 0 && err == io.EOF {
		err = nil
	}
	return n, err
}

func (f *file) ReadAt(b []byte, at int64) (n int, err error) {
	err = f.call(func() error {
		n = copy(b, f.n.data[min(int(at), len(f.n.data)):])
		if n < len(b) {
			return io.EOF
		}
		return nil
	})
	return n, err
}

func (f *file) Write(b []byte) (int, error) {
	n, err := f.WriteAt(b, int64(f.at))
	f.at += n
	return n, err
}

func (f *file) WriteAt(b []byte, at int64) (n int, err error) {
	write := func(size int) {
		n = size
		f.n.write(write{at: int(at), data: append([]byte(nil), b[:n]...)})
	}
	err = f.p.call(func() error {
		write(len(b))
		return nil
	}, func() { write(len(b) / 2) })
	return n, err
}

func (f *file) Truncate(size int64) error {
	return f.call(func() error {
		f.n.write(write{at: int(size), cut: true})
		return nil
	})
}

func (f *file) Sync() error {
	err := f.call(func() error {
		f.n.flush()
		return nil
	})
	if err != nil && !errors.Is(err, ErrStopped) {
		f.n.doom()
	}
	return err
}

func (f *file) Chmod(mode fs.FileMode) error {
	return f.call(func() error {
		f.n.mode = mode
		return nil
	})
}

func (f *file) Chown(int, int) error { return f.call(func() error { return nil }) }

func (f *file) Stat() (i fs.FileInfo, err error) {
	err = f.call(func() error {
		i = infoOf(f.name, f.n)
		return nil
	})
	return i, err
}

func (f *file) TryLock() (mine bool, err error) {
	err = f.call(func() error {
		mine = f.take()
		return nil
	})
	return mine, err
}

func (f *file) take() bool {
	if !f.n.locked() {
		f.n.holder = f
	}
	return f.n.holder == f
}

func (f *file) Lock() error {
	for {
		f.p.wants = f.n
		mine, err := f.TryLock()
		f.p.wants = nil
		if mine || err != nil {
			return err
		}
	}
}

func (f *file) Close() error {
	f.p.disk.mu.Lock()
	defer f.p.disk.mu.Unlock()
	if f.n.holder == f {
		f.n.holder = nil
	}
	return nil
}

// info describes a node. All files have the same time, as on a disk with a coarse clock.
type info struct {
	name string
	size int64
	mode fs.FileMode
	n    *node
}

func infoOf(name string, n *node) fs.FileInfo { return info{name, int64(len(n.data)), n.mode, n} }

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return i.size }
func (i info) Mode() fs.FileMode  { return i.mode }
func (i info) ModTime() time.Time { return time.Unix(0, 0) }
func (i info) IsDir() bool        { return i.mode.IsDir() }
func (i info) Sys() any           { return i.n }
