package lint

import "github.com/pactkit/pactkit/ast"

// wildcardMutation finds mutations of the past: only the present can be changed.
func wildcardMutation(p *pass) {
	t := p.Query.Time
	if !p.opts.Mutation || t == nil || t.Kind == ast.TimeAt && t.From.Kind == ast.Relative && t.From.N == 0 {
		return
	}
	p.report(t.Bounds(), "a mutation changes the present; `"+p.text(t.Bounds())+"` looks elsewhere", "leave the time out")
}
