//go:build unix

package atomicfile

import (
	"crypto/rand"
	"errors"
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
