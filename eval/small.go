package eval

import (
	"math/bits"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/engine"
)

// Most chunks have at most 64 nodes. Over those, a chain that counts no siblings runs on sets of one word each, which
// stay in registers; what is said in match.go and filter.go in general is said here once more for that case.

// smallStep is a step made ready for small chunks.
type smallStep struct {
	*step
	ops  []smallOp // tests that are answered by sets and columns
	slow []*test   // tests that ask node by node
}

// smallOp is one test on all nodes of a chunk at once.
type smallOp struct {
	kind   smallKind
	not    bool // of opType, opBase and opBoth
	base   engine.Base
	column engine.Column
	word   engine.Word
	ints   *intTest
	test   *test // of opTypes
}

type smallKind uint8

const (
	opBase  smallKind = iota // a base
	opType                   // a user type
	opBoth                   // a base and a user type
	opTypes                  // several of these
	opTag
	opKey
	opInts
	opZone
)

// prepareSmall makes the steps ready, or says that the chain cannot run so.
func (c *chain) prepareSmall() {
	if c.positional {
		return
	}
	var steps []smallStep
	for _, s := range c.steps {
		for _, p := range s.places {
			if len(p.offsets) > 0 {
				return
			}
		}
		out := smallStep{step: s}
		for _, t := range s.parts[0].tests {
			if t.slow() {
				out.slow = append(out.slow, t)
			} else {
				out.ops = append(out.ops, t.smallOp())
			}
		}
		c.implies = c.implies || s.implied
		steps = append(steps, out)
	}
	c.small = steps
}

func (t *test) smallOp() smallOp {
	switch t.kind {
	case testTag:
		return smallOp{kind: opTag, word: t.ready}
	case testKey:
		return smallOp{kind: opKey, word: t.ready}
	case testZone:
		return smallOp{kind: opZone, column: engine.ColumnOffset, ints: zones[t.zone]}
	case testInts:
		return smallOp{kind: opInts, column: t.attr.column, ints: t.ints}
	}
	if len(t.types) != 1 || len(t.types[0].cases) != 1 {
		return smallOp{kind: opTypes, test: t}
	}
	of := t.types[0].cases[0]
	op := smallOp{kind: opBoth, not: t.not, base: of.base, word: of.ready}
	switch {
	case of.user == "":
		op.kind = opBase
	case of.base == engine.BaseRegion:
		op.kind = opType
	}
	return op
}

// slow tells whether a test asks node by node.
func (t *test) slow() bool {
	switch t.kind {
	case testType:
		for _, name := range t.types {
			if name.long {
				return true
			}
		}
		return false
	case testTag, testZone, testInts:
		return false
	case testKey:
		return t.word == ""
	}
	return true
}

// runSmall runs a chain over one chunk. It returns false when the chunk needs the general way.
func (m *matcher) runSmall(c *chain, chunk *engine.Chunk, at int) (found uint64, ok bool) {
	if !chunk.Small() {
		return 0, false
	}
	sets := chunk.Sets()
	if c.implies && (m.headless && m.region == engine.RegionHead || sets.Coreless() != 0) {
		return 0, false
	}
	// What the last step demands rules most chunks out.
	last := len(c.small) - 1
	tail, ok := m.smallSets(&c.small[last], chunk, sets, at)
	if !ok || tail == 0 {
		return 0, ok
	}
	before := uint64(0)
	for i := m.start; i <= last; i++ {
		s := &c.small[i]
		here := tail
		if i < last {
			if here, ok = m.smallSets(s, chunk, sets, at); !ok {
				return 0, false
			}
		}
		if here != 0 && i > m.start {
			here = m.smallRelated(s.step, chunk, here, before, m.tops[i-1], c.small[i-1].zone)
		}
		for _, t := range s.slow {
			here = m.smallSlow(t, chunk, at, here)
		}
		if here == 0 && !m.tops[i].has(topRoot|m.top) {
			return 0, true
		}
		before = here
	}
	return before, true
}

// startOf returns the step at which a search of the region may begin: what is before it only says that all of the
// region will do.
func (m *matcher) startOf(c *chain) int {
	for i := len(c.steps) - 1; i > 0; i-- {
		if c.steps[i].combinator == ast.Descendant && m.tops[i-1].has(topRoot|m.top) {
			return i
		}
	}
	return 0
}

// smallSets returns the nodes that satisfy the anchor of a step and its tests of sets.
func (m *matcher) smallSets(s *smallStep, c *engine.Chunk, sets *engine.Sets, at int) (set uint64, ok bool) {
	set = ^uint64(0) >> (64 - c.Len())
	if !s.any {
		if m.region != engine.RegionSeq || !s.holdsDepth(int64(m.segments-at)) {
			return 0, true
		}
		set = 1
	}
	for i := range s.ops {
		op := &s.ops[i]
		with := uint64(0)
		switch op.kind {
		case opBase:
			with = sets.OfBase(op.base)
		case opType:
			with = sets.OfType(op.word)
		case opBoth:
			with = sets.OfType(op.word) & sets.OfBase(op.base)
		case opTypes:
			with = op.test.smallTypes(sets)
		case opTag:
			with = sets.Tagged(op.word)
		case opKey:
			with = sets.Keyed(op.word)
		default:
			column, exact := sets.Ints(op.column)
			if !exact {
				return 0, false
			}
			with = op.ints.small(column, set)
			if op.kind == opZone {
				with &^= sets.OfBase(engine.BaseSeg)
			}
		}
		if op.not {
			with = ^with
		}
		if set &= with; set == 0 {
			return 0, true
		}
	}
	return set, true
}

// holdsDepth tells whether a depth is one of the places of a step.
func (s *step) holdsDepth(depth int64) bool {
	for _, p := range s.places {
		if p.from <= depth && depth <= p.to {
			return true
		}
	}
	return false
}

// small returns the nodes of a set whose value passes.
func (t *intTest) small(column []int64, set uint64) uint64 {
	if len(t.spans) != 1 || bits.OnesCount64(set)*4 < len(column) {
		kept := uint64(0)
		for w := set; w != 0; w &= w - 1 {
			if i := bits.TrailingZeros64(w); t.has(column[i]) {
				kept |= 1 << i
			}
		}
		return kept
	}
	span, outside := t.spans[0], uint64(0)
	for i, v := range column { // without a branch, the processor does several at a time
		_, borrow := bits.Sub64(span.width, uint64(v-span.from), 0)
		outside |= borrow << (i & 63)
	}
	if t.not {
		return set & outside
	}
	return set &^ outside
}

// smallTypes returns the nodes that have one of the types.
func (t *test) smallTypes(sets *engine.Sets) uint64 {
	matched := uint64(0)
	for _, name := range t.types {
		for i := range name.cases {
			of := &name.cases[i]
			switch {
			case of.user == "":
				matched |= sets.OfBase(of.base)
			case of.base == engine.BaseRegion:
				matched |= sets.OfType(of.ready)
			default:
				matched |= sets.OfType(of.ready) & sets.OfBase(of.base)
			}
		}
	}
	if t.not {
		return ^matched
	}
	return matched
}

// smallRelated keeps what is below, or a child of, what the step before has found.
func (m *matcher) smallRelated(s *step, c *engine.Chunk, set, before uint64, tops topSet, zone bool) uint64 {
	if s.combinator == ast.Descendant {
		if tops.has(topRoot | m.top) {
			return set
		}
		below := uint64(0)
		for w := before; w != 0; {
			i := bits.TrailingZeros64(w)
			end := c.End(i)
			inside := ^uint64(0) >> (64 - end) &^ (1<<i | (1<<i - 1))
			below |= inside
			w &^= inside | 1<<i
		}
		if zone {
			below |= before
		}
		return set & below
	}
	kept := uint64(0)
	for w := set; w != 0; w &= w - 1 {
		i := bits.TrailingZeros64(w)
		if p := c.Parent(i); p >= 0 && before>>(p&63)&1 != 0 || p < 0 && tops.has(m.top) {
			kept |= 1 << i
		}
	}
	return kept
}

// smallSlow asks node by node.
func (m *matcher) smallSlow(t *test, c *engine.Chunk, at int, set uint64) uint64 {
	for w := set; w != 0; w &= w - 1 {
		if m.spend(t.cost()) != nil {
			m.budget = 0 // look asks again, and reports it
			return 0
		}
		if i := bits.TrailingZeros64(w); !t.node(m.snap.Node(m.region, at, c, i)) {
			set &^= 1 << i
		}
	}
	return set
}
