package eval

import (
	"math/bits"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/engine"
)

// Small chunks that stand in a pack are run together: what small.go says of one word is said here of a few words for
// up to 16 chunks.

// packedSet is a set of nodes of a pack.
type packedSet [engine.MaxPack]uint64

// runPack runs a chain over the chunks from <= k < to of a pack, the first of which is chunk base of the region. It
// returns false, and has found nothing, when its chunks must be looked at one by one.
func (m *matcher) runPack(c *chain, p *engine.Pack, base, from, to int) bool {
	if c.implies && (m.headless && m.region == engine.RegionHead || p.Coreless()) {
		return false
	}
	n := p.Words()
	all, tail := p.Nodes(m.packed[0][:], from, to), m.packed[1][:n]
	last := len(c.small) - 1
	some, ok := m.packedSets(&c.small[last], p, base, tail, all)
	if !ok || some == 0 {
		return ok
	}
	before, here := m.packed[2][:n], m.packed[3][:n]
	for i := m.start; i <= last; i++ {
		s := &c.small[i]
		if i == last {
			here = tail
		} else {
			if _, ok = m.packedSets(s, p, base, here, all); !ok {
				return false
			}
		}
		if i > m.start {
			m.packedRelated(s.step, p, here, before, m.tops[i-1], c.small[i-1].zone)
		}
		some = 0
		for w := range here {
			for _, t := range s.slow {
				here[w] = m.packedSlow(t, p, base, w, here[w])
			}
			if m.budget <= 0 {
				return true // the context is done
			}
			some |= here[w]
		}
		if some == 0 && !m.tops[i].has(topRoot|m.top) {
			return true
		}
		before, here = here, before
	}
	for w, set := range before {
		if set != 0 {
			m.hits = append(m.hits, hit{p: p, at: base, base: w, set: set})
		}
	}
	return true
}

// packedSets puts into set what of all satisfies the anchor of a step and its tests of sets. It returns 0 when that is
// nothing, and false when the chunks must be looked at one by one.
func (m *matcher) packedSets(s *smallStep, p *engine.Pack, base int, set, all []uint64) (some uint64, ok bool) {
	if !s.any {
		copy(set, all)
		m.packedAnchor(s.step, p, base, set)
		all = set
	}
	for i := range s.ops {
		op := &s.ops[i]
		var with []uint64
		switch op.kind {
		case opBase:
			with = p.OfBase(op.base)
		case opType:
			with = p.OfType(op.word)
		case opTag:
			with = p.Tagged(op.word)
		default:
			with = m.packed[4][:len(set)]
			if !m.packedOp(op, p, with) {
				return 0, false
			}
		}
		some = 0
		switch {
		case with == nil && op.not:
			copy(set, all)
			some = 1
		case with == nil:
			clear(set)
		case op.not:
			for w := range set {
				set[w] = all[w] &^ with[w]
				some |= set[w]
			}
		default:
			for w := range set {
				set[w] = all[w] & with[w]
				some |= set[w]
			}
		}
		if some == 0 {
			return 0, true
		}
		all = set
	}
	if len(s.ops) > 0 {
		return some, true
	}
	copy(set, all)
	for _, w := range set {
		some |= w
	}
	return some, true
}

// packedOp works out what satisfies a test, but for its negation. It returns false when the chunks must be looked at
// one by one.
func (m *matcher) packedOp(op *smallOp, p *engine.Pack, with []uint64) bool {
	switch op.kind {
	case opBoth:
		copy(with, p.OfBase(op.base))
		intersect(with, p.OfType(op.word))
	case opTypes:
		op.test.packedTypes(p, with)
	case opInts, opZone:
		if !p.Exact(op.column) {
			return false
		}
		clear(with)
		for _, span := range op.ints.spans {
			p.AddBetween(with, op.column, span.from, span.from+int64(span.width))
		}
		if op.ints.not {
			complement(with)
		}
		if op.kind == opZone {
			subtractBits(with, p.OfBase(engine.BaseSeg))
		}
	default:
		return false // a key leads to its chunks by itself
	}
	return true
}

// packedAnchor keeps the first nodes of the chunks whose depth is one of the places of a step.
func (m *matcher) packedAnchor(s *step, p *engine.Pack, base int, set []uint64) {
	first := m.packed[4][:len(set)]
	clear(first)
	if m.region == engine.RegionSeq {
		for k := range p.Len() {
			if s.holdsDepth(int64(m.segments - base - k)) {
				bit, word := p.First(k)
				first[word] |= bit
			}
		}
	}
	intersect(set, first)
}

// packedTypes returns the nodes that have one of the types.
func (t *test) packedTypes(p *engine.Pack, matched []uint64) {
	clear(matched)
	for _, name := range t.types {
		for i := range name.cases {
			of := &name.cases[i]
			if of.user == "" {
				unite(matched, p.OfBase(of.base))
				continue
			}
			nodes := p.OfType(of.ready)
			if of.base == engine.BaseRegion {
				unite(matched, nodes)
				continue
			}
			base := p.OfBase(of.base)
			for w := range nodes {
				matched[w] |= nodes[w] & base[w]
			}
		}
	}
	if t.not {
		complement(matched)
	}
}

func complement(set []uint64) {
	for w := range set {
		set[w] = ^set[w]
	}
}

// packedRelated keeps what is below, or a child of, what the step before has found.
func (m *matcher) packedRelated(s *step, p *engine.Pack, set, before []uint64, tops topSet, zone bool) {
	if s.combinator == ast.Child {
		region := tops.has(m.top)
		for w := range set {
			if set[w] != 0 {
				set[w] = p.Children(w, set[w], before[w], region)
			}
		}
		return
	}
	if tops.has(topRoot | m.top) {
		return
	}
	for w := range set {
		if set[w] != 0 {
			below := p.Below(w, before[w])
			if zone {
				below |= before[w]
			}
			set[w] &= below
		}
	}
}

// packedSlow asks node by node.
func (m *matcher) packedSlow(t *test, p *engine.Pack, base, word int, set uint64) uint64 {
	for w := set; w != 0; w &= w - 1 {
		if m.spend(t.cost()) != nil {
			m.budget = 0 // searchStretches asks again, and reports it
			return 0
		}
		bit := bits.TrailingZeros64(w)
		if k, c, i := p.Find(word, bit); !t.node(m.snap.Node(m.region, base+k, c, i)) {
			set &^= 1 << bit
		}
	}
	return set
}
