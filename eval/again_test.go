package eval_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/eval"
	"github.com/pactkit/pactkit/internal/test/gentest"
	searched "github.com/pactkit/pactkit/internal/tree"
	"github.com/pactkit/pactkit/parser"
)

// TestAskedAgain runs the same query on the same snapshot several times: what searches cache
// changes no answer.
func TestAskedAgain(t *testing.T) {
	selectors := []string{
		".note", "+draft", "^seq .summary", "^root +user", "^seq > * > .note", ".seg > .cont > .summary", ".block[priority>2]",
		"+user .note", "+user+draft", ".summary +tool", "d1..9 +tool", "d3..5 .block", "*:not-there", ".note:first", ".seg:nth(2) +user",
		"+draft:core", ".plan[offset=0]", ".note[content~'o']", ".plan, +nowhere ?? +assistant", "[nodeType!='block']",
	}
	lists, runs, found := 0, 0, 0
	for seed := range uint64(12) {
		tl := gentest.Grow(t, gentest.Rand(1<<41+seed), 30+int(seed)*4, 300).Timeline()
		s, naive := tl.At(0), newTimeline(tl)
		for _, text := range selectors {
			q, ds := parser.ParseSelector(text, parser.Options{Edition: tl.Edition()})
			if diag.HasErrors(ds) {
				continue
			}
			plan, ds := eval.Compile(q)
			if diag.HasErrors(ds) {
				t.Fatal(text, ds)
			}
			want := names(naive[0].union(q))
			var first []engine.Node
			for i := range 5 {
				nodes, err := plan.Nodes(t.Context(), s)
				if err != nil {
					t.Fatal(err)
				}
				got := []string{}
				for _, n := range nodes {
					got = append(got, n.ID())
				}
				if d := cmp.Diff(want, got); d != "" {
					t.Fatalf("%s, asked for the %d. time (-naive +eval):\n%s", text, i+1, d)
				}
				if i == 0 {
					first = nodes
				} else if d := cmp.Diff(first, nodes, cmp.Comparer(func(a, b engine.Node) bool { return a == b })); d != "" {
					t.Fatalf("%s, asked for the %d. time (-first +now):\n%s", text, i+1, d)
				}
				found += len(got)
			}
		}
		if (*searched.Snapshot)(s).PostingList(engine.RegionSeq, searched.NewWord("draft"), true) != nil {
			lists++
		}
		for _, run := range (*searched.Snapshot)(s).Runs(engine.RegionSeq, 0, (*searched.Snapshot)(s).NumChunks(engine.RegionSeq), searched.Filter{}) {
			if run.To-run.From > 1 {
				runs++
			}
		}
	}
	if lists < 4 || runs < 20 || found < 1000 {
		t.Errorf("%d posting lists, %d runs and %d nodes say little", lists, runs, found)
	}
}
