package parser

import (
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
)

// check checks the whole selector after it is built.
func (b *builder) check() {
	q := b.query
	b.checkLateTimes()
	if len(q.Controls()) > 0 {
		b.checkControls()
		b.checkModes()
		b.checkTail()
	}
	if q.Time == nil && len(b.lateTimes) == 0 {
		b.checkFacets()
	}
	if len(q.Union) > 1 && b.positions {
		for _, f := range q.Union {
			for i := range f.Chains {
				b.checkUnionChain(&f.Chains[i])
			}
		}
	}
	b.checkPosition()
	if len(b.legacies) > 0 {
		b.reportLegacy()
	}
}

// checkLateTimes reports times after the first step. If there is only one, a fix moves it to the
// front.
func (b *builder) checkLateTimes() {
	for _, late := range b.lateTimes {
		var fixes []diag.Fix
		if start := b.query.Start(); b.query.Time == nil && len(b.lateTimes) == 1 && late.valid {
			blank := max(start, len(strings.TrimRight(b.text[:late.Start], " \t\r\n")))
			from := ast.Span{Start: blank, End: late.End}
			fixes = append(fixes, move("move the time to the front", from, start, late.Text(b.src)+" "))
		}
		b.refuse(late.Span, "the time must come first", "", fixes...)
	}
}

// checkFacets reports tests and controls that depend on time, in a selector without one.
func (b *builder) checkFacets() {
	for _, f := range b.facets {
		time, says := "@t0", "the present"
		switch {
		case f.name[0] == '@':
			time, says = "@history", "all snapshots"
		case f.name == "left" || f.name == "cause" || f.name == "rule" || f.name == "saved": // nothing has left the present
			time, says = "@*", "all snapshots"
		}
		b.refuseAs(diag.TimeRequired, f.at, "`"+f.name+"` depends on time, so the selector must begin with one",
			"begin with `"+time+"` for "+says, insert("write `"+time+"`", b.query.Start(), time+" "))
	}
}

// checkModes reports @mode if there are no two snapshots to combine.
func (b *builder) checkModes() {
	t := b.query.Time
	if t == nil || t.Kind != ast.TimeAt && t.Kind != ast.TimeEvery {
		return
	}
	for _, c := range b.query.Controls() {
		if c.Name == "mode" {
			b.controlError(&c,
				"`@mode` says how the snapshots of a range or pair are combined, and the time is neither", "")
		}
	}
}

// checkUnionChain reports a chain that needs parentheses: a depth next to a comma could begin a
// coordinate.
func (b *builder) checkUnionChain(c *ast.Chain) {
	a := c.Steps[0].Anchor
	if !b.mentionsPosition(c) || len(c.Steps) == 1 && (is[*ast.Coordinates](a) || is[*ast.Group](a)) {
		return
	}
	hint, fixes := "first replace `within(…)` by the chain it means", []diag.Fix(nil)
	within := func(l legacy) bool { return l.Form == ast.LegacyWithin && c.Bounds().Contains(l.Span) }
	if !slices.ContainsFunc(b.legacies, within) {
		position := c.Bounds() // what the formatter puts into parentheses
		if len(c.Steps) == 1 {
			position = a.Bounds()
		}
		hint = "write `(" + excerpt(position.Text(b.src)) + ")" + excerpt(b.src[position.End:c.End()]) + "`"
		fixes = []diag.Fix{{Title: "add parentheses", Safe: true, Edits: parenthesize(position)}}
	}
	b.refuseAs(diag.SelectorAmbiguous, c.Bounds(),
		"in a union, a chain with a depth or a coordinate must be one position in parentheses", hint, fixes...)
}

// parenthesize returns the edits that put a part of the source in parentheses, with other edits
// inside it.
func parenthesize(at ast.Span, inside ...diag.Edit) []diag.Edit {
	before := diag.Edit{Span: ast.Span{Start: at.Start, End: at.Start}, Text: "("}
	after := diag.Edit{Span: ast.Span{Start: at.End, End: at.End}, Text: ")"}
	return slices.Concat([]diag.Edit{before}, inside, []diag.Edit{after})
}

// mentionsPosition reports whether the chain contains a depth or a coordinate other than the legacy
// `:depth()`.
func (b *builder) mentionsPosition(c *ast.Chain) bool {
	for n := range ast.All(c) {
		if (is[*ast.Depth](n) || is[*ast.Coordinates](n)) && !b.pseudoDepths[n.(ast.Anchor)] {
			return true
		}
	}
	return false
}

// checkTail reports controls before the end of a union.
func (b *builder) checkTail() {
	q := b.query
	end := q.Union[len(q.Union)-1].Start()
	controls := q.Controls()
	for i := range controls {
		c := &controls[i]
		if c.Start() >= end || b.isExplained(c.End()) { // what seems to be the rest is not part of the union
			continue
		}
		blank := max(q.Start(), len(strings.TrimRight(b.text[:c.Start()], " \t")))
		b.refuse(c.Bounds(), "controls apply to the whole union and belong at its end", "",
			move("move the control to the end", ast.Span{Start: blank, End: c.End()}, q.End(), " "+c.Text(b.src)))
	}
}

// checkPosition checks that the source is one insertion position and nothing else.
func (b *builder) checkPosition() {
	if !b.insertion || b.errors > 0 {
		return
	}
	q, f := b.query, b.query.Union[0]
	if b.position == nil || q.Time != nil || len(q.Union) > 1 || len(q.Controls()) > 0 || len(f.Chains) > 1 ||
		len(f.Chains[0].Steps) > 1 || len(f.Chains[0].Steps[0].Qualifiers) > 0 {
		b.refuse(q.Bounds(), "this is not an insertion position",
			"a position is a container and a slot among its children, "+
				"as in `(d0, end)`, `(d1, 0, +2)` or `(^ah > .cont, end)`")
		return
	}
	b.position.Optional, b.position.Span = q.Optional(), q.Bounds()
}

// pattern checks that the operand of '~' is a regular expression (decision D8).
func (b *builder) pattern(p *ast.Prop) {
	v := p.Values[0]
	if v.Kind != ast.String {
		b.errorf(v.Bounds(), "`~` needs a regular expression, a string or a bare word")
		return
	}
	if _, err := syntax.Parse(v.Text, syntax.Perl); err != nil {
		message := err.Error()
		if e, ok := err.(*syntax.Error); ok {
			message = e.Code.String() + ": `" + excerpt(e.Expr) + "`"
		}
		b.refuse(v.Bounds(), "the regular expression does not compile: "+message, "the syntax is RE2, as in Go")
	}
}
