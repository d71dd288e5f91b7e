package lint

import (
	"slices"

	"github.com/pactkit/pactkit/ast/diag"
)

// duplicateFilters finds tests that a step makes twice.
func duplicateFilters(p *pass) {
	for s := range p.steps() {
		for run := range stretches(s) {
			for i, t := range run {
				if slices.ContainsFunc(run[:i], t.equal) {
					p.report(t.span(), "`"+p.text(t.span())+"` stands here twice", "", diag.Fix{
						Title: "remove the second", Safe: true, Edits: []diag.Edit{p.remove(t)},
					})
				}
			}
		}
	}
}
