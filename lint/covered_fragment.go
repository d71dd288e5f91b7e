package lint

import (
	"slices"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/format"
)

// coveredFragment finds fragments of a union whose nodes an earlier fragment finds already. An
// earlier fragment is never removed because of a later one, because a node is listed where it was
// found first.
func coveredFragment(p *pass) {
	union := p.Query.Union
	if len(union) < 2 {
		return
	}
	canonical := format.Canonicalize(p.Query).Union
	if len(canonical) != len(union) {
		return
	}
	compared := make([]fragmentKey, len(canonical))
	for i := range canonical {
		compared[i] = fragmentKeyOf(&canonical[i])
		by := 0
		for by < i && !compared[by].covers(&compared[i]) {
			by++
		}
		if by == i {
			continue
		}
		why := "`" + p.text(union[by].Bounds()) + "` finds all that `" + p.text(union[i].Bounds()) + "` does"
		if compared[by].text == compared[i].text {
			why = "an earlier fragment finds the same nodes"
		}
		p.report(union[i].Bounds(), why, "", diag.Fix{
			Title: "remove the fragment", Safe: true,
			Edits: []diag.Edit{{Span: ast.Span{Start: union[i-1].End(), End: union[i].End()}}},
		})
	}
}

// fragmentKey is a canonical fragment in a form that is quick to compare.
type fragmentKey struct {
	text       string
	path       string          // without the tests of its last step; "" for one that is more than a chain
	tests      map[string]bool // of the last step, by key
	positional bool            // one of them selects by position
}

func fragmentKeyOf(f *ast.Fragment) fragmentKey {
	text := func(c []ast.Chain) string {
		return format.Node(&ast.Query{Union: []ast.Fragment{{Extent: f.Extent, Chains: c}}}, format.Options{})
	}
	a := fragmentKey{text: text(f.Chains)}
	if len(f.Chains) > 1 {
		return a
	}
	bare := f.Chains[0]
	bare.Steps = slices.Clone(bare.Steps)
	last := &bare.Steps[len(bare.Steps)-1]
	a.tests = map[string]bool{}
	for _, t := range tests(last) {
		a.tests[t.key()] = true
		a.positional = a.positional || t.positional()
	}
	last.Qualifiers = nil
	a.path = text([]ast.Chain{bare})
	return a
}

// covers reports whether every node of b is one of a: whether they are equal except for tests that
// only b has in its last step.
func (a *fragmentKey) covers(b *fragmentKey) bool {
	if a.text == b.text {
		return true
	}
	if a.path == "" || a.path != b.path || a.positional || len(a.tests) > len(b.tests) {
		return false
	}
	for t := range a.tests {
		if !b.tests[t] {
			return false
		}
	}
	return true
}

// tests lists all tests of a step.
func tests(s *ast.Step) []test {
	var out []test
	for _, q := range s.Qualifiers {
		if f, ok := q.(*ast.Filter); ok {
			for i := range f.Props {
				out = append(out, test{prop: &f.Props[i], filter: f, node: f})
			}
		} else {
			out = append(out, test{node: q})
		}
	}
	return out
}
