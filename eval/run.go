package eval

import (
	"context"
	"iter"
	"math/bits"
	"slices"
	"sync"

	"github.com/pactkit/pactkit/engine"
)

// matchers keeps what evaluations need for the next one.
var matchers = sync.Pool{New: func() any { return new(matcher) }}

func newMatcher(ctx context.Context, s *engine.Snapshot) *matcher {
	m := matchers.Get().(*matcher)
	m.ctx, m.snap, m.budget, m.headKnown, m.segments = ctx, s, checkEvery, false, s.Segments()
	return m
}

func (m *matcher) release() {
	m.ctx, m.snap, m.counts, m.in = nil, nil, nil, nil
	clear(m.views[:cap(m.views)])
	matchers.Put(m)
}

// forget lets go of the chunks that a chain has looked at.
func (m *matcher) forget() {
	clear(m.hits)
	m.hits = m.hits[:0]
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
			sortFound(c, found)
			break
		}
	}
	return dst, nil
}

// sortFound puts what a chain has found into its order.
func sortFound(c *chain, found []engine.Node) {
	if c.sameKey && len(found) > 1 {
		slices.SortFunc(found, compareSameKey)
	}
}

// appendChain appends what a chain finds, in document order.
func (m *matcher) appendChain(dst []engine.Node, c *chain) ([]engine.Node, error) {
	if c.direct != nil {
		return appendDirect(m.ctx, dst, c, m.snap)
	}
	defer m.forget()
	m.findTops(c)
	last := m.tops[len(m.tops)-1]
	only, elsewhere := m.chunksOf(c)
	if elsewhere {
		return dst, nil
	}
	var ends [engine.RegionRest + 1]int // where the hits of a region end
	for r := range ends {
		if c.scope.regions[r] {
			if err := m.searchRegion(c, engine.Region(r), only); err != nil {
				return dst, err
			}
		}
		ends[r] = len(m.hits)
	}
	total := bits.OnesCount8(uint8(last))
	for i := range m.hits {
		if h := &m.hits[i]; h.rare != nil {
			total += h.rare.Len()
		} else {
			total += bits.OnesCount64(h.set)
		}
	}
	dst = grow(dst, total)
	if last.has(topRoot) {
		dst = append(dst, m.snap.Root())
	}
	from := 0
	for r, to := range ends {
		region := engine.Region(r)
		if region < engine.RegionRest && last.has(topOf[r]) {
			top, _ := m.snap.Region(region)
			dst = append(dst, top)
		}
		for i := range m.hits[from:to] {
			h := &m.hits[from+i]
			switch {
			case h.c != nil:
				dst = m.snap.AppendSet(dst, region, h.at, h.c, h.base, h.set)
			case h.p != nil:
				dst = m.snap.AppendPacked(dst, region, h.at, h.p, h.base, h.set)
			default:
				dst = m.snap.AppendRare(dst, h.rare)
			}
		}
		from = to
	}
	return dst, nil
}

// grow makes room for n more nodes, in a new slice for no more than these.
func grow(dst []engine.Node, n int) []engine.Node {
	if dst == nil {
		return make([]engine.Node, 0, n)
	}
	return slices.Grow(dst, n)
}

// hit is what was found: a word of a set of nodes of a chunk, or of a pack, or a list of nodes.
type hit struct {
	c    *engine.Chunk
	p    *engine.Pack // instead of c
	rare *engine.Rare // instead of both
	at   int          // the position of the chunk, or of the first of the pack
	base int          // the number of the node that the lowest bit stands for; of a pack, the word
	set  uint64
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

// searchRegion adds what a chain finds in the content of a region to the hits.
func (m *matcher) searchRegion(c *chain, r engine.Region, only []engine.Node) error {
	m.enter(r)
	m.start = m.startOf(c)
	from, to := 0, m.snap.NumChunks(r)
	if r == engine.RegionSeq {
		from, to = window(c.scope, m.segments)
	}
	m.views = m.views[:0]
	last := -1
	for _, n := range only {
		if region, at, chunk, _, _ := n.Place(); region == r && at != last && at >= from && at < to {
			last = at
			if err := m.look(c, at, chunk); err != nil {
				return err
			}
		}
	}
	if m.in != nil {
		return m.searchChunks(c, m.chunksAt(r), from, to)
	}
	if only == nil {
		all := c.whole && m.start == len(c.steps)-1 && from <= 0 && to >= m.snap.NumChunks(r)
		rare := m.rarest(c, r)
		var err error
		switch {
		case rare != nil && all:
			m.hits = append(m.hits, hit{rare: rare})
		case rare != nil && rare.Len() <= (to-from)/rareChunks:
			err = m.searchChunks(c, rare.Chunks(), from, to)
		default:
			err = m.searchStretches(c, r, from, to)
		}
		if err != nil {
			return err
		}
	}
	if c.positional {
		if err := m.run(c.steps); err != nil {
			return err
		}
		m.keepHits()
	}
	return nil
}

// rareChunks says how much longer a chunk takes that is looked at by itself than one in a pack.
const rareChunks = 16

// rarest returns the shortest list of the nodes that have a word which the chain demands, nil if there is none.
func (m *matcher) rarest(c *chain, r engine.Region) *engine.Rare {
	var best *engine.Rare
	for i := range c.words {
		w := &c.words[i]
		if l := m.snap.Rare(r, w.Word, w.tag); l != nil && (best == nil || l.Len() < best.Len()) {
			best = l
		}
	}
	return best
}

// chunksAt yields the chunks that matter of a region.
func (m *matcher) chunksAt(r engine.Region) iter.Seq2[int, *engine.Chunk] {
	return func(yield func(int, *engine.Chunk) bool) {
		for _, at := range m.in[r] {
			if !yield(at, m.snap.Chunk(r, at)) {
				return
			}
		}
	}
}

// searchChunks looks at those of some chunks that may hold what the chain demands.
func (m *matcher) searchChunks(c *chain, chunks iter.Seq2[int, *engine.Chunk], from, to int) error {
	for at, chunk := range chunks {
		if at < from || at >= to || !chunk.MayHold(c.filter) {
			continue
		}
		if err := m.spend(16); err != nil {
			return err
		}
		if err := m.look(c, at, chunk); err != nil {
			return err
		}
	}
	return nil
}

// searchStretches looks at all chunks that may hold what the chain demands.
func (m *matcher) searchStretches(c *chain, r engine.Region, from, to int) error {
	for at, stretch := range m.snap.Stretches(r, from, to, c.filter) {
		if err := m.spend(16 * len(stretch.Chunks)); err != nil {
			return err
		}
		if p := stretch.Pack; p != nil && c.small != nil && m.counts == nil {
			done := m.runPack(c, p, at-stretch.From, stretch.From, stretch.From+len(stretch.Chunks))
			if m.budget <= 0 {
				if err := m.spend(0); err != nil {
					return err
				}
			}
			if done {
				continue
			}
		}
		for w := stretch.Which; w != 0; w &= w - 1 {
			i := bits.TrailingZeros64(w)
			if err := m.look(c, at+i, stretch.Chunks[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// look runs a chain over one chunk, or puts the chunk aside where all of them must be looked at together.
func (m *matcher) look(c *chain, at int, chunk *engine.Chunk) error {
	if c.small != nil && m.counts == nil {
		set, ok := m.runSmall(c, chunk, at)
		if m.budget <= 0 {
			if err := m.spend(0); err != nil {
				return err
			}
		}
		if ok {
			if set != 0 {
				m.hits = append(m.hits, hit{c: chunk, at: at, set: set})
			}
			return nil
		}
	}
	m.views = append(m.views, view{c: chunk, at: at})
	if c.positional {
		return nil
	}
	if err := m.run(c.steps); err != nil {
		return err
	}
	m.keepHits()
	m.views = m.views[:0]
	return nil
}

// keepHits adds what is left in the views to the hits.
func (m *matcher) keepHits() {
	for i := range m.views {
		v := &m.views[i]
		for k, set := range v.found {
			if set != 0 {
				m.hits = append(m.hits, hit{c: v.c, at: v.at, base: k << 6, set: set})
			}
		}
	}
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

// appendDirect answers a chain of one step that requires an id or a key: its nodes are found without a search.
func appendDirect(ctx context.Context, dst []engine.Node, c *chain, s *engine.Snapshot) ([]engine.Node, error) {
	if c.direct.kind == testID {
		if n, ok := s.Find(c.direct.word); ok && c.passes(n) {
			if dst == nil {
				return []engine.Node{n}, nil
			}
			dst = append(dst, n)
		}
		return dst, nil
	}
	start := len(dst)
	dst = s.AppendKeyed(dst, c.direct.word)
	kept, costly := start, c.steps[0].parts[0].costly()
	for i := start; i < len(dst); i++ {
		if costly {
			if err := ctx.Err(); err != nil {
				return dst[:start], err
			}
		}
		if c.passes(dst[i]) {
			if kept < i {
				dst[kept] = dst[i]
			}
			kept++
		}
	}
	clear(dst[kept:])
	return dst[:kept], nil
}

// passes tells whether a node that the direct test has found is none of the regions and passes the other tests.
func (c *chain) passes(n engine.Node) bool {
	if isTop(n) {
		return false
	}
	tests := c.steps[0].parts[0].tests
	if len(tests) == 1 {
		return true
	}
	for _, t := range tests {
		if t != c.direct && !t.node(n) {
			return false
		}
	}
	return true
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
