package engine_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/engine"
)

// TestReset compares a context that was reset with one that was resumed, also after further
// changes.
func TestReset(t *testing.T) {
	options := engine.Options{Clock: func() time.Time { return time.Unix(1, 0) }}
	grow := func(c *engine.Context, turns int) {
		cad := int64(2)
		for i := range turns {
			n, err := c.Insert(engine.AtDepth(0, 0), engine.Draft{Key: string(rune('a' + i)), Cad: &cad, Content: engine.Text("x")})
			if err == nil {
				_, err = c.Insert(engine.AtDepth(0, 1), engine.Draft{Refs: []string{n.ID()}})
			}
			if err == nil {
				err = c.Hold(n.ID())
			}
			if err == nil {
				_, err = c.Commit()
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	other, err := engine.New(options)
	if err != nil {
		t.Fatal(err)
	}
	grow(other, 7)
	if _, err := other.Insert(engine.AtDepth(0, 0), engine.Draft{}); err != nil { // a working state
		t.Fatal(err)
	}
	c, err := engine.New(options)
	if err != nil {
		t.Fatal(err)
	}
	grow(c, 3)
	before := string(c.AppendJSON(nil))
	var none engine.Timeline
	if err := c.Reset(&none); !errors.Is(err, engine.ErrSnapshotUnknown) {
		t.Errorf("error %v", err)
	}
	if diff := cmp.Diff(before, string(c.AppendJSON(nil))); diff != "" {
		t.Fatal(diff)
	}
	if err := c.Reset(other.History()); err != nil {
		t.Fatal(err)
	}
	want, err := engine.Resume(other.History(), options)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if diff := cmp.Diff(string(want.AppendJSON(nil)), string(c.AppendJSON(nil))); diff != "" {
			t.Fatalf("-resumed +reset\n%s", diff)
		}
		grow(want, 5)
		grow(c, 5)
	}
}
