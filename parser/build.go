package parser

import (
	"slices"
	"strconv"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/parser/internal/ll1"
)

// builder reads the tokens of one selector into its tree and rejects what the grammar accepts but
// the language does not allow. It decides by the next token alone. A method with the name of a part
// of the grammar reads that part, from its first token to the end of its last.
//
// If a token does not fit the grammar, the machine, which knows everything that could be there
// instead, repairs the tokens, and the builder reads them again. Each repaired token fits its
// position and every bracket is closed, but a rule may end early, so every method must cope with
// missing parts.
type builder struct {
	sourceReader
	selectorState

	items []item // the elements of the lists in parentheses being read, innermost last
	args  []int  // the tokens that are arguments of a call

	insertion bool // the source is an insertion position
	position  *ast.Position

	query        *ast.Query
	facets       []facet             // tests and controls that need a written time
	pseudoDepths map[ast.Anchor]bool // from the legacy :depth(); they need no parentheses
	lateTimes    []lateTime
	legacies     []legacy
}

// selectorState has the fields of a builder that start as zero for each selector.
type selectorState struct {
	at     int // the next token
	fit    fit // of the tokens
	parens int // the number of open parentheses around positions

	// These say whether a later pass has anything to do, because most selectors have none of it.
	oldSpelling  bool // the step holds a type or a key as older revisions write them: legacyStep
	placeholders bool // the tree has placeholders: resolvePlaceholders
	positions    bool // a depth or a coordinate was read: checkUnionChain
}

// fit says whether the tokens fit the grammar.
type fit uint8

const (
	fits     fit = iota // all that were read
	misfit              // the builder found one that does not, and skipped to the end
	repaired            // all, because the machine repaired them
)

// lateTime is a time after the first step.
type lateTime struct {
	ast.Span
	valid bool // at the start it would be valid
}

// legacy is a form of an older revision.
type legacy struct {
	ast.Legacy
	position bool // the modern text has a depth, so a chain of a union needs parentheses
}

// facet is a test or control that depends on time.
type facet struct {
	at   ast.Span
	name string
}

// reset prepares the builder for the next selector. It truncates the lists, which trees do not
// share, one by one: that does not write their pointers, which is slow during garbage collection.
func (b *builder) reset() {
	b.selectorState = selectorState{}
	b.suppressed = b.suppressed[:0]
	b.explained = b.explained[:0]
	b.items = b.items[:0]
	b.facets = b.facets[:0]
	clear(b.pseudoDepths)
	b.lateTimes = b.lateTimes[:0]
	b.legacies = b.legacies[:0]
}

// kind returns the kind of the next token.
func (b *builder) kind() ll1.Kind { return b.tokens[b.at].Kind }

// expect reports whether the next token is in set. If it is not, the tokens must be repaired before
// they are read, so it skips to the end.
func (b *builder) expect(set ll1.Set) bool {
	if set.Has(b.kind()) {
		return true
	}
	if b.fit != repaired {
		b.fit, b.at = misfit, len(b.tokens)-1
	}
	return false
}

// word returns the text and the range of a token without the white space it has absorbed.
func (b *builder) word(token int) (string, ast.Span) {
	s := b.core(token)
	return s.Text(b.text), s
}

// closes consumes the token that closes a bracket and extends at to its end. It reports whether the
// token is in the source: a repair may have added it.
func (b *builder) closes(kind ll1.Kind, at *ast.Span) bool {
	if !b.expect(1 << kind) {
		return false
	}
	t := &b.tokens[b.at]
	b.at++
	if t.Start == t.End {
		return false
	}
	at.End = int(t.End)
	return true
}

// tailNode returns the tail of the query, which it makes if necessary.
func (b *builder) tailNode() *ast.Tail {
	if b.query.Tail == nil {
		b.query.Tail = b.nodes.tails.New()
	}
	return b.query.Tail
}

// build reads the whole selector.
func (b *builder) build(body ast.Span) *ast.Query {
	q := b.nodes.queries.New()
	q.Extent, b.query = body.Extent(), q
	b.union()
	if !b.expect(1 << ll1.TokEOF) {
		b.errorf(b.core(b.at), notRead)
	}
	if len(q.Union) == 0 {
		at := body
		if q.Time != nil {
			at.Start = q.Time.End()
		}
		q.Union = emptyQuery(at).Union
	}
	b.check()
	return q
}

// notRead would be reported if the builder stopped before the end of repaired tokens. It never
// does, because the machine has read them all.
const notRead = "the selector could not be read from here on"

// union reads the fragments, each with the time before it and the controls after it.
func (b *builder) union() {
	union := b.nodes.fragments.Room()
	var controls []ast.Control
	for {
		b.memberTime(len(union) == 0)
		var search ast.Span // of a '??' before the first chain
		if b.kind() == ll1.TokFallback {
			search = b.core(b.at)
			b.at++
		}
		chains := b.chains()
		if b.kind() == ll1.TokOptional {
			b.optional()
		}
		if ll1.FirstTail.Has(b.kind()) {
			controls = b.tail(controls, chains)
		}
		if len(chains) > 0 {
			union = b.nodes.fragments.Extend(union)
			b.fragment(&union[len(union)-1], chains, search)
			if len(union) == b.Limits.Fragments+1 {
				b.refuseAs(diag.SelectorTooManyFragments, union[len(union)-1].Bounds(),
					"the union has more than "+strconv.Itoa(b.Limits.Fragments)+" fragments, the limit Fragments", "")
			}
		}
		if b.kind() != ll1.TokComma {
			break
		}
		b.at++
	}
	b.query.Union = b.nodes.fragments.Keep(union)
	if len(controls) > 0 {
		b.tailNode().Controls = b.nodes.controls.Keep(controls)
	}
}

// chains reads the chains of a fragment: one, or more in `L ?? R`.
func (b *builder) chains() []ast.Chain {
	chains := b.nodes.chains.List(1)[:0]
	for b.expect(ll1.FirstStep) {
		steps := b.chain()
		chains = append(chains, ast.Chain{Extent: extent(steps), Steps: steps})
		if b.kind() != ll1.TokFallback {
			break
		}
		b.at++
	}
	return chains
}

// fragment makes a fragment from its chains.
func (b *builder) fragment(f *ast.Fragment, chains []ast.Chain, search ast.Span) {
	f.Extent = upTo(chains[0].Extent, chains[len(chains)-1].End())
	f.Chains = slices.Clip(chains)
	if b.placeholders || search.End > 0 {
		if g, ok := lone(&chains[0]).(*fallback); ok && len(chains) == 1 { // around `L ?? R`
			f.Chains = g.chains
		}
		b.search(f, search)
		for i := range f.Chains {
			b.resolvePlaceholders(&f.Chains[i])
		}
	}
}

// optional reads a trailing '?'.
func (b *builder) optional() {
	token := b.at
	b.at++
	if b.insertion || b.Mutation {
		b.tailNode().Optional = true
		return
	}
	b.refuse(b.core(token), "a trailing `?` is for mutations only; a read that finds nothing is simply empty", "",
		safe(replace("remove `?`", b.span(token), "")))
}

// memberTime reads the time before a fragment into the query. A later fragment may repeat it
// (decision D4).
func (b *builder) memberTime(first bool) {
	if !ll1.FirstTime.Has(b.kind()) {
		return
	}
	t := b.time()
	if (!first || b.query.Time != nil) && !sameTime(b.query.Time, t) {
		b.refuseAs(diag.SelectorAmbiguous, t.Bounds(), "a union has one time, and this one differs from the first",
			"write the time once, at the start, or use two selectors")
	} else if b.query.Time == nil {
		b.query.Time = t
	}
}

// lone returns the anchor of a chain that consists of a single anchor, and nil for any other chain.
func lone(c *ast.Chain) ast.Anchor {
	if c == nil || len(c.Steps) != 1 || len(c.Steps[0].Qualifiers) > 0 {
		return nil
	}
	return c.Steps[0].Anchor
}

// search reads two legacy forms: the prefix `?? {…}`, a filter on any node, and `within(…) ?? {…}`,
// a filter on the nodes below a position.
func (b *builder) search(f *ast.Fragment, prefix ast.Span) {
	if prefix.End > 0 {
		if !beginsWithFilter(&f.Chains[0]) {
			f.Extent = ast.Span{Start: prefix.Start, End: f.End()}.Extent()
			b.errorf(prefix, "`??` needs a chain on its left")
			return
		}
		b.legacy(ast.LegacySearch, ast.Span{Start: prefix.Start, End: f.Chains[0].Start()}, "")
	}
	w, ok := lone(&f.Chains[0]).(*within)
	if !ok || len(f.Chains) < 2 || !beginsWithFilter(&f.Chains[1]) {
		return
	}
	below := &f.Chains[1]
	below.Steps[0].Combinator = ast.Descendant
	below.Steps[0].Anchor.(*ast.Any).Implied = false
	joined := ast.Chain{Extent: upTo(w.Extent, below.End()), Steps: slices.Concat(w.chain.Steps, below.Steps)}
	modern := ""
	if w.modern != "" {
		modern = w.modern + " *"
	}
	b.legacyPosition(ast.LegacyWithin, ast.Span{Start: w.Start(), End: below.Start()}, modern)
	f.Chains = slices.Replace(f.Chains, 0, 2, joined)
}

// beginsWithFilter reports whether a chain begins with '{…}' or '[…]'.
func beginsWithFilter(c *ast.Chain) bool {
	star, ok := c.Steps[0].Anchor.(*ast.Any)
	return ok && star.Implied && len(c.Steps[0].Qualifiers) > 0 && is[*ast.Filter](c.Steps[0].Qualifiers[0])
}

// is reports whether n is a T.
func is[T ast.Node](n ast.Node) bool {
	_, ok := n.(T)
	return ok
}

// tail reads controls, and reports times and filters after them.
func (b *builder) tail(controls []ast.Control, chains []ast.Chain) []ast.Control {
	if controls == nil {
		controls = b.nodes.controls.Room()
	}
	for {
		first := b.at
		switch b.kind() {
		case ll1.TokControl:
			text, at := b.word(b.at)
			b.at++
			controls = b.nodes.controls.Extend(controls)
			b.control(&controls[len(controls)-1], text, at)
			continue
		case ll1.TokLateTime, ll1.TokTime, ll1.TokEvery, ll1.TokHistory:
			b.lateTime()
			continue
		case ll1.TokTag, ll1.TokLbrace, ll1.TokLbrack:
			var s ast.Step
			b.qualifier(&s, nil)
		default:
			return controls
		}
		at := ast.Span{Start: b.core(first).Start, End: b.core(b.at - 1).End}
		var fixes []diag.Fix
		last := b.tokens[b.at-1]
		if n := len(chains); n > 0 && last.Start != last.End { // not an added bracket
			from := ast.Span{Start: b.span(first).Start, End: at.End}
			fixes = append(fixes, move("move the filter before the controls", from, chains[n-1].End(), at.Text(b.src)))
		}
		b.refuse(at, "a filter must come before the controls", "", fixes...)
	}
}

// chain reads one or more steps, up to the first token that does not continue the chain.
func (b *builder) chain() []ast.Step {
	steps := b.nodes.steps.Room()
	combinator := ast.First
	for {
		var at ast.Span
		var paren ast.Anchor
		if k := b.kind(); k == ll1.TokLparen || k == ll1.TokWithinCall {
			steps = b.nodes.steps.Keep(steps) // the chains inside use the room
			if at, paren = b.paren(k); len(steps) == 0 {
				steps = b.nodes.steps.Room()
			}
		}
		steps = b.nodes.steps.Extend(steps)
		s := &steps[len(steps)-1]
		s.Combinator = combinator
		if paren != nil {
			s.Extent, s.Anchor = at.Extent(), paren
		} else {
			b.anchor(s, before(steps))
		}
		if ll1.FirstQualifier.Has(b.kind()) {
			b.qualify(s, before(steps))
		}
		if b.oldSpelling || len(b.legacies) > 0 {
			b.legacyStep(s)
		}
		if len(b.pseudoDepths) > 0 {
			steps = b.joinSeq(steps)
		}
		combinator = ast.Descendant
		switch k := b.kind(); {
		case k == ll1.TokGt:
			combinator = ast.Child
			b.at++
		case k == ll1.TokDesc:
			b.at++
		case !ll1.FirstLate.Has(k):
			return b.nodes.steps.Keep(steps)
		}
		if !b.expect(ll1.FirstStep) {
			return b.nodes.steps.Keep(steps)
		}
	}
}

// before returns the step before the last one, or nil.
func before(steps []ast.Step) *ast.Step {
	if n := len(steps); n > 1 {
		return &steps[n-2]
	}
	return nil
}

// cover extends the step to at least the given end.
func cover(s *ast.Step, end int) { s.Extent = upTo(s.Extent, max(s.End(), end)) }

// upTo returns e with another end.
func upTo(e ast.Extent, end int) ast.Extent { return ast.Span{Start: e.Start(), End: end}.Extent() }

// extent returns the extent of a chain with these steps, of which there must be one.
func extent(steps []ast.Step) ast.Extent { return upTo(steps[0].Extent, steps[len(steps)-1].End()) }
