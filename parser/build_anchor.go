package parser

import (
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/ast/vocab"
	"github.com/pactkit/pactkit/parser/internal/ll1"
)

// These stand in a tree only while it is built: what they mean depends on what surrounds them. Embedding
// ast.Bad makes them anchors; settle replaces them.
type (
	// word is a bare name or number: a hop of a legacy position, or a forgotten sigil.
	word struct {
		ast.Bad
		text   string
		number bool
	}
	// suffix is the ':name' behind a number, a type in a legacy hop.
	suffix struct {
		ast.Tag
		name string
	}
	// fallback is `L ?? R` in parentheses.
	fallback struct {
		ast.Bad
		chains []*ast.Chain
	}
	// within is the legacy `within(…)`.
	within struct {
		ast.Bad
		chain  *ast.Chain
		modern string
	}
)

// settle replaces the anchors that have found no meaning, and reports them.
func (b *builder) settle(c *ast.Chain) {
	for _, s := range c.Steps {
		switch a := s.Anchor.(type) {
		case *word:
			b.strayWord(a)
			s.Anchor = &ast.Bad{Span: a.Span}
			_, s.Qualifiers = hopType(s)
		case *fallback:
			b.report(diag.Diagnostic{
				Code: diag.SelectorInvalid, Span: a.Span,
				Message: "`??` inside parentheses is only allowed around a whole fragment",
				Hint:    "each side of `??` has its own qualifiers; leave the parentheses out",
			})
			s.Anchor = &ast.Bad{Span: a.Span}
		case *within:
			b.errorf(a.Span, "`within(…)` is no longer part of the language; write its content as the first steps of the chain")
			s.Anchor = &ast.Bad{Span: a.Span}
		}
	}
}

// strayWord reports a name or number that stands where a step should.
func (b *builder) strayWord(w *word) {
	if b.isExcused(w.Start) {
		return
	}
	d := diag.Diagnostic{Code: diag.SelectorInvalid, Span: w.Span}
	word := excerpt(w.text)
	insert := func(sigil string) []diag.Fix {
		return []diag.Fix{{Title: "write `" + sigil + word + "`", Edits: []diag.Edit{{Span: ast.Span{Start: w.Start, End: w.Start}, Text: sigil}}}}
	}
	switch {
	case w.number:
		d.Message = "a number is no step"
		d.Hint = "a depth is written `d" + strings.TrimLeft(word, "+") + "`, an offset only stands in a coordinate such as `(d1,0)`"
	case vocab.Lookup(vocab.Region, w.text) != nil && vocab.Lookup(vocab.Type, w.text) == nil:
		d.Message = "`" + word + "` is no step; a region begins with `^`"
		d.Fixes = insert("^")
	default:
		d.Message = "`" + word + "` is no step; a type begins with a dot"
		d.Hint = "write `." + word + "` for a type, `#" + word + "` for a key or `+" + word + "` for a tag"
		d.Fixes = insert(".")
	}
	b.report(d)
}

// anchor reads what a step looks for.
func (b *builder) anchor(s *ast.Step, c *ast.Chain) {
	var call ll1.Kind
	var args []int
	var open ast.Span
	items := len(b.items)
	for b.more() {
		e := b.next()
		if e.IsOpen() {
			switch rule := e.Rule(); rule {
			case ll1.RuleArgument:
				args = b.argument(args)
			case ll1.RuleItem:
				b.items = append(b.items, b.item())
			case ll1.RuleDepth:
				b.depth(s)
			case ll1.RuleParen:
				b.paren(s)
			case ll1.RuleLate:
				b.late(s, c)
			case ll1.RuleTags, ll1.RuleProps, ll1.RuleBehavior:
				s.Anchor = b.nodes.star(ast.Span{Start: s.Start, End: s.Start}, true)
				b.qualifierRule(rule, s, c)
			default:
				b.skip()
			}
			continue
		}
		text, at := b.word(e)
		cover(s, at.End)
		switch kind := b.kind(e); kind {
		case ll1.TokStar:
			s.Anchor = b.nodes.star(at, false)
		case ll1.TokStarSign:
			b.starSign(s, text, at)
		case ll1.TokRegion:
			b.region(s, text, at)
		case ll1.TokType:
			b.typeAnchor(s, text, at)
		case ll1.TokKey, ll1.TokQuotedKey:
			s.Anchor = b.key(text, at)
		case ll1.TokColonName:
			b.zoneAnchor(s, c, text, at)
		case ll1.TokContAt:
			b.contAt(s, text, at)
		case ll1.TokInt:
			s.Anchor = &word{Bad: ast.Bad{Span: at}, text: text, number: true}
		case ll1.TokName:
			b.ident(text, at)
			if text == "depth" && b.callApart(at) {
				b.excuse(at.Start)
			}
			s.Anchor = &word{Bad: ast.Bad{Span: at}, text: text}
		case ll1.TokDepthCall, ll1.TokWithinCall, ll1.TokNthCall, ll1.TokDepthPseudo:
			call, open = kind, at
			b.parens++
		case ll1.TokRparen:
			b.parens--
			b.call(s, c, call, args, b.items[items:], ast.Span{Start: open.Start, End: at.End})
			call = ll1.TokEOF
		}
	}
	b.items = b.items[:items]
	if call != ll1.TokEOF { // never closed, which was reported
		b.parens--
		s.Anchor = &ast.Bad{Span: open}
	}
}

// call finishes an anchor that takes arguments.
func (b *builder) call(s *ast.Step, c *ast.Chain, kind ll1.Kind, args []int, items []item, at ast.Span) {
	cover(s, at.End)
	switch kind {
	case ll1.TokDepthCall:
		s.Anchor = b.depthCall(args, at)
	case ll1.TokWithinCall:
		s.Anchor = b.within(items, at)
	case ll1.TokNthCall:
		b.detached(s, at, c)
		s.Anchor = &ast.Bad{Span: at}
	case ll1.TokDepthPseudo:
		s.Anchor = b.nodes.star(ast.Span{Start: at.Start, End: at.Start}, true)
		b.depthPseudo(s, c, args, at)
	}
}

// late reads a pseudo behind white space: a zone is a step of its own, `:depth(…)` too, the others are
// misplaced.
func (b *builder) late(s *ast.Step, c *ast.Chain) {
	var call ll1.Kind
	var args []int
	var open ast.Span
	for b.more() {
		e := b.next()
		if e.IsOpen() {
			args = b.argument(args)
			continue
		}
		text, at := b.word(e)
		cover(s, at.End)
		switch kind := b.kind(e); kind {
		case ll1.TokLateName:
			b.zoneAnchor(s, c, text, at)
		case ll1.TokLateNth, ll1.TokLateDepth:
			call, open = kind, at
		case ll1.TokRparen:
			at.Start = open.Start
			if call == ll1.TokLateDepth {
				s.Anchor = b.nodes.star(ast.Span{Start: at.Start, End: at.Start}, true)
				b.depthPseudo(s, c, args, at)
			} else {
				b.detached(s, at, c)
				s.Anchor = &ast.Bad{Span: at}
			}
		}
	}
	if s.Anchor == nil {
		s.Anchor = &ast.Bad{Span: s.Span}
	}
}

// zoneAnchor reads ':name' at the start of a step.
func (b *builder) zoneAnchor(s *ast.Step, c *ast.Chain, text string, at ast.Span) {
	if z, ok := zone(text[1:]); ok {
		s.Anchor = &ast.Zone{Span: at, Name: z}
		return
	}
	s.Anchor = &ast.Bad{Span: at}
	switch name := text[1:]; {
	case vocab.Lookup(vocab.Pseudo, name) != nil:
		b.detached(s, at, c)
	default:
		d := diag.Diagnostic{
			Code: diag.SelectorInvalid, Span: at,
			Message: "`" + excerpt(text) + "` is no zone; the zones are `:pre`, `:core` and `:post`",
		}
		b.suggest(&d, vocab.Zone, ":", ast.Span{Start: at.Start + 1, End: at.End})
		b.report(d)
	}
}

// detached reports a pseudo that stands apart from the step it should qualify.
func (b *builder) detached(s *ast.Step, at ast.Span, c *ast.Chain) {
	d := diag.Diagnostic{
		Code: diag.SelectorInvalid, Span: at,
		Message: "`" + excerpt(at.Text(b.src)) + "` must stand directly behind the step it qualifies",
	}
	if n := len(c.Steps); n > 0 && s.Combinator == ast.Descendant {
		d.Fixes = []diag.Fix{{Title: "remove the blank", Edits: []diag.Edit{{Span: ast.Span{Start: c.Steps[n-1].End, End: at.Start}}}}}
	} else {
		d.Fixes = []diag.Fix{{Title: "write `*` in front", Edits: []diag.Edit{{Span: ast.Span{Start: at.Start, End: at.Start}, Text: "*"}}}}
	}
	b.report(d)
}

// zone maps the name of a zone to its node.
func zone(name string) (ast.ZoneName, bool) {
	switch name {
	case "pre":
		return ast.Pre, true
	case "core":
		return ast.Core, true
	case "post":
		return ast.Post, true
	}
	return 0, false
}

// region maps the name of a region to its node.
func region(name string) (ast.RegionName, bool) {
	switch name {
	case "root":
		return ast.Root, true
	case "sys":
		return ast.Sys, true
	case "seq":
		return ast.Seq, true
	case "ah":
		return ast.Head, true
	}
	return 0, false
}

func (b *builder) region(s *ast.Step, text string, at ast.Span) {
	name, ok := region(text[1:])
	if !ok {
		d := diag.Diagnostic{
			Code: diag.SelectorInvalid, Span: at,
			Message: "`" + excerpt(text) + "` is no region; the regions are `^sys`, `^seq`, `^ah` and `^root`",
		}
		b.suggest(&d, vocab.Region, "^", ast.Span{Start: at.Start + 1, End: at.End})
		b.report(d)
		s.Anchor = &ast.Bad{Span: at}
		return
	}
	s.Anchor = b.nodes.region(at, name)
}

// typeAnchor reads '.name'; a suffix that follows is read with the qualifiers.
func (b *builder) typeAnchor(s *ast.Step, text string, at ast.Span) {
	b.ident(text[1:], at)
	name := text[1:]
	if r, ok := region(name); ok {
		s.Anchor = b.nodes.region(at, r)
		return
	}
	s.Anchor = b.nodes.typ(at, vocab.CanonicalType(name))
}

// oldTypeName reports whether the name is one that only edition 0.1 has.
func oldTypeName(name string) bool {
	t := vocab.Lookup(vocab.Type, name)
	return t != nil && t.Name != name
}

// starSign reads the legacy `*@+` and `*@-`.
func (b *builder) starSign(s *ast.Step, text string, at ast.Span) {
	op := ast.OpGt
	if strings.HasSuffix(text, "-") {
		op = ast.OpLt
	}
	s.Anchor = &ast.Any{Span: ast.Span{Start: at.Start, End: at.Start + 1}}
	s.Qualifiers = append(s.Qualifiers, offsetFilter(op, 0, ast.Span{Start: at.Start + 1, End: at.End}))
	b.legacy(ast.LegacyStarSign, at, "*[offset"+op.String()+"0]")
}

func offsetFilter(op ast.Op, n int64, at ast.Span) *ast.Filter {
	value := ast.Value{Span: at, Kind: ast.Number, Text: strconv.FormatInt(n, 10)}
	return &ast.Filter{Span: at, Form: ast.Brackets, Props: []*ast.Prop{{Span: at, Name: "offset", Op: op, Values: []ast.Value{value}}}}
}

// contAt refuses `c@N`, which has been used in two ways.
func (b *builder) contAt(s *ast.Step, text string, at ast.Span) {
	n := strings.TrimLeft(text[2:], "+")
	b.report(diag.Diagnostic{
		Code: diag.SelectorLegacy, Span: at,
		Message: "`" + text + "` has two readings: the child at offset " + n + " of a segment, or of the active head",
		Hint:    "write the coordinate that is meant: `(d1," + n + ")` or `(d0," + n + ")`",
	})
	s.Anchor = &ast.Bad{Span: at}
}

// key reads `#name` and `#'name'`; parts behind a colon are added with the qualifiers.
func (b *builder) key(text string, at ast.Span) *ast.Key {
	if text[1] == '\'' || text[1] == '"' {
		return &ast.Key{Span: at, Name: b.unquote(text[1:], ast.Span{Start: at.Start + 1, End: at.End})}
	}
	b.ident(text[1:], at)
	return &ast.Key{Span: at, Name: text[1:], ID: b.edition01()}
}

// ident refuses identifiers that end in a hyphen. The text may hold several, separated by dots.
func (b *builder) ident(text string, at ast.Span) {
	for i := range len(text) {
		if text[i] == '-' && (i+1 == len(text) || text[i+1] == '.') {
			b.report(diag.Diagnostic{
				Code: diag.SelectorInvalid, Span: at,
				Message: "a name must not end in `-`",
			})
			return
		}
	}
}
