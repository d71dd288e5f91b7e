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
