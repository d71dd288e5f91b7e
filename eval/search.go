package eval

import (
	"cmp"
	"context"
	"math/bits"
	"slices"
	"sync"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/tree"
)

// matchers keeps the buffers of evaluations for the next ones.
var matchers = sync.Pool{New: func() any { return new(matcher) }}

func newMatcher(s *engine.Snapshot, lives *engine.Lives) *matcher {
	m := matchers.Get().(*matcher)
	m.snap, m.lives, m.segments, m.budget = s, lives, s.Segments(), budget{left: checkEvery}
	return m
}

func (m *matcher) release() {
	m.forget()
	m.view.reset()
	m.snap, m.lives, m.counts, m.in, m.profile = nil, nil, nil, nil, nil
	matchers.Put(m)
}

// forget removes the hits, so their chunks can be freed.
func (m *matcher) forget() {
	clear(m.hits)
	m.hits = m.hits[:0]
	m.arenas[2].reset()
}

// appendUnion appends what the fragments find, each node where it was found first.
func (m *matcher) appendUnion(ctx context.Context, dst []engine.Node, union [][]*chain) ([]engine.Node, error) {
	start := len(dst)
	var seen nodeSet
	for _, f := range union {
		from := len(dst)
		dst = m.appendFragment(ctx, dst, f)
		if len(union) > 1 && m.spend(ctx, len(dst)-from) {
			dst = dst[:from+len(slices.DeleteFunc(dst[from:], seen.insert))]
		}
		if m.err != nil {
			return dst[:start], m.err
		}
	}
	return dst, nil
}

// appendFragment appends the nodes of the first chain that finds any.
func (m *matcher) appendFragment(ctx context.Context, dst []engine.Node, chains []*chain) []engine.Node {
	start := len(dst)
	for _, c := range chains {
		if m.profile != nil {
			dst = m.profile.appendChain(ctx, m, dst, c)
		} else {
			dst = m.appendChain(ctx, dst, c)
		}
		if len(dst) > start || m.err != nil {
			break
		}
	}
	return dst
}

// appendChain appends the nodes that a chain finds: in document order, or by compareSameKey if the
// last step requires a key.
func (m *matcher) appendChain(ctx context.Context, dst []engine.Node, c *chain) []engine.Node {
	if c.direct != nil {
		dst, m.err = c.appendDirect(ctx, m.lives, dst, m.snap)
		return dst
	}
	m.forget()
	m.findRoots(ctx, c)
	if m.search(ctx, c); m.err != nil {
		return dst
	}
	start := len(dst)
	dst = m.appendHits(dst)
	if c.sameKey {
		slices.SortFunc(dst[start:], compareSameKey)
	}
	return dst
}

// appendHits appends what was found.
func (m *matcher) appendHits(dst []engine.Node) []engine.Node {
	last, s := m.roots[len(m.roots)-1], treeOf(m.snap)
	total := bits.OnesCount8(uint8(last))
	for i := range m.hits {
		if h := &m.hits[i]; h.postings != nil {
			total += h.postings.Len()
		} else {
			total += tree.Bits(h.set).Len()
		}
	}
	dst = grow(dst, total)
	if last.has(rootNode) {
		dst = append(dst, m.snap.Root())
	}
	hits := m.hits
	for r := engine.RegionSys; r <= engine.RegionRest; r++ {
		if r < engine.RegionRest && last.has(rootOf[r]) {
			n, _ := m.snap.Region(r)
			dst = append(dst, n)
		}
		for ; len(hits) > 0 && hits[0].region == r; hits = hits[1:] {
			if h := &hits[0]; h.postings != nil {
				dst = tree.AppendPostings(dst, s, h.postings)
			} else {
				dst = tree.AppendRun(dst, s, r, h.at, h.Run, h.set)
			}
		}
	}
	return dst
}

// grow makes room for n more nodes, and for no others if the slice is new.
func grow(dst []engine.Node, n int) []engine.Node {
	if dst == nil {
		return make([]engine.Node, 0, n)
	}
	return slices.Grow(dst, n)
}

// hit is what was found: a set of nodes of a section, or a list of nodes of a region.
type hit struct {
	section
	set      []uint64
	postings *tree.PostingList // instead of set
}

// findRoots computes which of the root and the regions each step finds.
func (m *matcher) findRoots(ctx context.Context, c *chain) {
	m.roots = m.roots[:0]
	before := rootSet(0)
	for _, s := range c.steps {
		before = s.rootsOf(ctx, m.lives, m.snap, before)
		m.roots = append(m.roots, before)
	}
}

// search adds what a chain finds in the content of the regions to the hits.
func (m *matcher) search(ctx context.Context, c *chain) {
	m.start = m.startOf(c)
	in := m.in // the chunks that can hold what the chain finds, or nil for all
	switch {
	case c.id != nil:
		in = new(parts)
		in.addChunkOf(m.snap, c.id.text)
	case c.key != nil:
		in = new(parts)
		for _, n := range m.snap.Keyed(c.key.text) {
			in.add(n)
		}
		in.compact()
	}
	m.headImplies = c.implies && c.scope.regions.has(headNode) && treeOf(m.snap).ImplicitCore()
	for r := engine.RegionSys; r <= engine.RegionRest; r++ {
		if c.scope.regions.has(rootOf[r]) && treeOf(m.snap).NumChunks(r) > 0 {
			m.searchRegion(ctx, c, r, in)
		}
	}
	m.run(ctx, c)
	m.err = cmp.Or(m.err, c.interrupted(ctx))
}

// startOf returns the step at which a search may begin, because everything in the scope is below
// what the steps before it find.
func (m *matcher) startOf(c *chain) int {
	if m.counts != nil {
		return 0
	}
	for i := len(c.steps) - 1; i > 0; i-- {
		before := m.roots[i-1]
		if c.steps[i].combinator == ast.Descendant && (before.has(rootNode) || c.scope.regions&^before == 0) {
			return i
		}
	}
	return c.start
}

// searchRegion is search for one region, or for some chunks of it if in is not nil.
func (m *matcher) searchRegion(ctx context.Context, c *chain, r engine.Region, in *parts) {
	all := treeOf(m.snap).NumChunks(r)
	from, to := 0, all
	if r == engine.RegionSeq {
		n := int64(m.segments) // the segments have the depths n to 1
		from, to = int(n-min(c.scope.to, n)), int(n+1-min(c.scope.from, n+1))
	}
	strategy, postings := m.choose(c, r, in, from, to)
	if m.profile != nil {
		m.profile.search(m, c, r, strategy, postings)
	}
	switch strategy {
	case searchGiven:
		for _, at := range in[r] {
			m.searchChunk(ctx, c, treeOf(m.snap).Chunk(r, at), r, at, from, to)
		}
	case takeList:
		m.run(ctx, c) // the nodes before it come first
		m.hits = append(m.hits, hit{section: section{region: r}, postings: postings})
	case searchListed:
		for at, chunk := range postings.Chunks() {
			m.searchChunk(ctx, c, chunk, r, at, from, to)
		}
	case searchAll:
		for at, run := range treeOf(m.snap).Runs(r, from, to, c.filter) {
			if !m.add(ctx, c, run.Run, r, at, run.From, run.To) {
				return
			}
		}
	}
}

// choose returns how to search the chunks from <= at < to of a region, and the posting list for it.
// The strategies stand at [strategy].
func (m *matcher) choose(c *chain, r engine.Region, in *parts, from, to int) (strategy, *tree.PostingList) {
	all := treeOf(m.snap).NumChunks(r)
	if in != nil {
		return searchGiven, nil
	}
	if all < chunkCost {
		return searchAll, nil
	}
	postings := m.shortest(c, r)
	switch {
	case postings == nil:
		return searchAll, nil
	case c.whole && m.start == len(c.steps)-1 && from <= 0 && to >= all:
		return takeList, postings
	case postings.Len() <= (to-from)/chunkCost:
		return searchListed, postings
	}
	return searchAll, nil
}

// chunkCost is how many chunks of a long run can be searched in the time that one chunk by itself
// takes.
const chunkCost = 16

// shortest returns the shortest of the posting lists of the words that the chain requires, or nil.
func (m *matcher) shortest(c *chain, r engine.Region) *tree.PostingList {
	var best *tree.PostingList
	for i := range c.words {
		w := &c.words[i]
		if l := treeOf(m.snap).PostingList(r, w.Word, w.tag); l != nil && (best == nil || l.Len() < best.Len()) {
			best = l
		}
	}
	return best
}

// searchChunk searches a chunk if it is in from <= at < to and may hold what the chain requires.
func (m *matcher) searchChunk(ctx context.Context, c *chain, chunk *tree.Chunk, r engine.Region, at, from, to int) {
	if m.err == nil && from <= at && at < to && chunk.MayHold(c.filter) {
		m.add(ctx, c, chunk.Run(), r, at, 0, 1)
	}
}

// add adds some chunks to the view, runs the chain over the view if it is full, and reports whether
// to go on. A chain that counts siblings must see all of them together.
func (m *matcher) add(ctx context.Context, c *chain, run *tree.Run, r engine.Region, at, from, to int) bool {
	m.view.add(run, r, at, from, to)
	if m.profile != nil {
		m.profile.searched(to - from)
	}
	if len(m.view.nodes) >= viewWords && !c.positional {
		m.run(ctx, c)
	}
	return m.err == nil
}

// run runs a chain over the view, adds what it finds to the hits, and empties the view.
func (m *matcher) run(ctx context.Context, c *chain) {
	v := &m.view
	if len(v.sections) == 0 || m.err != nil {
		return
	}
	m.runSteps(ctx, c)
	if v.found != nil {
		found := m.arenas[2].raw(len(v.found))
		copy(found, v.found)
		for i := range v.sections {
			s := &v.sections[i]
			if set := s.of(found); !isEmpty(set) {
				m.hits = append(m.hits, hit{section: *s, set: set})
			}
		}
	}
	v.reset()
}

// nodeSet is a set of nodes of one snapshot.
type nodeSet struct {
	sets map[*tree.Chunk][]uint64
	last *tree.Chunk // nodes of the same chunk tend to come together
	set  []uint64
}

// insert adds a node, and reports whether it was there already.
func (s *nodeSet) insert(n engine.Node) bool {
	c, i := tree.Node(n).Chunk(), int(tree.Node(n).I())
	if c != s.last {
		if s.sets == nil {
			s.sets = map[*tree.Chunk][]uint64{}
		}
		if s.sets[c] == nil {
			s.sets[c] = make([]uint64, (c.Len()+63)>>6)
		}
		s.last, s.set = c, s.sets[c]
	}
	had := tree.Bits(s.set).Has(i)
	setBit(s.set, i)
	return had
}
