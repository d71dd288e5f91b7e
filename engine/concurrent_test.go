package engine_test

import (
	"bytes"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/pactkit/pactkit/engine"
)

// TestConcurrentReaders reads everything during commits. Readers must always see whole snapshots:
// the export of a snapshot never changes, and every node of it is found.
func TestConcurrentReaders(t *testing.T) {
	ids := 0
	ctx, err := engine.New(engine.Options{
		Clock: func() time.Time { return time.Unix(0, 0) },
		NewID: func(typ string) string { ids++; return fmt.Sprint(typ, ids) },
	})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			var older *engine.Snapshot
			for {
				select {
				case <-done:
					return
				default:
				}
				s := ctx.Timeline().At(0)
				n := 0
				for node := range s.All() {
					n++
					if found, ok := s.Find(node.ID()); !ok || found != node {
						t.Errorf("%s is not found in cycle %d", node.ID(), s.Cycle())
						return
					}
				}
				if n != s.Len() {
					t.Errorf("%d nodes, Len says %d", n, s.Len())
					return
				}
				for _, node := range s.Keyed("note") {
					if k, _ := node.Key(); k != "note" {
						t.Errorf("%s has the key %q", node.ID(), k)
						return
					}
				}
				if first, second := s.AppendJSON(nil), s.AppendJSON(nil); !bytes.Equal(first, second) {
					t.Error("two exports of one snapshot differ")
					return
				}
				if older != nil {
					engine.Diff(older, s)
				}
				older = s
			}
		})
	}
	for i := range 150 {
		ctx.BeginAttempt("p", "m", "h")
		for k := range 3 {
			d := engine.Draft{Key: "note", TTL: new(int64(k + 1)), Content: engine.Text("x")}
			if _, err := ctx.Insert(engine.AtDepth(0, int64(k-1)), d); err != nil && k == 0 {
				t.Fatal(err)
			}
		}
		if i > 2 {
			if _, err := ctx.Insert(engine.AtDepth(2, 0), engine.Draft{}); err != nil && i%40 == 0 {
				t.Log(err)
			}
			if _, err := ctx.Insert(engine.AtDepth(3, 1), engine.Draft{TTL: new(int64(2))}); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := ctx.Commit(); err != nil {
			t.Fatal(err)
		}
	}
	close(done)
	readers.Wait()
}

// TestConcurrentCalls makes calls that wait for changes, and those that do not, during changes. The
// race detector finds what they share.
func TestConcurrentCalls(t *testing.T) {
	ctx, err := engine.New(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ctx.Insert(engine.AtDepth(0, 0), engine.Draft{ID: "a", Key: "k"}); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	var readers sync.WaitGroup
	for range 2 {
		readers.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				if n, err := ctx.Resolve(engine.ByKey("k")); err != nil || n.ID() != "a" {
					t.Errorf("the key names %v, %v", n, err)
					return
				}
				if _, err := ctx.Resolve(engine.ByKey("none")); err == nil {
					t.Error("a key that no node has is found")
					return
				}
				ctx.History()
				ctx.Attempts()
				ctx.Timeline().At(0).AppendJSON(nil)
			}
		})
	}
	for i := range 200 {
		if _, err := ctx.Insert(engine.AtDepth(0, 0), engine.Draft{Key: fmt.Sprint("k", i)}); err != nil {
			t.Fatal(err)
		}
		if _, err := ctx.Insert(engine.AtDepth(0, 0), engine.Draft{Refs: []string{"none"}}); err == nil {
			t.Fatal("a reference to nothing is accepted")
		}
		ctx.BeginAttempt("p", "m", "h")
		if i%50 == 49 {
			if err := ctx.Hold("a"); err != nil {
				t.Fatal(err)
			}
			if _, err := ctx.Step(); err != nil {
				t.Fatal(err)
			}
		}
	}
	close(done)
	readers.Wait()
}

// TestResolveAlone checks that looking a node up leaves the context alone: the node is one of the
// working state, not of a change that begins.
func TestResolveAlone(t *testing.T) {
	ctx, err := engine.New(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ctx.Insert(engine.AtDepth(0, 0), engine.Draft{ID: "a", Key: "k"}); err != nil {
		t.Fatal(err)
	}
	n, err := ctx.Resolve(engine.ByID("a"))
	if err != nil || n.Snapshot() != ctx.Working() {
		t.Errorf("the node is not of the working state: %v", err)
	}
	if n := testing.AllocsPerRun(100, func() { ctx.Resolve(engine.ByID("a")) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
