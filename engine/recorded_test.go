package engine_test

import (
	"testing"

	"github.com/pactkit/pactkit/engine"
)

// TestRecorded checks that Recorded removes only the working state.
func TestRecorded(t *testing.T) {
	c, err := engine.New(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := c.Insert(engine.AtDepth(0, 0), engine.Draft{Content: engine.Text("x")}); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Commit(); err != nil {
			t.Fatal(err)
		}
	}
	live := c.Timeline()
	r := live.Recorded()
	if live.Len() != 3 || r.Len() != 2 || r.Working() != nil || r.At(0) != live.At(1) || r.At(1) != live.At(2) || live.Working() == nil {
		t.Errorf("%d states of %d, newest %v", r.Len(), live.Len(), r.At(0).Cycle())
	}
	if s, back := r.OfCycle(1); s == nil || back != 1 {
		t.Errorf("@c1 is %d back", back)
	}
}

// TestIsHeader checks that a draft accepts custom members whose names are not headers.
func TestIsHeader(t *testing.T) {
	for name, want := range map[string]bool{"id": true, "content": true, "parent_id": true, "name": false, "": false, "Id": false} {
		if got := engine.IsHeader(name); got != want {
			t.Errorf("%q: %v", name, got)
		}
		c, err := engine.New(engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.Insert(engine.AtDepth(0, 0), engine.Draft{Members: map[string]engine.Value{name: engine.Text("x")}})
		if (err != nil) != want {
			t.Errorf("%q: %v", name, err)
		}
	}
}
