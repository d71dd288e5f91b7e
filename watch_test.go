package pactkit_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/pactkit/pactkit"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/store"
)

// watchText prints what a watch yields.
func watchText(w pactkit.Watched) string {
	var list []string
	for _, n := range w.Added {
		list = append(list, "+"+n.ID())
	}
	for _, n := range w.Removed {
		list = append(list, "-"+n.ID())
	}
	for _, c := range w.Changed {
		list = append(list, "~"+c.New.ID()+"("+strings.Join(c.Fields, " ")+")")
	}
	return strings.Join(list, " ")
}

// TestWatch changes a tree between the values of a watch. A commit that does not change the result
// yields no value.
func TestWatch(t *testing.T) {
	tree := talk(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	commit := func() {
		if _, err := tree.Commit(); err != nil {
			t.Fatal(err)
		}
	}
	steps := []func(){
		commit, // u3 is sealed
		func() { // two commits at once
			insert(t, tree, "(d0,0, end)", engine.Draft{ID: "u4", Tags: []string{"user"}, TTL: new(int64(3))})
			commit()
			insert(t, tree, "(d0,0, end)", engine.Draft{ID: "a5", Tags: []string{"assistant"}})
			commit()
		},
		commit, // the lifetime counts down
		func() { // nothing, then u4 expires
			commit()
			commit()
		},
		cancel,
	}
	var got []string
	for w, err := range tree.Watch(ctx, ".block+user") {
		if err != nil {
			if !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
			got = append(got, "canceled")
			break
		}
		got = append(got, watchText(w))
		steps[0]()
		steps = steps[1:]
	}
	want := "+u1 +u2; +u3; +u4; ~u4(ttl); -u4; canceled"
	if text := strings.Join(got, "; "); text != want {
		t.Errorf("got %s\nwant %s", text, want)
	}
	for _, selector := range []string{"@t-1 .block", ".block["} {
		for _, err := range tree.Watch(t.Context(), selector) {
			if _, ok := errors.AsType[*pactkit.SelectorError](err); !ok {
				t.Errorf("%s: %v", selector, err)
			}
		}
	}
	recorded := pactkit.FromTimeline(tree.Timeline().Recorded())
	for w, err := range recorded.Watch(t.Context(), "#doc") {
		if err != nil || watchText(w) != "" {
			t.Error(watchText(w), err)
		}
	}
}

// attacher returns a new store, and a function that attaches to one history of it.
func attacher(t *testing.T) (store.Store, func() *pactkit.Live) {
	t.Helper()
	s, err := store.Open(t.Context(), "file:"+t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s, func() *pactkit.Live {
		l, err := pactkit.Attach(t.Context(), s, "a", engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
}

// TestWatchConcurrent commits while several goroutines watch, in two trees of one history. Whatever
// is reported together, each watch has seen every node in the end.
func TestWatchConcurrent(t *testing.T) {
	_, attach := attacher(t)
	const commits = 20
	writer, reader := attach(), attach()
	var watches sync.WaitGroup
	for _, l := range []*pactkit.Live{writer, writer, reader} {
		watches.Go(func() {
			seen := 0
			for w, err := range l.Watch(t.Context(), ".block") {
				if err != nil {
					t.Error(err)
					return
				}
				if seen += len(w.Added); seen == commits {
					return
				}
			}
		})
	}
	for range commits {
		if _, err := writer.Update(t.Context(), func(x *pactkit.Tree) error {
			_, err := x.Insert(t.Context(), "(d0,0, end)", engine.Draft{Content: engine.Text("x")})
			return err
		}); err != nil {
			t.Fatal(err)
		}
		if err := reader.Reload(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	watches.Wait()
}

// TestWatchStored watches the state in a store. It yields what other writers commit, and the
// uncommitted change of the tree stays.
func TestWatchStored(t *testing.T) {
	s, attach := attacher(t)
	writer, reader := attach(), attach()
	for _, err := range reader.WatchStored(t.Context(), ".block") {
		if !errors.Is(err, store.ErrNotFound) {
			t.Error(err)
		}
	}
	insert(t, reader.Tree, "(d0,0, end)", engine.Draft{ID: "draft"})
	commit := func(id string) {
		insert(t, writer.Tree, "(d0,0, end)", engine.Draft{ID: id, TTL: new(int64(2))})
		if _, err := writer.Commit(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	commit("a")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	steps := []func(){
		func() { commit("b") },
		func() { // what was read before is replaced
			if _, err := store.Compact(t.Context(), s, "a", 1); err != nil {
				t.Fatal(err)
			}
			commit("c")
		},
		cancel,
	}
	var got []string
	for w, err := range reader.WatchStored(ctx, ".block") {
		if err != nil {
			if !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
			break
		}
		got = append(got, watchText(w))
		steps[0]()
		steps = steps[1:]
	}
	want := "+a; +b ~a(ttl); +c -a ~b(ttl)"
	if text := strings.Join(got, "; "); text != want {
		t.Errorf("got %s\nwant %s", text, want)
	}
	if found, err := reader.Select(t.Context(), ".block"); err != nil || len(found) != 1 || found[0].ID() != "draft" {
		t.Errorf("the tree has changed: %v, %v", found, err)
	}
}
