package eval

import (
	"context"
	"iter"
	"math/bits"
	"slices"
	"sync"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/tree"
)

// matchers keeps what evaluations need for the next one.
var matchers = sync.Pool{New: func() any { return new(matcher) }}

func newMatcher(s *engine.Snapshot) *matcher {
	m := matchers.Get().(*matcher)
	m.snap, m.segments, m.budget, m.headKnown = s, s.Segments(), checkEvery, false
	return m
}

func (m *matcher) release() {
	m.snap, m.counts, m.in = nil, nil, nil
	clear(m.views[:cap(m.views)])
	matchers.Put(m)
}

// forget lets go of the chunks that a chain has found something in.
func (m *matcher) forget() {
	clear(m.hits)
	m.hits = m.hits[:0]
}

// appendUnion appends what the fragments find, each node where it was found first.
func (m *matcher) appendUnion(ctx context.Context, dst []engine.Node, union []*fragment) ([]engine.Node, error) {
	if len(union) == 1 {
		return m.appendFragment(ctx, dst, union[0])
	}
	start := len(dst)
	var seen nodeSet
	for _, f := range union {
		from := len(dst)
		var err error
		if dst, err = m.appendFragment(ctx, dst, f); err != nil {
			return dst[:start], err
		}
		if err := m.spend(ctx, len(dst)-from); err != nil {
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
func (m *matcher) appendFragment(ctx context.Context, dst []engine.Node, f *fragment) ([]engine.Node, error) {
	start := len(dst)
	for _, c := range f.chains {
		var err error
		if dst, err = m.appendChain(ctx, dst, c); err != nil {
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
func (m *matcher) appendChain(ctx context.Context, dst []engine.Node, c *chain) ([]engine.Node, error) {
	if c.direct != nil {
		return c.appendDirect(ctx, dst, m.snap)
	}
	defer m.forget()
	m.findTops(ctx, c)
	only, elsewhere := m.chunksOf(c)
	if elsewhere {
		return dst, nil
	}
	var ends [engine.RegionRest + 1]int // where the hits of a region end
	for r := range ends {
		if c.scope.regions[r] {
			if err := m.searchRegion(ctx, c, engine.Region(r), only); err != nil {
				return dst, err
			}
		}
		ends[r] = len(m.hits)
	}
	return m.appendHits(dst, ends), c.interrupted(ctx)
}

// appendHits appends what was found, the hits of each region up to its end.
func (m *matcher) appendHits(dst []engine.Node, ends [engine.RegionRest + 1]int) []engine.Node {
	last := m.tops[len(m.tops)-1]
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
			case h.chunk != nil:
				dst = tree.AppendSet(dst, treeOf(m.snap), region, h.at, h.chunk, h.word<<6, h.set)
			case h.pack != nil:
				dst = tree.AppendBatch(dst, treeOf(m.snap), region, h.at, h.pack, h.word, h.set)
			default:
				dst = tree.AppendPostings(dst, treeOf(m.snap), h.rare)
			}
		}
		from = to
	}
	return dst
}

// grow makes room for n more nodes, in a new slice for no more than these.
func grow(dst []engine.Node, n int) []engine.Node {
	if dst == nil {
		return make([]engine.Node, 0, n)
	}
	return slices.Grow(dst, n)
}

// hit is what was found: a word of a set of nodes of a chunk or of a pack, or a list of nodes.
type hit struct {
	chunk *tree.Chunk
	pack  *tree.ChunkBatch  // instead of chunk
	rare  *tree.PostingList // instead of both
	at    int               // the position of the chunk, or of the first chunk of the pack
	word  int
	set   uint64
}

// findTops works out what each step finds of the root and the regions.
func (m *matcher) findTops(ctx context.Context, c *chain) {
	m.tops = m.tops[:0]
	before := topSet(0)
	for _, s := range c.steps {
		before = s.topsOf(ctx, m.snap, before)
		m.tops = append(m.tops, before)
	}
}

// chunksOf returns, in document order, the nodes whose chunks hold everything that a chain can find. It returns nil when
// the chain can find nodes in any chunk, and sets elsewhere when no chunk can hold one.
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
	_, _, _, _, top := tree.Node(n).Place()
	return top
}

// searchRegion adds what a chain finds in the content of a region to the hits.
func (m *matcher) searchRegion(ctx context.Context, c *chain, r engine.Region, only []engine.Node) error {
	m.enter(c, r)
	from, to := 0, treeOf(m.snap).NumChunks(r)
	if r == engine.RegionSeq {
		from, to = window(c.scope, m.segments)
	}
	rare := (*tree.PostingList)(nil)
	if only == nil && m.in == nil {
		rare = m.rarest(c, r)
	}
	var err error
	switch {
	case rare != nil && c.whole && m.start == len(c.steps)-1 && from <= 0 && to >= treeOf(m.snap).NumChunks(r):
		m.hits = append(m.hits, hit{rare: rare})
	case only != nil:
		err = m.searchChunks(ctx, c, chunksWith(only, r), from, to)
	case m.in != nil:
		err = m.searchChunks(ctx, c, m.chunksAt(r), from, to)
	case rare != nil && rare.Len() <= (to-from)/rareChunks:
		err = m.searchChunks(ctx, c, rare.Chunks(), from, to)
	default:
		err = m.searchAll(ctx, c, r, from, to)
	}
	if err != nil || !c.positional {
		return err
	}
	return m.runViews(ctx, c)
}

// enter makes ready for the chunks of a region.
func (m *matcher) enter(c *chain, r engine.Region) {
	m.region, m.top = r, topOf[r]
	if r == engine.RegionHead && !m.headKnown {
		m.headless, m.headKnown = treeOf(m.snap).ImplicitCore(), true
	}
	m.start = 0
	if m.counts == nil {
		m.start = m.startOf(c)
	}
	m.clearViews()
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

// rareChunks says how much longer a chunk takes that is looked at by itself than one in a pack.
const rareChunks = 16

// rarest returns the shortest list of the nodes that have a word that the chain requires, nil for none.
func (m *matcher) rarest(c *chain, r engine.Region) *tree.PostingList {
	var best *tree.PostingList
	for i := range c.words {
		w := &c.words[i]
		if l := treeOf(m.snap).PostingList(r, w.Word, w.tag); l != nil && (best == nil || l.Len() < best.Len()) {
			best = l
		}
	}
	return best
}

// chunksWith yields the chunks of a region that some nodes are in, which stand in document order.
func chunksWith(nodes []engine.Node, r engine.Region) iter.Seq2[int, *tree.Chunk] {
	return func(yield func(int, *tree.Chunk) bool) {
		last := -1
		for _, n := range nodes {
			if region, at, chunk, _, _ := tree.Node(n).Place(); region == r && at != last {
				if last = at; !yield(at, chunk) {
					return
				}
			}
		}
	}
}

// chunksAt yields the chunks that matter of a region.
func (m *matcher) chunksAt(r engine.Region) iter.Seq2[int, *tree.Chunk] {
	return func(yield func(int, *tree.Chunk) bool) {
		for _, at := range m.in[r] {
			if !yield(at, treeOf(m.snap).Chunk(r, at)) {
				return
			}
		}
	}
}

// searchChunks looks at those of some chunks that may hold what the chain demands.
func (m *matcher) searchChunks(ctx context.Context, c *chain, chunks iter.Seq2[int, *tree.Chunk], from, to int) error {
	for at, chunk := range chunks {
		if at < from || at >= to || !chunk.MayHold(c.filter) {
			continue
		}
		if err := m.matchChunk(ctx, c, at, chunk); err != nil {
			return err
		}
	}
	return nil
}

// searchAll looks at all chunks that may hold what the chain demands, in packs where there are some. Which nodes of a
// pack have implied cores is not known, so that chunks that have some are looked at by themselves when it matters.
func (m *matcher) searchAll(ctx context.Context, c *chain, r engine.Region, from, to int) error {
	for at, run := range treeOf(m.snap).ChunkRuns(r, from, to, c.filter) {
		if err := m.spend(ctx, 16*len(run.Chunks)); err != nil {
			return err
		}
		if p := run.Batch; p != nil && !c.positional && !(c.implies && p.ImplicitCore()) {
			m.viewPack(p, at-run.From, run.From, run.From+len(run.Chunks))
			if err := m.runViews(ctx, c); err != nil {
				return err
			}
			continue
		}
		for w := run.Which; w != 0; w &= w - 1 {
			i := bits.TrailingZeros64(w)
			if err := m.matchChunk(ctx, c, at+i, run.Chunks[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// matchChunk runs a chain over one chunk, or puts the chunk aside where all of them must be looked at together.
func (m *matcher) matchChunk(ctx context.Context, c *chain, at int, chunk *tree.Chunk) error {
	m.viewChunk(chunk, at)
	if c.positional {
		return nil
	}
	return m.runViews(ctx, c)
}

// runViews runs a chain over the views, and adds what it finds to the hits.
func (m *matcher) runViews(ctx context.Context, c *chain) error {
	if err := m.run(ctx, c); err != nil {
		return err
	}
	for i := range m.views {
		v := &m.views[i]
		for k, set := range v.found {
			if set != 0 {
				m.hits = append(m.hits, hit{chunk: v.chunk, pack: v.pack, at: v.at, word: k, set: set})
			}
		}
	}
	m.clearViews()
	return nil
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

// nodeSet is a set of nodes of one snapshot.
type nodeSet struct {
	sets map[*tree.Chunk][]uint64
	last *tree.Chunk // nodes come in runs of one chunk
	set  []uint64
}

// add tells whether a node was not there yet.
func (s *nodeSet) add(n engine.Node) bool {
	_, _, c, i, _ := tree.Node(n).Place()
	if c != s.last {
		if s.sets == nil {
			s.sets = map[*tree.Chunk][]uint64{}
		}
		if s.sets[c] == nil {
			s.sets[c] = make([]uint64, (c.Len()+63)>>6)
		}
		s.last, s.set = c, s.sets[c]
	}
	if contains(s.set, i) {
		return false
	}
	setBit(s.set, i)
	return true
}
