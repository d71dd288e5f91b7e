package eval

import (
	"math/bits"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/engine"
)

// filter takes out of a set of nodes of a chunk those that fail a test.
func (m *matcher) filter(t *test, v *view, found []uint64) error {
	switch t.kind {
	case testType:
		if t.filterTypes(m, v.c, found) {
			return nil
		}
	case testTag:
		intersect(found, v.c.Tagged(t.ready))
		return nil
	case testKey:
		intersect(found, v.c.Keyed(t.word))
		return nil
	case testID:
		eachBit(found, func(i int) {
			if v.c.ID(i) != t.word {
				dropBit(found, i)
			}
		})
		return nil
	case testZone:
		subtractBits(found, v.c.OfBase(engine.BaseSeg))
		if ints, ok := v.c.Ints(engine.ColumnOffset); ok {
			zones[t.zone].filter(ints, found)
			return nil
		}
	case testInts:
		if ints, ok := v.c.Ints(t.attr.column); ok {
			t.ints.filter(ints, found)
			return nil
		}
	}
	for k, w := range found {
		for ; w != 0; w &= w - 1 {
			i := k<<6 + bits.TrailingZeros64(w)
			if err := m.spend(t.cost()); err != nil {
				return err
			}
			if !t.node(m.snap.Node(m.region, v.at, v.c, i)) {
				dropBit(found, i)
			}
		}
	}
	return nil
}

// zones are the offsets of each zone.
var zones = map[ast.ZoneName]*intTest{
	ast.Pre:  {spans: []intSpan{newSpan(all.from, -1)}},
	ast.Core: {spans: []intSpan{newSpan(0, 0)}},
	ast.Post: {spans: []intSpan{newSpan(0, 0), newSpan(all.from, -1)}, not: true},
}

// filter takes out of a set what fails.
func (t *intTest) filter(ints []int64, found []uint64) {
	for k, w := range found {
		keep := w
		for ; w != 0; w &= w - 1 {
			low := bits.TrailingZeros64(w)
			if !t.has(ints[k<<6+low]) {
				keep &^= 1 << low
			}
		}
		found[k] = keep
	}
}

// filterTypes takes out of a set what has none of the types. It returns false when nodes must be asked one by one.
func (t *test) filterTypes(m *matcher, c *engine.Chunk, found []uint64) bool {
	for _, name := range t.types {
		if name.long {
			return false
		}
	}
	defer m.arena.release(m.arena.mark())
	matched := m.set(c.Len())
	for _, name := range t.types {
		for _, of := range name.cases {
			if of.user == "" {
				unite(matched, c.OfBase(of.base))
				continue
			}
			nodes := c.OfType(of.ready)
			if of.base == engine.BaseRegion {
				unite(matched, nodes)
				continue
			}
			base := c.OfBase(of.base)
			for i := range nodes {
				matched[i] |= nodes[i] & base[i]
			}
		}
	}
	if t.not {
		subtractBits(found, matched)
	} else {
		intersect(found, matched)
	}
	return true
}
