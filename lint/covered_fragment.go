package lint

import (
	"slices"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/format"
)

// coveredFragment finds fragments of a union whose nodes an earlier fragment has found already. A later one may
// not be removed for an earlier one's sake: results stand where they were first seen.
func coveredFragment(p *pass) {
	union := p.Query.Union
	if len(union) < 2 {
		return
	}
	canonical := format.Canonicalize(p.Query).Union
	if len(canonical) != len(union) {
		return
	}
	for i := 1; i < len(union); i++ {
		by := slices.IndexFunc(canonical[:i], func(f ast.Fragment) bool { return covers(&f, &canonical[i]) })
		if by < 0 {
			continue
		}
		why := "`" + p.text(union[by].Bounds()) + "` finds all that `" + p.text(union[i].Bounds()) + "` does"
		if ast.Equal(&canonical[by], &canonical[i]) {
			why = "an earlier fragment finds the same nodes"
		}
		p.report(union[i].Bounds(), why, "", diag.Fix{
			Title: "remove the fragment", Safe: true,
			Edits: []diag.Edit{{Span: ast.Span{Start: union[i-1].End(), End: union[i].End()}}},
		})
	}
}

// covers tells whether every node of b is one of a: whether they are the same but for tests that only b makes
// of its last step.
func covers(a, b *ast.Fragment) bool {
	if ast.Equal(a, b) {
		return true
	}
	if len(a.Chains) > 1 || len(b.Chains) > 1 {
		return false
	}
	x, y := a.Chains[0].Steps, b.Chains[0].Steps
	n := len(x) - 1
	if len(y) != len(x) || x[n].Combinator != y[n].Combinator || !ast.Equal(x[n].Anchor, y[n].Anchor) {
		return false
	}
	for i := range n {
		if !ast.Equal(&x[i], &y[i]) {
			return false
		}
	}
	have := tests(&y[n])
	for _, t := range tests(&x[n]) {
		if t.positional() || !slices.ContainsFunc(have, func(u test) bool { return t.equal(u) }) {
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
