package eval

import (
	"context"
	"math/bits"
	"slices"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/tree"
)

// pickAll applies the positional pseudos of a step, and the tests after them, to what the step has
// found.
func (m *matcher) pickAll(ctx context.Context, s *step) {
	for k := range s.parts {
		p := &s.parts[k]
		if k > 0 {
			m.narrow(ctx, p.tests, m.view.found)
			m.narrowImplied(ctx, p, m.view.implied)
			m.headCore = m.headCore && m.headPasses(ctx, p)
		}
		if p.position != nil && m.spend(ctx, 64*len(m.view.nodes)) {
			m.pick(p.position)
		}
	}
}

// pick keeps the first, the last or the n-th of the nodes with the same parent. An implied core is
// kept if no sibling was found.
func (m *matcher) pick(p *ast.Positional) {
	defer m.arena.release(m.arena.used)
	nth, v := int64(1), &m.view
	if p.Name == ast.NthOf {
		nth = p.N
	}
	var tops [engine.RegionRest + 1]int64 // children of each region counted so far
	seen := m.set()                       // nodes with a child that was counted
	var counts []int64                    // how many children of each node, needed if nth > 1
	if nth > 1 {
		m.siblings = slices.Grow(m.siblings[:0], 64*len(seen))[:64*len(seen)]
		counts = m.siblings
		clear(counts)
	}
	keep := func(s *section, i int) {
		count := int64(1)
		switch up := s.from<<6 + s.Parent(i); {
		case up < s.from<<6:
			tops[s.region]++
			count = tops[s.region]
		case counts != nil:
			counts[up]++
			count = counts[up]
			setBit(seen, up)
		case tree.Bits(seen).Has(up):
			count = 2
		default:
			setBit(seen, up)
		}
		if count != nth {
			dropBit(v.found, s.from<<6+i)
		}
	}
	for k := range v.sections {
		s := &v.sections[k]
		if p.Name != ast.LastOf {
			for i := range tree.Bits(s.of(v.found)).All() {
				keep(s, i)
			}
			continue
		}
		s = &v.sections[len(v.sections)-1-k]
		for k, w := range slices.Backward(s.of(v.found)) {
			for w != 0 {
				high := 63 - bits.LeadingZeros64(w)
				w &^= 1 << high
				keep(s, k<<6+high)
			}
		}
	}
	if nth == 1 {
		subtractBits(v.implied, seen)
	} else {
		clear(v.implied)
	}
	m.headCore = m.headCore && nth == 1 && tops[engine.RegionHead] == 0
}
