package lint

import (
	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
)

// redundantRoot finds chains that begin at the root, as every chain does.
func redundantRoot(p *pass) {
	for _, f := range p.Query.Union {
		for i := range f.Chains {
			c := &f.Chains[i]
			for {
				g, ok := c.Steps[0].Anchor.(*ast.Group)
				if !ok {
					break
				}
				c = g.Chain
			}
			root, ok := c.Steps[0].Anchor.(*ast.Region)
			if !ok || root.Name != ast.Root || len(c.Steps[0].Qualifiers) > 0 || len(c.Steps) == 1 {
				continue
			}
			next := &c.Steps[1]
			if r, ok := next.Anchor.(*ast.Region); next.Combinator != ast.Descendant || ok && r.Name == ast.Root {
				continue
			}
			p.report(root.Bounds(), "every selector searches below the root", "", diag.Fix{
				Title: "remove `" + p.text(root.Bounds()) + "`", Safe: true,
				Edits: []diag.Edit{{Span: ast.Span{Start: c.Steps[0].Start(), End: next.Start()}}},
			})
		}
	}
}
