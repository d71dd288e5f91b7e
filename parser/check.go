package parser

import (
	"cmp"
	"fmt"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
)

// check tests what concerns the whole selector, once it is built.
func (b *builder) check() {
	q := b.query
	b.checkLateTimes()
	if len(q.Controls) > 0 {
		b.checkControls()
	}
	b.checkModes()
	for _, f := range b.facets {
		if q.Time == nil && len(b.lateTimes) == 0 {
			b.report(diag.Diagnostic{
				Code: diag.TimeRequired, Span: f.at,
				Message: "`" + f.name + "` looks at time, so the selector must say which",
				Hint:    "write `@t0` in front for the present",
				Fixes:   []diag.Fix{{Title: "write `@t0`", Edits: []diag.Edit{{Span: ast.Span{Start: q.Start, End: q.Start}, Text: "@t0 "}}}},
			})
		}
	}
	if len(q.Union) > 1 {
		for _, f := range q.Union {
			for _, c := range f.Chains {
				b.checkUnionChain(c)
			}
		}
	}
	b.checkTail()
	b.checkPosition()
	if len(q.Legacy) > 0 {
		b.reportLegacy()
	}
}

// checkLateTimes reports times that stand behind the first step, with a fix that moves a lone one.
func (b *builder) checkLateTimes() {
	for _, t := range b.lateTimes {
		d := diag.Diagnostic{
			Code: diag.SelectorInvalid, Span: t.at,
			Message: "the time must stand first",
		}
		if b.query.Time == nil && len(b.lateTimes) == 1 {
			start := t.at.Start
			for start > b.query.Start && isSpace(b.text[start-1]) {
				start--
			}
			d.Fixes = []diag.Fix{{Title: "move the time to the front", Safe: true, Edits: []diag.Edit{
				{Span: ast.Span{Start: b.query.Start, End: b.query.Start}, Text: t.at.Text(b.src) + " "},
				{Span: ast.Span{Start: start, End: t.at.End}},
			}}}
		}
		b.report(d)
	}
}

// checkModes refuses @mode where there is nothing to combine.
func (b *builder) checkModes() {
	t := b.query.Time
	if t == nil || t.Kind != ast.TimeAt && t.Kind != ast.TimeEvery {
		return
	}
	for _, c := range b.query.Controls {
		if c.Name == "mode" {
			b.controlError(c, "`@mode` says how the snapshots of a range or pair are combined, and the time is neither", "")
		}
	}
}

// checkUnionChain asks for parentheses: next to a comma, a depth or coordinate could go on.
func (b *builder) checkUnionChain(c *ast.Chain) {
	if !b.mentionsPlace(c) {
		return
	}
	if len(c.Steps) == 1 {
		switch c.Steps[0].Anchor.(type) {
		case *ast.Coordinates, *ast.Group:
			return
		}
	}
	b.report(diag.Diagnostic{
		Code: diag.SelectorAmbiguous, Span: c.Span,
		Message: "in a union, a chain with a depth or a coordinate must be one parenthesised position",
		Hint:    "write `(" + c.Text(b.src) + ")`",
		Fixes: []diag.Fix{{Title: "add parentheses", Safe: true, Edits: []diag.Edit{
			{Span: ast.Span{Start: c.Start, End: c.Start}, Text: "("},
			{Span: ast.Span{Start: c.End, End: c.End}, Text: ")"},
		}}},
	})
}

// mentionsPlace reports whether a depth or coordinate occurs in the chain. The legacy `:depth()` does not
// count.
func (b *builder) mentionsPlace(c *ast.Chain) bool {
	for n := range ast.All(c) {
		switch n := n.(type) {
		case *ast.Depth:
			if !slices.Contains(b.depthless, ast.Anchor(n)) {
				return true
			}
		case *ast.Coordinates:
			if !slices.Contains(b.depthless, ast.Anchor(n)) {
				return true
			}
		}
	}
	return false
}

// checkTail reports controls that stand before the end of a union.
func (b *builder) checkTail() {
	q := b.query
	for _, c := range q.Controls {
		if last := q.Union[len(q.Union)-1]; c.Start >= last.Start {
			continue
		}
		b.report(diag.Diagnostic{
			Code: diag.SelectorInvalid, Span: c.Span,
			Message: "controls apply to the whole union and stand at its end",
			Fixes: []diag.Fix{{Title: "move the control to the end", Safe: true, Edits: []diag.Edit{
				{Span: ast.Span{Start: b.blankBefore(c.Start), End: c.End}},
				{Span: ast.Span{Start: q.End, End: q.End}, Text: " " + c.Text(b.src)},
			}}},
		})
	}
}

func (b *builder) blankBefore(at int) int {
	for at > b.query.Start && (b.text[at-1] == ' ' || b.text[at-1] == '\t') {
		at--
	}
	return at
}

// checkPosition makes sure that an insertion position is nothing but one.
func (b *builder) checkPosition() {
	if !b.insertion {
		return
	}
	q := b.query
	if b.position != nil && b.errors == 0 {
		f := q.Union[0]
		if q.Time == nil && len(q.Union) == 1 && len(q.Controls) == 0 && len(f.Chains) == 1 && len(f.Chains[0].Steps) == 1 && len(f.Chains[0].Steps[0].Qualifiers) == 0 {
			b.position.Optional = q.Optional
			b.position.Span = q.Span
			return
		}
	}
	if b.errors == 0 {
		b.report(diag.Diagnostic{
			Code: diag.SelectorInvalid, Span: q.Span,
			Message: "this is no insertion position",
			Hint:    "a position is a depth, offsets and a place among the children, as in `(d0, end)` or `(d1, 0, +2)`",
		})
	}
}

// reportLegacy turns the marks into diagnostics.
func (b *builder) reportLegacy() {
	q := b.query
	if len(q.Union) > 1 {
		for _, i := range b.hopsModern {
			l := &q.Legacy[i]
			if !strings.HasPrefix(l.Modern, "((") || l.Form != ast.LegacyDepthPseudo {
				l.Modern = "(" + l.Modern + ")"
			}
			if l.Form != ast.LegacyHops {
				l.Modern = "" // what follows would have to move into the parentheses
			}
		}
	}
	slices.SortStableFunc(q.Legacy, func(x, y ast.Legacy) int {
		return cmp.Or(cmp.Compare(x.Start, y.Start), cmp.Compare(x.End, y.End))
	})
	severity := diag.Warning
	if b.opts.Strict {
		severity = diag.Error
	}
	for _, l := range q.Legacy {
		written := l.Text(b.src)
		d := diag.Diagnostic{
			Code: diag.SelectorLegacy, Severity: severity, Span: l.Span,
			Message: fmt.Sprintf("`%s` is a form of an older revision", written),
		}
		if l.Form == ast.LegacyTypeBase {
			_, suffix, _ := strings.Cut(written, ":")
			d.Hint = nearPseudo(suffix)
		}
		if l.Modern != "" || l.Form == ast.LegacySearch {
			title := "write `" + l.Modern + "`"
			if l.Modern == "" {
				title = "remove `" + strings.TrimSpace(written) + "`"
			}
			d.Fixes = []diag.Fix{{Title: title, Safe: l.Form != ast.LegacyRole, Edits: []diag.Edit{{Span: l.Span, Text: l.Modern}}}}
			if d.Hint == "" {
				d.Hint = title
			}
		}
		b.report(d)
	}
}

// pattern checks that the operand of '~' is a regular expression (decision D8).
func (b *builder) pattern(p *ast.Prop) {
	v := p.Values[0]
	if v.Kind != ast.String {
		b.report(diag.Diagnostic{
			Code: diag.SelectorInvalid, Span: v.Span,
			Message: "`~` needs a regular expression, a string or a bare word",
		})
		return
	}
	if _, err := syntax.Parse(v.Text, syntax.Perl); err != nil {
		message := err.Error()
		if e, ok := err.(*syntax.Error); ok {
			message = e.Code.String() + ": `" + e.Expr + "`"
		}
		b.report(diag.Diagnostic{
			Code: diag.SelectorInvalid, Span: v.Span,
			Message: "the regular expression does not compile: " + message,
			Hint:    "the syntax is RE2, as in Go",
		})
	}
}
