package format

import (
	"cmp"
	"slices"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/vocab"
)

// explicitTime is the pass "time".
func explicitTime(q *ast.Query) {
	if q.Time == nil {
		q.Time = &ast.Time{Span: ast.Span{Start: q.Start, End: q.Start}}
		return
	}
	t := *q.Time
	switch t.Kind {
	case ast.TimeHistory:
		t.Kind = ast.TimeRange
		t.From = ast.Instant{Span: t.Span, Kind: ast.Relative}
		t.To = ast.Instant{Span: t.Span, Kind: ast.Oldest}
	case ast.TimeRange, ast.TimePair:
		if older(t.From, t.To) {
			t.From, t.To = t.To, t.From
		}
	}
	q.Time = &t
}

// older reports whether a lies before b. Both count in the same way, by position or by cycle; the parser
// sees to that.
func older(a, b ast.Instant) bool {
	if a.Kind == ast.Oldest || b.Kind == ast.Oldest {
		return a.Kind == ast.Oldest && b.Kind != ast.Oldest
	}
	return a.N < b.N
}

// shortTime is the pass "short-time".
func shortTime(q *ast.Query) {
	t := q.Time
	switch {
	case t.Kind == ast.TimeAt && t.From.Kind == ast.Relative && t.From.N == 0 && !needsTime(q):
		q.Time = nil
	case t.Kind == ast.TimeRange && t.From.Kind == ast.Relative && t.From.N == 0 && t.To.Kind == ast.Oldest:
		q.Time = &ast.Time{Span: t.Span, Kind: ast.TimeHistory}
	}
}

// needsTime reports whether the query uses a word that is an error without a written time.
func needsTime(q *ast.Query) bool {
	for _, c := range q.Controls {
		if t := vocab.Lookup(vocab.Control, c.Name); t != nil && t.NeedsTime {
			return true
		}
	}
	found := false
	eachStep(q, func(s *ast.Step) {
		for _, f := range s.Qualifiers {
			if f, ok := f.(*ast.Filter); ok {
				found = found || slices.ContainsFunc(f.Props, func(p *ast.Prop) bool {
					t := vocab.Lookup(vocab.Attribute, p.Name)
					return t != nil && t.NeedsTime
				})
			}
		}
	})
	return found
}

// orderControls is the pass "controls".
func orderControls(q *ast.Query) {
	if len(q.Controls) < 2 {
		return
	}
	slices.SortStableFunc(q.Controls, func(a, b *ast.Control) int {
		return cmp.Compare(controlOrder(a), controlOrder(b))
	})
	seen := map[ast.Control]bool{}
	q.Controls = slices.DeleteFunc(q.Controls, func(c *ast.Control) bool {
		key := *c
		key.Span = ast.Span{}
		again := seen[key]
		seen[key] = true
		return again
	})
}

// controlOrder is the place of a control in the order of application; controls of the caller's own come
// last, as they were written.
func controlOrder(c *ast.Control) int {
	if t := vocab.Lookup(vocab.Control, c.Name); t != nil {
		return t.Order
	}
	return 1 << 30
}
