package lint

import "github.com/pactkit/pactkit/ast"

// impossibleStep finds steps that look for a region, a segment or the root below a node, where it
// cannot be.
func impossibleStep(p *pass) {
	for _, f := range p.Query.Union {
		for i := range f.Chains {
			var before *ast.Step
			for s := range flat(&f.Chains[i]) {
				if before != nil {
					p.impossible(before, s)
				}
				before = s
			}
		}
	}
}

// flat yields the steps of a chain without the parentheses that group them.
func flat(c *ast.Chain) func(func(*ast.Step) bool) {
	return func(yield func(*ast.Step) bool) { flatten(c, yield) }
}

func flatten(c *ast.Chain, yield func(*ast.Step) bool) bool {
	for i := range c.Steps {
		s := &c.Steps[i]
		if g, ok := s.Anchor.(*ast.Group); ok {
			if !flatten(g.Chain, yield) {
				return false
			}
		} else if !yield(s) {
			return false
		}
	}
	return true
}

func (p *pass) impossible(above, s *ast.Step) {
	upper, lower := p.text(above.Anchor.Bounds()), p.text(s.Anchor.Bounds())
	what := ""
	top := false // is directly below the root
	switch a := s.Anchor.(type) {
	case *ast.Region:
		if a.Name == ast.Root {
			what = "the root is not below any node"
		} else {
			what, top = "regions are directly below the root", true
		}
	case *ast.Depth:
		if a.To <= 0 {
			what, top = "`"+lower+"` is a region, and regions are directly below the root", true
		} else if a.From > 0 {
			what = "depths are the children of `^seq`"
		}
	}
	if what == "" {
		return
	}
	switch a := above.Anchor.(type) {
	case *ast.Region:
		root, _ := s.Anchor.(*ast.Region)
		if a.Name == ast.Root && (root == nil || root.Name != ast.Root) || a.Name == ast.Seq && !top && root == nil {
			return
		}
	case *ast.Depth, *ast.Type, *ast.Coordinates, *ast.Zone:
	case *ast.Any:
		if a.Implied { // a tag or a filter: a region may have those
			return
		}
	default:
		return
	}
	p.report(s.Anchor.Bounds(), "`"+lower+"` is never below `"+upper+"`: "+what, "")
}
