package eval

import (
	"context"
	"math/bits"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/engine"
)

// matcher runs the steps of a chain over chunks of one region: over one at a time, or, where a step counts siblings,
// over all at once. The nodes that a step has found are a set of node numbers for each chunk, and a second set holds
// the nodes whose implied core it has found.
type matcher struct {
	ctx    context.Context
	budget int // work until the context is asked again
	snap   *engine.Snapshot
	region engine.Region
	top    topSet   // the parent of the children of the region
	tops   []topSet // what each step has found of the root and the regions
	// headless tells that ^ah has an implied core; head is that the step before has found it.
	headless, head bool
	headKnown      bool // headless was asked for
	segments       int  // of the snapshot
	start          int  // the step at which small chunks begin
	views          []view
	hits           []hit        // what was found
	packed         [5]packedSet // of the pack that is looked at
	in             *parts       // set: the only chunks to look at
	arenas         [2]arena     // what the sets of a step, and of the step before, are cut from
	arena          *arena
	counts         []int // set for a trace: the nodes each step has found
}

// view is one chunk and what the last step has found in it.
type view struct {
	c       *engine.Chunk
	at      int
	found   []uint64
	implied []uint64 // nil when there are none
}

// checkEvery is how much work is done between two looks at the context, in tests of one node.
const checkEvery = 1 << 16

// spend tells whether the evaluation may go on, after some work.
func (m *matcher) spend(work int) error {
	if m.budget -= work; m.budget > 0 {
		return nil
	}
	m.budget = checkEvery
	return m.ctx.Err()
}

// set returns an empty set for n nodes, which lives until the step after the next.
func (m *matcher) set(n int) []uint64 { return m.arena.set((n + 63) >> 6) }

// run applies the steps to the views.
func (m *matcher) run(steps []*step) error {
	m.head = false
	for i, s := range steps {
		m.arena = &m.arenas[i&1]
		m.arena.reset()
		before, head := topSet(0), m.head
		if i > 0 {
			before = m.tops[i-1]
		}
		m.head = s.implied && m.headless && m.region == engine.RegionHead && m.findsHeadCore(s, before, head, i > 0 && steps[i-1].zone)
		empty := !m.head && !m.tops[i].has(topRoot|m.top)
		for k := range m.views {
			v := &m.views[k]
			n := v.c.Len()
			if err := m.spend(n + 16); err != nil {
				return err
			}
			if i > 0 && len(v.found) == 0 && !before.has(topRoot|m.top) && !head {
				continue
			}
			found := m.set(n)
			var implied []uint64
			s.anchor(m, v, found)
			if s.implied {
				implied = m.impliedBy(s, v)
			}
			if err := m.narrow(&s.parts[0], v, found, implied); err != nil {
				return err
			}
			if s.combinator != ast.First && (implied != nil || !isEmpty(found)) {
				m.relate(s, v, found, implied, before, head, steps[i-1].zone)
			}
			v.found, v.implied = found, implied
		}
		for k := range s.parts {
			if k > 0 {
				for j := range m.views {
					v := &m.views[j]
					if len(v.found) > 0 {
						if err := m.narrow(&s.parts[k], v, v.found, v.implied); err != nil {
							return err
						}
					}
				}
				m.head = m.head && m.headPasses(&s.parts[k])
			}
			if p := s.parts[k].position; p != nil {
				m.pick(p)
			}
		}
		for k := range m.views {
			v := &m.views[k]
			if v.implied != nil && isEmpty(v.implied) {
				v.implied = nil
			}
			if v.implied == nil && isEmpty(v.found) {
				v.found = nil
			}
			empty = empty && v.found == nil
			if m.counts != nil {
				m.counts[i] += countBits(v.found)
			}
		}
		if empty && m.counts == nil {
			for k := range m.views {
				m.views[k].found, m.views[k].implied = nil, nil
			}
			return nil
		}
	}
	return nil
}

// anchor puts what the anchor of a step matches in a chunk into found.
func (s *step) anchor(m *matcher, v *view, found []uint64) {
	n := v.c.Len()
	if s.any {
		fill(found, 0, n)
		return
	}
	for i := range s.places {
		p := &s.places[i]
		if from, in := m.entrance(p, v); in {
			m.walk(v.c, p.offsets, from, found, nil)
		}
	}
}

// entrance says where in a chunk a place begins: at the region, or at the segment the chunk holds.
func (m *matcher) entrance(p *place, v *view) (atRegion, in bool) {
	depth := int64(0)
	switch m.region {
	case engine.RegionSeq:
		depth = int64(m.snap.Segments() - v.at)
		return false, p.from <= depth && depth <= p.to
	case engine.RegionSys:
		depth = -1
	case engine.RegionRest:
		return false, false
	}
	return true, p.from <= depth && depth <= p.to && len(p.offsets) > 0
}

// walk follows a coordinate through a chunk. The nodes at its end are added to found, and those whose implied core
// is its end to implied. Either may be nil.
func (m *matcher) walk(c *engine.Chunk, offsets []int64, fromRegion bool, found, implied []uint64) {
	n := c.Len()
	defer m.arena.release(m.arena.mark())
	here, cores, next, nextCores := m.set(n), m.set(n), m.set(n), m.set(n)
	coreless := c.Coreless()
	headCore := false
	if !fromRegion {
		setBit(here, 0)
	}
	for k, o := range offsets {
		clear(next)
		clear(nextCores)
		nextHead := k == 0 && fromRegion && o == 0 && m.headless && m.region == engine.RegionHead
		if k == 0 && fromRegion || headCore && o == 0 {
			eachSibling(c, 0, n, func(i int) {
				if offsetIs(m, c, i, o) {
					setBit(next, i)
				}
			})
		}
		eachBit(here, func(p int) {
			eachSibling(c, p+1, c.End(p), func(i int) {
				if offsetIs(m, c, i, o) {
					setBit(next, i)
				}
			})
			if o == 0 && coreless.Has(p) {
				setBit(nextCores, p)
			}
		})
		if o == 0 {
			eachBit(cores, func(p int) {
				eachSibling(c, p+1, c.End(p), func(i int) {
					if offsetIs(m, c, i, 0) {
						setBit(next, i)
					}
				})
			})
		}
		here, next, cores, nextCores, headCore = next, here, nextCores, cores, nextHead
	}
	unite(found, here)
	unite(implied, cores)
}

func eachSibling(c *engine.Chunk, from, to int, visit func(int)) {
	for i := from; i < to; i = c.End(i) {
		visit(i)
	}
}

func eachBit(set []uint64, visit func(int)) {
	for k, w := range set {
		for ; w != 0; w &= w - 1 {
			visit(k<<6 + bits.TrailingZeros64(w))
		}
	}
}

// offsetIs tells whether a node of a chunk has an offset.
func offsetIs(m *matcher, c *engine.Chunk, i int, offset int64) bool {
	ints, exact := c.Ints(engine.ColumnOffset)
	if exact {
		return ints[i] == offset
	}
	return m.snap.Node(m.region, 0, c, i).Offset().Cmp(engine.Int(offset)) == 0
}

// impliedBy returns the nodes of a chunk whose implied core the anchor of a step matches, nil for none.
func (m *matcher) impliedBy(s *step, v *view) []uint64 {
	coreless := v.c.Coreless()
	if isEmpty(coreless) {
		return nil
	}
	out := m.set(v.c.Len())
	if s.any {
		copy(out, coreless)
		return out
	}
	for i := range s.places {
		p := &s.places[i]
		if from, in := m.entrance(p, v); in {
			m.walk(v.c, p.offsets, from, nil, out)
		}
	}
	return out
}

// findsHeadCore tells whether a step finds the implied core of ^ah, before positional pseudos.
func (m *matcher) findsHeadCore(s *step, before topSet, head, zone bool) bool {
	found := s.any
	for _, p := range s.places {
		found = found || p.from <= 0 && p.to >= 0 && len(p.offsets) == 1 && p.offsets[0] == 0
	}
	switch s.combinator {
	case ast.Descendant:
		found = found && (before.has(topRoot|topHead) || zone && head)
	case ast.Child:
		found = found && before.has(topHead)
	}
	return found && m.headPasses(&s.parts[0])
}

func (m *matcher) headPasses(p *part) bool {
	around, _ := m.snap.Region(engine.RegionHead)
	for _, t := range p.tests {
		if !t.implied(around) {
			return false
		}
	}
	return true
}

// narrow takes out of the sets of a chunk what fails a test.
func (m *matcher) narrow(p *part, v *view, found, implied []uint64) error {
	for _, t := range p.tests {
		if err := m.filter(t, v, found); err != nil {
			return err
		}
	}
	if implied == nil {
		return nil
	}
	eachBit(implied, func(i int) {
		around := m.snap.Node(m.region, v.at, v.c, i)
		for _, t := range p.tests {
			if !t.implied(around) {
				dropBit(implied, i)
				return
			}
		}
	})
	return nil
}

// relate takes out of the sets of a chunk what is not below, or no child of, what the step before has found. The sets
// of the view are still those of that step.
func (m *matcher) relate(s *step, v *view, found, implied []uint64, before topSet, head, zone bool) {
	c := v.c
	n := c.Len()
	if s.combinator == ast.Child {
		eachBit(found, func(i int) {
			if !m.isChild(v, i, before, head) {
				dropBit(found, i)
			}
		})
		if implied != nil {
			intersect(implied, v.found)
		}
		return
	}
	if before.has(topRoot | m.top) {
		return // all of the region is below
	}
	defer m.arena.release(m.arena.mark())
	below := m.set(n)
	if head {
		eachSibling(c, 0, n, func(i int) {
			if offsetIs(m, c, i, 0) {
				fill(below, i, c.End(i))
			}
		})
	}
	for end, k := 0, 0; k < len(v.found); k++ {
		for w := v.found[k]; w != 0; w &= w - 1 {
			i := k<<6 + bits.TrailingZeros64(w)
			if i < end {
				continue // below one that was seen
			}
			end = c.End(i)
			fill(below, i+1, end)
		}
	}
	eachBit(v.implied, func(p int) {
		eachSibling(c, p+1, c.End(p), func(i int) {
			if offsetIs(m, c, i, 0) {
				fill(below, i, c.End(i))
			}
		})
	})
	if implied != nil {
		around := m.set(n)
		copy(around, below)
		unite(around, v.found)
		if zone {
			unite(around, v.implied)
		}
		intersect(implied, around)
	}
	if zone {
		unite(below, v.found)
	}
	intersect(found, below)
}

// isChild tells whether node i is a child of what the step before has found.
func (m *matcher) isChild(v *view, i int, before topSet, head bool) bool {
	p := v.c.Parent(i)
	if p < 0 {
		return before.has(m.top) || head && offsetIs(m, v.c, i, 0)
	}
	if len(v.found) > 0 && hasBit(v.found, p) {
		return true
	}
	return v.implied != nil && hasBit(v.implied, p) && offsetIs(m, v.c, i, 0)
}

// pick keeps the first, the last or the n-th of the nodes that have one parent. An implied core is kept where
// no node stands beside it.
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
		n := v.c.Len()
		seen := m.set(n) // nodes with a child in play
		var counts []int64
		if nth > 1 {
			counts = make([]int64, n)
		}
		keep := func(i int) {
			parent := v.c.Parent(i)
			count := int64(1)
			switch {
			case parent < 0:
				top++
				count = top
			case counts != nil:
				counts[parent]++
				count = counts[parent]
			case hasBit(seen, parent):
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
