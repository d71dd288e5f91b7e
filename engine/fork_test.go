package engine_test

import (
	"bytes"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/pactkit/pactkit/engine"
)

// TestFork forks a context at every cycle. The fork continues as the base did, byte for byte, and
// neither changes the other.
func TestFork(t *testing.T) {
	now := int64(0)
	opts := engine.Options{Clock: func() time.Time { return time.Unix(0, now) }}
	turn := func(c *engine.Context, i int) {
		t.Helper()
		now = int64(i) * 1000
		d := engine.Draft{Content: engine.Text(fmt.Sprint("turn ", i))}
		if i == 2 {
			d.Key, d.Cad = "note", new(int64(2))
		}
		if _, err := c.Insert(engine.InCore(0), d); err != nil {
			t.Fatal(err)
		}
		end := c.Commit
		if i%3 == 1 {
			end = c.Step
		}
		if i == 7 {
			if err := c.StopCadence("note"); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := end(); err != nil {
			t.Fatal(err)
		}
	}
	c, err := engine.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for i := range 12 {
		turn(c, i)
		want = append(want, string(c.Working().AppendJSON(nil)))
	}
	before := c.AppendJSON(nil)
	for i := range 12 {
		from := engine.ForkPoint{History: "base", Cycle: int64(i + 1)}
		now = int64(i) * 1000
		f, err := c.Fork(from)
		if err != nil {
			t.Fatal(err)
		}
		for k := i + 1; k < 12; k++ {
			turn(f, k)
			if got := string(f.Working().AppendJSON(nil)); got != want[k] {
				t.Fatalf("forked at cycle %d, after turn %d%s", from.Cycle, k, firstDifference([]byte(got), []byte(want[k])))
			}
		}
		turn(f, 20)
		if forks := f.Timeline().Forks(); len(forks) != 1 || forks[0] != from {
			t.Errorf("the fork says that it is from %v", forks)
		}
		read, err := engine.Read("fork.json", bytes.NewReader(f.AppendJSON(nil)), engine.ReadOptions{Strict: true})
		if err != nil || len(read.Forks()) != 1 || read.Forks()[0] != from {
			t.Errorf("read back: %v, %v", read.Forks(), err)
		}
		again, err := f.Fork(engine.ForkPoint{History: "fork", Cycle: 13})
		if err != nil || len(again.Timeline().Forks()) != 2 {
			t.Errorf("a fork of the fork: %v", err)
		}
		if older, err := again.Fork(engine.ForkPoint{History: "again", Cycle: 1}); err != nil || i > 0 && len(older.Timeline().Forks()) != 1 {
			t.Errorf("a fork before the other forks: %v, %v", older.Timeline().Forks(), err)
		}
	}
	if after := c.AppendJSON(nil); !bytes.Equal(before, after) {
		t.Errorf("forks changed the base%s", firstDifference(after, before))
	}
	if _, err := c.Fork(engine.ForkPoint{Cycle: 99}); !errors.Is(err, engine.ErrSnapshotUnknown) {
		t.Errorf("a fork of no snapshot: %v", err)
	}
}

// TestForkEmptied forks a context after a commit that left a removable container empty, because
// another node refers to it. In the fork, too, the container goes in the commit in which the
// reference goes.
func TestForkEmptied(t *testing.T) {
	for _, step := range []bool{false, true} {
		c, err := engine.New(engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		end := func(c *engine.Context) *engine.Snapshot {
			t.Helper()
			commit := c.Commit
			if step {
				commit = c.Step
			}
			s, err := commit()
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		for _, d := range []engine.Draft{
			{ID: "box", Type: "cont", Removable: true, Children: []engine.Draft{{ID: "child", TTL: new(int64(1))}}},
			{ID: "note", TTL: new(int64(2)), Refs: []string{"box"}},
		} {
			if _, err := c.Insert(engine.AtDepth(0, 1), d); err != nil {
				t.Fatal(err)
			}
		}
		end(c)
		if s := end(c); s.Cycle() != 2 || has(s, "child") || !has(s, "box") {
			t.Fatalf("step %v: the box is not empty, or not kept: %s", step, s.AppendJSON(nil))
		}
		forks := map[string]*engine.Context{}
		if forks["new"], err = c.Fork(engine.ForkPoint{Cycle: 2}); err != nil {
			t.Fatal(err)
		}
		read, _ := newKeeper().resume(t, c, engine.Options{})
		if forks["read"], err = read.Fork(engine.ForkPoint{Cycle: 2}); err != nil {
			t.Fatal(err)
		}
		want := end(c)
		if has(want, "box") {
			t.Fatalf("step %v: the box is left in the base: %s", step, want.AppendJSON(nil))
		}
		for name, f := range forks {
			if got := end(f); !bytes.Equal(got.AppendJSON(nil), want.AppendJSON(nil)) {
				t.Errorf("step %v, %s fork%s", step, name, firstDifference(got.AppendJSON(nil), want.AppendJSON(nil)))
			}
		}
	}
}

func has(s *engine.Snapshot, id string) bool {
	_, ok := s.Find(id)
	return ok
}
