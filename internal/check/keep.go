package check

import (
	"context"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/format"
	"github.com/pactkit/pactkit/host"
	"github.com/pactkit/pactkit/internal/suppress"
	"github.com/pactkit/pactkit/lint"
)

// keeps returns a function that reports whether the formatter must leave a selector as it is,
// because it would correct what a comment silences. outside reports whether a comment outside the
// text silences a rule in all of it; it may be nil. The result is nil if there are no such
// selectors. A text without directives costs only a search for them.
func keeps(form host.Form, text string, o lint.Options, f format.Options, outside func(*lint.Rule) bool) func(ast.Span) bool {
	if outside == nil && !strings.Contains(text, suppress.Marker) {
		return nil
	}
	o.Level, o.Facts, f.Keep = nil, nil, nil // what is silenced depends only on the comments
	ctx := context.Background()              // without facts nothing is evaluated
	res := checkText(ctx, form, text, o)
	silenced := res.Silenced
	if outside != nil {
		for _, found := range res.Findings {
			if outside(found.Rule) {
				silenced = append(silenced, lint.Silenced{Finding: found})
			}
		}
	}
	slices.SortStableFunc(silenced, func(a, b lint.Silenced) int { return a.Span.Start - b.Span.Start })
	kept := map[ast.Span]bool{}
	n := 0
	for _, s := range res.Selectors {
		own := map[*lint.Rule]int{}
		for ; n < len(silenced) && silenced[n].Span.Start <= s.End; n++ {
			own[silenced[n].Rule]++
		}
		if s.Bad {
			continue
		}
		if s.AsWritten || len(own) > 0 && corrects(ctx, s.Query, o, f, own) {
			kept[s.Span] = true
		}
	}
	if len(kept) == 0 {
		return nil
	}
	return func(at ast.Span) bool { return kept[at] }
}

// corrects reports whether formatting a selector removes findings. own counts its findings by rule.
func corrects(ctx context.Context, q *ast.Query, o lint.Options, f format.Options, own map[*lint.Rule]int) bool {
	res := lint.CheckSelector(ctx, format.Node(q, f), o)
	for _, found := range res.Findings {
		own[found.Rule]--
	}
	for _, n := range own {
		if n > 0 {
			return true
		}
	}
	return false
}
