package format

import (
	"cmp"
	"slices"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/vocab"
)

// explicitTime is the pass "time".
func explicitTime(d *draft) {
	t := d.times.New()
	if d.Time == nil {
		t.Extent = ast.Span{Start: d.Start(), End: d.Start()}.Extent()
		d.Time = t
		return
	}
	*t = *d.Time
	d.Time = t
	switch t.Kind {
	case ast.TimeHistory:
		t.Kind = ast.TimeRange
		t.From = ast.Instant{Extent: t.Extent, Kind: ast.Relative}
		t.To = ast.Instant{Extent: t.Extent, Kind: ast.Oldest}
	case ast.TimeRange, ast.TimePair:
		if older(t.From, t.To) {
			t.From, t.To = t.To, t.From
		}
	}
}

// older reports whether a is before b. The parser ensures that both count in the same way, by
// position or by cycle.
func older(a, b ast.Instant) bool {
	if a.Kind == ast.Oldest || b.Kind == ast.Oldest {
		return a.Kind == ast.Oldest && b.Kind != ast.Oldest
	}
	return a.N < b.N
}

// shortTime is the pass "short-time".
func shortTime(d *draft) {
	t := d.Time
	switch {
	case t.Kind == ast.TimeAt && t.From.Kind == ast.Relative && t.From.N == 0 && !needsTime(d):
		d.Time = nil
	case t.Kind == ast.TimeRange && t.From.Kind == ast.Relative && t.From.N == 0 && t.To.Kind == ast.Oldest:
		d.Time = d.times.New()
		d.Time.Extent, d.Time.Kind = t.Extent, ast.TimeHistory
	}
}

// needsTime reports whether the query uses a word that is an error without a written time.
func needsTime(d *draft) bool {
	for _, c := range d.Controls() {
		if t := vocab.Lookup(vocab.Control, c.Name); t != nil && t.NeedsTime {
			return true
		}
	}
	found := false
	eachStep(d, func(s *ast.Step) {
		for _, f := range s.Qualifiers {
			if f, ok := f.(*ast.Filter); ok {
				found = found || slices.ContainsFunc(f.Props, func(p ast.Prop) bool {
					t := vocab.Lookup(vocab.Attribute, p.Name)
					return t != nil && t.NeedsTime
				})
			}
		}
	})
	return found
}

// orderControls is the pass "controls".
func orderControls(d *draft) {
	if len(d.Controls()) < 2 {
		return
	}
	slices.SortStableFunc(d.tail.Controls, func(a, b ast.Control) int {
		return cmp.Compare(controlOrder(a.Name), controlOrder(b.Name))
	})
	if d.seenControls == nil {
		d.seenControls = map[ast.Control]bool{}
	}
	d.tail.Controls = slices.DeleteFunc(d.tail.Controls, func(c ast.Control) bool {
		c.Extent = ast.Extent{}
		again := d.seenControls[c]
		d.seenControls[c] = true
		return again
	})
	clear(d.seenControls)
}

// controlOrder is the rank of a control in the order of application. Unknown controls come last, in
// the order of the source.
func controlOrder(name string) int {
	if t := vocab.Lookup(vocab.Control, name); t != nil {
		return t.Order
	}
	return 1 << 30
}
