package eval

import (
	"context"
	"math/bits"

	"github.com/pactkit/pactkit/ast"
)

// pickAll applies the positional pseudos of a step, and the tests after them, to what the step has found.
func (m *matcher) pickAll(ctx context.Context, s *step) error {
	for k := range s.parts {
		p := &s.parts[k]
		if k > 0 {
			for j := range m.views {
				v := &m.views[j]
				if v.found == nil {
					continue
				}
				if err := m.narrow(ctx, v, p.tests); err != nil {
					return err
				}
				m.narrowImplied(ctx, p, v, v.implied)
			}
			m.head = m.head && m.headPasses(ctx, p)
		}
		if p.position != nil {
			m.pick(p.position)
		}
	}
	return nil
}

// pick keeps the first, the last or the n-th of the nodes that have one parent. An implied core is kept where no node
// stands beside it.
func (m *matcher) pick(p *ast.Positional) {
	nth := int64(1)
	if p.Name == ast.NthOf {
		nth = p.N
	}
	top := int64(0) // children of the region so far
	for k := range m.views {
		v := &m.views[k]
		if p.Name == ast.LastOf {
			v = &m.views[len(m.views)-1-k]
		}
		if len(v.found) == 0 {
			continue
		}
		seen := m.set(v) // nodes with a child in play
		var counts []int64
		if nth > 1 {
			counts = make([]int64, 64*len(v.nodes))
		}
		keep := func(i int) {
			parent := v.parent(i)
			count := int64(1)
			switch {
			case parent < 0:
				top++
				count = top
			case counts != nil:
				counts[parent]++
				count = counts[parent]
			case contains(seen, parent):
				count = 2
			}
			if parent >= 0 {
				setBit(seen, parent)
			}
			if count != nth {
				dropBit(v.found, i)
			}
		}
		if p.Name == ast.LastOf {
			for k := len(v.found) - 1; k >= 0; k-- {
				for w := v.found[k]; w != 0; {
					high := 63 - bits.LeadingZeros64(w)
					w &^= 1 << high
					keep(k<<6 + high)
				}
			}
		} else {
			eachBit(v.found, keep)
		}
		if v.implied != nil {
			if nth == 1 {
				subtractBits(v.implied, seen)
			} else {
				clear(v.implied)
			}
		}
	}
	m.head = m.head && nth == 1 && top == 0
}
