package lint

import (
	"slices"

	"github.com/pactkit/pactkit/ast"
)

// broadHistory finds selectors that select every node of every snapshot.
func broadHistory(p *pass) {
	t := p.Query.Time
	if t == nil || t.Kind != ast.TimeEvery && t.Kind != ast.TimeHistory || slices.ContainsFunc(p.Query.Controls(), func(c ast.Control) bool {
		return c.Name == "limit" || c.Name == "first"
	}) {
		return
	}
	for _, f := range p.Query.Union {
		if c := &f.Chains[0]; everything(c) {
			p.report(ast.Span{Start: t.Start(), End: c.End()}, "every node of every snapshot is selected", "narrow the time or the position, or set a limit")
			return
		}
	}
}

// everything reports whether a chain selects all nodes, or the whole root.
func everything(c *ast.Chain) bool {
	for i, s := range c.Steps {
		if len(s.Qualifiers) > 0 || s.Combinator == ast.Child {
			return false
		}
		switch a := s.Anchor.(type) {
		case *ast.Any:
		case *ast.Region:
			if a.Name != ast.Root || i > 0 {
				return false
			}
		case *ast.Group:
			if !everything(a.Chain) {
				return false
			}
		default:
			return false
		}
	}
	return true
}
