package lint

import "github.com/pactkit/pactkit/ast/diag"

// idleControl finds controls that change nothing.
func idleControl(p *pass) {
	for _, c := range p.Query.Controls() {
		why := ""
		switch {
		case c.Name == "skip" && c.Value == "0":
			why = "skips nothing"
		case c.Name == "p" && c.Value == "1":
			why = "is the first page, the default"
		case c.Name == "order" && c.Value == "pre":
			why = "is the default order"
		case c.Name == "mode" && c.Value == "pairwise":
			why = "is the default mode"
		default:
			continue
		}
		p.report(c.Bounds(), "`"+p.text(c.Bounds())+"` "+why, "", diag.Fix{
			Title: "remove it", Safe: true, Edits: []diag.Edit{{Span: p.withBlank(c.Bounds())}},
		})
	}
}
