package lint

import (
	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
)

// Define returns a rule of a project with its page and its check. The linter calls check only for
// selectors without errors. The spans of the query, of the diagnostics and of their edits lie in
// src. check must be safe for concurrent use, and must not change the query.
func Define(r Rule, page Page, check func(q *ast.Query, src string) []diag.Diagnostic) *Rule {
	r.page = func() Page { return page }
	r.selector = func(p *pass) {
		for _, d := range check(p.Query, p.src) {
			p.checker.report(p.rule, d)
		}
	}
	return &r
}
