package lint

import "github.com/pactkit/pactkit/ast"

// oneSnapshot finds ranges and pairs with the same instant on both sides.
func oneSnapshot(p *pass) {
	t := p.Query.Time
	if t == nil || t.Kind != ast.TimeRange && t.Kind != ast.TimePair || t.From.Kind != t.To.Kind || t.From.N != t.To.N {
		return
	}
	p.report(t.Bounds(), "`"+p.text(t.Bounds())+"` compares a snapshot with itself", "write two different instants, or a single one to list its nodes")
}
