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

// Parentheses around a position hold a chain, a coordinate, a set of coordinates, an insertion position or
// the hops of a withdrawn draft. The grammar reads a list of chains; what the list is shows in its items.

// item is one element of a list in parentheses.
type item struct {
	ast.Span
	chain *ast.Chain  // nil when the element is empty
	more  []ast.Chain // behind `??`
}

// single is the chain of an element that is one chain, or nil.
func (it item) single() *ast.Chain {
	if len(it.more) > 0 {
		return nil
	}
	return it.chain
}

// item reads one element.
func (b *builder) item() item {
	first := b.nearest()
	var it item
	for e, more := b.next(); more; e, more = b.next() {
		switch {
		case e.IsToken():
		case e.Rule() == ll1.RuleChain:
			c := b.chain()
			if it.chain == nil {
				it.chain, it.Start = b.nodes.chains.New(), c.Start()
				*it.chain = c
			} else {
				it.more = append(it.more, c)
			}
			it.End = c.End()
		default:
			b.skip()
		}
	}
	if it.chain == nil {
		it.Start = b.core(first).Start
		it.End = it.Start
	}
	return it
}

// paren reads a position in parentheses.
func (b *builder) paren(s *ast.Step) {
	if !b.insertion && b.coordinate(s) {
		return
	}
	items := len(b.items)
	at := s.Bounds()
	b.parens++
	skipped, closed := b.skipped, false
	for e, more := b.next(); more; e, more = b.next() {
		if e.IsOpen() {
			if e.Rule() == ll1.RuleItem {
				it := b.item()
				b.items = append(b.items, it)
				at.End = max(at.End, it.End)
			} else {
				b.skip()
			}
			continue
		}
		t := b.core(e.Token())
		if e.Kind() == ll1.TokLparen {
			at.Start = t.Start
		}
		at.End = t.End
		closed = e.Kind() == ll1.TokRparen
	}
	s.Anchor = b.parenthesised(b.items[items:], at, closed && b.skipped == skipped)
	b.items = b.items[:items]
	b.parens--
	cover(s, at.End)
}

// coordinate reads a list in parentheses that is a plain coordinate, '(d1,0,-1)', as most are, without making
// chains of its parts first.
func (b *builder) coordinate(s *ast.Step) bool {
	c, end := b.coordinateAt(b.nearest())
	if c == nil {
		return false
	}
	for e, _ := b.next(); !e.IsToken() || e.Token() != end; {
		e, _ = b.next()
	}
	b.skip() // only the end of the rule is left
	s.Anchor = c
	cover(s, c.End())
	return true
}

// coordinateAt reads one from its tokens, of which the first is the parenthesis, and gives the one that ends it.
func (b *builder) coordinateAt(open int) (c *ast.Coordinates, end int) {
	if b.tokens[open+1].Kind != ll1.TokDepth {
		return nil, 0
	}
	end = open + 2
	for b.tokens[end].Kind == ll1.TokComma && b.tokens[end+1].Kind == ll1.TokInt {
		end += 2
	}
	if b.tokens[end].Kind != ll1.TokRparen {
		return nil, 0
	}
	depth := b.span(open + 1)
	from, ok := parseInt(depth.Text(b.text)[1:])
	if !ok || from < -1 {
		return nil, 0
	}
	offsets := b.nodes.offsets.List((end - open - 2) / 2)
	for i := range offsets {
		offset := b.span(open + 3 + 2*i)
		if offsets[i], ok = parseInt(offset.Text(b.text)); !ok {
			return nil, 0
		}
	}
	at := ast.Span{Start: b.core(open).Start, End: b.core(end).End}
	coordinates, place := b.nodes.place(at, ast.Span{Start: depth.Start, End: b.span(end - 1).End}, from, from)
	place.Offsets = offsets
	b.places = true
	return coordinates, end
}

// parenthesised decides what a list in parentheses is. When it is not whole, an error in it was reported.
func (b *builder) parenthesised(items []item, at ast.Span, whole bool) ast.Anchor {
	switch {
	case len(items) == 0:
		return &ast.Bad{Extent: at.Extent()}
	case len(items) == 1 && items[0].chain == nil:
		if whole {
			b.errorf(at, "the parentheses are empty")
		}
		return &ast.Bad{Extent: at.Extent()}
	case len(items) == 1 && len(items[0].more) > 0:
		b.provisional = true
		return &fallback{Bad: ast.Bad{Extent: at.Extent()}, chains: slices.Concat([]ast.Chain{*items[0].chain}, items[0].more)}
	case len(items) == 1:
		return b.grouped(items[0].chain, at)
	case b.insertion && b.parens == 1 && len(items) == 2 && isContainer(items[0].single()):
		b.chainPosition(items[0].chain, items[1], at)
		return &ast.Bad{Extent: at.Extent()}
	case beginsWithDepth(items[0].single()):
		steps, modern, legacy := b.hops(items, at, whole, b.insertion && b.parens == 1)
		if steps == nil {
			b.unrecordIn(at)
			return &ast.Bad{Extent: at.Extent()}
		}
		if b.position != nil { // of which the steps are a part
			if legacy {
				b.legacy(ast.LegacyHops, at, modernPosition(b.position, modern))
			}
			return &ast.Bad{Extent: at.Extent()}
		}
		if legacy {
			b.legacyPlace(ast.LegacyHops, at, modern)
		}
		return hopAnchor(steps, at)
	}
	if set := b.coordinateSet(items, at); set != nil {
		return set
	}
	b.unrecordIn(at)
	b.notAList(items, at)
	return &ast.Bad{Extent: at.Extent()}
}

// grouped reads parentheses around one chain. Around a depth or a place they are a coordinate.
func (b *builder) grouped(c *ast.Chain, at ast.Span) ast.Anchor {
	if b.insertion && b.parens == 1 && beginsWithDepth(c) {
		b.report(diag.Diagnostic{
			Code: diag.SelectorInvalid, Span: at, Message: "the position does not say where among the children", Hint: slotHint,
		})
	}
	if len(c.Steps) == 1 && len(c.Steps[0].Qualifiers) == 0 {
		switch a := c.Steps[0].Anchor.(type) {
		case *ast.Depth:
			coordinates, _ := b.nodes.place(at, a.Bounds(), a.From, a.To)
			b.keepDepthless(a, coordinates)
			return coordinates
		case *ast.Coordinates:
			a.Extent = at.Extent()
			return a
		case *fallback:
			return a
		}
	}
	b.settle(c)
	return &ast.Group{Extent: at.Extent(), Chain: c}
}

// keepDepthless carries the mark of a legacy depth over to the anchor that replaces it.
func (b *builder) keepDepthless(old, replacement ast.Anchor) {
	for i, a := range b.depthless {
		if a == old {
			b.depthless[i] = replacement
		}
	}
}

func beginsWithDepth(c *ast.Chain) bool {
	if c == nil {
		return false
	}
	_, ok := c.Steps[0].Anchor.(*ast.Depth)
	return ok
}

// coordinateSet reads '((d1,0), (d2,0))'.
func (b *builder) coordinateSet(items []item, at ast.Span) ast.Anchor {
	places := b.nodes.places.List(len(items))
	for i, it := range items {
		chain := it.single()
		if chain == nil || len(chain.Steps) != 1 || len(chain.Steps[0].Qualifiers) > 0 {
			return nil
		}
		c, ok := chain.Steps[0].Anchor.(*ast.Coordinates)
		if !ok || len(c.Places) != 1 {
			return nil
		}
		places[i] = c.Places[0]
		places[i].Extent = it.Extent()
	}
	set := b.nodes.coordinates.New()
	set.Extent, set.Places = at.Extent(), places
	return set
}

// notAList reports a list in parentheses that is neither a coordinate nor a set.
func (b *builder) notAList(items []item, at ast.Span) {
	d := diag.Diagnostic{
		Code: diag.SelectorInvalid, Span: at,
		Message: "parentheses hold one chain, a coordinate such as `(d1,0)`, or a set of coordinates",
		Hint:    "the fragments of a union stand side by side: `.a, .b`",
	}
	if c := items[0].single(); c != nil && len(c.Steps) == 1 {
		switch a := c.Steps[0].Anchor.(type) {
		case *ast.Bad:
			return // reported
		case *word:
			if a.number {
				d.Span, d.Message, d.Hint = a.Bounds(), "a coordinate begins with a depth", "write `(d1,0)` for the child at offset 0 of the newest segment"
			}
		case *ast.Region:
			if a.Name == ast.Sys || a.Name == ast.Head {
				depth := map[ast.RegionName]string{ast.Sys: "d-1", ast.Head: "d0"}[a.Name]
				d.Span, d.Message, d.Hint = a.Bounds(), "a coordinate begins with a depth", "write `"+depth+"` for `"+a.Name.String()+"`"
			}
		}
	}
	b.report(d)
}

// hopAnchor wraps the steps of a hop position.
func hopAnchor(steps []ast.Step, at ast.Span) ast.Anchor {
	if len(steps) == 1 && len(steps[0].Qualifiers) == 0 {
		if c, ok := steps[0].Anchor.(*ast.Coordinates); ok {
			c.Extent = at.Extent()
			return c
		}
	}
	return &ast.Group{Extent: at.Extent(), Chain: &ast.Chain{Extent: extent(steps), Steps: steps}}
}

// hopList is the state of reading the elements of a position one by one.
type hopList struct {
	b       *builder
	steps   []ast.Step
	place   *ast.Coordinate // the coordinate that further offsets extend; nil once something else followed
	modern  strings.Builder
	untold  bool         // there is no modern text
	whole   bool         // nothing in the parentheses was passed over
	legacy  bool         // the list is more than a coordinate
	offsets []ast.Legacy // hops written cont[offset=N], each of which has a fix of its own in a coordinate
	bad     bool
}

// hops reads '(d1,0,2)', which is a coordinate, the hops of the withdrawn draft, which are a chain, and with
// insert set the slot at the end of an insertion position.
func (b *builder) hops(items []item, at ast.Span, whole, insert bool) (steps []ast.Step, modern string, legacy bool) {
	h := &hopList{b: b, whole: whole}
	h.begin(items[0].chain)
	rest := items[1:]
	var slot item
	if insert {
		slot, rest = rest[len(rest)-1], rest[:len(rest)-1]
	}
	for i, it := range rest {
		h.closeQualified()
		h.hop(it, i == 0)
	}
	h.finishPlace()
	if insert {
		b.slot(slot, h, at)
	}
	if h.bad {
		return nil, "", false
	}
	if !h.legacy {
		for _, l := range h.offsets {
			b.legacy(l.Form, l.Span, l.Modern)
		}
	}
	if h.untold {
		return h.steps, "", h.legacy
	}
	return h.steps, h.modern.String(), h.legacy
}

// begin reads the depth that every list of hops begins with.
func (h *hopList) begin(c *ast.Chain) {
	first := &c.Steps[0]
	d := first.Anchor.(*ast.Depth)
	first.Anchor, h.place = h.b.nodes.place(d.Bounds(), d.Bounds(), d.From, d.To)
	h.steps = append(h.steps, *first)
	if len(c.Steps) > 1 {
		h.refuse(ast.Span{Start: c.Steps[1].Start(), End: c.End()}, "a position in parentheses with commas holds a depth and offsets", "write a chain without commas: `(d1 .block)`")
	}
}

func (h *hopList) refuse(at ast.Span, message, hint string) {
	h.bad = true
	h.b.report(diag.Diagnostic{Code: diag.SelectorInvalid, Span: at, Message: message, Hint: hint})
}

// closeQualified ends the coordinate when a qualifier stands on it: a filter qualifies the hop it is on.
func (h *hopList) closeQualified() {
	if h.place != nil && len(h.last().Qualifiers) > 0 {
		h.finishPlace()
	}
}

func (h *hopList) last() *ast.Step { return &h.steps[len(h.steps)-1] }

// finishPlace writes the coordinate read so far.
func (h *hopList) finishPlace() {
	if h.place == nil {
		return
	}
	h.last().Anchor.(*ast.Coordinates).Extent = h.place.Extent
	h.modern.WriteString("(" + depthText(ast.Depth{From: h.place.From, To: h.place.To}))
	for _, n := range h.place.Offsets {
		h.modern.WriteString("," + strconv.FormatInt(n, 10))
	}
	h.modern.WriteString(")")
	h.writeQualifiers(h.last().Qualifiers)
	h.place = nil
}

func (h *hopList) writeQualifiers(qs []ast.Qualifier) {
	for _, q := range qs {
		text := q.Bounds().Text(h.b.src)
		if f, ok := q.(*ast.Filter); ok && strings.IndexByte("[{(", text[0]) < 0 { // one of testsApart
			brackets := f.Form.String()
			text = brackets[:1] + text + brackets[1:]
		}
		h.modern.WriteString(text)
	}
}

// hop reads one element behind the depth.
func (h *hopList) hop(it item, direct bool) {
	switch {
	case it.chain == nil:
		if h.whole {
			message := "an empty element of a position is where a node is inserted; a selector has none"
			if h.b.insertion {
				message = "only the last element of a position may be empty"
			}
			h.refuse(it.Span, message, "")
		}
		h.bad = true
		return
	case len(it.more) > 0:
		h.refuse(it.Span, "`??` is not allowed in a position with commas", "")
		return
	}
	c := it.chain
	s := &c.Steps[0]
	switch a := s.Anchor.(type) {
	case *word:
		h.wordHop(it, a, s, direct)
		if len(c.Steps) > 1 && !h.bad {
			h.refuse(ast.Span{Start: c.Steps[1].Start(), End: c.End()}, "only a type in a position may go on as a chain", "")
		}
	case *ast.Type:
		h.legacy = true
		h.b.unrecord(a.Bounds())
		rest := c.Steps
		h.b.settle(c)
		if slices.ContainsFunc(s.Qualifiers, func(q ast.Qualifier) bool { return h.b.text[q.Bounds().Start] == ':' && isFilter(q) }) {
			h.secondDepth(it.Span) // ':depth(>0)'
			return
		}
		if direct && a.Name == "seg" {
			h.stay(s)
			rest = rest[1:]
			if len(rest) > 0 {
				h.finishPlace()
				h.modern.WriteString(h.b.src[c.Steps[0].End():c.End()])
				h.steps = append(h.steps, rest...)
			}
		} else {
			h.finishPlace()
			text, tail := typeText(a.Name), h.b.src[a.End():c.End()]
			h.modern.WriteString(" " + text + tail)
			h.untold = h.untold || text[0] == '*' && strings.HasPrefix(tail, "(") // only a type token takes a group
			s.Combinator = ast.Descendant
			h.steps = append(h.steps, rest...)
		}
	case *ast.Depth:
		h.secondDepth(it.Span)
	case *ast.Bad:
		h.bad = true
	default:
		h.b.settle(c)
		h.refuse(it.Span, "a position with commas holds a depth and offsets", "")
	}
}

func (h *hopList) secondDepth(at ast.Span) {
	h.b.report(diag.Diagnostic{
		Code: diag.SelectorAmbiguous, Span: at,
		Message: "a coordinate has one depth, and then offsets",
		Hint:    "a range is `d1..d3`, a set `((d1), (d2))`",
	})
	h.bad = true
}

func isFilter(q ast.Qualifier) bool {
	_, ok := q.(*ast.Filter)
	return ok
}

// stay reads a hop that names the segment the depth has already found.
func (h *hopList) stay(s *ast.Step) {
	h.last().Qualifiers = append(h.last().Qualifiers, s.Qualifiers...)
	cover(h.last(), s.End())
}

// wordHop reads an offset, 'seg', 'cont[offset=N]' or 'N:T'.
func (h *hopList) wordHop(it item, w *word, s *ast.Step, direct bool) {
	if w.number {
		n, ok := h.b.integer(w.text, w.Bounds())
		if !ok {
			h.bad = true
			return
		}
		h.offset(n, w.Bounds(), s)
		return
	}
	switch vocab.CanonicalType(w.text) {
	case "seg":
		if direct {
			h.legacy = true
			h.stay(s)
			return
		}
	case "cont":
		if n, end, ok := takeOffset(s); ok {
			at := ast.Span{Start: s.Start(), End: end}
			h.offsets = append(h.offsets, ast.Legacy{Span: at, Form: ast.LegacyOffsetHop, Modern: strconv.FormatInt(n, 10)})
			h.offset(n, at, s)
			return
		}
	}
	if w.text == "end" {
		h.refuse(it.Span, "`end` is where a node is inserted; a selector has no such place", "")
		return
	}
	h.refuse(it.Span, "`"+excerpt(it.Text(h.b.src))+"` is no element of a position", "name a child by its offset, as in `(d1,0)`, or use a chain, as in `(d1 .block)`")
}

// takeOffset takes the test offset=N off the filters of a hop such as 'cont[offset=N, ttl=1]', which name the hop as
// long as no positional pseudo stands before them. It gives the end of the filter it was in.
func takeOffset(s *ast.Step) (n int64, end int, ok bool) {
	for i, q := range s.Qualifiers {
		f, isFilter := q.(*ast.Filter)
		if !isFilter {
			if _, positional := q.(*ast.Positional); positional {
				break
			}
			continue
		}
		for k, p := range f.Props {
			if p.Name != "offset" || p.Op != ast.OpEq || p.Values[0].Kind != ast.Number {
				continue
			}
			n, err := strconv.ParseInt(p.Values[0].Text, 10, 64)
			if err != nil {
				continue
			}
			rest := slices.Concat(s.Qualifiers[:i], testsApart(f, k), s.Qualifiers[i+1:])
			s.Qualifiers = rest
			return n, f.End(), true
		}
	}
	return 0, 0, false
}

// testsApart gives every test of a filter but one a filter of its own, which begins and ends where the test does.
func testsApart(f *ast.Filter, without int) []ast.Qualifier {
	var apart []ast.Qualifier
	for i := range f.Props {
		if i != without {
			p := f.Props[i]
			apart = append(apart, &ast.Filter{Extent: p.Extent, Form: f.Form, Props: []ast.Prop{p}})
		}
	}
	return apart
}

// offset goes down to the children at an offset, which is written at; with a type, as in '0:note', to those of
// that type.
func (h *hopList) offset(n int64, at ast.Span, s *ast.Step) {
	typed, rest := hopType(s)
	if len(rest) > 0 { // of 'cont[offset=0, ttl=1]', the place is what stands before the other test
		at.End = min(at.End, rest[0].Bounds().Start)
	}
	if typed == nil && h.place != nil {
		h.place.Offsets = append(h.place.Offsets, n)
		h.place.Extent = upTo(h.place.Extent, at.End)
		h.last().Qualifiers = append(h.last().Qualifiers, rest...)
		cover(h.last(), s.End())
		h.legacy = h.legacy || len(rest) > 0
		return
	}
	h.legacy = true
	h.finishPlace()
	step := ast.Step{Extent: s.Extent, Combinator: ast.Child, Anchor: &ast.Any{Extent: at.Extent()}}
	h.modern.WriteString(" > ")
	if typed != nil {
		at.End = typed.End()
		typed.Extent = at.Extent()
		step.Anchor = typed
		h.modern.WriteString(typeText(typed.Name))
	} else {
		h.modern.WriteString("*")
	}
	step.Qualifiers = append(step.Qualifiers, offsetFilter(ast.OpEq, n, at))
	step.Qualifiers = append(step.Qualifiers, rest...)
	h.modern.WriteString("[offset=" + strconv.FormatInt(n, 10) + "]")
	h.writeQualifiers(rest)
	h.steps = append(h.steps, step)
}

// hopType takes the type off a hop 'N:T'.
func hopType(s *ast.Step) (*ast.Type, []ast.Qualifier) {
	if len(s.Qualifiers) > 0 {
		if t, ok := s.Qualifiers[0].(*suffix); ok {
			return &ast.Type{Extent: t.Extent, Name: vocab.CanonicalType(t.name)}, s.Qualifiers[1:]
		}
	}
	return nil, s.Qualifiers
}

// within reads the legacy 'within(…)'.
func (b *builder) within(s *ast.Step) {
	items := len(b.items)
	var at ast.Span
	closed := false
	b.parens++
	for e, more := b.next(); more; e, more = b.next() {
		if e.IsOpen() {
			it := b.item()
			b.items = append(b.items, it)
			continue
		}
		t := b.core(e.Token())
		cover(s, t.End)
		switch e.Kind() {
		case ll1.TokWithinCall:
			at = t
		case ll1.TokRparen:
			at.End, closed = t.End, true
		}
	}
	b.parens--
	s.Anchor = &ast.Bad{Extent: at.Extent()}
	if closed {
		s.Anchor = b.withinList(b.items[items:], at)
	}
	b.items = b.items[:items]
}

// withinList decides what is in the parentheses: a list of hops or a chain.
func (b *builder) withinList(items []item, at ast.Span) ast.Anchor {
	if len(items) == 0 {
		return &ast.Bad{Extent: at.Extent()}
	}
	if c := items[0].single(); len(items) == 1 && c != nil && !beginsWithDepth(c) {
		b.settle(c)
		b.provisional = true
		return &within{Bad: ast.Bad{Extent: at.Extent()}, chain: c, modern: c.Text(b.src)}
	}
	if !beginsWithDepth(items[0].single()) {
		b.errorf(at, "`within(…)` holds hops that begin with a depth")
		return &ast.Bad{Extent: at.Extent()}
	}
	steps, modern, _ := b.hops(items, at, true, false)
	if steps == nil {
		return &ast.Bad{Extent: at.Extent()}
	}
	b.provisional = true
	return &within{Bad: ast.Bad{Extent: at.Extent()}, chain: &ast.Chain{Extent: at.Extent(), Steps: steps}, modern: modern}
}

// slotHint says how an insertion position ends.
const slotHint = "end it with `, end`, with `, +1` (behind child 1), `, -1` (before child 1), or with a comma (first)"

// modernPosition is the text of an insertion position whose container, written as hops, has a modern text.
func modernPosition(p *ast.Position, container string) string {
	if container == "" {
		return ""
	}
	if len(p.Container.Steps) == 1 && len(p.Container.Steps[0].Qualifiers) == 0 {
		container = strings.Trim(container, "()") // a coordinate goes on
	}
	slot := map[ast.Slot]string{ast.AtStart: ")", ast.AtEnd: "end)"}[p.Slot]
	switch p.Slot {
	case ast.After:
		slot = "+" + strconv.FormatInt(p.N, 10) + ")"
	case ast.Before:
		slot = "-" + strconv.FormatInt(p.N, 10) + ")"
	}
	return "(" + container + ", " + slot
}

// isContainer reports whether the first of the two elements of an insertion position is a chain that names the
// container, rather than the depth that begins a coordinate.
func isContainer(c *ast.Chain) bool {
	if c == nil {
		return false
	}
	if len(c.Steps) > 1 {
		return true
	}
	switch c.Steps[0].Anchor.(type) {
	case *ast.Depth, *word:
		return false
	}
	return true
}

// chainPosition reads an insertion position whose container is a chain: '(^ah > .cont, end)'.
func (b *builder) chainPosition(container *ast.Chain, last item, at ast.Span) {
	b.settle(container)
	b.slot(last, &hopList{b: b, steps: container.Steps}, at)
}

// slot reads the last element of an insertion position.
func (b *builder) slot(it item, h *hopList, at ast.Span) {
	p := &ast.Position{Span: at}
	refuse := func(message string) {
		h.refuse(it.Span, message, slotHint)
	}
	if it.chain == nil {
		p.Slot = ast.AtStart
	} else {
		s := it.chain.Steps[0]
		w, ok := s.Anchor.(*word)
		switch {
		case !ok || it.single() == nil || len(it.chain.Steps) > 1 || len(s.Qualifiers) > 0:
			refuse("the position does not say where among the children")
			return
		case w.text == "end":
			p.Slot = ast.AtEnd
		case !w.number:
			refuse("`" + w.text + "` is no place among children")
			return
		case w.text[0] != '+' && w.text[0] != '-':
			refuse("a number without a sign is an offset, not a place among children")
			return
		default:
			n, ok := b.integer(w.text[1:], it.Span)
			if !ok {
				h.bad = true
				return
			}
			if n == 0 {
				refuse("children are counted from 1")
				return
			}
			p.N, p.Slot = n, ast.After
			if w.text[0] == '-' {
				p.Slot = ast.Before
			}
		}
	}
	if !h.bad {
		p.Container = &ast.Chain{Extent: extent(h.steps), Steps: h.steps}
		b.position = p
	}
}
