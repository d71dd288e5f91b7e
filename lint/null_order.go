package lint

import "github.com/pactkit/pactkit/ast"

// nullOrder finds comparisons with null that no node passes.
func nullOrder(p *pass) {
	for t := range p.props() {
		switch t.Op {
		case ast.OpLt, ast.OpLe, ast.OpGt, ast.OpGe:
			if t.Values[0].Kind == ast.Null {
				p.report(t.Bounds(), "`"+p.text(t.Bounds())+"` never holds: null is neither smaller nor greater than anything",
					"`["+t.Name+"=null]` selects nodes without the attribute, `["+t.Name+"]` those with it")
			}
		}
	}
}
