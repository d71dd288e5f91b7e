package lint

import "github.com/pactkit/pactkit/ast"

// wildcardMutation finds mutations of the past. Only the present can be changed.
func wildcardMutation(p *pass) {
	t := p.Query.Time
	if !p.opts.Mutation || t == nil || t.Kind == ast.TimeAt && t.From.Kind == ast.Relative && t.From.N == 0 {
		return
	}
	p.report(t.Bounds(), "a mutation changes the present, but `"+p.text(t.Bounds())+"` is another time", "omit the time")
}
