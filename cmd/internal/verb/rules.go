package verb

import (
	"fmt"
	"strings"

	"github.com/pactkit/pactkit/lint"
)

// ExplainRule prints the page of a rule.
func (run *Run) ExplainRule(r *lint.Rule) {
	p := r.Page()
	fmt.Fprintf(run.Out, "%s\n", strings.TrimSpace(p.Text))
	fmt.Fprintf(run.Out, "\nlevel      %s\nfix        %s\n", r.Level, r.Fix)
}
