//go:build unix

package store

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/test/failfs"
)

// TestErasedEverywhere erases from a history with forks, which another one shows and to which
// programs are attached, in a folder with links and leftovers. Afterwards no file has the text,
// also when the programs went on.
func TestErasedEverywhere(t *testing.T) {
	s := open(t, "file:"+t.TempDir())
	dir := s.(*dirStore).dir
	ids := family(t, s, 100)
	var attached []*Live
	for _, id := range []string{"a", "f", "g"} {
		l := attach(t, s, id)
		say(t, l.Context(), "goes on")
		if _, err := l.Commit(t.Context()); err != nil {
			t.Fatal(err)
		}
		attached = append(attached, l)
	}
	journal, err := os.ReadFile(filepath.Join(dir, "a.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	const left = ".pactkit-a.jsonl-ABCDEFGHIJKLMNOPQRSTUVWXYZ.tmp"
	if err := os.WriteFile(filepath.Join(dir, left), journal, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("a.jsonl", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(filepath.Join(dir, "f.jsonl"), filepath.Join(dir, "hard")); err != nil {
		t.Fatal(err)
	}
	_, err = Erase(t.Context(), s, "a", ids...)
	wantCode(t, ErrRemains, err) // the fork has another name
	if err := os.Remove(filepath.Join(dir, "hard")); err != nil {
		t.Fatal(err)
	}
	if _, err := Erase(t.Context(), s, "a", ids...); err != nil {
		t.Fatal(err)
	}
	files := []string{"a.forks", "a.jsonl", "f.forks", "f.jsonl", "g.jsonl", "h.jsonl", "link"}
	wantNoSecret(t, dir, files...)
	wantFamilyErased(t, s, "erased")
	for _, l := range attached {
		_, err := l.Commit(t.Context())
		wantCode(t, ErrConflict, err)
		if err := l.Reload(t.Context()); err != nil {
			t.Fatal(err)
		}
		say(t, l.Context(), "goes on")
		if _, err := l.Commit(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	wantNoSecret(t, dir, files...)
}

// TestErasedAtEveryStep lets each call of an erasure fail in each way. When it is repeated, nothing
// on the disk has the text, nor after a crash.
func TestErasedAtEveryStep(t *testing.T) {
	seen := map[[sha256.Size]byte]bool{} // states of the disk whose histories were read
	erase := func(f failfs.Fault, lose float64) (calls int) {
		disk := failfs.New(1)
		s, err := openDirOn(atomicfile.New(disk.Process().System()), "s")
		if err != nil {
			t.Fatal(err)
		}
		ids := family(t, s, 10)
		again := func(s Store) error {
			_, err := Erase(t.Context(), s, "a", ids...)
			return err
		}
		before := disk.Calls
		if f.Call > 0 {
			f.Call += before
		}
		disk.Fault = f
		p := disk.Process()
		if s, err = openDirOn(atomicfile.New(p.System()), "s"); err == nil {
			err = again(s)
		}
		calls = disk.Calls - before
		disk.Fault = failfs.Fault{}
		wantNone := func(when string) {
			for path, data := range disk.Files() {
				if strings.Contains(data, "SECRET") {
					t.Errorf("%s at call %d of %d, %s: %s has the text", failfs.Kinds[f.Kind], f.Call-before, calls, when, path)
				}
			}
		}
		if err == nil {
			wantNone("after a success")
		}
		if disk.Stopped() {
			disk.Reboot(1, lose)
		}
		if s, err = openDirOn(atomicfile.New(disk.Process().System()), "s"); err != nil {
			t.Fatal(err)
		}
		if err := again(s); err != nil {
			t.Errorf("%s at call %d of %d: again: %v", failfs.Kinds[f.Kind], f.Call-before, calls, err)
		}
		wantNone("again")
		disk.Reboot(2, lose)
		wantNone("after a crash")
		state := disk.State()
		if seen[state] {
			return calls
		}
		seen[state] = true
		if s, err = openDirOn(atomicfile.New(disk.Process().System()), "s"); err != nil {
			t.Fatal(err)
		}
		wantFamilyErased(t, s, fmt.Sprintf("%s at call %d of %d", failfs.Kinds[f.Kind], f.Call-before, calls))
		return calls
	}
	for k := erase(failfs.Fault{}, 0); k > 0 && !t.Failed(); k-- {
		for kind := range failfs.Kinds {
			erase(failfs.Fault{Call: k, Kind: failfs.Kind(kind)}, float64(k%3)/2)
		}
	}
}

// TestTornFork erases from a history, and rewinds it, beside a fork whose making was interrupted.
func TestTornFork(t *testing.T) {
	for _, keep := range []string{"{", "the first line", "half of the second"} {
		t.Run(keep, func(t *testing.T) {
			s := open(t, "file:"+t.TempDir())
			ids := secrets(t, s, "a", 10)
			fork(t, s, "a", 4, "f")
			path := journalOf(s, "f")
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			size := map[string]int{"{": len(data) / 3, "the first line": strings.Index(string(data), "\n") + 1, "half of the second": len(data) - 10}[keep]
			if err := os.Truncate(path, int64(size)); err != nil {
				t.Fatal(err)
			}
			if _, err := s.Rewind(t.Context(), "a", 3, "kept"); err != nil {
				t.Fatal(err)
			}
			if _, err := Erase(t.Context(), s, "a", ids[:3]...); err != nil {
				t.Fatal(err)
			}
			_, err = s.Head(t.Context(), "f")
			wantCode(t, ErrNotFound, err)
			fork(t, s, "a", 2, "f")
			for _, id := range []string{"a", "f", "kept"} {
				for f, err := range s.Read(t.Context(), id, 0, 1<<40) {
					if err != nil || strings.Contains(f.Body, "SECRET 0") {
						t.Errorf("%s: %v %s", id, err, f.Body)
					}
				}
			}
		})
	}
}
