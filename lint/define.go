package lint

import (
	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
)

// Define returns a rule of a project, with its page and its check. The check reports what it finds
// in a selector without errors. The spans of the query, and those of the diagnostics and their
// edits, lie in src. The check must be safe for concurrent use, and must not change the query.
func Define(r Rule, page Page, check func(q *ast.Query, src string) []diag.Diagnostic) *Rule {
	r.page = func() Page { return page }
	r.selector = func(p *pass) {
		for _, d := range check(p.Query, p.src) {
			p.checker.report(p.rule, d)
		}
	}
	return &r
}
