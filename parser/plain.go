package parser

import (
	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/parser/internal/ll1"
)

// Most selectors are plain: they hold no error, and each of their tokens says by itself what it becomes. The tree of
// such a selector is built from its tokens, without the events of the machine, and by a small part of the code, which
// is what makes it fast. What the tokens mean is said once, in the methods of builder; here is only where they stand.

// plain reads a selector in which the machine has found no error. It gives nil, and nothing is reported, where the
// selector is not plain.
func (b *builder) plain(body ast.Span) *ast.Query {
	nodes := b.begin(body)
	if times.Has(b.kind()) && !b.plainTime(&nodes.Query) {
		return nil
	}
	if !b.plainUnion(nodes) {
		return nil
	}
	if b.kind() == ll1.TokControl {
		b.plainControls()
	}
	if b.kind() != ll1.TokEOF {
		return nil
	}
	b.check()
	return &nodes.Query
}

// times is the set of the tokens that an instant, or all of them, is.
const times ll1.Set = 1<<ll1.TokTime | 1<<ll1.TokEvery | 1<<ll1.TokHistory

// kind is that of the token at which the reading stands.
func (b *builder) kind() ll1.Kind { return b.tokens[b.at].Kind }

// plainTime reads the time in front.
func (b *builder) plainTime(q *ast.Query) bool {
	t := b.nodes.times.New()
	b.timeStart(t, b.kind(), b.span(b.at))
	join := ast.TimeRange
	switch b.at++; b.kind() {
	case ll1.TokComma:
		join = ast.TimePair
		fallthrough
	case ll1.TokRange:
		if b.at++; b.kind() != ll1.TokTime {
			return false
		}
		at := b.span(b.at)
		b.at++
		t.To = b.instant(at.Text(b.text), at)
		t.Extent = upTo(t.Extent, at.End)
		b.joinTime(t, join)
	}
	if b.kind() == ll1.TokDesc {
		b.at++
	}
	b.checkTime(t)
	q.Time = t
	return true
}

// plainUnion reads the chains. There is room for the only one that most selectors have.
func (b *builder) plainUnion(nodes *queryNodes) bool {
	union := nodes.union[:]
	f, c := &nodes.union[0], &nodes.chains[0]
	f.Chains = nodes.chains[:]
	for {
		c.Steps = b.plainChain()
		if len(c.Steps) == 0 {
			return false
		}
		c.Extent = extent(c.Steps)
		f.Extent = upTo(f.Chains[0].Extent, c.End())
		switch b.kind() {
		case ll1.TokFallback:
			f.Chains = append(f.Chains, ast.Chain{})
			c = &f.Chains[len(f.Chains)-1]
		case ll1.TokComma:
			if len(union) == 1 {
				union = b.nodes.fragments.Extend(b.nodes.fragments.Room())
				union[0] = *f
			}
			union = b.nodes.fragments.Extend(union)
			f = &union[len(union)-1]
			f.Chains = b.nodes.chains.List(1)
			c = &f.Chains[0]
		default:
			nodes.Union = b.nodes.fragments.Keep(union)
			return len(union) <= b.limits.Fragments
		}
		b.at++
	}
}

// plainControls reads what stands behind the union.
func (b *builder) plainControls() {
	controls := b.nodes.controls.Room()
	for ; b.kind() == ll1.TokControl; b.at++ {
		t := &b.tokens[b.at]
		at := ast.Span{Start: b.wordStart(t), End: int(t.End)}
		controls = b.nodes.controls.Extend(controls)
		b.control(&controls[len(controls)-1], at.Text(b.text), at)
	}
	b.tailNode().Controls = b.nodes.controls.Keep(controls)
}

// plainChain reads steps up to a token that does not go on with the chain.
func (b *builder) plainChain() (steps []ast.Step) {
	steps = b.nodes.steps.Room()
	combinator := ast.First
	for {
		if b.kind() == ll1.TokLparen {
			steps = b.plainParen(steps)
		} else {
			steps = b.nodes.steps.Extend(steps)
			b.plainAnchor(&steps[len(steps)-1])
		}
		s := &steps[len(steps)-1]
		s.Combinator = combinator
		if s.Anchor == nil || !b.plainQualifiers(s) {
			return nil
		}
		if b.marked || len(b.legacies) > 0 {
			b.legacyStep(s)
		}
		switch b.kind() {
		case ll1.TokGt:
			combinator = ast.Child
		case ll1.TokDesc:
			combinator = ast.Descendant
		default:
			return b.nodes.steps.Keep(steps)
		}
		b.at++
	}
}

// plainAnchor reads what a step looks for. It leaves the step without an anchor where it is not plain.
func (b *builder) plainAnchor(s *ast.Step) {
	t := &b.tokens[b.at]
	at := ast.Span{Start: int(t.Start), End: int(t.End)}
	s.Extent = at.Extent()
	switch t.Kind {
	case ll1.TokType:
		s.Anchor = b.typeAnchor(b.text[at.Start+1:at.End], at)
	case ll1.TokRegion:
		b.region(s, b.text[at.Start:at.End], at)
	case ll1.TokStar:
		s.Anchor = b.nodes.star(at, false)
	case ll1.TokKey, ll1.TokQuotedKey:
		s.Anchor = b.key(b.text[at.Start:at.End], at)
	case ll1.TokDepth:
		b.plainDepth(s)
		return
	case ll1.TokTag, ll1.TokLbrace, ll1.TokLbrack: // the first qualifier
		at.Start = b.wordStart(t)
		at.End = at.Start
		s.Extent = at.Extent()
		s.Anchor = b.nodes.star(at, true)
		return
	default:
		return
	}
	b.at++
}

// plainQualifiers reads what narrows a step.
func (b *builder) plainQualifiers(s *ast.Step) bool {
	t := &b.tokens[b.at]
	if !qualifying.Has(t.Kind) { // as behind most anchors
		return true
	}
	s.Qualifiers = b.qualifiers[:0]
	for ok := true; ok; t = &b.tokens[b.at] {
		switch t.Kind {
		case ll1.TokTag:
			b.at++
			at := ast.Span{Start: b.wordStart(t), End: int(t.End)}
			b.tag(s, at.Text(b.text), at)
		case ll1.TokKey, ll1.TokQuotedKey:
			b.at++
			at := ast.Span{Start: int(t.Start), End: int(t.End)}
			s.Qualifiers = append(s.Qualifiers, b.key(at.Text(b.text), at))
		case ll1.TokLbrace:
			ok = b.plainFilter(s, ast.Braces)
		case ll1.TokLbrack:
			ok = b.plainFilter(s, ast.Brackets)
		case ll1.TokLparen:
			ok = b.plainFilter(s, ast.Parens)
		case ll1.TokColonName:
			ok = b.plainPseudo(s, t)
		case ll1.TokNthCall:
			ok = b.plainNth(s)
		default:
			if qualifying.Has(t.Kind) {
				return false
			}
			s.Extent = upTo(s.Extent, s.Qualifiers[len(s.Qualifiers)-1].Bounds().End)
			if cap(s.Qualifiers) > cap(b.qualifiers) {
				b.qualifiers = s.Qualifiers
			}
			s.Qualifiers = b.nodes.qualifiers.Copy(s.Qualifiers)
			return true
		}
	}
	return false
}

// wordStart is the start of the word of a token, behind the white space it has absorbed.
func (b *builder) wordStart(t *ll1.Token) int {
	if isSpace(b.text[t.Start]) {
		return skipTrivia(b.text, int(t.Start), int(t.End), nil)
	}
	return int(t.Start)
}

// qualifying is the set of the tokens that a qualifier begins with.
const qualifying ll1.Set = 1<<ll1.TokTag | 1<<ll1.TokKey | 1<<ll1.TokQuotedKey | 1<<ll1.TokLbrace | 1<<ll1.TokLbrack |
	1<<ll1.TokLparen | 1<<ll1.TokColonName | 1<<ll1.TokColonPart | 1<<ll1.TokNthCall | 1<<ll1.TokDepthPseudo

// plainPseudo reads a zone or a position.
func (b *builder) plainPseudo(s *ast.Step, t *ll1.Token) bool {
	b.at++
	at := ast.Span{Start: int(t.Start), End: int(t.End)}
	switch name := b.text[at.Start+1 : at.End]; name {
	case "first":
		b.positional(s, at, ast.FirstOf, 0)
	case "last":
		b.positional(s, at, ast.LastOf, 0)
	default:
		z, ok := zone(name)
		if !ok {
			return false
		}
		s.Qualifiers = append(s.Qualifiers, &ast.Zone{Extent: at.Extent(), Name: z})
	}
	return !dotted.Has(b.kind())
}

// plainNth reads ':nth(n)'.
func (b *builder) plainNth(s *ast.Step) bool {
	open := b.at
	if b.tokens[open+1].Kind != ll1.TokInt || b.tokens[open+2].Kind != ll1.TokRparen {
		return false
	}
	b.at += 3
	n, ok := parseInt(b.span(open + 1).Text(b.text))
	if !ok || n < 1 {
		return false
	}
	b.positional(s, ast.Span{Start: b.span(open).Start, End: b.span(open + 2).End}, ast.NthOf, n)
	return true
}

// plainDepth reads 'd1' and 'd1..d3'.
func (b *builder) plainDepth(s *ast.Step) {
	from, ok := parseInt(s.Text(b.text)[1:])
	if !ok || from < -1 {
		return
	}
	to := from
	if b.at++; b.kind() == ll1.TokRange {
		if b.at++; b.kind() != ll1.TokDepth {
			return
		}
		end := b.span(b.at)
		b.at++
		if to, ok = parseInt(end.Text(b.text)[1:]); !ok || to < from {
			return
		}
		s.Extent = upTo(s.Extent, end.End)
	}
	b.places = true
	d := b.nodes.depths.New()
	d.Extent, d.From, d.To = s.Extent, from, to
	s.Anchor = d
}

// plainParen adds a step that is a position in parentheses.
func (b *builder) plainParen(steps []ast.Step) []ast.Step {
	steps = b.nodes.steps.Keep(steps) // the chains inside take the room
	anchor := b.plainGroup()
	if len(steps) == 0 {
		steps = b.nodes.steps.Room()
	}
	steps = b.nodes.steps.Extend(steps)
	if anchor != nil {
		s := &steps[len(steps)-1]
		s.Anchor, s.Extent = anchor, anchor.Bounds().Extent()
	}
	return steps
}

// plainGroup reads a coordinate, a set of them, or a chain in parentheses.
func (b *builder) plainGroup() ast.Anchor {
	if c, end := b.coordinateAt(b.at); c != nil {
		b.at = end + 1
		return c
	}
	open, items := b.at, len(b.items)
	b.parens++
	for b.kind() != ll1.TokRparen {
		b.at++
		steps := b.plainChain()
		if len(steps) == 0 || b.kind() != ll1.TokComma && b.kind() != ll1.TokRparen {
			return nil
		}
		c := b.nodes.chains.New()
		c.Extent, c.Steps = extent(steps), steps
		b.items = append(b.items, item{})
		it := &b.items[len(b.items)-1]
		it.Span, it.chain = c.Bounds(), c
	}
	at := ast.Span{Start: b.span(open).Start, End: b.span(b.at).End}
	b.at++
	anchor := b.parenthesised(b.items[items:], at, true)
	b.items = b.items[:items]
	b.parens--
	return anchor
}

// plainFilter reads a bracketed list of tests.
func (b *builder) plainFilter(s *ast.Step, form ast.FilterForm) bool {
	f := b.nodes.filters.New()
	f.Form = form
	at := ast.Span{Start: b.wordStart(&b.tokens[b.at])}
	props := b.nodes.props.Room()
	for b.kind() != closers[form] {
		if b.kind() == ll1.TokDesc {
			b.blankInBrackets(form, b.at)
		}
		b.at++
		props = b.nodes.props.Extend(props)
		if !b.plainTest(&props[len(props)-1], form) {
			return false
		}
	}
	at.End = b.span(b.at).End
	b.at++
	f.Extent, f.Props = at.Extent(), b.nodes.props.Keep(props)
	if form == ast.Parens && !b.groupAllowed(s) {
		return false
	}
	b.endFilter(s, f)
	return true
}

var closers = [...]ll1.Kind{ast.Braces: ll1.TokRbrace, ast.Brackets: ll1.TokRbrack, ast.Parens: ll1.TokRparen}

// plainTest reads one test: a name and perhaps an operator and operands.
func (b *builder) plainTest(p *ast.Prop, form ast.FilterForm) bool {
	if b.kind() != ll1.TokName {
		return false
	}
	at := b.span(b.at)
	p.Name = at.Text(b.text)
	b.ident(p.Name, at)
	b.at++
	switch kind := b.kind(); {
	case kind == ll1.TokIn || kind == ll1.TokEq && b.tokens[b.at+1].Kind == ll1.TokLbrack:
		p.Op = ast.OpIn
		for b.kind() != ll1.TokLbrack && b.kind() != ll1.TokIn {
			b.at++
		}
		if !b.plainList(p) {
			return false
		}
		at.End = b.span(b.at).End
		b.at++
	case comparing.Has(kind):
		p.Op = operators[kind]
		b.at++
		if !plainValues.Has(b.kind()) {
			return false
		}
		p.Values = b.nodes.values.List(1)
		p.Values[0] = b.plainValue()
		at.End = p.Values[0].End()
	default:
		p.Op = ast.OpPresent
	}
	if !behindTest.Has(b.kind()) {
		return false
	}
	p.Extent = at.Extent()
	b.checkProp(p, form)
	return true
}

const (
	// comparing is the set of the operators with one operand.
	comparing ll1.Set = 1<<ll1.TokEq | 1<<ll1.TokNe | 1<<ll1.TokLt | 1<<ll1.TokLe | 1<<ll1.TokGt | 1<<ll1.TokGe | 1<<ll1.TokMatch
	// behindTest is the set of the tokens behind a test, unless it goes on.
	behindTest ll1.Set = 1<<ll1.TokComma | 1<<ll1.TokDesc | 1<<ll1.TokRbrace | 1<<ll1.TokRbrack | 1<<ll1.TokRparen
	// plainValues is the set of the values of one token that hold no mistake.
	plainValues ll1.Set = 1<<ll1.TokString | 1<<ll1.TokInt | 1<<ll1.TokDecimal | 1<<ll1.TokName
)

// plainList reads the operands in a list, from its bracket on, up to the one that closes it.
func (b *builder) plainList(p *ast.Prop) bool {
	values := b.nodes.values.Room()
	for {
		b.at++
		if !plainValues.Has(b.kind()) {
			return false
		}
		values = b.nodes.values.Extend(values)
		values[len(values)-1] = b.plainValue()
		switch b.kind() {
		case ll1.TokComma:
		case ll1.TokRbrack:
			p.Values = b.nodes.values.Keep(values)
			return true
		default:
			return false
		}
	}
}

// plainValue reads a value of one token.
func (b *builder) plainValue() ast.Value {
	kind, at := b.kind(), b.span(b.at)
	b.at++
	if kind != ll1.TokName {
		return b.literal(kind, at)
	}
	v := ast.Value{Extent: at.Extent(), Kind: ast.String, Text: at.Text(b.text)}
	b.ident(v.Text, at)
	bareWord(&v)
	return v
}
