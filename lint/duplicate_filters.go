package lint

import "github.com/pactkit/pactkit/ast/diag"

// duplicateFilters finds duplicate tests of a step.
func duplicateFilters(p *pass) {
	for s := range p.steps() {
		for run := range runs(s) {
			seen := make(map[string]bool, len(run))
			for _, t := range run {
				key := t.key()
				if seen[key] {
					p.report(t.span(), "`"+p.text(t.span())+"` is written twice", "", diag.Fix{
						Title: "remove the second", Safe: true, Edits: []diag.Edit{p.remove(t)},
					})
				}
				seen[key] = true
			}
		}
	}
}
