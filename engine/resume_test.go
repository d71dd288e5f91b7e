package engine_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pactkit/pactkit/engine"
)

// TestResumeTwice continues a timeline in two ways, which must not affect each other.
func TestResumeTwice(t *testing.T) {
	var in []string
	for cycle := range 5 {
		in = append(in, fmt.Sprintf(`{"cycle":%d,%s`, cycle+1, regions(goodSegment, "")[1:]))
	}
	tl, err := engine.Read("in.jsonl", strings.NewReader(strings.Join(in, "\n")), engine.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	before := tl.AppendJSON(nil)
	var contexts []*engine.Context
	for i := range 2 {
		c, err := engine.Resume(tl, engine.Options{Clock: func() time.Time { return time.Unix(int64(i+1), 0) }})
		if err != nil {
			t.Fatal(err)
		}
		contexts = append(contexts, c)
	}
	for range 3 {
		for i, c := range contexts {
			id := fmt.Sprint("only", i, "-", c.Working().Cycle())
			if _, err := c.Insert(engine.AtDepth(0, 0), engine.Draft{ID: id}); err != nil {
				t.Fatal(err)
			}
			if _, err := c.Insert(engine.AtDepth(0, 0), engine.Draft{ID: "shared" + fmt.Sprint(c.Working().Cycle()), Priority: int64(i)}); err != nil {
				t.Fatal(err)
			}
			if _, err := c.Commit(); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i, c := range contexts {
		for _, s := range c.Timeline().All() {
			for n := range s.All() {
				if strings.HasPrefix(n.ID(), fmt.Sprint("only", 1-i)) {
					t.Fatalf("context %d holds %s", i, n.ID())
				}
				if strings.HasPrefix(n.ID(), "shared") && n.Priority() != engine.Int(int64(i)) {
					t.Fatalf("context %d holds the other %s", i, n.ID())
				}
				if m, ok := s.Find(n.ID()); !ok || m != n {
					t.Fatalf("context %d: %s is not found", i, n.ID())
				}
			}
		}
	}
	if !bytes.Equal(before, tl.AppendJSON(nil)) {
		t.Error("the timeline changed")
	}
	if _, err := engine.Resume(&engine.Timeline{}, engine.Options{}); !errors.Is(err, engine.ErrSnapshotUnknown) {
		t.Errorf("an empty timeline: %v", err)
	}
}

// TestLargeTurn makes a turn with many nodes. An insertion may copy its chunk, but must not make a
// map of it.
func TestLargeTurn(t *testing.T) {
	ctx, err := engine.New(engine.Options{System: true})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 4000 {
		pos := engine.AtDepth(i%2-1, int64(i%2)) // ^sys and post-context of the head
		if i%3 == 0 {
			pos = engine.AtDepth(0, 0)
		}
		if _, err := ctx.Insert(pos, engine.Draft{ID: fmt.Sprint("n", i)}); err != nil {
			t.Fatal(err)
		}
	}
	s, err := ctx.Commit()
	if err != nil {
		t.Fatal(err)
	}
	if bad := s.Validate(); len(bad) > 0 {
		t.Fatal(bad[0])
	}
	for i := range 4000 {
		id := fmt.Sprint("n", i)
		if n, ok := s.Find(id); !ok || n.ID() != id {
			t.Fatalf("%s is not found", id)
		}
	}
}
