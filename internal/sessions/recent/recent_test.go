package recent

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// home makes the home folder of a user. Each file is newer than the one before it.
func home(t *testing.T, files ...[2]string) Options {
	t.Helper()
	dir := t.TempDir()
	for i, f := range files {
		name := filepath.Join(dir, filepath.FromSlash(f[0]))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(f[1]), 0o644); err != nil {
			t.Fatal(err)
		}
		at := time.Unix(1_700_000_000+int64(i), 0)
		if err := os.Chtimes(name, at, at); err != nil {
			t.Fatal(err)
		}
	}
	return Options{Home: dir, Getenv: func(string) string { return "" }, Version: "1"}
}

func list(t *testing.T, o Options) []Session {
	t.Helper()
	m := Open(o)
	defer m.Close()
	var out []Session
	for s, err := range m.All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	return out
}

// The beginning of a line counts, even if only that is read.
func TestLongLines(t *testing.T) {
	long := strings.Repeat("long ", maxHead)
	o := home(t,
		[2]string{".claude/projects/p/one.jsonl", `{"type":"user","cwd":"/a","message":{"role":"user","content":"First ` + long + `"}}` + "\n"},
		[2]string{".claude/projects/p/two.jsonl", `{"type":"user","isMeta":true,"cwd":"/b","message":{"role":"user","content":"` + long + `"}}` + "\n" +
			`{"type":"user","cwd":"/b","message":{"role":"user","content":"Second"}}` + "\n" +
			`{"type":"custom-title","customTitle":"At the end"}` + "\n"},
		[2]string{".gemini/tmp/p/chats/session-2026-01-01T10-00-abcdefab.json", `{"sessionId":"abcdefab-1",` + "\n" + `"messages":[{"type":"user","content":"Third ` + long + `"}]}`},
	)
	var got []string
	for _, s := range list(t, o) {
		got = append(got, s.ID+" "+s.Folder+" "+s.Title[:min(len(s.Title), 12)])
	}
	if diff := cmp.Diff([]string{"abcdefab-1  Third long l", "two /b At the end", "one /a First long l"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Links lead to folders and files of other places; those within the place are not listed twice.
func TestLinks(t *testing.T) {
	line := `{"type":"user","message":{"role":"user","content":"hi"}}` + "\n"
	o := home(t,
		[2]string{".claude/projects/p/one.jsonl", line},
		[2]string{"disk/project/two.jsonl", line},
		[2]string{"disk/three.jsonl", line},
	)
	for _, link := range [][2]string{{"disk/project", "q"}, {"disk/three.jsonl", "p/three.jsonl"}, {".claude/projects/p", "same"}, {".claude", "above"}, {"gone", "r"}} {
		if err := os.Symlink(filepath.Join(o.Home, link[0]), filepath.Join(o.Home, ".claude/projects", link[1])); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for _, s := range list(t, o) {
		got = append(got, s.ID)
	}
	if diff := cmp.Diff([]string{"three", "two", "one"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A file whose time is in the future is not the newest one.
func TestFuture(t *testing.T) {
	line := func(at string) string {
		return `{"type":"user","timestamp":"` + at + `","message":{"role":"user","content":"hi"}}` + "\n"
	}
	o := home(t,
		[2]string{".claude/projects/p/old.jsonl", line("2023-11-14T00:00:00Z")},
		[2]string{".claude/projects/p/started.jsonl", line("2023-11-15T00:00:00Z")},
		[2]string{".claude/projects/p/new.jsonl", line("2023-11-14T00:00:00Z")},
		[2]string{".claude/projects/p/unknown.jsonl", line("2099-01-01T00:00:00Z")},
	)
	future := time.Now().AddDate(1, 0, 0)
	for _, name := range []string{"started", "unknown"} {
		name := filepath.Join(o.Home, ".claude/projects/p", name+".jsonl")
		if err := os.Chtimes(name, future, future); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // the second time with the cache
		var got []string
		for _, s := range list(t, o) {
			got = append(got, s.ID)
		}
		if diff := cmp.Diff([]string{"started", "new", "old", "unknown"}, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// Wherever a text is cut off, completed makes JSON of its beginning.
func TestCompleted(t *testing.T) {
	const text = `{"type":"a\u00e9\n","list":[1,-2.5e3,{"x":null}],"more":{"y":"é","z":[true,[]]}}`
	for i := 1; i <= len(text); i++ {
		if got := completed([]byte(text[:i])); !json.Valid(got) && i > len(`{"type":"`) {
			t.Errorf("%s: %s", text[:i], got)
		}
	}
	if got := string(completed([]byte(`{"a":1,"b":"x\u00`))); got != `{"a":1,"b":"x"}` {
		t.Error(got)
	}
}

// Agents belong to the session that started them, wherever their files are.
func TestAgents(t *testing.T) {
	const thread, other = "019b0000-0000-7000-8000-000000000001", "019b0000-0000-7000-8000-000000000002"
	o := home(t,
		[2]string{".claude/projects/p/s.jsonl", `{"type":"user","sessionId":"s","message":{"role":"user","content":"hi"}}` + "\n"},
		[2]string{".claude/projects/p/agent-old.jsonl", `{"type":"user","sessionId":"s","isSidechain":true,"cwd":"/a","message":{"role":"user","content":"look"}}` + "\n"},
		[2]string{".claude/projects/p/s/subagents/agent-new.jsonl", `{"type":"user","sessionId":"s","isSidechain":true,"message":{"role":"user","content":"look"}}` + "\n"},
		[2]string{".claude/projects/p/s/tool-results/x.jsonl", `{}`},
		[2]string{".claude/projects/p/agent-lost.jsonl", `{"type":"user","sessionId":"gone","isSidechain":true,"message":{"role":"user","content":"look"}}` + "\n"},
		[2]string{".codex/sessions/2026/01/01/rollout-2026-01-01T10-00-00-" + thread + ".jsonl",
			`{"type":"session_meta","payload":{"id":"` + thread + `","cwd":"/c","source":"cli"}}` + "\n" + `{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"go"}]}}` + "\n"},
		[2]string{".codex/sessions/2026/01/01/rollout-2026-01-01T10-00-01-" + thread + "_" + other + ".jsonl",
			`{"type":"session_meta","payload":{"id":"` + thread + `","cwd":"/c","source":"cli"}}` + "\n"},
		[2]string{".codex/sessions/2026/01/01/rollout-2026-01-01T10-00-02-" + other + ".jsonl",
			`{"type":"session_meta","payload":{"id":"` + other + `","source":{"subagent":{"thread_spawn":{"parent_thread_id":"` + thread + `"}}}}}` + "\n"},
	)
	var got []string
	for _, s := range list(t, o) {
		for _, f := range s.Files {
			got = append(got, s.ID+" "+filepath.Base(f))
		}
	}
	want := []string{
		thread + " rollout-2026-01-01T10-00-00-" + thread + ".jsonl",
		thread + " rollout-2026-01-01T10-00-01-" + thread + "_" + other + ".jsonl",
		thread + " rollout-2026-01-01T10-00-02-" + other + ".jsonl",
		"agent-lost agent-lost.jsonl",
		"s s.jsonl", "s agent-new.jsonl", "s agent-old.jsonl",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The cache counts for files that did not change, and for the program that wrote it.
func TestCache(t *testing.T) {
	const path = ".claude/projects/p/s.jsonl"
	line := func(text string) string {
		return `{"type":"user","cwd":"/a","message":{"role":"user","content":"` + text + `"}}` + "\n"
	}
	o := home(t, [2]string{path, line("one")})
	m := Open(o)
	for s := range m.All(t.Context()) {
		m.Keep(s, &Totals{Calls: 3})
	}
	m.Close()
	file := filepath.Join(o.Home, filepath.FromSlash(path))
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	rewrite := func(text string, at time.Time) {
		t.Helper()
		if err := os.WriteFile(file, []byte(line(text)), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file, at, at); err != nil {
			t.Fatal(err)
		}
	}
	check := func(title string, calls int) {
		t.Helper()
		s := list(t, o)[0]
		if s.Totals == nil {
			s.Totals = &Totals{}
		}
		if s.Title != title || s.Totals.Calls != calls {
			t.Errorf("%s with %d calls, want %s with %d", s.Title, s.Totals.Calls, title, calls)
		}
	}
	rewrite("two", info.ModTime()) // has the same size and time
	check("one", 3)
	rewrite("three", info.ModTime())
	check("three", 0)
	rewrite("four!", info.ModTime().Add(time.Second))
	check("four!", 0)
	o.Version = "2"
	rewrite("five!", info.ModTime().Add(time.Second))
	check("five!", 0)
}

// A search that learns nothing does not write the cache.
func TestCacheUnchanged(t *testing.T) {
	o := home(t, [2]string{".claude/projects/p/s.jsonl", `{"type":"user","message":{"role":"user","content":"hi"}}` + "\n"})
	search := func(before func()) {
		m := Open(o)
		before()
		for s := range m.All(t.Context()) {
			m.Keep(s, &Totals{Calls: 3})
		}
		m.Close()
	}
	file := filepath.Join(o.Home, ".cache", "pactkit", "sessions.json")
	search(func() {})
	search(func() {
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	})
	if _, err := os.Stat(file); err == nil {
		t.Error("the cache was written again")
	}
}

// A worktree is found from below, and its repository from the worktree.
func TestWorktrees(t *testing.T) {
	dir := t.TempDir()
	repo, tree := filepath.Join(dir, "repo"), filepath.Join(dir, "tree")
	for name, text := range map[string]string{
		"repo/.git/worktrees/tree/gitdir": filepath.Join(tree, ".git") + "\n", "repo/.git/worktrees/tree/commondir": "../..\n",
		"tree/.git": "gitdir: " + filepath.Join(repo, ".git", "worktrees", "tree") + "\n", "tree/lib/a": "", "repo/lib/a": "", "broken/.git": "nothing",
	} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		from, of         string
		here, repository bool
	}{
		{"repo", "tree", true, true}, {"tree", "repo", true, true}, {"tree/lib", "repo/lib/x", true, true}, {"tree/lib", "repo", false, true},
		{"repo", "repository", false, false}, {"broken", "repo", false, false}, {"broken", "broken/x", true, false}, {"repo/lib", "tree/lib", true, true},
	} {
		p, s := ProjectOf(filepath.Join(dir, c.from)), Session{Folder: filepath.Join(dir, c.of)}
		if p.Has(s) != c.here || p.HasRepository(s) != c.repository {
			t.Errorf("%s of %s: %v, %v", c.of, c.from, p.Has(s), p.HasRepository(s))
		}
	}
}
