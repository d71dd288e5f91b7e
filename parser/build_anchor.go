package parser

import (
	"slices"
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
	insert := func(sigil string) []diag.Fix {
		return []diag.Fix{{Title: "write `" + sigil + w.text + "`", Edits: []diag.Edit{{Span: ast.Span{Start: w.Start, End: w.Start}, Text: sigil}}}}
	}
	switch {
	case w.number:
		d.Message = "a number is no step"
		d.Hint = "a depth is written `d" + strings.TrimLeft(w.text, "+") + "`, an offset only stands in a coordinate such as `(d1,0)`"
	case vocab.Lookup(vocab.Region, w.text) != nil && vocab.Lookup(vocab.Type, w.text) == nil:
		d.Message = "`" + w.text + "` is no step; a region begins with `^`"
		d.Fixes = insert("^")
	default:
		d.Message = "`" + w.text + "` is no step; a type begins with a dot"
		d.Hint = "write `." + w.text + "` for a type, `#" + w.text + "` for a key or `+" + w.text + "` for a tag"
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
			Message: "`" + text + "` is no zone; the zones are `:pre`, `:core` and `:post`",
		}
		b.suggest(&d, vocab.Zone, ":", ast.Span{Start: at.Start + 1, End: at.End})
		b.report(d)
	}
}

// detached reports a pseudo that stands apart from the step it should qualify.
func (b *builder) detached(s *ast.Step, at ast.Span, c *ast.Chain) {
	d := diag.Diagnostic{
		Code: diag.SelectorInvalid, Span: at,
		Message: "`" + at.Text(b.src) + "` must stand directly behind the step it qualifies",
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
			Message: "`" + text + "` is no region; the regions are `^sys`, `^seq`, `^ah` and `^root`",
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

// ---- depths -------------------------------------------------------------------------------------------

// depth reads 'd1', 'd1..d3', 'd1..3'.
func (b *builder) depth(s *ast.Step) {
	var bounds [2]int64
	n := 0
	var span ast.Span
	ok := true
	for b.more() {
		e := b.next()
		if e.IsOpen() {
			b.skip()
			continue
		}
		text, at := b.word(e)
		if b.kind(e) == ll1.TokRange {
			continue
		}
		if span.End == 0 {
			span = at
		}
		span.End = at.End
		number, valid := b.depthNumber(strings.TrimPrefix(text, "d"), at)
		ok = ok && valid
		bounds[min(n, 1)] = number
		n++
	}
	cover(s, span.End)
	if n == 0 {
		s.Anchor = &ast.Bad{Span: s.Span}
		return
	}
	from, to := bounds[0], bounds[min(n-1, 1)]
	if !ok || !b.depthRange(from, to, span) {
		s.Anchor = &ast.Bad{Span: span}
		return
	}
	s.Anchor = &ast.Depth{Span: span, From: from, To: to}
}

// depthNumber reads the number of a depth.
func (b *builder) depthNumber(text string, at ast.Span) (int64, bool) {
	if strings.Contains(text, ".") {
		b.report(diag.Diagnostic{Code: diag.DepthNotInt, Span: at, Message: "a depth is a whole number"})
		return 0, false
	}
	n, ok := b.integer(text, at)
	if ok && n < -1 {
		b.report(diag.Diagnostic{
			Code: diag.DepthNegative, Span: at, Message: "a depth is -1 or more",
			Hint: "-1 is the system header, 0 the active head, 1 the newest segment",
		})
		return 0, false
	}
	return n, ok
}

func (b *builder) depthRange(from, to int64, at ast.Span) bool {
	if from <= to {
		return true
	}
	b.report(diag.Diagnostic{
		Code: diag.DepthRangeInvalid, Span: at, Message: "the range runs backwards",
		Hint: "write `" + depthText(ast.Depth{From: to, To: from}) + "`",
	})
	return false
}

// depthCall reads 'depth(1)'.
func (b *builder) depthCall(args []int, at ast.Span) ast.Anchor {
	if len(args) != 1 || b.tokens[args[0]].Kind != ll1.TokInt && b.tokens[args[0]].Kind != ll1.TokDecimal {
		b.report(diag.Diagnostic{
			Code: diag.SelectorInvalid, Span: at, Message: "`depth(…)` takes one whole number",
			Hint: "a range of depths is written `d1..d3`",
		})
		return &ast.Bad{Span: at}
	}
	arg := b.core(args[0])
	n, ok := b.depthNumber(arg.Text(b.text), arg)
	if !ok {
		return &ast.Bad{Span: at}
	}
	return &ast.Depth{Span: at, From: n, To: n}
}

// argument collects the token of one argument of a call.
func (b *builder) argument(args []int) []int {
	for b.more() {
		e := b.next()
		if e.IsOpen() {
			b.skip()
		} else if b.kind(e) != ll1.TokDesc {
			args = append(args, e.Token())
		}
	}
	return args
}

// depthPseudo reads the 0.1 form ':depth(…)'. It takes the place of a segment anchor, together with a bare
// `^seq` before it; behind a positional pseudo it is a test of the depth.
func (b *builder) depthPseudo(s *ast.Step, c *ast.Chain, args []int, at ast.Span) {
	cover(s, at.End)
	ranges, ok := b.depthArguments(args, at)
	if !ok {
		return
	}
	tested := slices.ContainsFunc(s.Qualifiers, func(q ast.Qualifier) bool {
		_, positional := q.(*ast.Positional)
		return positional
	})
	anchorEnd := s.Start
	switch a := s.Anchor.(type) {
	case *ast.Any:
		anchorEnd = a.End
	case *ast.Type:
		anchorEnd = a.End
		if a.Name != "seg" {
			b.depthMisplaced(at)
			return
		}
	case *ast.Depth, *ast.Coordinates:
		tested = true // a second :depth() narrows the first
	case *ast.Bad:
		return
	default:
		b.depthMisplaced(at)
		return
	}
	if tested {
		f, ok := depthFilter(ranges, at, maxDepths*len(args))
		if !ok {
			b.errorf(at, "a range in a list of depths is too long here; the whole list may have %d depths for each written", maxDepths)
			return
		}
		s.Qualifiers = append(s.Qualifiers, f)
		if !b.edition01() {
			b.legacy(ast.LegacyDepthPseudo, at, depthFilterText(f))
		}
		return
	}
	start := s.Start
	if n := len(c.Steps); n > 0 && s.Combinator == ast.Descendant && bareSeq(c.Steps[n-1]) {
		s.Combinator = c.Steps[n-1].Combinator
		start = c.Steps[n-1].Start
		s.Start = start
		c.Steps = c.Steps[:n-1]
	}
	replaced := ast.Span{Start: start, End: at.End}
	anchor := replaced
	if len(s.Qualifiers) > 0 {
		anchor.End = anchorEnd // the qualifiers between are nodes of their own
	}
	place := strings.Builder{}
	if len(ranges) == 1 {
		s.Anchor = &ast.Depth{Span: anchor, From: ranges[0].From, To: ranges[0].To}
		place.WriteString(depthText(ranges[0]))
	} else {
		set := &ast.Coordinates{Span: anchor}
		for i, r := range ranges {
			set.Places = append(set.Places, &ast.Coordinate{Span: anchor, From: r.From, To: r.To})
			place.WriteString([...]string{"((", ", ("}[min(i, 1)] + depthText(r) + ")")
		}
		place.WriteString(")")
		s.Anchor = set
	}
	b.depthless = append(b.depthless, s.Anchor)
	if !b.edition01() {
		b.legacyPlace(ast.LegacyDepthPseudo, replaced, place.String()+b.src[anchorEnd:at.Start])
	}
}

func (b *builder) depthMisplaced(at ast.Span) {
	b.report(diag.Diagnostic{
		Code: diag.SelectorInvalid, Span: at,
		Message: "`:depth(…)` only qualifies segments",
		Hint:    "put the depth in front, as in `d1 .block`",
	})
}

func bareSeq(s *ast.Step) bool {
	r, ok := s.Anchor.(*ast.Region)
	return ok && r.Name == ast.Seq && len(s.Qualifiers) == 0
}

// depthArguments reads '1', '1,2', '1-3' and mixtures into ascending, disjoint ranges.
func (b *builder) depthArguments(args []int, at ast.Span) ([]ast.Depth, bool) {
	refuse := func(hint string) ([]ast.Depth, bool) {
		b.report(diag.Diagnostic{
			Code: diag.SelectorInvalid, Span: at,
			Message: "`:depth(…)` takes depths, as in `:depth(1)`, `:depth(1,3)` or `:depth(1-3)`", Hint: hint,
		})
		return nil, false
	}
	if len(args) == 0 {
		return refuse("")
	}
	var ranges []ast.Depth
	for i := 0; i < len(args); i++ {
		t := b.core(args[i])
		text := t.Text(b.text)
		switch kind := b.tokens[args[i]].Kind; {
		case kind == ll1.TokDecimal:
			b.depthNumber(text, t)
			return nil, false
		case kind != ll1.TokInt:
			return refuse("every sealed segment is `^seq .seg`")
		}
		from, ok := b.integer(text, t)
		if !ok {
			return nil, false
		}
		if from < 0 {
			b.report(diag.Diagnostic{Code: diag.DepthNegative, Span: t, Message: "`:depth(…)` counts from 0"})
			return nil, false
		}
		to := from
		if i+1 < len(args) && b.tokens[args[i+1]].Kind == ll1.TokInt {
			i++
			end := b.core(args[i])
			text := end.Text(b.text)
			if text[0] != '-' {
				return refuse("")
			}
			if to, ok = b.integer(text[1:], end); !ok || !b.depthRange(from, to, ast.Span{Start: t.Start, End: end.End}) {
				return nil, false
			}
		}
		ranges = append(ranges, ast.Depth{From: from, To: to})
		if i++; i < len(args) && (b.tokens[args[i]].Kind != ll1.TokComma || i == len(args)-1) {
			return refuse("")
		}
	}
	slices.SortFunc(ranges, func(x, y ast.Depth) int { return int(min(max(x.From-y.From, -1), 1)) })
	joined := ranges[:1]
	for _, r := range ranges[1:] {
		if last := &joined[len(joined)-1]; r.From <= last.To || r.From == last.To+1 {
			last.To = max(last.To, r.To)
		} else {
			joined = append(joined, r)
		}
	}
	return joined, true
}

func depthText(d ast.Depth) string {
	text := "d" + strconv.FormatInt(d.From, 10)
	if d.To != d.From {
		text += "..d" + strconv.FormatInt(d.To, 10)
	}
	return text
}

// maxDepths bounds the list that ':depth(…)' with gaps becomes behind a positional pseudo, in relation to what was
// written.
const maxDepths = 10

// depthFilter tests the derived attribute depth. A list with gaps is written out and has most depths.
func depthFilter(ranges []ast.Depth, at ast.Span, most int) (*ast.Filter, bool) {
	value := func(n int64) ast.Value {
		return ast.Value{Span: at, Kind: ast.Number, Text: strconv.FormatInt(n, 10)}
	}
	prop := func(op ast.Op, values ...ast.Value) *ast.Prop {
		return &ast.Prop{Span: at, Name: "depth", Op: op, Values: values}
	}
	f := &ast.Filter{Span: at, Form: ast.Brackets}
	switch first := ranges[0]; {
	case len(ranges) == 1 && first.From == first.To:
		f.Props = []*ast.Prop{prop(ast.OpEq, value(first.From))}
	case len(ranges) == 1:
		f.Props = []*ast.Prop{prop(ast.OpGe, value(first.From)), prop(ast.OpLe, value(first.To))}
	default:
		in := prop(ast.OpIn)
		for _, r := range ranges {
			if r.To-r.From >= int64(most-len(in.Values)) {
				return nil, false
			}
			for n := r.From; n <= r.To; n++ {
				in.Values = append(in.Values, value(n))
			}
		}
		f.Props = []*ast.Prop{in}
	}
	return f, true
}

// depthFilterText is the modern text of a test of the depth.
func depthFilterText(f *ast.Filter) string {
	var tests []string
	for _, p := range f.Props {
		var values []string
		for _, v := range p.Values {
			values = append(values, v.Text)
		}
		if p.Op == ast.OpIn {
			tests = append(tests, "depth in ["+strings.Join(values, ", ")+"]")
		} else {
			tests = append(tests, "depth"+p.Op.String()+values[0])
		}
	}
	return "[" + strings.Join(tests, ", ") + "]"
}
