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
