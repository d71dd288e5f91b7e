package engine

import "slices"

// Chunk is an immutable run of whole subtrees below one region, its nodes in
// document order. Each segment is one chunk; the other regions are cut into
// chunks of about 64 nodes. Snapshots share the chunks they have in common,
// so that two chunks with one address hold the same nodes.
//
// Nodes of a chunk are numbered from 0. Any number of goroutines may read a
// chunk at once.
type Chunk struct {
	recs []*record // with lazy and nav in one line of the processor's cache
	lazy lazyColumns
	nav  []nav
	sum  summary
}

// nav places a node inside its chunk.
type nav struct {
	parent int32 // -1: a child of the region
	end    int32 // behind the last node of the subtree
	level  int32 // 0: a child of the region
}

// chunkTarget is the size regions are cut at.
const chunkTarget = 64

// summary says what a part of a tree holds, so that searches, expiry and
// diffs can pass over it.
type summary struct {
	chunks, nodes, mortal int
	expiry                int64 // the earliest
	types, tags, keys     uint64
}

func (s *summary) add(o *summary) {
	s.chunks += o.chunks
	s.nodes += o.nodes
	s.mortal += o.mortal
	s.expiry = min(s.expiry, o.expiry)
	s.types |= o.types
	s.tags |= o.tags
	s.keys |= o.keys
}

// forest is a list of whole subtrees in document order, the form in which
// trees are edited.
type forest struct {
	recs   []*record
	levels []int32
}

func (f *forest) add(r *record, level int32) {
	f.recs = append(f.recs, r)
	f.levels = append(f.levels, level)
}

// addAll appends the nodes [from, to) of c, moved by shift levels.
func (f *forest) addAll(c *Chunk, from, to int, shift int32) {
	f.recs = append(f.recs, c.recs[from:to]...)
	for _, n := range c.nav[from:to] {
		f.levels = append(f.levels, n.level+shift)
	}
}

// newChunk makes a chunk of a forest, whose slices it takes over.
func newChunk(f forest) *Chunk {
	c := &Chunk{recs: f.recs, nav: make([]nav, len(f.recs)), sum: summaryOf(f.recs)}
	link(c.nav, f.levels, 0, -1, 0)
	return c
}

// link fills in the nodes of a forest from number at on, as the children of
// parent, at a level.
func link(places []nav, levels []int32, at, parent, level int32) {
	last := parent // the node before, whose ancestors are still open
	for i, l := range levels {
		here := at + int32(i)
		l += level
		for last != parent && places[last].level >= l {
			places[last].end = here
			last = places[last].parent
		}
		places[here] = nav{parent: last, level: l}
		last = here
	}
	for end := at + int32(len(levels)); last != parent; last = places[last].parent {
		places[last].end = end
	}
}

func summaryOf(recs []*record) summary {
	s := summary{chunks: 1, nodes: len(recs), expiry: never}
	for _, r := range recs {
		if r.mortal() {
			s.mortal++
			s.expiry = min(s.expiry, r.expiry)
		}
		s.types |= r.typeMask
		s.tags |= r.tagMask
		s.keys |= r.keyMask
	}
	return s
}

// forest returns the nodes of c for editing.
func (c *Chunk) forest() forest {
	n := len(c.recs)
	f := forest{make([]*record, 0, n), make([]int32, 0, n)}
	f.addAll(c, 0, n, 0)
	return f
}

// with returns c with the record of node i replaced. The order of siblings
// must not change.
func (c *Chunk) with(i int, r *record) *Chunk {
	recs := slices.Clone(c.recs)
	recs[i] = r
	return &Chunk{recs: recs, nav: c.nav, sum: summaryOf(recs)}
}

// without returns c without the subtree of node i.
func (c *Chunk) without(i int) *Chunk {
	recs, places := c.splice(int(c.nav[i].parent), i, int(c.nav[i].end), 0)
	return &Chunk{recs: recs, nav: places, sum: summaryOf(recs)}
}

// splice returns copies of the lists of c with room for n nodes in place of
// the nodes [from, to), which are whole subtrees below node parent.
func (c *Chunk) splice(parent, from, to, n int) ([]*record, []nav) {
	more := n - (to - from)
	recs, places := make([]*record, len(c.recs)+more), make([]nav, len(c.recs)+more)
	copy(recs, c.recs[:from])
	copy(recs[from+n:], c.recs[to:])
	copy(places, c.nav[:from])
	copy(places[from+n:], c.nav[to:])
	for ; parent >= 0; parent = int(c.nav[parent].parent) {
		places[parent].end += int32(more)
	}
	for i := range places[from+n:] {
		p := &places[from+n+i]
		p.end += int32(more)
		if p.parent >= int32(to) {
			p.parent += int32(more)
		}
	}
	return recs, places
}

// place returns where a new child r of node parent belongs, -1 standing for
// the region.
func (c *Chunk) place(parent int, r *record) int {
	i, end := 0, len(c.recs)
	if parent >= 0 {
		i, end = parent+1, int(c.nav[parent].end)
	}
	for i < end && compareSiblings(c.recs[i], r) < 0 {
		i = int(c.nav[i].end)
	}
	return i
}

// insert returns c with the subtrees of g as children of node parent, before
// node at.
func (c *Chunk) insert(parent, at int, g forest) *Chunk {
	level := int32(0)
	if parent >= 0 {
		level = c.nav[parent].level + 1
	}
	recs, places := c.splice(parent, at, at, len(g.recs))
	copy(recs[at:], g.recs)
	link(places, g.levels, int32(at), int32(parent), level)
	sum, more := c.sum, summaryOf(g.recs)
	more.chunks = 0
	sum.add(&more)
	return &Chunk{recs: recs, nav: places, sum: sum}
}

// subtree returns node i and what is below it as a forest of its own.
func (c *Chunk) subtree(i int) forest {
	var f forest
	f.addAll(c, i, int(c.nav[i].end), -c.nav[i].level)
	return f
}

// index returns the node with the given id, -1 if it is not in the chunk. A
// large chunk that will stay is worth a map, unlike one of a working state,
// which the next mutation replaces; there, what was asked for last often
// stands last.
func (c *Chunk) index(id string, stays bool) int {
	if stays && len(c.recs) > 2*chunkTarget {
		return c.columns().find(id)
	}
	if p := c.lazy.p.Load(); p != nil && p.idHashes != nil {
		hash := hashOf(id)
		for i, h := range p.idHashes {
			if h == hash && c.recs[i].id == id {
				return i
			}
		}
		return -1
	}
	for i, r := range slices.Backward(c.recs) {
		if r.id == id {
			return i
		}
	}
	return -1
}

// cut makes chunks of a forest: one for each subtree when whole is set, else
// of about chunkTarget nodes.
func cut(f forest, whole bool) []*Chunk {
	var out []*Chunk
	start := 0
	for i := 1; i <= len(f.recs); i++ {
		if i == len(f.recs) || f.levels[i] == 0 && (whole || i-start >= chunkTarget) {
			out = append(out, newChunk(forest{f.recs[start:i:i], f.levels[start:i:i]}))
			start = i
		}
	}
	return out
}
