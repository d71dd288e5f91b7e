package gentest

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/ast/vocab"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/tree"
	"github.com/pactkit/pactkit/parser"
)

// TestSame checks that a seed makes the same things twice.
func TestSame(t *testing.T) {
	for seed := range uint64(50) {
		a, b := Rand(seed), Rand(seed)
		ta, tb := Timeline(t, a, 30), Timeline(t, b, 30)
		if diff := cmp.Diff(string(ta.AppendJSON(nil)), string(tb.AppendJSON(nil))); diff != "" {
			t.Fatalf("seed %d makes two histories:\n%s", seed, diff)
		}
		if sa, sb := Selector(a, ta, ta.Edition()), Selector(b, tb, tb.Edition()); sa != sb {
			t.Fatalf("seed %d makes two selectors, %q and %q", seed, sa, sb)
		}
	}
}

// TestVariety checks that the generated histories and selectors have the promised variety.
func TestVariety(t *testing.T) {
	seen := map[string]int{}
	selectors, bad, legacy := 0, 0, 0
	for seed := range uint64(300) {
		r := Rand(seed)
		tl := Timeline(t, r, 10+int(seed)%40)
		seen["edition "+tl.Edition().String()]++
		for _, s := range tl.All() {
			seen["snapshot"]++
			if (*tree.Snapshot)(s).ImplicitCore() {
				seen["coreless head"]++
			}
			for n := range s.All() {
				seen["node"]++
				if n.Base() != engine.BaseRegion && n.UserType() != "" && n.Base() != engine.BaseBlock {
					seen["user type of another base"]++
				}
				if _, exact := n.Offset().Int64(); !exact {
					seen["offset that is no 64-bit integer"]++
				}
			}
		}
		for range 20 {
			text := Selector(r, tl, tl.Edition())
			q, ds := parser.ParseSelector(text, parser.Options{Edition: tl.Edition()})
			selectors++
			if diag.HasErrors(ds) {
				bad++
				continue
			}
			if len(q.Legacy()) > 0 {
				legacy++
			}
			for n := range ast.All(q) {
				switch n := n.(type) {
				case *ast.Fragment:
					if len(n.Chains) > 1 {
						seen["fallback"]++
					}
				case *ast.Prop:
					seen["attribute "+n.Name]++
				}
			}
		}
	}
	t.Logf("%v; %d selectors, %d of them bad, %d legacy", seen, selectors, bad, legacy)
	if bad*50 > selectors {
		t.Errorf("%d of %d selectors do not parse", bad, selectors)
	}
	wanted := []string{
		"edition 0.1", "edition 1.0", "coreless head", "user type of another base", "offset that is no 64-bit integer", "fallback",
	}
	for term := range vocab.All(vocab.Attribute) {
		wanted = append(wanted, "attribute "+term.Name)
	}
	for _, what := range wanted {
		if seen[what] < 20 {
			t.Errorf("%s: seen %d times", what, seen[what])
		}
	}
}
