package pactkit_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/pactkit/pactkit"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/store"
)

// TestAttach lets two live trees work on one history.
func TestAttach(t *testing.T) {
	ctx := t.Context()
	s, err := store.Open(ctx, "file:"+filepath.Join(t.TempDir(), "s"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	attach := func() *pactkit.Live {
		t.Helper()
		l, err := pactkit.Attach(ctx, s, "a", engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	count := func(l *pactkit.Live, selector string) int {
		t.Helper()
		nodes, err := l.Select(ctx, selector)
		if err != nil {
			t.Fatal(err)
		}
		return len(nodes)
	}
	say := func(tree *pactkit.Tree, text string) error {
		_, err := tree.Insert(ctx, "(d0,0, end)", engine.Draft{Role: "user", Content: engine.Text(text)})
		return err
	}
	a, b := attach(), attach()
	if err := errors.Join(say(a.Tree, "a"), say(b.Tree, "b")); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Commit(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Commit(ctx); !errors.Is(err, store.ErrConflict) {
		t.Fatalf("error %v", err)
	}
	if n := count(b, "^ah .block"); n != 1 {
		t.Errorf("the working state has %d blocks", n)
	}
	if err := b.Reload(ctx); err != nil {
		t.Fatal(err)
	}
	if n := count(b, "^ah .block") + 10*count(b, "^seq .block"); n != 10 || a.Version() != b.Version() {
		t.Errorf("after Reload, blocks: %d", n)
	}
	var wg sync.WaitGroup
	for i, l := range []*pactkit.Live{a, b, attach()} {
		wg.Go(func() {
			for turn := range 5 {
				if _, err := l.Update(ctx, func(tree *pactkit.Tree) error { return say(tree, fmt.Sprint(i, turn)) }); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	last := attach()
	if n := count(last, "^seq .block"); n != 16 {
		t.Errorf("%d turns, want 16", n)
	}
	if err := say(last.Tree, "not committed"); err != nil {
		t.Fatal(err)
	}
	if err := last.Checkpoint(ctx); err != nil {
		t.Fatal(err)
	}
	if again := attach(); count(again, "^ah .block") != 1 {
		t.Error("the checkpoint is not there")
	}
	if _, err := last.Step(ctx); err != nil {
		t.Fatal(err)
	}
}

// TestUpdateAlone changes a tree while an update of it runs that loses to another process: the
// change waits for the update, and is not lost with its first attempt.
func TestUpdateAlone(t *testing.T) {
	ctx := t.Context()
	s, err := store.Open(ctx, "file:"+filepath.Join(t.TempDir(), "s"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	say := func(tree *pactkit.Tree) error {
		_, err := tree.Insert(ctx, "(d0,0, end)", engine.Draft{})
		return err
	}
	var both [2]*pactkit.Live
	for i := range both {
		if both[i], err = pactkit.Attach(ctx, s, "a", engine.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	l, other := both[0], both[1]
	done := make(chan error, 1)
	tries := 0
	if _, err := l.Update(ctx, func(tree *pactkit.Tree) error {
		if tries++; tries > 1 {
			return say(tree)
		}
		go func() { done <- say(l.Tree) }()
		time.Sleep(20 * time.Millisecond) // without the lock, the change would come now
		_, err := other.Commit(ctx)
		return errors.Join(err, say(tree))
	}); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil || tries != 2 {
		t.Errorf("%d tries, %v", tries, err)
	}
	nodes, err := l.Select(ctx, "^ah .block")
	if err != nil || len(nodes) != 1 {
		t.Errorf("%d nodes, %v; want that of the other goroutine", len(nodes), err)
	}
}

// TestUpdateAttachment attaches a subtree in Update, where queries show it, as in a tree that goes
// on from there.
func TestUpdateAttachment(t *testing.T) {
	ctx := t.Context()
	s, err := store.Open(ctx, "file:"+filepath.Join(t.TempDir(), "s"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, id := range []string{"plans", "a"} {
		l, err := pactkit.Attach(ctx, s, id, engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		_, err = l.Update(ctx, func(tree *pactkit.Tree) error {
			if id == "plans" {
				_, err := tree.Insert(ctx, "(d0,0, end)", engine.Draft{Key: "plan", Content: engine.Text("Plan A.")})
				return err
			}
			if _, err := tree.AttachSubtree(ctx, "(d0,0, end)", pactkit.Subtree{History: "plans", Of: "#plan"}, engine.Draft{}); err != nil {
				return err
			}
			nodes, err := tree.Select(ctx, "#plan")
			if err == nil && len(nodes) != 1 {
				t.Errorf("%d nodes are shown", len(nodes))
			}
			return err
		})
		if err != nil {
			t.Fatalf("%s: %v", id, err)
		}
		next, err := l.Resume(engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if nodes, err := next.Select(ctx, "#plan"); err != nil || len(nodes) != 1 {
			t.Errorf("%s: %d nodes are shown after Resume, %v", id, len(nodes), err)
		}
	}
}
