package lint

import (
	"github.com/pactkit/pactkit/ast"
)

// contradictoryFilters finds tests of one step that no node can pass together.
func contradictoryFilters(p *pass) {
	for s := range p.steps() {
		for run := range stretches(s) {
			for i, later := range run {
				for _, earlier := range run[:i] {
					if contradict(earlier, later) {
						p.report(later.span(), "`"+p.text(later.span())+"` contradicts `"+p.text(earlier.span())+"`: no node passes both", "")
						break
					}
				}
			}
		}
		for i, q := range s.qualifiers {
			nth, ok := q.(*ast.Positional)
			if !ok || nth.Name != ast.NthOf || nth.N < 2 || i == 0 {
				continue
			}
			if before, ok := s.qualifiers[i-1].(*ast.Positional); ok {
				p.report(nth.Span, "`"+p.text(before.Span)+"` leaves one sibling, so that `"+p.text(nth.Span)+"` finds none", "")
			}
		}
	}
}

// contradict tells whether two tests exclude each other. It errs on the side of silence.
func contradict(a, b test) bool {
	if a.prop == nil || b.prop == nil {
		if x, ok := a.node.(*ast.Zone); ok && b.prop == nil {
			y, ok := b.node.(*ast.Zone)
			return ok && x.Name != y.Name
		}
		if x, ok := a.node.(*ast.Key); ok && b.prop == nil && a.prop == nil {
			y, ok := b.node.(*ast.Key)
			return ok && x.ID == y.ID && x.Name != y.Name
		}
		return excludesTag(a, b) || excludesTag(b, a)
	}
	x, y := a.prop, b.prop
	if x.Flag || y.Flag {
		return x.Flag && y.Flag && x.Name != y.Name // ephemeral has no cad, sticky has one
	}
	return x.Name == y.Name && excludes(x, y)
}

// excludesTag tells whether a asks for a tag that b refuses.
func excludesTag(a, b test) bool {
	tag, ok := a.node.(*ast.Tag)
	return ok && b.prop != nil && b.prop.Name == "tag" && b.prop.Op == ast.OpNe && b.prop.Values[0].Text == tag.Name
}
