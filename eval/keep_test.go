package eval_test

import (
	"runtime"
	"testing"
	"weak"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/eval"
	"github.com/pactkit/pactkit/parser"
)

// TestPlanKeepsNoTree checks that plans keep no syntax trees in memory, nor the slabs from which a
// parser allocated their nodes.
func TestPlanKeepsNoTree(t *testing.T) {
	for _, src := range []string{
		"@t-1..@t-3 .seg > .block",
		".block ?unique",
		"(d1,0,1) .block",
		".seg .block[ttl=1,tag='x']:nth(2)",
		"^ah :core > #k+t:last",
		"(.seg > .block) ?? .cont ?limit=3&order=newest",
	} {
		plan, parts := forgotten(t, src)
		for range 4 { // what lies in a pool goes with the second collection
			runtime.GC()
		}
		for _, p := range parts {
			if p.alive() {
				t.Errorf("%s: the plan keeps %s", src, p.what)
			}
		}
		runtime.KeepAlive(plan)
	}
}

// part is a piece of a tree that should be gone.
type part struct {
	what  string
	alive func() bool
}

func watch[T any](what string, p *T) part {
	w := weak.Make(p)
	return part{what, func() bool { return w.Value() != nil }}
}

// forgotten returns the plan of a selector, and parts of the tree it was made of.
func forgotten(t *testing.T, src string) (*eval.Plan, []part) {
	t.Helper()
	q, found := parser.ParseSelector(src, parser.Options{})
	plan, wrong := eval.Compile(q)
	if plan == nil {
		t.Fatal(src, found, wrong)
	}
	parts := []part{watch("the query", q)}
	for n := range ast.All(q) {
		switch n := n.(type) {
		case *ast.Time:
			parts = append(parts, watch("its time", n))
		case *ast.Step:
			parts = append(parts, watch("a step", n))
		case *ast.Positional:
			parts = append(parts, watch("a pseudo", n))
		case *ast.Prop:
			parts = append(parts, watch("a test", n))
		case *ast.Control:
			parts = append(parts, watch("a control", n))
		case *ast.Coordinates:
			for _, p := range n.List {
				if len(p.Offsets) > 0 {
					parts = append(parts, watch("offsets", &p.Offsets[0]))
				}
			}
		}
	}
	return plan, parts
}

// TestAppendNodesInPlace looks up a node by id into a slice that has room for it, which allocates
// nothing.
func TestAppendNodesInPlace(t *testing.T) {
	plan, snap, room := compile(t, "[id='b1']"), readOutline(t, family).At(0), make([]engine.Node, 0, 1)
	if n := testing.AllocsPerRun(10, func() {
		nodes, err := plan.AppendNodes(t.Context(), room, snap)
		if err != nil || len(nodes) != 1 {
			t.Fatal(nodes, err)
		}
	}); n > 0 {
		t.Errorf("one lookup allocates %v times", n)
	}
}
