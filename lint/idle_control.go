package lint

import (
	"slices"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
)

// idleControl finds controls that change nothing.
func idleControl(p *pass) {
	has := func(names ...string) bool {
		return slices.ContainsFunc(p.Query.Controls, func(c *ast.Control) bool { return slices.Contains(names, c.Name) })
	}
	for _, c := range p.Query.Controls {
		why := ""
		switch {
		case c.Name == "skip" && c.Value == "0":
			why = "skips nothing"
		case c.Name == "p" && c.Value == "1":
			why = "asks for the page that comes anyway"
		case c.Name == "order" && c.Value == "pre":
			why = "asks for the order that holds anyway"
		case c.Name == "mode" && c.Value == "pairwise":
			why = "asks for the mode that holds anyway"
		case c.Name == "order" && compares(p.Query) && !has("limit", "first", "skip", "p"):
			why = "orders what is only compared"
		default:
			continue
		}
		p.report(c.Span, "`"+p.text(c.Span)+"` "+why, "", diag.Fix{
			Title: "remove it", Safe: true, Edits: []diag.Edit{{Span: p.withBlank(c.Span)}},
		})
	}
}

// compares tells whether the result of a query is what differs between snapshots, whatever order they came in.
func compares(q *ast.Query) bool {
	if q.Time == nil || q.Time.Kind == ast.TimeAt || q.Time.Kind == ast.TimeEvery {
		return false
	}
	return !slices.ContainsFunc(q.Controls, func(c *ast.Control) bool {
		return c.Name == "mode" && c.Value != "pairwise" && c.Value != "reduce"
	})
}
