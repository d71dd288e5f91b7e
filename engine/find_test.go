package engine_test

import (
	"testing"

	"github.com/pactkit/pactkit/engine"
)

// TestFindMoved finds nodes of a large head and segment by id while their numbers change.
func TestFindMoved(t *testing.T) {
	ctx, err := engine.New(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	check := func() {
		t.Helper()
		for _, s := range []*engine.Snapshot{ctx.Working(), ctx.Timeline().At(min(1, ctx.Timeline().Len()-1))} {
			for n := range s.All() {
				if found, ok := s.Find(n.ID()); !ok || found != n {
					t.Fatalf("%s of cycle %d is not found in its place", n.ID(), s.Cycle())
				}
			}
		}
	}
	insert := func(pos engine.Position, ttl *int64) string {
		n, err := ctx.Insert(pos, engine.Draft{TTL: ttl})
		if err != nil {
			t.Fatal(err)
		}
		return n.ID()
	}
	first := insert(engine.AtDepth(0, 0), nil)
	node, _ := ctx.Working().Find(first)
	core, _ := node.ParentID()
	for i := range 300 {
		insert(engine.Under(core, int64(i*7%10)), new(int64(i%3+1)))
		insert(engine.AtDepth(0, int64(i%5-2)), nil)
		if i%30 == 0 {
			check()
		}
	}
	for range 4 {
		if _, err := ctx.Commit(); err != nil {
			t.Fatal(err)
		}
		check()
		insert(engine.AtDepth(1, -1), nil)
		insert(engine.AtDepth(1, 1), nil)
		check()
	}
}
