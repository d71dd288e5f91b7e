package engine_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/engine"
)

// TestCommitWith compares a context with some refused commits with one without. Refused commits
// change nothing, and keep gets what History returns afterwards.
func TestCommitWith(t *testing.T) {
	refused := errors.New("refused")
	options := func() engine.Options {
		return engine.Options{Clock: func() time.Time { return time.Unix(1, 0) }, Policy: &engine.Policy{Limits: []engine.Limit{{Nodes: 40}}}}
	}
	a, err := engine.New(options())
	if err != nil {
		t.Fatal(err)
	}
	b, err := engine.New(options())
	if err != nil {
		t.Fatal(err)
	}
	ttl, cad := int64(2), int64(2)
	for turn := range 20 {
		for _, c := range []*engine.Context{a, b} {
			for i := range int64(3) {
				d := engine.Draft{Content: engine.Text("x"), TTL: &ttl}
				if turn%5 == 0 && i == 0 {
					d = engine.Draft{Key: string(rune('a' + turn)), Cad: &cad, Content: engine.Text("again")}
				}
				if _, err := c.Insert(engine.AtDepth(0, i-1), d); err != nil {
					t.Fatal(err)
				}
			}
		}
		before := string(a.AppendJSON(nil))
		shown := a.Timeline().At(0)
		for _, end := range []func(func(*engine.Timeline) error) (*engine.Snapshot, error){a.CommitWith, a.StepWith} {
			if _, err := end(func(*engine.Timeline) error {
				if a.Timeline().At(0) != shown {
					t.Error("readers see a commit that is not kept yet")
				}
				return refused
			}); !errors.Is(err, refused) {
				t.Fatalf("error %v", err)
			}
		}
		if diff := cmp.Diff(before, string(a.AppendJSON(nil))); diff != "" {
			t.Fatalf("turn %d: a refused commit changed the context:\n%s", turn, diff)
		}
		end, plain := a.CommitWith, b.Commit
		if turn%4 == 3 {
			end, plain = a.StepWith, b.Step
		}
		var kept string
		s, err := end(func(h *engine.Timeline) error {
			kept = string(h.AppendJSON(nil))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		want, err := plain()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want.AppendJSON(nil)), string(s.AppendJSON(nil))); diff != "" {
			t.Fatalf("turn %d: -Commit +CommitWith\n%s", turn, diff)
		}
		if diff := cmp.Diff(string(b.AppendJSON(nil)), kept); diff != "" {
			t.Fatalf("turn %d: -history +kept\n%s", turn, diff)
		}
		if diff := cmp.Diff(kept, string(a.AppendJSON(nil))); diff != "" {
			t.Fatalf("turn %d: -kept +history\n%s", turn, diff)
		}
		for n := range a.Working().All() {
			if found, ok := a.Working().Find(n.ID()); !ok || found.ID() != n.ID() {
				t.Fatalf("turn %d: %s is not found", turn, n.ID())
			}
		}
	}
}
