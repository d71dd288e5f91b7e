package parser

import (
	"cmp"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
)

// check tests what concerns the whole selector, once it is built.
func (b *builder) check() {
	q := b.query
	if len(q.Union) == 1 && len(q.Controls())|len(b.facets)|len(b.legacies)|len(b.lateTimes) == 0 && !b.insertion {
		return // as for most selectors
	}
	b.checkLateTimes()
	if len(q.Controls()) > 0 {
		b.checkControls()
		b.checkModes()
		b.checkTail()
	}
	for _, f := range b.facets {
		if q.Time == nil && len(b.lateTimes) == 0 {
			b.report(diag.Diagnostic{
				Code: diag.TimeRequired, Span: f.at,
				Message: "`" + f.name + "` looks at time, so the selector must say which",
				Hint:    "write `" + f.time + "` in front for " + f.says,
				Fixes:   []diag.Fix{{Title: "write `" + f.time + "`", Edits: []diag.Edit{{Span: ast.Span{Start: q.Start(), End: q.Start()}, Text: f.time + " "}}}},
			})
		}
	}
	if len(q.Union) > 1 && b.places {
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

// checkLateTimes reports times that stand behind the first step, with a fix that moves a lone one.
func (b *builder) checkLateTimes() {
	for _, late := range b.lateTimes {
		at := late.Span
		d := diag.Diagnostic{
			Code: diag.SelectorInvalid, Span: at,
			Message: "the time must stand first",
		}
		if b.query.Time == nil && len(b.lateTimes) == 1 && late.valid {
			start := at.Start
			for start > b.query.Start() && isSpace(b.text[start-1]) {
				start--
			}
			d.Fixes = []diag.Fix{{Title: "move the time to the front", Safe: true, Edits: []diag.Edit{
				{Span: ast.Span{Start: b.query.Start(), End: b.query.Start()}, Text: at.Text(b.src) + " "},
				{Span: ast.Span{Start: start, End: at.End}},
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
	for _, c := range b.query.Controls() {
		if c.Name == "mode" {
			b.controlError(&c, "`@mode` says how the snapshots of a range or pair are combined, and the time is neither", "")
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
	d := diag.Diagnostic{
		Code: diag.SelectorAmbiguous, Span: c.Bounds(),
		Message: "in a union, a chain with a depth or a coordinate must be one parenthesised position",
		Hint:    "write `(" + excerpt(c.Text(b.src)) + ")`",
		Fixes: []diag.Fix{{Title: "add parentheses", Safe: true, Edits: []diag.Edit{
			{Span: ast.Span{Start: c.Start(), End: c.Start()}, Text: "("},
			{Span: ast.Span{Start: c.End(), End: c.End()}, Text: ")"},
		}}},
	}
	if slices.ContainsFunc(b.legacies, func(l legacy) bool { return l.Form == ast.LegacyWithin && c.Bounds().Contains(l.Span) }) {
		d.Hint, d.Fixes = "first write the chain that `within(…)` stands for", nil
	}
	b.report(d)
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
	end := q.Union[len(q.Union)-1].Start()
	controls := q.Controls()
	for i := range controls {
		c := &controls[i]
		if c.Start() >= end {
			continue
		}
		b.report(diag.Diagnostic{
			Code: diag.SelectorInvalid, Span: c.Bounds(),
			Message: "controls apply to the whole union and stand at its end",
			Fixes: []diag.Fix{{Title: "move the control to the end", Safe: true, Edits: []diag.Edit{
				{Span: ast.Span{Start: b.blankBefore(c.Start()), End: c.End()}},
				{Span: ast.Span{Start: q.End(), End: q.End()}, Text: " " + c.Text(b.src)},
			}}},
		})
	}
}

func (b *builder) blankBefore(at int) int {
	for at > b.query.Start() && (b.text[at-1] == ' ' || b.text[at-1] == '\t') {
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
		if q.Time == nil && len(q.Union) == 1 && len(q.Controls()) == 0 && len(f.Chains) == 1 && len(f.Chains[0].Steps) == 1 && len(f.Chains[0].Steps[0].Qualifiers) == 0 {
			b.position.Optional = q.Optional()
			b.position.Span = q.Bounds()
			return
		}
	}
	if b.errors == 0 {
		b.report(diag.Diagnostic{
			Code: diag.SelectorInvalid, Span: q.Bounds(),
			Message: "this is no insertion position",
			Hint:    "a position is a container and a place among its children, as in `(d0, end)`, `(d1, 0, +2)` or `(^ah > .cont, end)`",
		})
	}
}

// reportLegacy turns the marks into diagnostics and puts them into the tree.
func (b *builder) reportLegacy() {
	if len(b.legacies) > 1 {
		slices.SortStableFunc(b.legacies, func(x, y legacy) int {
			return cmp.Or(cmp.Compare(x.Start, y.Start), cmp.Compare(x.End, y.End))
		})
	}
	legacies := b.nodes.legacies.List(len(b.legacies))
	b.tailNode().Legacy = legacies
	severity := diag.Warning
	if b.strict {
		severity = diag.Error
	}
	for i, l := range b.legacies {
		written := strings.TrimSpace(l.Text(b.src))
		d := diag.Diagnostic{
			Code: diag.SelectorLegacy, Severity: severity, Span: l.Span,
			Message: "`" + excerpt(written) + "` is a form of an older revision",
		}
		pseudo := ""
		if l.Form == ast.LegacyTypeBase && written[0] == '.' {
			_, suffix, _ := strings.Cut(written, ":")
			if pseudo = nearPseudo(suffix); pseudo != "" {
				d.Hint = didYouMean(pseudo)
				d.Fixes = []diag.Fix{pseudoFix(pseudo, ast.Span{Start: l.End - len(suffix) - 1, End: l.End})}
			}
		}
		fix := new(oneEdit)
		fix.edits[0] = diag.Edit{Span: l.Span, Text: l.Modern}
		edits := fix.edits[:]
		switch {
		case !l.place, l.Modern == "":
		case len(b.query.Union) > 1:
			edits, l.Modern = b.inUnion(l)
		case l.Start > 0 && strings.HasPrefix(l.Modern, "d") && !strings.ContainsRune(" \t\r\n(>,?", rune(b.src[l.Start-1])):
			edits[0].Text = " " + l.Modern // behind a time, which ends where the form begins
		}
		title := ""
		switch {
		case l.Form == ast.LegacySearch:
			title = "remove `" + excerpt(written) + "`"
		case len(edits) > 1:
			title = "write `" + excerpt(edits[1].Text) + "` and parentheses around the chain"
		case l.Modern != "":
			title = "write `" + excerpt(l.Modern) + "`"
		}
		if title != "" {
			fix.fixes[0] = diag.Fix{Title: title, Safe: l.Form != ast.LegacyRole && pseudo == "", Edits: edits}
			if d.Fixes == nil {
				d.Fixes = fix.fixes[:]
			} else { // a typo is more likely
				d.Fixes = append(d.Fixes, fix.fixes[0])
			}
			d.Hint = cmp.Or(d.Hint, title)
		} else if l.Form == ast.LegacyRole {
			d.Hint = "in edition 1.0 roles are tags, as in `+user`"
		}
		legacies[i] = l.Legacy
		b.report(d)
	}
}

// oneEdit is a fix of one edit in one piece, as that of most legacy forms.
type oneEdit struct {
	fixes [1]diag.Fix
	edits [1]diag.Edit
}

// inUnion is how a form whose modern text holds a place is replaced in a union, where the chain with the place
// in it must be one parenthesised position. It returns the text that replaces the form, if that is enough.
func (b *builder) inUnion(l legacy) (edits []diag.Edit, modern string) {
	chain := b.chainAround(l.Span)
	if chain == nil {
		return nil, ""
	}
	if len(chain.Steps) == 1 {
		step := chain.Steps[0]
		switch a := step.Anchor.(type) {
		case *ast.Group:
			if a.Bounds() != l.Span { // the form is inside a parenthesised position
				return []diag.Edit{{Span: l.Span, Text: l.Modern}}, l.Modern
			}
			modern = "(" + l.Modern + ")"
		case *ast.Coordinates:
			modern = l.Modern
		case *ast.Depth:
			depth := depthText(*a)
			modern = "(" + depth + ")" + strings.TrimPrefix(l.Modern, depth)
		}
		return []diag.Edit{{Span: l.Span, Text: modern}}, modern
	}
	return []diag.Edit{
		{Span: ast.Span{Start: chain.Start(), End: chain.Start()}, Text: "("},
		{Span: l.Span, Text: l.Modern},
		{Span: ast.Span{Start: chain.End(), End: chain.End()}, Text: ")"},
	}, ""
}

// chainAround finds the chain of the union in which a span lies.
func (b *builder) chainAround(at ast.Span) *ast.Chain {
	for _, f := range b.query.Union {
		for i := range f.Chains {
			if c := &f.Chains[i]; c.Bounds().Contains(at) {
				return c
			}
		}
	}
	return nil
}

// pattern checks that the operand of '~' is a regular expression (decision D8).
func (b *builder) pattern(p *ast.Prop) {
	v := p.Values[0]
	if v.Kind != ast.String {
		b.report(diag.Diagnostic{
			Code: diag.SelectorInvalid, Span: v.Bounds(),
			Message: "`~` needs a regular expression, a string or a bare word",
		})
		return
	}
	if _, err := syntax.Parse(v.Text, syntax.Perl); err != nil {
		message := err.Error()
		if e, ok := err.(*syntax.Error); ok {
			message = e.Code.String() + ": `" + excerpt(e.Expr) + "`"
		}
		b.report(diag.Diagnostic{
			Code: diag.SelectorInvalid, Span: v.Bounds(),
			Message: "the regular expression does not compile: " + message,
			Hint:    "the syntax is RE2, as in Go",
		})
	}
}
