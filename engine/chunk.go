package engine

import (
	"math"
	"slices"
	"sync/atomic"
)

// Chunk is an immutable run of whole subtrees below one region, its nodes in
// document order. Each segment is one chunk; the other regions are cut into
// chunks of about 64 nodes. Snapshots share the chunks they have in common,
// so that two chunks with one address hold the same nodes.
//
// Nodes of a chunk are numbered from 0. Any number of goroutines may read a
// chunk at once.
type Chunk struct {
	recs  []*record // with lazy and nav in one line of the processor's cache
	lazy  lazyColumns
	nav   []nav
	spare *spare // nil: none
	sum   summary
}

// nav places a node inside its chunk.
type nav struct {
	parent int32 // -1: a child of the region
	until  int32 // behind the last node of the subtree, or open
	level  int32 // 0: a child of the region
}

// open is the end of a subtree that ends with its chunk. The nodes a chunk ends
// in have it, from the top down to the last that may have children: a child
// behind all others changes none of the nodes before it.
const open = math.MaxInt32

// spare counts how much of the room of the lists of a chunk is in use. The
// chunks that grow from one another share that room: each sees it up to its own
// length only, and the first to take what follows has it.
type spare struct{ used atomic.Int32 }

// chunkTarget is the size regions are cut at.
const chunkTarget = 64

// summary says what a part of a tree holds, so that searches, expiry and
// diffs can pass over it.
type summary struct {
	chunks, nodes, mortal int
	expiry                int64 // the earliest
	types, tags, keys     uint64
}

// instead makes s the sum with the part old replaced by new. It returns false,
// and leaves s as it was, where all parts have to be looked at to know.
func (s *summary) instead(old, new *summary) bool {
	if old.expiry < new.expiry && old.expiry == s.expiry ||
		old.types&^new.types|old.tags&^new.tags|old.keys&^new.keys != 0 {
		return false
	}
	s.add(new)
	s.chunks -= old.chunks
	s.nodes -= old.nodes
	s.mortal -= old.mortal
	return true
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

func (f forest) clone() forest { return forest{slices.Clone(f.recs), slices.Clone(f.levels)} }

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
	c.openEnd(0)
	return c
}

// openEnd opens the end of a chunk whose subtrees have a number as their end,
// as far as it lies among the nodes from number from on.
func (c *Chunk) openEnd(from int) {
	last := int32(len(c.recs)) - 1
	for i := last; int(i) >= from; i = c.nav[i].parent {
		if c.recs[i].base == BaseBlock {
			last = c.nav[i].parent
		}
	}
	for i := last; int(i) >= from; i = c.nav[i].parent {
		c.nav[i].until = open
	}
}

// end returns what is behind the last node of the subtree of node i.
func (c *Chunk) end(i int32) int32 { return min(c.nav[i].until, int32(len(c.nav))) }

// openNode returns the last node with an open end, -1 standing for the region.
func (c *Chunk) openNode() int {
	i := int32(len(c.recs)) - 1
	for i >= 0 && c.nav[i].until != open {
		i = c.nav[i].parent
	}
	return int(i)
}

// link fills in the nodes of a forest from number at on, as the children of
// parent, at a level.
func link(places []nav, levels []int32, at, parent, level int32) {
	last := parent // the node before, whose ancestors are still open
	for i, l := range levels {
		here := at + int32(i)
		l += level
		for last != parent && places[last].level >= l {
			places[last].until = here
			last = places[last].parent
		}
		places[here] = nav{parent: last, level: l}
		last = here
	}
	for end := at + int32(len(levels)); last != parent; last = places[last].parent {
		places[last].until = end
	}
}

func summaryOf(recs []*record) summary {
	s := partOf(recs)
	s.chunks = 1
	return s
}

// partOf is the summary of some nodes that are no chunk by themselves.
func partOf(recs []*record) summary {
	s := summary{nodes: len(recs), expiry: never}
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
	next := &Chunk{recs: recs, nav: c.nav, sum: c.sum}
	was, is := partOf(c.recs[i:i+1]), partOf(recs[i:i+1])
	if !next.sum.instead(&was, &is) {
		next.sum = summaryOf(recs)
	}
	return next
}

// without returns c without the subtree of node i.
func (c *Chunk) without(i int) *Chunk {
	recs, places := c.splice(int(c.nav[i].parent), i, int(c.end(int32(i))), 0)
	next := &Chunk{recs: recs, nav: places, sum: c.sum}
	if gone := partOf(c.recs[i:c.End(i)]); !next.sum.instead(&gone, &summary{expiry: never}) {
		next.sum = summaryOf(recs)
	}
	next.openEnd(0)
	return next
}

// splice returns copies of the lists of c with room for n nodes in place of
// the nodes [from, to), which are whole subtrees below node parent. No end is
// open in them.
func (c *Chunk) splice(parent, from, to, n int) ([]*record, []nav) {
	more := n - (to - from)
	recs, places := make([]*record, len(c.recs)+more), make([]nav, len(c.recs)+more)
	copy(recs, c.recs[:from])
	copy(recs[from+n:], c.recs[to:])
	copy(places, c.nav[:from])
	for i := c.openNode(); i >= 0; i = int(c.nav[i].parent) {
		if i < from {
			places[i].until = int32(len(c.nav))
		}
	}
	copy(places[from+n:], c.nav[to:])
	for ; parent >= 0; parent = int(c.nav[parent].parent) {
		places[parent].until += int32(more)
	}
	for i := range places[from+n:] {
		p := &places[from+n+i]
		p.until = c.end(int32(to+i)) + int32(more)
		if p.parent >= int32(to) {
			p.parent += int32(more)
		}
	}
	return recs, places
}

// place returns where a new child r of node parent belongs, -1 standing for
// the region.
func (c *Chunk) place(parent int, r *record) int {
	i, end := int32(0), int32(len(c.recs))
	if parent >= 0 {
		i, end = int32(parent)+1, c.end(int32(parent))
	}
	if i == end {
		return int(i)
	}
	last := end - 1 // a new node is the last child more often than not
	for c.nav[last].parent != int32(parent) {
		last = c.nav[last].parent
	}
	if compareSiblings(c.recs[last], r) < 0 {
		return int(end)
	}
	for end = last; i < end; {
		mid := (i + end) / 2
		for c.nav[mid].parent != int32(parent) {
			mid = c.nav[mid].parent
		}
		if compareSiblings(c.recs[mid], r) < 0 {
			i = c.end(mid)
		} else {
			end = mid
		}
	}
	return int(i)
}

// insert returns c with the subtrees of g as children of node parent, before
// node at. Where it has to copy the lists it leaves room for more nodes to
// come.
func (c *Chunk) insert(parent, at int, g forest, room int) *Chunk {
	next, from := &Chunk{sum: c.sum}, 0
	if at == len(c.recs) && c.openNode() == parent {
		next.recs, next.nav, next.spare = c.grown(len(g.recs), room)
		from = at // the nodes before are shared
	} else {
		next.recs, next.nav = c.splice(parent, at, at, len(g.recs))
	}
	level := int32(0)
	if parent >= 0 {
		level = c.nav[parent].level + 1
	}
	copy(next.recs[at:], g.recs)
	link(next.nav, g.levels, int32(at), int32(parent), level)
	next.openEnd(from)
	more := partOf(g.recs)
	next.sum.add(&more)
	return next
}

// grown returns the lists of c with n nodes more at the end, in its spare room
// if that is still there and large enough.
func (c *Chunk) grown(n, room int) ([]*record, []nav, *spare) {
	old, size := len(c.recs), len(c.recs)+n
	if c.spare != nil && size <= min(cap(c.recs), cap(c.nav)) && c.spare.used.CompareAndSwap(int32(old), int32(size)) {
		return c.recs[:size], c.nav[:size], c.spare
	}
	recs, places := make([]*record, size, size+room), make([]nav, size, size+room)
	copy(recs, c.recs)
	copy(places, c.nav)
	s := new(spare)
	s.used.Store(int32(size))
	return recs, places, s
}

// subtree returns node i and what is below it as a forest of its own.
func (c *Chunk) subtree(i int) forest {
	var f forest
	f.addAll(c, i, int(c.end(int32(i))), -c.nav[i].level)
	return f
}

// index returns the node with the given id, -1 if it is not in the chunk. hint
// is the number it had once; sealing a head puts a segment before it. A large
// chunk that will stay is worth a map, unlike one of a working state, which the
// next mutation replaces; there, what was asked for last often stands last, or is
// a container the last node lies in.
func (c *Chunk) index(id string, hint int32, stays bool) int {
	for i := int(hint); i < min(int(hint)+2, len(c.recs)); i++ {
		if c.recs[i].id == id {
			return i
		}
	}
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
	for i := len(c.recs) - 1; i >= 0; i = int(c.nav[i].parent) {
		if c.recs[i].id == id {
			return i
		}
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
