package parser

import (
	"slices"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/parser/internal/ll1"
)

// builder turns the events of one selector into its tree and refuses what the grammar lets through. It
// works on broken input as well: what a recovery left out is missing from the events, and every method copes
// with that.
type builder struct {
	reader
	events  []ll1.Event
	at      int // the next event, or of a plain selector the next token
	skipped int // tokens that the recovery from an error has passed over so far

	// What is being read, innermost last; trees get copies.
	items      []item          // elements of the lists in parentheses
	fragments  []ast.Fragment  // members of a union of more than one
	steps      []ast.Step      // steps of chains
	chainStart int             // the first of steps that belongs to the innermost chain
	qualifiers []ast.Qualifier // room for the qualifiers of a step
	props      []ast.Prop      // tests of a filter
	operands   []ast.Value     // members of a list
	controls   []ast.Control
	args       []int // the tokens that are arguments of a call

	insertion bool // an insertion position is read
	position  *ast.Position

	query       *ast.Query
	roles       bool         // the filter tests the header role
	marked      bool         // the step holds a type or a key that older revisions write so
	provisional bool         // an anchor that only stands for what it may mean was made
	parens      int          // open parentheses around positions
	facets      []facet      // what needs a written time
	places      bool         // a depth or a coordinate was read
	depthless   []ast.Anchor // depths read from the legacy :depth(), which need no parentheses in a union
	lateTimes   []lateTime
	legacies    []legacy
}

// legacy is a form of an older revision.
type legacy struct {
	ast.Legacy
	place bool // the modern text holds a place, so that in a union the chain around it needs parentheses
}

// lateTime is a time that stands after the first step.
type lateTime struct {
	ast.Span
	valid bool // it could stand at the start
}

// facet is a use of something that looks at time.
type facet struct {
	at   ast.Span
	name string
	time string // one that would do
	says string // what that time is
}

// reset makes the builder ready for the next selector; it keeps the lists that trees do not share. Each list is cut on its
// own, which leaves its pointer as it is: a write of one costs much while garbage is collected.
func (b *builder) reset() {
	b.at, b.skipped, b.excused = 0, 0, b.excused[:0]
	b.items = b.items[:0]
	b.fragments = b.fragments[:0]
	b.steps = b.steps[:0]
	b.controls = b.controls[:0]
	b.chainStart, b.insertion, b.parens = 0, false, 0
	b.roles, b.marked, b.provisional, b.places = false, false, false, false
	b.facets = b.facets[:0]
	b.depthless = b.depthless[:0]
	b.lateTimes = b.lateTimes[:0]
	b.legacies = b.legacies[:0]
}

// next consumes the next event of the rule being read; at the end of the rule, which is consumed as well, there is
// none.
func (b *builder) next() (e ll1.Event, more bool) {
	e = b.events[b.at]
	if e.IsSkipped() {
		e = b.behindSkipped()
	}
	b.at++
	return e, !e.IsClose()
}

// behindSkipped goes on to the next event that is no skipped token. There is one, as every rule ends.
func (b *builder) behindSkipped() ll1.Event {
	for b.events[b.at].IsSkipped() {
		b.at++
		b.skipped++
	}
	return b.events[b.at]
}

// follows reports whether the next event is a token of one of the kinds, or skipped so that it is not known.
func (b *builder) follows(kinds ll1.Set) bool {
	e := b.events[b.at]
	return e.IsSkipped() || e.IsToken() && kinds.Has(e.Kind())
}

// take consumes the next event if it is a token of one of the kinds.
func (b *builder) take(kinds ll1.Set) (ll1.Event, bool) {
	at := b.at
	for at < len(b.events) && b.events[at].IsSkipped() {
		at++
	}
	if at >= len(b.events) || !b.events[at].IsToken() || !kinds.Has(b.events[at].Kind()) {
		return 0, false
	}
	b.skipped += at - b.at
	b.at = at + 1
	return b.events[at], true
}

// skip consumes the rest of the rule being read.
func (b *builder) skip() {
	for e, more := b.next(); more; e, more = b.next() {
		if e.IsOpen() {
			b.skip()
		}
	}
}

// word is the source of a token without what it has absorbed.
func (b *builder) word(e ll1.Event) (string, ast.Span) {
	t := &b.tokens[e.Token()]
	if t.End-t.Start > 1 && absorbing.Has(t.Kind) {
		s := b.trim(t)
		return s.Text(b.text), s
	}
	return b.text[t.Start:t.End], ast.Span{Start: int(t.Start), End: int(t.End)}
}

// begin makes the nodes that every selector has.
func (b *builder) begin(body ast.Span) *queryNodes {
	nodes := b.nodes.queries.New()
	nodes.Extent = body.Extent()
	b.query = &nodes.Query
	return nodes
}

// tailNode gives the tail of the query, which it makes if there is none.
func (b *builder) tailNode() *ast.Tail {
	if b.query.Tail == nil {
		b.query.Tail = b.nodes.tails.New()
	}
	return b.query.Tail
}

// build reads the whole selector.
func (b *builder) build(body ast.Span) *ast.Query {
	nodes := b.begin(body)
	q := &nodes.Query
	if len(b.events) > 0 {
		b.next() // the query is open
		for e, more := b.next(); more; e, more = b.next() {
			if e.IsOpen() {
				b.member(nodes)
			}
		}
	}
	if len(b.fragments) > 0 {
		q.Union = b.nodes.fragments.Copy(b.fragments)
	}
	if len(b.controls) > 0 {
		b.tailNode().Controls = b.nodes.controls.Copy(b.controls)
	}
	if len(q.Union) == 0 {
		at := body
		if q.Time != nil {
			at.Start = q.Time.End()
		}
		if controls := q.Controls(); len(controls) > 0 {
			at.End = controls[0].Start()
		}
		q.Union = emptyQuery(at).Union
	}
	b.check()
	return q
}

// member reads one fragment, with the time before it and the controls behind it.
func (b *builder) member(nodes *queryNodes) {
	q := &nodes.Query
	var chains []ast.Chain
	if len(q.Union) == 0 {
		chains = nodes.chains[:0] // room for the only chain that most selectors have
	}
	var time *ast.Time
	var search ast.Span // a '??' before the first chain
	for e, more := b.next(); more; e, more = b.next() {
		switch {
		case e.IsToken() && e.Kind() == ll1.TokFallback:
			if len(chains) == 0 {
				_, search = b.word(e)
			}
		case e.IsToken(): // OPTIONAL
			b.optional(q, e)
		case e.Rule() == ll1.RuleTime:
			time = b.time()
		case e.Rule() == ll1.RuleChain:
			chains = append(chains, b.chain())
		case e.Rule() == ll1.RuleTail:
			b.tail(chains)
		default:
			b.skip()
		}
	}
	b.memberTime(q, time)
	if len(chains) == 0 {
		return
	}
	f := b.fragment(nodes)
	f.Extent = upTo(chains[0].Extent, chains[len(chains)-1].End())
	f.Chains = slices.Clip(chains)
	if b.provisional || search.End > 0 {
		b.fallbackGroup(f)
		b.search(f, search)
		for i := range f.Chains {
			b.settle(&f.Chains[i])
		}
	}
	if len(b.fragments) == b.limits.Fragments+1 {
		b.report(diag.Diagnostic{
			Code: diag.SelectorTooManyFragments, Span: f.Bounds(),
			Message: "the union has more than " + strconv.Itoa(b.limits.Fragments) + " fragments",
		})
	}
}

// fragment adds one to the union: to the room there is for one, or to the list of all when there are more.
func (b *builder) fragment(nodes *queryNodes) *ast.Fragment {
	if len(nodes.Union) == 0 {
		nodes.Union = nodes.union[:]
		return &nodes.union[0]
	}
	if len(b.fragments) == 0 {
		b.fragments = append(b.fragments, nodes.union[0])
	}
	b.fragments = append(b.fragments, ast.Fragment{})
	return &b.fragments[len(b.fragments)-1]
}

// optional handles a trailing '?'.
func (b *builder) optional(q *ast.Query, e ll1.Event) {
	if b.insertion || b.mutation {
		b.tailNode().Optional = true
		return
	}
	_, at := b.word(e)
	b.report(diag.Diagnostic{
		Code: diag.SelectorInvalid, Span: at,
		Message: "a trailing `?` is for mutations only; a read that finds nothing is simply empty",
		Fixes:   []diag.Fix{{Title: "remove `?`", Safe: true, Edits: []diag.Edit{{Span: b.span(e.Token())}}}},
	})
}

// memberTime gives the query its time. A later fragment may repeat it (decision D4).
func (b *builder) memberTime(q *ast.Query, t *ast.Time) {
	switch {
	case t == nil:
	case len(q.Union) == 0 && q.Time == nil:
		q.Time = t
	case sameTime(q.Time, t):
		if q.Time == nil {
			q.Time = t
		}
	default:
		b.report(diag.Diagnostic{
			Code: diag.SelectorAmbiguous, Span: t.Bounds(),
			Message: "a union has one time, and this one differs from the first",
			Hint:    "write the time once, at the start, or use two selectors",
		})
	}
}

// sameTime compares times by meaning; nil is @t0, and the ends of a range or pair may stand either way.
func sameTime(a, b *ast.Time) bool {
	norm := func(t *ast.Time) ast.Time {
		if t == nil {
			return ast.Time{}
		}
		n := *t
		if n.Kind == ast.TimeHistory {
			n.Kind, n.To.Kind = ast.TimeRange, ast.Oldest
		}
		n.Extent, n.From.Extent, n.To.Extent = ast.Extent{}, ast.Extent{}, ast.Extent{}
		if n.Kind != ast.TimeAt && (n.From.Kind == ast.Oldest || n.To.Kind != ast.Oldest && n.From.N < n.To.N) {
			n.From, n.To = n.To, n.From
		}
		return n
	}
	return norm(a) == norm(b)
}

// fallbackGroup drops parentheses around a whole `L ?? R`.
func (b *builder) fallbackGroup(f *ast.Fragment) {
	if len(f.Chains) != 1 || len(f.Chains[0].Steps) != 1 {
		return
	}
	step := f.Chains[0].Steps[0]
	if g, ok := step.Anchor.(*fallback); ok && len(step.Qualifiers) == 0 {
		f.Chains = g.chains
	}
}

// search reads the legacy prefix `?? {…}`, a filter on any node, and `within(…) ?? {…}`, one below a place.
func (b *builder) search(f *ast.Fragment, prefix ast.Span) {
	beginsWithFilter := func(c *ast.Chain) bool {
		star, ok := c.Steps[0].Anchor.(*ast.Any)
		if !ok || !star.Implied || len(c.Steps[0].Qualifiers) == 0 {
			return false
		}
		_, ok = c.Steps[0].Qualifiers[0].(*ast.Filter)
		return ok
	}
	if prefix.End > 0 {
		if !beginsWithFilter(&f.Chains[0]) {
			f.Extent = ast.Span{Start: prefix.Start, End: f.End()}.Extent()
			b.errorf(prefix, "`??` needs a chain on its left")
			return
		}
		b.legacy(ast.LegacySearch, ast.Span{Start: prefix.Start, End: f.Chains[0].Start()}, "")
	}
	if len(f.Chains) < 2 || len(f.Chains[0].Steps) != 1 {
		return
	}
	w, ok := f.Chains[0].Steps[0].Anchor.(*within)
	if !ok || len(f.Chains[0].Steps[0].Qualifiers) > 0 || !beginsWithFilter(&f.Chains[1]) {
		return
	}
	below := &f.Chains[1]
	joined := ast.Chain{Extent: ast.Span{Start: w.Start(), End: below.End()}.Extent()}
	joined.Steps = append(joined.Steps, w.chain.Steps...)
	below.Steps[0].Combinator = ast.Descendant
	below.Steps[0].Anchor.(*ast.Any).Implied = false
	joined.Steps = append(joined.Steps, below.Steps...)
	modern := ""
	if w.modern != "" {
		modern = w.modern + " *"
	}
	b.legacyPlace(ast.LegacyWithin, ast.Span{Start: w.Start(), End: below.Start()}, modern)
	f.Chains = slices.Replace(f.Chains, 0, 2, joined)
}

// tail reads controls, and what must not stand behind them.
func (b *builder) tail(chains []ast.Chain) {
	end := 0
	if n := len(chains); n > 0 {
		end = chains[n-1].End()
	}
	for e, more := b.next(); more; e, more = b.next() {
		if e.IsToken() {
			text, at := b.word(e)
			if e.Kind() == ll1.TokControl {
				b.controls = append(b.controls, ast.Control{})
				b.control(&b.controls[len(b.controls)-1], text, at)
			} else { // TAG
				b.ident(text[1:], at)
				b.behindControl(at, ast.Span{Start: b.span(e.Token()).Start, End: at.End}, end)
			}
			continue
		}
		first, last := b.extent()
		at := ast.Span{Start: b.core(first).Start, End: b.core(last).End}
		if e.Rule() == ll1.RuleLateTime {
			b.lateTimes = append(b.lateTimes, lateTime{at, b.lateTime()})
		} else {
			b.bracketed(&ast.Step{}, e.Rule())
			b.behindControl(at, ast.Span{Start: b.span(first).Start, End: at.End}, end)
		}
	}
}

// behindControl reports a filter that stands behind a control.
func (b *builder) behindControl(at, remove ast.Span, end int) {
	d := diag.Diagnostic{
		Code: diag.SelectorInvalid, Span: at,
		Message: "a filter must stand before the controls",
	}
	if end > 0 {
		d.Fixes = []diag.Fix{{Title: "move the filter before the controls", Safe: true, Edits: []diag.Edit{
			{Span: ast.Span{Start: end, End: end}, Text: at.Text(b.src)}, {Span: remove},
		}}}
	}
	b.report(d)
}

// extent finds the first and last token of the rule whose opening was just consumed.
func (b *builder) extent() (first, last int) {
	first, last = -1, -1
	open := 1
	for i := b.at; i < len(b.events) && open > 0; i++ {
		switch e := b.events[i]; {
		case e.IsOpen():
			open++
		case e.IsClose():
			open--
		case e.IsToken():
			if first < 0 {
				first = e.Token()
			}
			last = e.Token()
		}
	}
	if first < 0 {
		// A rule of which nothing was read; the next token is the place.
		first = b.nearest()
		last = first
	}
	return first, last
}

// nearest is the token at which the reading stands.
func (b *builder) nearest() int {
	for i := b.at; i < len(b.events); i++ {
		if e := b.events[i]; e.IsToken() || e.IsSkipped() {
			return e.Token()
		}
	}
	return len(b.tokens) - 1
}

// chain reads steps up to the end of the chain.
func (b *builder) chain() ast.Chain {
	outer := b.chainStart
	b.chainStart = len(b.steps)
	combinator := ast.First
	for e, more := b.next(); more; e, more = b.next() {
		switch {
		case e.IsOpen():
			if e.Rule() == ll1.RuleLateStep {
				combinator = ast.Descendant
			}
			b.step(combinator)
		case e.Kind() == ll1.TokGt:
			combinator = ast.Child
		default:
			combinator = ast.Descendant
		}
	}
	steps := b.nodes.steps.Copy(b.steps[b.chainStart:])
	b.steps = b.steps[:b.chainStart]
	b.chainStart = outer
	return ast.Chain{Extent: extent(steps), Steps: steps}
}

// previous is the step in front of the one being read, or nil.
func (b *builder) previous() *ast.Step {
	if n := len(b.steps); n > b.chainStart {
		return &b.steps[n-1]
	}
	return nil
}

// step reads an anchor and its qualifiers and adds the step to the chain.
func (b *builder) step(combinator ast.Combinator) {
	s := ast.Step{Combinator: combinator}
	e, more := b.next()
	if more && e.IsToken() { // as most anchors are
		if e.Kind() == ll1.TokType {
			t := &b.tokens[e.Token()]
			at := ast.Span{Start: int(t.Start), End: int(t.End)}
			s.Extent = at.Extent()
			s.Anchor = b.typeAnchor(b.text[t.Start+1:t.End], at)
		} else {
			text, at := b.word(e)
			s.Extent = at.Extent()
			b.anchor(&s, e.Kind(), text, at)
		}
		e, more = b.next()
	} else if more {
		at := b.core(b.nearest()).Start
		s.Extent = ast.Span{Start: at, End: at}.Extent()
	}
	if more && s.Qualifiers == nil {
		s.Qualifiers = b.qualifiers[:0]
	}
	for ; more; e, more = b.next() {
		switch {
		case e.IsOpen():
			b.stepRule(&s, e.Rule())
		case s.Anchor == nil:
			text, at := b.word(e)
			cover(&s, at.End)
			b.anchor(&s, e.Kind(), text, at)
		default:
			b.qualifier(&s, e)
		}
	}
	if s.Qualifiers != nil {
		if cap(s.Qualifiers) > cap(b.qualifiers) {
			b.qualifiers = s.Qualifiers[:0]
		}
		s.Qualifiers = b.nodes.qualifiers.Copy(s.Qualifiers)
	}
	if b.marked || len(b.legacies) > 0 {
		b.legacyStep(&s)
	}
	if len(b.depthless) > 0 {
		b.joinSeq(&s)
	}
	b.steps = append(b.steps, s)
}

// stepRule reads a part of a step that is more than a token.
func (b *builder) stepRule(s *ast.Step, rule ll1.Rule) {
	switch rule {
	case ll1.RuleDepth:
		b.depth(s)
	case ll1.RuleParen:
		b.paren(s)
	case ll1.RuleWithin:
		b.within(s)
	case ll1.RuleCall, ll1.RuleLate:
		b.pseudo(s)
	default:
		if s.Anchor == nil {
			s.Anchor = b.nodes.star(ast.Span{Start: s.Start(), End: s.Start()}, true)
		}
		b.bracketed(s, rule)
	}
}

// legacyStep records the types and keys of a step that are written as older revisions did.
func (b *builder) legacyStep(s *ast.Step) {
	b.marked = false
	switch a := s.Anchor.(type) {
	case *ast.Type:
		if written := strings.TrimPrefix(a.Text(b.text), "."); a.Name != written && !b.edition01() && oldTypeName(written) {
			b.legacy(ast.LegacyTypeName, a.Bounds(), "."+a.Name)
		}
		b.groupBehind(a)
	case *ast.Key:
		star := ""
		if s.Combinator == ast.Descendant {
			star = "*" // a filter behind a blank would qualify the step before
		}
		b.legacyID(a, star)
	}
	for _, q := range s.Qualifiers {
		if k, ok := q.(*ast.Key); ok {
			b.legacyID(k, "")
		}
	}
}

// groupBehind takes back the modern text of a type that is no type token, when a group stands behind it: only a token
// takes one.
func (b *builder) groupBehind(t *ast.Type) {
	if t.End() >= len(b.text) || b.text[t.End()] != '(' {
		return
	}
	for i := range b.legacies {
		if l := &b.legacies[i]; l.Span == t.Bounds() && strings.HasPrefix(l.Modern, "*") {
			l.Modern = ""
		}
	}
}

// cover extends the step to the end of what was read last.
func cover(s *ast.Step, end int) { s.Extent = upTo(s.Extent, max(s.End(), end)) }

// upTo is the extent with another end.
func upTo(e ast.Extent, end int) ast.Extent { return ast.Span{Start: e.Start(), End: end}.Extent() }

// extent is that of a chain with these steps, of which there is one at least.
func extent(steps []ast.Step) ast.Extent { return upTo(steps[0].Extent, steps[len(steps)-1].End()) }

// legacy records a form of an older revision, unless the edition has it.
func (b *builder) legacy(form ast.LegacyForm, at ast.Span, modern string) {
	b.legacies = append(b.legacies, legacy{Legacy: ast.Legacy{Span: at, Form: form, Modern: modern}})
}

// legacyID records an unquoted key token that holds a colon, which is an id (decision D6).
func (b *builder) legacyID(k *ast.Key, star string) {
	if k.ID && !b.edition01() {
		b.legacy(ast.LegacyIDToken, k.Bounds(), star+"{ id="+ast.Quote(k.Name)+" }")
	}
}

// unrecord drops the record of a form that is part of a larger one.
func (b *builder) unrecord(at ast.Span) {
	b.legacies = slices.DeleteFunc(b.legacies, func(l legacy) bool { return l.Span == at })
}

// unrecordIn drops the records of forms in a part of the source that is refused.
func (b *builder) unrecordIn(at ast.Span) {
	b.legacies = slices.DeleteFunc(b.legacies, func(l legacy) bool { return at.Contains(l.Span) })
}

// legacyPlace records one whose modern text holds a place.
func (b *builder) legacyPlace(form ast.LegacyForm, at ast.Span, modern string) {
	b.legacy(form, at, modern)
	b.legacies[len(b.legacies)-1].place = true
}

// edition01 reports whether the forms of 0.1 are at home.
func (b *builder) edition01() bool { return b.edition == ast.Edition01 }
