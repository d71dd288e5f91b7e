package lint

import (
	"context"
	"iter"
	"slices"
	"strconv"

	"github.com/pactkit/pactkit/ast"
)

// The rules that compare selectors with what they select in the fixtures.

// neverFound lists the rules whose findings say why nothing is found.
var neverFound = []string{
	"correctness/contradictory-filters", "correctness/id-or-key", "correctness/impossible-step", "correctness/limit-zero", "correctness/null-order", "correctness/value-type",
	"correctness/unknown-attribute", "correctness/unknown-key", "correctness/unknown-tag", "correctness/unknown-type",
}

// matchesNothing finds selectors that select nothing in any fixture, unless another rule already
// reports that they cannot.
func matchesNothing(ctx context.Context, p *filePass) {
	var said []int
	for _, f := range p.found {
		if slices.Contains(neverFound, f.Rule.ID) {
			said = append(said, f.Span.Start)
		}
	}
	slices.Sort(said)
	for s, m := range p.matches(ctx) {
		if i, _ := slices.BinarySearch(said, s.Start); m.Nodes == 0 && (i == len(said) || said[i] >= s.End) {
			at, what := s.Span, "selects nothing in "
			if m.Empty.Len() > 0 {
				start := s.Query.Start()
				at, what = ast.Span{Start: start + m.Empty.Start, End: start + m.Empty.End}, "this step finds nothing, so the selector selects nothing in "
			}
			p.report(at, what+fixtures("any of ", m), "`pactkit explain` shows what each step finds")
		}
	}
}

// matchesEverything finds selectors that select every node of every fixture.
func matchesEverything(ctx context.Context, p *filePass) {
	for s, m := range p.matches(ctx) {
		if m.Of > 1 && m.Nodes == m.Of {
			p.report(s.Span, "selects every node of "+fixtures("all ", m), "")
		}
	}
}

// SameSelection applies the rule style/same-selection to selectors that were checked one at a time.
// Their spans lie in the source.
func SameSelection(ctx context.Context, src string, selectors []Selector, o Options) []Finding {
	c := checker{src: src, opts: o, selectors: selectors}
	if r := byID["style/same-selection"]; c.level(r) != Off {
		sameSelection(ctx, &filePass{checker: &c, rule: r})
	}
	return c.found
}

// sameSelection finds selectors that select the same in every fixture as one before them.
func sameSelection(ctx context.Context, p *filePass) {
	first := map[string]Selector{}
	lines := ast.NewLines(p.src)
	for s, m := range p.matches(ctx) {
		if m.Nodes == 0 {
			continue
		}
		if before, seen := first[m.Sets]; seen {
			line, _ := lines.Line(before.Start)
			p.report(s.Span, "selects the same nodes as the selector on line "+strconv.Itoa(line+1)+", in "+fixtures("all ", m), "")
		} else {
			first[m.Sets] = s
		}
	}
}

// matches yields what each selector without errors selects, if there are fixtures.
func (p *filePass) matches(ctx context.Context) iter.Seq2[Selector, Matches] {
	return func(yield func(Selector, Matches) bool) {
		if p.opts.Facts == nil {
			return
		}
		for _, s := range p.selectors {
			if s.Bad {
				continue
			}
			if m, ok := p.opts.Facts.Match(ctx, s.Query, s.Text(p.src)); ok && !yield(s, m) {
				return
			}
		}
	}
}

// fixtures counts them in words.
func fixtures(many string, m Matches) string {
	if m.Fixtures == 1 {
		return "the fixture"
	}
	return many + strconv.Itoa(m.Fixtures) + " fixtures"
}
