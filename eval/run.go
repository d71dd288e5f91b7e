package eval

import (
	"context"
	"slices"
	"sync"

	"github.com/pactkit/pactkit/engine"
)

// matchers keeps what evaluations need for the next one.
var matchers = sync.Pool{New: func() any { return new(matcher) }}

func newMatcher(ctx context.Context, s *engine.Snapshot) *matcher {
	m := matchers.Get().(*matcher)
	m.ctx, m.snap, m.budget, m.headKnown = ctx, s, checkEvery, false
	return m
}

func (m *matcher) release() {
	m.ctx, m.snap, m.counts = nil, nil, nil
	clear(m.views[:cap(m.views)])
	matchers.Put(m)
}

// appendUnion appends what the fragments find, each node where it was found first.
func (m *matcher) appendUnion(dst []engine.Node, union []*fragment) ([]engine.Node, error) {
	if len(union) == 1 {
		return m.appendFragment(dst, union[0])
	}
	start := len(dst)
	var seen nodeSet
	for _, f := range union {
		from := len(dst)
		var err error
		if dst, err = m.appendFragment(dst, f); err != nil {
			return dst[:start], err
		}
		if err := m.spend(len(dst) - from); err != nil {
			return dst[:start], err
		}
		kept := dst[:from]
		for _, n := range dst[from:] {
			if seen.add(n) {
				kept = append(kept, n)
			}
		}
		dst = kept
	}
	return dst, nil
}

// appendFragment appends what the first chain finds that finds something.
func (m *matcher) appendFragment(dst []engine.Node, f *fragment) ([]engine.Node, error) {
	start := len(dst)
	for _, c := range f.chains {
		var err error
		if dst, err = m.appendChain(dst, c); err != nil {
			return dst[:start], err
		}
		if found := dst[start:]; len(found) > 0 {
			if c.sameKey {
				slices.SortFunc(found, compareSameKey)
			}
			break
		}
	}
	return dst, nil
}

// appendChain appends what a chain finds, in document order.
func (m *matcher) appendChain(dst []engine.Node, c *chain) ([]engine.Node, error) {
	if c.direct != nil {
		return m.appendDirect(dst, c), nil
	}
	m.findTops(c)
	last := m.tops[len(m.tops)-1]
	if last.has(topRoot) {
		dst = append(dst, m.snap.Root())
	}
	only, elsewhere := m.chunksOf(c)
	if elsewhere {
		return dst, nil
	}
	for r := engine.RegionSys; r <= engine.RegionRest; r++ {
		if r < engine.RegionRest && last.has(topOf[r]) {
			top, _ := m.snap.Region(r)
			dst = append(dst, top)
		}
		if !c.scope.regions[r] {
			continue
		}
		var err error
		if dst, err = m.appendRegion(dst, c, r, only); err != nil {
			return dst, err
		}
	}
	return dst, nil
}

// findTops works out what each step finds of the root and the regions.
func (m *matcher) findTops(c *chain) {
	m.tops = m.tops[:0]
	before := topSet(0)
	for _, s := range c.steps {
		before = s.topsOf(m.snap, before)
		m.tops = append(m.tops, before)
	}
}

// chunksOf returns the nodes in whose chunks everything must be that a chain finds, in document order; nil when they
// can be anywhere. When there are no such chunks, elsewhere is set: nothing is found.
func (m *matcher) chunksOf(c *chain) (only []engine.Node, elsewhere bool) {
	switch {
	case c.hasID:
		n, ok := m.snap.Find(c.id)
		if !ok || isTop(n) {
			return nil, true
		}
		return []engine.Node{n}, false
	case c.key != "":
		only = slices.DeleteFunc(m.snap.Keyed(c.key), isTop)
		return only, len(only) == 0
	}
	return nil, false
}

func isTop(n engine.Node) bool {
	_, _, _, _, top := n.Place()
	return top
}

// appendRegion appends what a chain finds in the content of a region.
func (m *matcher) appendRegion(dst []engine.Node, c *chain, r engine.Region, only []engine.Node) ([]engine.Node, error) {
	m.enter(r)
	from, to := 0, m.snap.NumChunks(r)
	if r == engine.RegionSeq {
		from, to = window(c.scope, m.snap.Segments())
	}
	m.views = m.views[:0]
	var err error
	look := func(at int, chunk *engine.Chunk) bool {
		m.views = append(m.views, view{c: chunk, at: at})
		if !c.positional {
			if err = m.run(c.steps); err != nil {
				return false
			}
			dst = m.appendFound(dst)
			m.views = m.views[:0]
		}
		return true
	}
	if only == nil {
		for at, chunk := range m.snap.Chunks(r, from, to, c.filter) {
			if !look(at, chunk) {
				return dst, err
			}
		}
	}
	last := -1
	for _, n := range only {
		if region, at, chunk, _, _ := n.Place(); region == r && at != last && at >= from && at < to {
			if last = at; !look(at, chunk) {
				return dst, err
			}
		}
	}
	if c.positional {
		if err := m.run(c.steps); err != nil {
			return dst, err
		}
		dst = m.appendFound(dst)
	}
	return dst, nil
}

// window turns depths into positions of chunks.
func window(s scope, segments int) (from, to int) {
	if s.to < int64(segments) {
		from = segments - int(s.to)
	}
	if s.from > int64(segments) {
		return 0, 0
	}
	return from, segments - int(s.from) + 1
}

// enter makes ready for the chunks of a region.
func (m *matcher) enter(r engine.Region) {
	m.region, m.top = r, topOf[r]
	if r == engine.RegionHead && !m.headKnown {
		m.headless, m.headKnown = m.snap.Headless(), true
	}
}

// appendFound appends the nodes that are left in the views.
func (m *matcher) appendFound(dst []engine.Node) []engine.Node {
	for k := range m.views {
		v := &m.views[k]
		dst = slices.Grow(dst, countBits(v.found))
		eachBit(v.found, func(i int) { dst = append(dst, m.snap.Node(m.region, v.at, v.c, i)) })
	}
	return dst
}

// appendDirect answers a chain of one step that requires an id or a key: its nodes are found without a search.
func (m *matcher) appendDirect(dst []engine.Node, c *chain) []engine.Node {
	tests := c.steps[0].parts[0].tests
	passes := func(n engine.Node) bool {
		if isTop(n) {
			return false
		}
		for _, t := range tests {
			if t != c.direct && !t.node(n) {
				return false
			}
		}
		return true
	}
	if c.direct.kind == testID {
		if n, ok := m.snap.Find(c.direct.word); ok && passes(n) {
			dst = append(dst, n)
		}
		return dst
	}
	for _, n := range m.snap.Keyed(c.direct.word) {
		if passes(n) {
			dst = append(dst, n)
		}
	}
	return dst
}

// directTest returns the test that finds all nodes of a chain by itself, nil if there is none.
func (c *chain) directTest() *test {
	s := c.steps[0]
	if len(c.steps) > 1 || !s.any || c.positional {
		return nil
	}
	var best *test
	for _, t := range s.parts[0].tests {
		if t.kind == testID || t.kind == testKey && t.word != "" && best == nil {
			best = t
		}
	}
	return best
}

// nodeSet is a set of nodes of one snapshot.
type nodeSet struct {
	sets map[*engine.Chunk][]uint64
	last *engine.Chunk // nodes come in runs of one chunk
	set  []uint64
}

// add tells whether a node was not there yet.
func (s *nodeSet) add(n engine.Node) bool {
	_, _, c, i, _ := n.Place()
	if c != s.last {
		if s.sets == nil {
			s.sets = map[*engine.Chunk][]uint64{}
		}
		if s.sets[c] == nil {
			s.sets[c] = make([]uint64, (c.Len()+63)>>6)
		}
		s.last, s.set = c, s.sets[c]
	}
	if hasBit(s.set, i) {
		return false
	}
	setBit(s.set, i)
	return true
}
