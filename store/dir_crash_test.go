package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/internal/atomicfile"
)

var errCrash = errors.New("the machine is off")

// crashing is a file system that does nothing more after a number of calls.
type crashing struct {
	atomicfile.System
	left *int
}

func (c crashing) crash() error {
	if *c.left--; *c.left < 0 {
		return errCrash
	}
	return nil
}

func (c crashing) OpenRoot(folder string) (atomicfile.System, io.Closer, error) {
	sys, closer, err := c.System.OpenRoot(folder)
	return crashing{sys, c.left}, closer, err
}

func (c crashing) OpenFile(name string, flag int, mode fs.FileMode) (atomicfile.File, error) {
	if err := c.crash(); err != nil {
		return nil, err
	}
	f, err := c.System.OpenFile(name, flag, mode)
	if err != nil {
		return nil, err
	}
	return crashingFile{f, c}, nil
}

func (c crashing) Rename(from, to string) error {
	if err := c.crash(); err != nil {
		return err
	}
	return c.System.Rename(from, to)
}

func (c crashing) Remove(name string) error {
	if err := c.crash(); err != nil {
		return err
	}
	return c.System.Remove(name)
}

func (c crashing) SyncDir(name string) error { return c.crash() }

func (c crashing) Both(a, b func() error) error { return cmp.Or(a(), b()) }

type crashingFile struct {
	atomicfile.File
	crashing
}

func (f crashingFile) Write(p []byte) (int, error) {
	if err := f.crash(); err != nil {
		n, _ := f.File.Write(p[:len(p)/2])
		return n, err
	}
	return f.File.Write(p)
}

func (f crashingFile) WriteAt(p []byte, at int64) (int, error) {
	if err := f.crash(); err != nil {
		n, _ := f.File.WriteAt(p[:len(p)/2], at)
		return n, err
	}
	return f.File.WriteAt(p, at)
}

func (f crashingFile) Truncate(size int64) error {
	if err := f.crash(); err != nil {
		return err
	}
	return f.File.Truncate(size)
}

func (f crashingFile) Sync() error { return f.crash() }

// TestForkCrashes interrupts whatever concerns forks at every call of the file system. All other
// histories are as they were, the history itself is as before or as after, and doing it again does
// all of it.
func TestForkCrashes(t *testing.T) {
	ctx := context.Background()
	compact := func(id string) func(Store) error {
		return func(s Store) error { _, err := Compact(ctx, s, id, 1); return err }
	}
	step := 1
	if testing.Short() {
		step = 7
	}
	for name, c := range map[string]struct {
		id  string // the history that may change
		run func(Store) error
	}{
		"fork":         {"new", func(s Store) error { _, err := s.Fork(ctx, "base", 4, "new"); return err }},
		"rewind":       {"base", func(s Store) error { _, err := s.Rewind(ctx, "base", 2, "old"); return err }},
		"delete":       {"base", func(s Store) error { return s.Delete(ctx, "base") }},
		"delete fork":  {"one", func(s Store) error { return s.Delete(ctx, "one") }},
		"compact":      {"base", compact("base")},
		"compact fork": {"one", compact("one")},
		"erase":        {"", func(s Store) error { _, err := Erase(ctx, s, "one", "n1"); return err }},
	} {
		t.Run(name, func(t *testing.T) {
			master := t.TempDir()
			s := open(t, "file:"+master)
			secrets(t, s, "base", 10)
			fork(t, s, "base", 3, "one")
			say(t, attach(t, s, "one").Context(), "more")
			fork(t, s, "base", 5, "two")
			fork(t, s, "one", Newest, "three")
			turns(t, s, "one", 2)
			fork(t, s, "one", Newest, "four")
			ids := []string{"base", "one", "two", "three", "four"}
			want := map[string][]Frame{}
			for _, id := range ids {
				want[id] = framesOf(t, s, id)
			}
			for calls := 0; ; calls += step {
				dir := filepath.Join(t.TempDir(), "s")
				if err := os.CopyFS(dir, os.DirFS(master)); err != nil {
					t.Fatal(err)
				}
				left := calls
				disk := atomicfile.Disk().With(func(sys atomicfile.System) atomicfile.System { return crashing{sys, &left} })
				broken, err := openDirOn(disk, dir)
				if err == nil {
					err = c.run(broken)
				}
				s := open(t, "file:"+dir)
				check := func(what string) {
					t.Helper()
					for _, id := range ids {
						list, wrong := collect(s.Read(ctx, id, 0, 1<<40))
						if errors.Is(wrong, ErrNotFound) && id == c.id {
							continue
						}
						if diff := gocmp.Diff(want[id], list); c.id != "" && id != c.id && diff != "" || wrong != nil {
							t.Fatalf("%s after %d calls: %s: %v -want +got\n%s", what, calls, id, wrong, diff)
						}
						attach(t, s, id)
					}
				}
				check("interrupted")
				if left >= 0 {
					if err != nil {
						t.Fatal(err)
					}
					break
				}
				if again := c.run(s); again != nil && !errors.Is(again, ErrConflict) && !errors.Is(again, ErrNotFound) {
					t.Fatalf("again, after %d calls: %v", calls, again)
				}
				check("done")
				for i, err := range s.List(ctx, "") {
					if err != nil || i.Err != nil {
						t.Fatal(err, i.Err)
					}
					if body := fmt.Sprint(framesOf(t, s, i.ID)); c.id == "" && strings.Contains(body, "SECRET 1") {
						t.Fatalf("after %d calls: %s still has the text", calls, i.ID)
					}
				}
			}
		})
	}
}
