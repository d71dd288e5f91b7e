package eval

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/test/gentest"
	"github.com/pactkit/pactkit/parser"
)

// TestDepthsStart selects what is below some depths, which a search answers without looking at the
// segments, and does so again without that shortcut.
func TestDepthsStart(t *testing.T) {
	found := 0
	for text, start := range map[string]int{
		"d1 *": 1, "d2..d5 .block": 1, "d-1..d3 .note": 1, "d0..d9 .seg *": 1, "d1..d4 .cont .block:first": 1, "d2..d3 :core": 1,
		"d1 > .cont": 0, "d1+user *": 0, "d1:first *": 0, "(d1,0) *": 0, ".seg *": 0, "d1": 0,
	} {
		q, ds := parser.ParseSelector(text, parser.Options{})
		if diag.HasErrors(ds) {
			t.Fatal(text, ds)
		}
		fast, _ := Compile(q)
		slow, _ := Compile(q)
		c := slow.union[0][0]
		if c.start != start {
			t.Errorf("%s starts at step %d, want %d", text, c.start, start)
		}
		c.start = 0
		for seed := range uint64(20) {
			for _, s := range gentest.Timeline(t, gentest.Rand(seed), 60).All() {
				got, err := fast.Nodes(t.Context(), s)
				want, wantErr := slow.Nodes(t.Context(), s)
				if err != nil || wantErr != nil {
					t.Fatal(err, wantErr)
				}
				if d := cmp.Diff(ids(want), ids(got)); d != "" {
					t.Fatalf("%s (-all steps +from the second):\n%s", text, d)
				}
				found += len(got)
			}
		}
	}
	if found < 1000 {
		t.Errorf("%d nodes say little", found)
	}
}

func ids(nodes []engine.Node) []string { return (&Result{Nodes: nodes}).IDs() }
