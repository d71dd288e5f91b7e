//go:build unix

package atomicfile

import (
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func write(t *testing.T, path, text string, mode fs.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

func wantContent(t *testing.T, path, want string) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s holds %q, want %q", filepath.Base(path), got, want)
	}
}

// wantFiles checks that a folder holds exactly the named entries: no litter, nothing lost.
func wantFiles(t *testing.T, folder string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("the folder holds %q, want %q", got, want)
	}
}

func TestReplaceKeepsModeAndLink(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "real"), filepath.Join(dir, "link")
	write(t, target, "old", 0o640)
	if err := os.Symlink("real", link); err != nil {
		t.Fatal(err)
	}
	if err := Replace(link, []byte("old"), []byte("new")); err != nil {
		t.Fatal(err)
	}
	wantContent(t, target, "new")
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v %v", info, err)
	}
	if info, err := os.Stat(target); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode is %v %v, want 0640", info.Mode(), err)
	}
	wantFiles(t, dir, "link", "real")
}

func TestReplaceRefuses(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	write(t, path("readonly"), "old", 0o444)
	write(t, path("edited"), "somebody else", 0o644)
	write(t, path("longer"), "old and more", 0o644)
	if err := syscall.Mkfifo(path("pipe"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(path("folder"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("loop", path("loop")); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]error{
		"readonly": ErrReadOnly,
		"edited":   ErrChanged,
		"longer":   ErrChanged,
		"pipe":     ErrNotRegular,
		"folder":   ErrNotRegular,
		"loop":     nil, // whatever the system reports
		"missing":  fs.ErrNotExist,
	} {
		err := Replace(path(name), []byte("old"), []byte("new"))
		if err == nil || want != nil && !errors.Is(err, want) {
			t.Errorf("%s: got %v, want %v", name, err, want)
		}
	}
	wantContent(t, path("readonly"), "old")
	wantContent(t, path("edited"), "somebody else")
	if after, err := os.ReadDir(dir); err != nil || len(after) != len(before) {
		t.Errorf("%d entries became %d: %v", len(before), len(after), err)
	}
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	write(t, path("file"), "12345", 0o644)
	if err := syscall.Mkfifo(path("pipe"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got, err := Read(path("file"), 5); err != nil || string(got) != "12345" {
		t.Errorf("got %q, %v", got, err)
	}
	for _, c := range []struct {
		name string
		want error
	}{
		{path("file"), ErrTooLarge},
		{path("pipe"), ErrNotRegular},
		{dir, ErrNotRegular},
		{os.DevNull, ErrNotRegular},
		{path("missing"), fs.ErrNotExist},
	} {
		if _, err := Read(c.name, 4); !errors.Is(err, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, err, c.want)
		}
	}
}

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

func TestSweep(t *testing.T) {
	dir := t.TempDir()
	litter := filepath.Join(dir, tempPrefix+"file-"+rand.Text()+tempSuffix)
	write(t, litter, "half", 0o600)
	write(t, filepath.Join(dir, "file"), "old", 0o644)
	write(t, filepath.Join(dir, tempPrefix+"2172471830"+tempSuffix), "of an earlier version", 0o600)
	for _, name := range []string{tempPrefix + "notes" + tempSuffix, tempPrefix + "file-2" + tempSuffix} {
		write(t, filepath.Join(dir, name), "of somebody else", 0o600)
	}
	live, name, err := disk.createTemp(publication{target: filepath.Join(dir, "file")})
	if err != nil {
		t.Fatal(err)
	}
	defer live.Close()
	left, err := disk.sweep(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(name); err != nil {
		t.Error(err)
	}
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	wantFiles(t, dir, tempPrefix+"file-2"+tempSuffix, tempPrefix+"notes"+tempSuffix, "file")
	if len(left) != 1 || left[0].stem != "file" || !errors.Is(left[0].Err, ErrInUse) {
		t.Errorf("left: %v", left)
	}
}

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	write(t, path("old"), "longer than the new bytes", 0o600)
	defer syscall.Umask(syscall.Umask(0o027))
	for _, name := range []string{"old", "new"} {
		if err := Write(path(name), []byte("bytes")); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		wantContent(t, path(name), "bytes")
	}
	for name, mode := range map[string]fs.FileMode{"old": 0o600, "new": newFileMode &^ 0o027} {
		if info, err := os.Stat(path(name)); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s has mode %v, %v; want %v", name, info.Mode(), err, mode)
		}
	}
	wantFiles(t, dir, "new", "old")

	write(t, path("readonly"), "old", 0o444)
	if err := os.Symlink("nowhere", path("dangling")); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]error{
		"readonly": ErrReadOnly, "dangling": fs.ErrNotExist, ".": ErrNotRegular, "missing/file": fs.ErrNotExist,
	} {
		if err := Write(path(name), []byte("bytes")); !errors.Is(err, want) {
			t.Errorf("%s: got %v, want %v", name, err, want)
		}
	}
	wantContent(t, path("readonly"), "old")
}

// TestLinks replaces files through links of all kinds.
func TestLinks(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	for _, folder := range []string{"a/deep", "b"} {
		if err := os.MkdirAll(path(folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write(t, path("b/real"), "old", 0o644)
	for link, to := range map[string]string{
		"folder": "b", "two": "one", "one": "b/real", "a/deep/up": "../../b/real", "a/at": "deep", "absolute": path("two"), "dangling": "nowhere", "loop": "loop",
	} {
		if err := os.Symlink(to, path(link)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"one", "two", "folder/real", "a/deep/up", "a/at/up", "absolute"} {
		if err := Write(path(name), []byte(name)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		wantContent(t, path("b/real"), name)
		l, err := Lock(t.Context(), path(name), false)
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Rewrite(func(w io.Writer) error { _, err := io.WriteString(w, "locked "+name); return err }); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		l.Close()
		wantContent(t, path("b/real"), "locked "+name)
	}
	wantFiles(t, path("b"), "real")
	for _, name := range []string{"dangling", "loop"} {
		if err := Write(path(name), nil); err == nil {
			t.Errorf("%s was written", name)
		}
		if _, err := Lock(t.Context(), path(name), true); err == nil {
			t.Errorf("%s was created", name)
		}
	}
	wantFiles(t, dir, "a", "absolute", "b", "dangling", "folder", "loop", "one", "two")
}

// TestLockReplaced waits for the lock of a file, of which one link is replaced in the meantime.
func TestLockReplaced(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	write(t, file, "old", 0o644)
	if err := os.Symlink("file", link); err != nil {
		t.Fatal(err)
	}
	first, err := Lock(t.Context(), file, false)
	if err != nil {
		t.Fatal(err)
	}
	second := make(chan string)
	go func() {
		l, err := Lock(t.Context(), link, false)
		if err != nil {
			second <- err.Error()
			return
		}
		defer l.Close()
		data, _ := io.ReadAll(io.NewSectionReader(l, 0, 100))
		second <- string(data)
	}()
	if err := first.Rewrite(func(w io.Writer) error { _, err := io.WriteString(w, "new"); return err }); err != nil {
		t.Fatal(err)
	}
	first.Close()
	if got := <-second; got != "new" {
		t.Errorf("locked the file with %q", got)
	}
}

// TestHardLinks refuses what would leave the old content under another name.
func TestHardLinks(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	write(t, file, "old", 0o644)
	if err := os.Link(file, filepath.Join(dir, "other")); err != nil {
		t.Fatal(err)
	}
	l, err := Lock(t.Context(), file, false)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if err := l.Rewrite(func(io.Writer) error { return nil }); !errors.Is(err, ErrLinks) {
		t.Errorf("rewritten with %v", err)
	}
	wantContent(t, file, "old")
	wantFiles(t, dir, "file", "other")
}

// foreign is what is known of a file that belongs to another user.
type foreign struct{ fs.FileInfo }

func (f foreign) Sys() any {
	st := *f.FileInfo.Sys().(*syscall.Stat_t)
	st.Uid, st.Gid = st.Uid+1, st.Gid+1
	return &st
}

type noChown struct{ File }

func (noChown) Chown(int, int) error { return syscall.EPERM }

// TestOwner gives a new file the owner of the old one, and does not let another group read it if
// that cannot be.
func TestOwner(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	write(t, path, "x", 0o640)
	file, err := disk.sys.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		old    fs.FileInfo
		strict bool
		mode   fs.FileMode
		err    error
	}{{info, true, 0o640, nil}, {foreign{info}, false, 0o600, nil}, {foreign{info}, true, 0, ErrOwner}} {
		mode, err := keepOwner(noChown{file}, publication{info: c.old, strict: c.strict})
		if mode != c.mode || !errors.Is(err, c.err) {
			t.Errorf("mode %v, %v; want %v, %v", mode, err, c.mode, c.err)
		}
	}
	if os.Getuid() != 0 {
		return // only root can give files away
	}
	if err := os.Chown(path, 12, 34); err != nil {
		t.Fatal(err)
	}
	if err := Write(path, []byte("new")); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Sys().(*syscall.Stat_t).Uid != 12 || info.Sys().(*syscall.Stat_t).Gid != 34 || info.Mode() != 0o640 {
		t.Errorf("the file is %+v, %v", info, err)
	}
}

// TestRoot leads nothing out of a folder.
func TestRoot(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	if err := errors.Join(os.Mkdir(path("in"), 0o755), os.Mkdir(path("in/sub"), 0o755), os.Mkdir(path("out"), 0o755), syscall.Mkfifo(path("pipe"), 0o644)); err != nil {
		t.Fatal(err)
	}
	write(t, path("out/secret"), "secret", 0o644)
	write(t, path("in/file"), "old", 0o644)
	for link, to := range map[string]string{
		"link": "../out/secret", "absolute": path("out/secret"), "folder": "../out", "sub/up": "../file", "hop": "link", "dangling": "../out/new",
	} {
		if err := os.Symlink(to, path("in/"+link)); err != nil {
			t.Fatal(err)
		}
	}
	root, err := OpenRoot(path("in"))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for _, name := range []string{"link", "absolute", "folder/secret", "../out/secret", "hop", path("out/secret"), "sub/../../out/secret"} {
		_, opened := root.Open(name)
		_, locked := root.Lock(t.Context(), name, true)
		_, described := root.Stat(name)
		for _, err := range []error{opened, locked, described, root.WriteFrom(name, func(io.Writer) error { return nil })} {
			if !errors.Is(err, ErrOutside) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	if err := root.WriteFrom("dangling", func(io.Writer) error { return nil }); err == nil {
		t.Error("a file was created outside")
	}
	if err := root.Replace("sub/up", []byte("old"), []byte("new")); err != nil {
		t.Error(err)
	}
	wantContent(t, path("in/file"), "new")
	wantContent(t, path("out/secret"), "secret")
	wantFiles(t, path("in"), "absolute", "dangling", "file", "folder", "hop", "link", "sub")
	wantFiles(t, path("out"), "secret")
	for _, name := range []string{"pipe", "in/file"} {
		if r, err := OpenRoot(path(name)); err == nil {
			r.Close()
			t.Errorf("%s is a folder", name)
		}
	}
	if _, err := List(path("pipe")); err == nil {
		t.Error("a pipe was listed")
	}
}
