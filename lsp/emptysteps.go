package lsp

import (
	"context"
	"fmt"
	"slices"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/eval"
	"github.com/pactkit/pactkit/internal/check"
	"github.com/pactkit/pactkit/internal/fixtures"
)

// emptyStep is the first step of a selector that finds nothing in a fixture.
type emptyStep struct {
	fixture string   // its path
	at      ast.Span // in the text of the selector
	words   string   // what the step looks for
}

// emptySteps returns the empty steps of a selector, one for each fixture that has the queried
// snapshot. They are computed once for each text.
func (a *analysis) emptySteps(ctx context.Context, sel *check.Selector) []emptyStep {
	m := a.doc.memory
	m.mu.Lock()
	steps, known := m.steps[sel.Text]
	m.mu.Unlock()
	if known {
		return steps
	}
	plan := a.plan(sel)
	if plan == nil {
		return nil
	}
	for _, x := range a.snapshot.fixturesOf(ctx, a.config) {
		if st, ok := firstEmpty(ctx, plan, x); ok {
			steps = append(steps, emptyStep{x.Path, st.Span, st.Words})
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if ctx.Err() == nil && m.snapshot == a.snapshot.number {
		if len(m.steps) >= maxTexts {
			m.steps = map[string][]emptyStep{}
		}
		m.steps[sel.Text] = steps
	}
	return steps
}

// emptyIn returns, for a selector that finds nothing, the step that finds nothing in each fixture.
func (a *analysis) emptyIn(ctx context.Context, f *check.Finding) []related {
	selectors := a.result(ctx).Selectors
	i, exact := slices.BinarySearchFunc(selectors, f.Span.Start, func(s check.Selector, at int) int { return s.Start - at })
	if !exact {
		i--
	}
	if i < 0 {
		return nil
	}
	var list []related
	sel := &selectors[i]
	r, start := a.region(sel), sel.Query.Start()
	for _, st := range a.emptySteps(ctx, sel) {
		at := r.Host(ast.Span{Start: start + st.at.Start, End: start + st.at.End})
		list = append(list, related{
			protocol.Location{URI: a.doc.uri, Range: a.doc.rangeOf(at)},
			fmt.Sprintf("`%s` finds nothing in %s: %s", st.at.Text(sel.Text), base(st.fixture), st.words),
		})
	}
	return list
}

// firstEmpty returns the first step of a plan that finds nothing in a fixture. It returns false if
// every step finds something, or if the history does not have the queried snapshot.
func firstEmpty(ctx context.Context, plan *eval.Plan, x fixtures.Fixture) (eval.TraceStep, bool) {
	trace, err := plan.Trace(ctx, x.Timeline)
	if err != nil {
		return eval.TraceStep{}, false
	}
	i := slices.IndexFunc(trace, func(st eval.TraceStep) bool { return st.Count == 0 && !st.Skipped })
	if i < 0 {
		return eval.TraceStep{}, false
	}
	return trace[i], true
}
