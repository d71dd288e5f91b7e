//go:build unix

package store

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/atomicfile"
)

// secrets begins a history with a few nodes, and returns their ids.
func secrets(t *testing.T, s Store, id string, size int) []string {
	t.Helper()
	l := attach(t, s, id)
	var ids []string
	for i := range 6 {
		ids = append(ids, fmt.Sprint("n", i))
		d := engine.Draft{ID: ids[i], Content: engine.Text(fmt.Sprintf("SECRET %d of the history ", i) + strings.Repeat("x", size))}
		if _, err := l.Context().Insert(engine.AtDepth(0, 0), d); err != nil {
			t.Fatal(err)
		}
		if _, err := l.Commit(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	return ids
}

// family begins a history with [secrets], a fork of it and a fork of that, and a history that has
// them attached.
func family(t *testing.T, s Store, size int) (ids []string) {
	t.Helper()
	ids = secrets(t, s, "a", size)
	fork(t, s, "a", 4, "f")
	fork(t, s, "f", 3, "g")
	host := attach(t, s, "h")
	say(t, host.Context(), "own")
	for i, of := range []string{"a", "f", "g"} {
		n, _ := attach(t, s, of).Context().Timeline().Recorded().At(0).Find("n1")
		if _, err := host.Context().Insert(engine.AtDepth(0, int64(i+1)), n.Attach(of, false).Draft(engine.Edition10)); err != nil {
			t.Fatal(err)
		}
	}
	commit(t, host)
	if texts := strings.Join(shownTexts(t, host, 0), "\n"); strings.Count(texts, "SECRET 1") != 3 {
		t.Errorf("the attachments show %q", texts)
	}
	return ids
}

// wantFamilyErased checks that the members of a [family] can be read and show no erased text.
func wantFamilyErased(t *testing.T, s Store, when string) {
	t.Helper()
	for _, id := range []string{"a", "f", "g", "h"} {
		l, err := Attach(t.Context(), s, id, still)
		if err != nil {
			t.Errorf("%s: %s: %v", when, id, err)
			continue
		}
		if texts := strings.Join(shownTexts(t, l, 0), "\n"); strings.Contains(texts, "SECRET") || id == "h" && texts != "own" {
			t.Errorf("%s: %s shows %q", when, id, texts)
		}
	}
}

// wantNoSecret checks that no file of a folder has an erased text, and how the files are named.
func wantNoSecret(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(data), "SECRET") {
			t.Errorf("%s still has an erased text", e.Name())
		}
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("files: -want +got\n%s", diff)
	}
}

// TestFileLinks erases through links of all kinds.
func TestFileLinks(t *testing.T) {
	for _, c := range []struct {
		name  string
		links map[string]string // and what they lead to; $ is the folder
		erase string
		want  Code
	}{
		{"link", map[string]string{"link": "real/a.jsonl"}, "link", ""},
		{"two hops", map[string]string{"link": "real/a.jsonl", "hop": "link"}, "hop", ""},
		{"absolute", map[string]string{"link": "$/real/a.jsonl"}, "link", ""},
		{"folder", map[string]string{"folder": "real"}, "folder/a.jsonl", ""},
		{"back", map[string]string{"real/sub": "..", "link": "real/sub/real/a.jsonl"}, "link", ""},
		{"dangling", map[string]string{"link": "nowhere"}, "link", ErrNotFound},
		{"loop", map[string]string{"link": "link"}, "link", ErrAddress},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.Mkdir(filepath.Join(dir, "real"), 0o755); err != nil {
				t.Fatal(err)
			}
			ids := secrets(t, OpenFile(filepath.Join(dir, "real", "a.jsonl")), "a", 10)
			for link, to := range c.links {
				if err := os.Symlink(strings.Replace(to, "$", dir, 1), filepath.Join(dir, link)); err != nil {
					t.Fatal(err)
				}
			}
			s := OpenFile(filepath.Join(dir, c.erase))
			if _, err := Erase(t.Context(), s, "a", ids...); c.want != "" {
				wantCode(t, c.want, err)
				return
			} else if err != nil {
				t.Fatal(err)
			}
			for link := range c.links {
				if info, err := os.Lstat(filepath.Join(dir, link)); err != nil || info.Mode()&os.ModeSymlink == 0 {
					t.Errorf("%s is no link any more: %v", link, err)
				}
			}
			if data, err := os.ReadFile(filepath.Join(dir, "real", "a.jsonl")); err != nil || strings.Contains(string(data), "SECRET") {
				t.Errorf("the file still has the text, %v", err)
			}
			say(t, attach(t, s, "a").Context(), "goes on")
		})
	}
}

// TestOutside opens what leads out of the folder of a store.
func TestOutside(t *testing.T) {
	dir := t.TempDir()
	s := open(t, "file:"+filepath.Join(dir, "in"))
	secrets(t, s, "a", 10)
	out := OpenFile(filepath.Join(dir, "out.jsonl"))
	secrets(t, out, "out", 10)
	if err := errors.Join(os.Symlink("../out.jsonl", journalOf(s, "out")), os.Symlink("a.jsonl", journalOf(s, "same")), os.Symlink("../new", journalOf(s, "new"))); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(journalOf(s, "pipe"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"out", "pipe"} {
		_, err := s.Head(t.Context(), id)
		wantCode(t, ErrAddress, err)
		_, err = collect(s.Read(t.Context(), id, 0, 1))
		wantCode(t, ErrAddress, err)
		_, err = collect(s.Watch(t.Context(), id, Version{}))
		wantCode(t, ErrAddress, err)
		_, err = s.Append(t.Context(), id, Version{}, firstAppend(id)...)
		wantCode(t, ErrAddress, err)
		_, err = Erase(t.Context(), s, id, "n0")
		wantCode(t, ErrAddress, err)
		wantCode(t, ErrAddress, s.Delete(t.Context(), id))
	}
	_, err := s.Append(t.Context(), "new", Version{}, firstAppend("new")...)
	wantCode(t, ErrAddress, err)
	bad := map[string]bool{}
	for i, err := range s.List(t.Context(), "") {
		if err != nil {
			t.Fatal(err)
		}
		bad[i.ID] = i.Err != nil
	}
	if diff := cmp.Diff(map[string]bool{"a": false, "same": false, "out": true, "pipe": true, "new": true}, bad); diff != "" {
		t.Errorf("listed: -want +got\n%s", diff)
	}
	if err := s.Delete(t.Context(), "same"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(journalOf(s, "a")); err == nil {
		t.Error("the file of a deleted link is still there")
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 2 {
		t.Errorf("%d files, %v", len(entries), err)
	}
}

// TestRemains refuses to erase and compact what would stay elsewhere, and changes nothing.
func TestRemains(t *testing.T) {
	s := open(t, "file:"+t.TempDir())
	ids := secrets(t, s, "a", 3000)
	path := journalOf(s, "a")
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	refused := func() {
		t.Helper()
		_, err := Erase(t.Context(), s, "a", ids...)
		wantCode(t, ErrRemains, err)
		_, err = Compact(t.Context(), s, "a", 1)
		wantCode(t, ErrRemains, err)
		if now, err := os.ReadFile(path); err != nil || string(now) != string(before) {
			t.Errorf("the journal has changed, %v", err)
		}
	}
	if err := os.Link(path, path+".bak"); err != nil {
		t.Fatal(err)
	}
	refused()
	if err := os.Remove(path + ".bak"); err != nil {
		t.Fatal(err)
	}
	// Another program that is writing the file.
	temp := filepath.Join(filepath.Dir(path), ".pactkit-a.jsonl-ABCDEFGHIJKLMNOPQRSTUVWXYZ.tmp")
	live, err := os.Create(temp)
	if err != nil {
		t.Fatal(err)
	}
	defer live.Close()
	if err := syscall.Flock(int(live.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	refused()
	wantCode(t, ErrRemains, s.Delete(t.Context(), "a"))
	secrets(t, s, "b", 10) // does not concern another history
	if _, err := Erase(t.Context(), s, "b", "n0"); err != nil {
		t.Error(err)
	}
	if err := s.Delete(t.Context(), "b"); err != nil {
		t.Error(err)
	}
	live.Close()
	e, err := Erase(t.Context(), s, "a", ids...)
	if err != nil || len(e.Found)+len(e.Unsearched) != 0 {
		t.Error(e.Found, e.Unsearched, err)
	}
	wantNoSecret(t, filepath.Dir(path), "a.jsonl")
}

// TestFound names the files that still have an erased text.
func TestFound(t *testing.T) {
	s := open(t, "file:"+t.TempDir())
	dir := s.(*dirStore).dir
	ids := secrets(t, s, "a", 2<<20)
	secrets(t, s, "fork", 2<<20)
	l := attach(t, s, "short")
	for i, text := range []string{"ü?", "yes"} {
		if _, err := l.Context().Insert(engine.AtDepth(0, 0), engine.Draft{ID: fmt.Sprint("s", i), Content: engine.Text(text)}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := l.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"a.jsonl.gz": "x", "other.gz": "x", "a.bak": strings.Repeat("y", 1<<16-7) + "SECRET 0 of the history xxxxxxxxx" + strings.Repeat("x", 2000),
		"export.json": `{"content":"\u00fc?"}`, "words": `"yes" ü?`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want := func(id string, nodes []string, found, unsearched []string) {
		t.Helper()
		e, err := Erase(t.Context(), s, id, nodes...)
		if err != nil {
			t.Fatal(err)
		}
		for _, list := range [][]string{e.Found, e.Unsearched} {
			for i := range list {
				list[i], _ = filepath.Rel(dir, list[i])
			}
			slices.Sort(list)
		}
		if diff := cmp.Diff([][]string{found, unsearched}, [][]string{e.Found, e.Unsearched}); diff != "" {
			t.Errorf("%s: -want +got\n%s", id, diff)
		}
	}
	want("a", ids, []string{"a.bak", "fork.jsonl"}, []string{"a.jsonl.gz"})
	want("short", []string{"s0"}, []string{"export.json"}, nil)
	want("short", []string{"s1"}, nil, nil)
}

// TestFileOwner keeps the owner and mode of a journal.
func TestFileOwner(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o027))
	s := open(t, "file:"+t.TempDir())
	ids := secrets(t, s, "a", 10)
	path := journalOf(s, "a")
	stat := func() (uint32, uint32, os.FileMode) {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		st := info.Sys().(*syscall.Stat_t)
		return st.Uid, st.Gid, info.Mode()
	}
	uid, gid, mode := stat()
	if mode != 0o640 {
		t.Errorf("a new journal has mode %v", mode)
	}
	if os.Getuid() == 0 {
		uid, gid = 1234, 567
		if err := os.Chown(path, 1234, 567); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(path, 0o604); err != nil {
		t.Fatal(err)
	}
	if _, err := Erase(t.Context(), s, "a", ids...); err != nil {
		t.Fatal(err)
	}
	if u, g, m := stat(); u != uid || g != gid || m != 0o604 {
		t.Errorf("user %d, group %d, mode %v", u, g, m)
	}
}

// TestForkOwner forks and rewinds a history that its owner alone can read. The new files, which get
// what it has, are as private, and are those of the owner.
func TestForkOwner(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o022))
	s := open(t, "file:"+t.TempDir())
	secrets(t, s, "a", 10)
	path, uid := journalOf(s, "a"), os.Getuid()
	if uid == 0 {
		uid = 1234
		if err := os.Chown(path, uid, 567); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	fork(t, s, "a", 4, "f")
	if _, err := s.Rewind(t.Context(), "a", 3, "kept"); err != nil {
		t.Fatal(err)
	}
	if err := s.Delete(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) < 3 {
		t.Fatal(entries, err)
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		if st := info.Sys().(*syscall.Stat_t); info.Mode() != 0o640 || int(st.Uid) != uid {
			t.Errorf("%s has mode %v and is of user %d, not %d", e.Name(), info.Mode(), st.Uid, uid)
		}
	}
}

// killVariable makes this test program rewrite a journal until it is killed. Its value is the
// address of the store.
const killVariable = "PACTKIT_TEST_REWRITE"

// TestKilledRewrite kills a process that rewrites a journal, at random moments, while others sweep
// the folder as pactfmt -w does. The history stays whole, and after an erasure no file has the
// text.
func TestKilledRewrite(t *testing.T) {
	if address := os.Getenv(killVariable); address != "" {
		s := open(t, address)
		c, err := PlanCompact(t.Context(), s, "a", 4)
		for err == nil {
			_, err = s.Replace(t.Context(), "a", c.upTo, c.frames...)
			fmt.Println("rewritten")
		}
		t.Fatal(err)
	}
	dir := t.TempDir()
	s := open(t, "file:"+dir)
	ids := secrets(t, s, "a", 400_000)
	head, err := s.Head(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	stop := make(chan bool)
	swept := make(chan int)
	go func() {
		n := 0
		for {
			select {
			case <-stop:
				swept <- n
				return
			default:
				if err := atomicfile.Sweep(dir); err != nil {
					t.Error(err)
				}
				n++
			}
		}
	}()
	rounds, left := 8, 0
	if testing.Short() {
		rounds = 4
	}
	whole, err := os.ReadFile(journalOf(s, "a"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range rounds {
		if i == rounds/2 {
			close(stop)
			if n := <-swept; n < 10 {
				t.Errorf("swept %d times", n)
			}
		}
		if err := os.WriteFile(journalOf(s, "a"), whole, 0o666); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(os.Args[0], "-test.run=^TestKilledRewrite$")
		cmd.Env = append(os.Environ(), killVariable+"=file:"+dir)
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := out.Read(make([]byte, 6)); err != nil {
			t.Fatal(err)
		}
		for begun := time.Now(); time.Since(begun) < 2*time.Second; { // until it writes
			if entries, err := os.ReadDir(dir); err == nil && len(entries) > 1 {
				break
			}
		}
		time.Sleep(time.Duration(rand.IntN(2000)) * time.Microsecond)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Wait(); err == nil || !strings.Contains(err.Error(), "killed") {
			t.Fatal(err)
		}
		if now, err := open(t, "file:"+dir).Head(t.Context(), "a"); err != nil || now != head {
			t.Fatalf("the head is %v, %v", now, err)
		}
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		left += len(entries) - 1
	}
	if left == 0 && !testing.Short() {
		t.Errorf("%d kills, none while the journal was rewritten", rounds)
	}
	if _, err := Erase(t.Context(), open(t, "file:"+dir), "a", ids[4:]...); err != nil {
		t.Fatal(err)
	}
	if _, err := Erase(t.Context(), s, "a", ids[3:]...); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"SECRET 3", "SECRET 4", "SECRET 5"} {
		data, err := os.ReadFile(journalOf(s, "a"))
		if err != nil || strings.Contains(string(data), name) {
			t.Errorf("%s is still there, %v", name, err)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("%d files are left, %v", len(entries), err)
	}
}
