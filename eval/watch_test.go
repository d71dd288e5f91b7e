package eval_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/eval"
	"github.com/pactkit/pactkit/internal/test/gentest"
	"github.com/pactkit/pactkit/parser"
)

// TestWatchLaw compares the changes that a watcher reports with the difference of two Selects, on
// random histories, and sometimes after several commits.
func TestWatchLaw(t *testing.T) {
	seeds := uint64(60)
	if testing.Short() {
		seeds = 10
	}
	asked, differed := 0, 0
	for seed := range seeds {
		r := gentest.Rand(1<<42 + seed)
		tl := gentest.Grow(t, r, 20, 120).Timeline().Recorded()
		for range 20 {
			text := gentest.Selector(r, tl, tl.Edition())
			q, ds := parser.ParseSelector(text, parser.Options{Edition: tl.Edition()})
			if diag.HasErrors(ds) {
				continue
			}
			q.Time = nil
			plan, ds := eval.Compile(q)
			if diag.HasErrors(ds) {
				continue // it needs a time
			}
			w, err := plan.Watch()
			if err != nil {
				t.Fatal(text, err)
			}
			var old []engine.Node
			for back := tl.Len() - 1; back >= 0; back -= 1 + r.IntN(5)/4 {
				snap := tl.At(back).Timeline()
				got, errWatch := w.Next(t.Context(), snap)
				res, err := plan.Select(t.Context(), snap, eval.Options{})
				if err != nil || errWatch != nil {
					if err == nil || errWatch == nil || err.Error() != errWatch.Error() {
						t.Fatalf("%s: Watch: %v, Select: %v", text, errWatch, err)
					}
					continue
				}
				want := engine.DiffNodes(old, res.Nodes)
				old = res.Nodes
				if d := gocmp.Diff(changeNames(want), changeNames(got)); d != "" {
					t.Fatalf("seed %d, %s, %d back (-Selects +Watch):\n%s", seed, text, back, d)
				}
				asked++
				if len(want.Added)+len(want.Removed)+len(want.Changed) > 0 {
					differed++
				}
			}
		}
	}
	t.Logf("%d steps, %d of them with a difference", asked, differed)
	if differed < asked/10 {
		t.Error("too few steps have a difference")
	}
}

// changeNames lists the ids of changes, and the fields that changed.
func changeNames(c engine.Changes) (list []string) {
	for _, n := range c.Added {
		list = append(list, "+"+n.ID())
	}
	for _, n := range c.Removed {
		list = append(list, "-"+n.ID())
	}
	for _, x := range c.Changed {
		var text strings.Builder
		text.WriteString("~" + x.New.ID())
		for _, f := range x.Fields {
			text.WriteString(" " + f)
		}
		list = append(list, text.String())
	}
	return list
}

// TestWatchTime tests the errors of a watcher, and that a context that is done loses no change.
func TestWatchTime(t *testing.T) {
	for _, text := range []string{"@t-1 .block", "@t0..@t-1 .block", "@* .block", "@c3 .block"} {
		if _, err := compile(t, text).Watch(); err == nil {
			t.Errorf("%s can be watched", text)
		}
	}
	tl := readOutline(t, family)
	w, err := compile(t, "@t0 .block").Watch()
	if err != nil {
		t.Fatal(err)
	}
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.Next(done, tl); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if got, err := w.Next(t.Context(), tl); err != nil || len(got.Added) != 5 {
		t.Errorf("%v, %v", changeNames(got), err)
	}
	if got, err := w.Next(t.Context(), tl); err != nil || len(changeNames(got)) != 0 {
		t.Errorf("%v, %v", changeNames(got), err)
	}
}
