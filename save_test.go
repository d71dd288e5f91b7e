package pactkit_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/store/journal"
	"github.com/pactkit/pactkit/thread"
)

// TestLivingDocument replaces a key turn after turn, also in a run that is saved and resumed: the
// key always refers to the newest version.
func TestLivingDocument(t *testing.T) {
	c, err := pactkit.New(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	if _, err := c.Insert(ctx, "(d0,0, end)", engine.Draft{Key: "plan", Role: "user", Content: engine.Text("0")}); err != nil {
		t.Fatal(err)
	}
	if nodes, err := c.Select(ctx, ".block+user"); err != nil || len(nodes) != 1 {
		t.Errorf("the role is not found as a tag: %v, %v", nodes, err)
	}
	for turn := range 5 {
		want := fmt.Sprint(turn + 1)
		if _, err := c.Replace(ctx, "#plan", engine.Draft{Content: engine.Text(want)}); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Commit(); err != nil {
			t.Fatal(err)
		}
		r, err := c.Thread("@t0", thread.OpenAI, thread.RenderOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := string(r.JSON), `[{"role":"user","content":"`+want+`"}]`; got != want {
			t.Errorf("turn %d: %s, want %s", turn, got, want)
		}
		if nodes, err := c.Select(ctx, "#plan"); err != nil || len(nodes) > 2 {
			t.Errorf("turn %d: %d versions in the tree, %v", turn, len(nodes), err)
		}
		if c, err = c.Resume(engine.Options{}); err != nil {
			t.Fatal(err)
		}
	}
}

// A saved tree is read back unchanged, with everything needed to continue: from a journal, or from
// a document if the name says so.
func TestSave(t *testing.T) {
	ctx := t.Context()
	live, err := pactkit.New(engine.Options{Clock: func() time.Time { return time.Unix(1, 0) }})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if _, err := live.Insert(ctx, "(d0,0, end)", engine.Draft{Role: "user", Content: engine.Text("hello")}); err != nil {
			t.Fatal(err)
		}
		if _, err := live.Commit(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := live.Insert(ctx, "(d0,0, end)", engine.Draft{Content: engine.Text("not yet committed")}); err != nil {
		t.Fatal(err)
	}
	want := string(live.AppendJSON(nil))
	dir := t.TempDir()
	for _, name := range []string{"a.json", "a.jsonl", "a", "a.jsonl"} {
		path := filepath.Join(dir, name)
		if err := live.Save(path); err != nil {
			t.Fatal(err)
		}
		again, err := pactkit.Open(path, engine.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, string(again.AppendJSON(nil))); d != "" {
			t.Errorf("%s (-want +got)\n%s", name, d)
		}
		if err := again.Save(path); err != nil {
			t.Errorf("a recorded tree: %v", err)
		}
		data, err := os.ReadFile(path)
		if err != nil || journal.IsJournal(string(data)) == (name == "a.json") {
			t.Errorf("%s: %v, %.30s", name, err, data)
		}
	}
	if err := live.Save(filepath.Join(dir, "no", "folder")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder that does not exist gives %v", err)
	}
}

// TestJournal opens what a live tree wrote as a journal.
func TestJournal(t *testing.T) {
	live, err := pactkit.New(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if _, err := live.Engine().Insert(engine.AtDepth(0, 0), engine.Draft{Content: engine.Text("x")}); err != nil {
			t.Fatal(err)
		}
		if _, err := live.Engine().Commit(); err != nil {
			t.Fatal(err)
		}
	}
	data, err := live.AppendJournal(nil, journal.About{})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "a.journal")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	opened, err := pactkit.Open(path, engine.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(live.AppendJSON(nil)), string(opened.AppendJSON(nil))); diff != "" {
		t.Error(diff)
	}
	if again, err := opened.AppendJournal(nil, journal.About{}); err != nil || string(again) != string(data) {
		t.Errorf("written again: %v\n%s", err, again)
	}
}
