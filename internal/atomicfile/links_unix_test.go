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
	if _, err := disk.TryLock(link, true); !errors.Is(err, ErrInUse) {
		t.Errorf("a lock that somebody has: %v", err)
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

func TestCreateFrom(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "new")
	fill := func(text string, err error) func(io.Writer) error {
		return func(w io.Writer) error {
			return errors.Join(err, func() error { _, err := w.Write([]byte(text)); return err }())
		}
	}
	stop := errors.New("stop")
	if err := CreateFrom(path, fill("half", stop)); !errors.Is(err, stop) {
		t.Errorf("got %v", err)
	}
	wantFiles(t, dir)
	if err := CreateFrom(path, fill("whole", nil)); err != nil {
		t.Fatal(err)
	}
	if err := CreateFrom(path, fill("another", nil)); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a file that exists: %v", err)
	}
	if err := os.Symlink("nothing", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	if err := CreateFrom(filepath.Join(dir, "link"), fill("another", nil)); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a dangling link: %v", err)
	}
	wantContent(t, path, "whole")
	wantFiles(t, dir, "link", "new")
}
