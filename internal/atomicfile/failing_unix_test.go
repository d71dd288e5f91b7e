//go:build unix

package atomicfile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// failing is a file system of which one call fails: the one after so many that succeed.
type failing struct {
	System
	left *int
	err  error
}

func (f failing) fail() error {
	*f.left--
	if *f.left == -1 {
		return f.err
	}
	return nil
}

func (f failing) OpenFile(name string, flag int, mode fs.FileMode) (File, error) {
	if err := f.fail(); err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	file, err := f.System.OpenFile(name, flag, mode)
	if err != nil {
		return nil, err
	}
	return failingFile{file, f}, nil
}

func (f failing) Lstat(name string) (fs.FileInfo, error) {
	if err := f.fail(); err != nil {
		return nil, err
	}
	return f.System.Lstat(name)
}

func (f failing) Stat(name string) (fs.FileInfo, error) {
	if err := f.fail(); err != nil {
		return nil, err
	}
	return f.System.Stat(name)
}

func (f failing) Rename(from, to string) error {
	if err := f.fail(); err != nil {
		return err
	}
	return f.System.Rename(from, to)
}

func (f failing) Both(a, b func() error) error { return errors.Join(a(), b()) }

func (f failing) SyncDir(name string) error { return errors.Join(f.fail(), f.System.SyncDir(name)) }

type failingFile struct {
	File
	failing
}

func (f failingFile) Stat() (fs.FileInfo, error) {
	if err := f.fail(); err != nil {
		return nil, err
	}
	return f.File.Stat()
}

func (f failingFile) Write(p []byte) (int, error) {
	if err := f.fail(); err != nil {
		n, _ := f.File.Write(p[:len(p)/2])
		return n, err
	}
	return f.File.Write(p)
}

func (f failingFile) Sync() error               { return errors.Join(f.fail(), f.File.Sync()) }
func (f failingFile) Chmod(m fs.FileMode) error { return errors.Join(f.fail(), f.File.Chmod(m)) }
func (f failingFile) TryLock() (bool, error) {
	mine, err := f.File.TryLock()
	return mine, errors.Join(f.fail(), err)
}

// Whatever call the system refuses, the file has the old bytes or the new ones, no temporary file
// stays, and the error is that of the call.
func TestEveryCallFails(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	for name, run := range map[string]func(FS) error{
		"replace": func(s FS) error { return s.Replace(file, []byte("old"), []byte("new bytes")) },
		"write": func(s FS) error {
			return s.WriteFrom(file, func(w io.Writer) error { _, err := io.WriteString(w, "new bytes"); return err })
		},
		"rewrite": func(s FS) error {
			l, err := s.Lock(t.Context(), file, false)
			if err != nil {
				return err
			}
			defer l.Close()
			return l.Rewrite(func(w io.Writer) error { _, err := io.WriteString(w, "new bytes"); return err })
		},
	} {
		t.Run(name, func(t *testing.T) {
			calls := 0
			for ; ; calls++ {
				write(t, file, "old", 0o640)
				left := calls // before the failure
				err := run(New(failing{osSystem{}, &left, syscall.ENOSPC}))
				wantFiles(t, dir, "file")
				got, _ := os.ReadFile(file)
				if left >= 0 {
					if err != nil || string(got) != "new bytes" {
						t.Errorf("without a failure: %v, %q", err, got)
					}
					break
				}
				switch {
				case !errors.Is(err, syscall.ENOSPC), errors.Is(err, ErrUnflushed) != (string(got) == "new bytes"), string(got) != "old" && string(got) != "new bytes":
					t.Errorf("call %d: %v, and the file has %q", calls, err, got)
				}
			}
			if calls < 8 {
				t.Errorf("only %d calls", calls)
			}
		})
	}
}
