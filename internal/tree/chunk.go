package tree

import (
	"math"
	"slices"
	"sync/atomic"
)

// Chunk is an immutable list of consecutive subtrees of a region, with the nodes in document order.
// Each segment is one chunk; the other regions are divided into chunks of about 64 nodes. Snapshots
// share equal chunks, so two chunks with the same address have the same nodes.
//
// The nodes of a chunk are numbered from 0. A chunk is safe for concurrent use.
type Chunk struct {
	flat  []*Record // of a chunk without pages; these four are in one cache line
	pages *pages
	lazy  atomic.Pointer[Run]
	Nav   []nav
	spare spares
	sum   summary
}

// nav is the position of a node in its chunk.
type nav struct {
	Parent int32 // -1 for a child of the region
	end    int32 // after the last node of the subtree, or open
	Level  int32 // 0 for a child of the region
}

// open is the end of the subtrees that end with their chunk, down to the last node that may have
// children. So appending a child changes none of the nodes before it.
const open = math.MaxInt32

// spare counts how much of the capacity of a list of a chunk is in use. Chunks that grow from each
// other share the list: each sees it up to its own length, and the first one that grows takes the
// capacity after that.
type spare struct{ used atomic.Int32 }

// spares are those of the lists of a chunk, nil for a list without one. A chunk in which only a
// record was replaced shares the second list.
type spares struct{ recs, nav *spare }

// grown returns a list with its elements and more, size in all, and its spare. It uses the capacity
// that s counts if that is still free and large enough, else it makes a list with capacity for room
// more.
func grown[T any](list []T, s *spare, size, room int) ([]T, *spare) {
	if s != nil && size <= cap(list) && s.used.CompareAndSwap(int32(len(list)), int32(size)) {
		return list[:size], s
	}
	next := make([]T, size, size+room)
	copy(next, list)
	return next, newSpare(size)
}

// ChunkTarget is the number of nodes at which chunks are divided.
const ChunkTarget = 64

// summary describes the content of a part of a tree, so searches, expiry and diffs can skip it.
type summary struct {
	chunks            int
	nodes, hasTTL     int32
	expiry            int64  // the earliest
	types, tags, keys uint64 // the masks of all words
}

// missing is what a replaced part has but its replacement does not.
type missing struct {
	types, tags, keys uint64
	expiry            bool
}

// replace updates s after a part old was replaced with new. It returns what s may no longer
// contain; it does not remove that, because another part may have it.
func (s *summary) replace(old, new *summary) missing {
	s.add(new)
	s.chunks -= old.chunks
	s.nodes -= old.nodes
	if s.hasTTL -= old.hasTTL; s.hasTTL == 0 {
		s.expiry = Never
	}
	return missing{
		old.types &^ new.types, old.tags &^ new.tags, old.keys &^ new.keys,
		old.expiry < new.expiry && old.expiry == s.expiry,
	}
}

// add adds another part.
func (s *summary) add(o *summary) {
	s.chunks += o.chunks
	s.nodes += o.nodes
	s.hasTTL += o.hasTTL
	s.expiry = min(s.expiry, o.expiry)
	s.types |= o.types
	s.tags |= o.tags
	s.keys |= o.keys
}

// Forest is a list of subtrees in document order. Trees are edited in this form.
type Forest struct {
	Recs   []*Record
	Levels []int32
}

// Add appends a node.
func (f *Forest) Add(r *Record, level int32) {
	f.Recs = append(f.Recs, r)
	f.Levels = append(f.Levels, level)
}

// Clone returns a copy that does not share its lists.
func (f Forest) Clone() Forest { return Forest{slices.Clone(f.Recs), slices.Clone(f.Levels)} }

// AddAll appends the nodes [from, to) of c. It adds shift to their levels.
func (f *Forest) AddAll(c *Chunk, from, to int, shift int32) {
	f.Recs = append(f.Recs, c.list(from, to)...)
	for _, n := range c.Nav[from:to] {
		f.Levels = append(f.Levels, n.Level+shift)
	}
}

// NewChunk returns a chunk with the nodes of a forest. It takes over the slices.
func NewChunk(f Forest) *Chunk {
	c := &Chunk{flat: f.Recs, Nav: make([]nav, len(f.Recs)), sum: sumOf(f.Recs...)}
	c.sum.chunks = 1
	for i, l := range f.Levels {
		c.Nav[i].Level = l
	}
	c.link(0, -1, 0)
	return c
}

// link computes the parents and ends of the nodes from at on, whose levels must be set. last is the
// last node before them whose end may change, or -1. Nodes before own, which other chunks share, do
// not change.
func (c *Chunk) link(at, last, own int) {
	navs, up := c.Nav, int32(last)
	for i := at; i < len(navs); i++ {
		n := &navs[i]
		for up >= 0 && navs[up].Level >= n.Level {
			navs[up].end = int32(i)
			up = navs[up].Parent
		}
		n.Parent, up = up, int32(i)
	}
	grows := up // the last node that can get children
	for i := up; int(i) >= own; i = navs[i].Parent {
		if c.Rec(int(i)).Base == BaseBlock {
			grows = navs[i].Parent
		}
	}
	for i := up; int(i) >= own; i = navs[i].Parent {
		navs[i].end = open
		if i > grows {
			navs[i].end = int32(len(navs))
		}
	}
}

// EndOf returns the number after the last node of the subtree of node i.
func (c *Chunk) EndOf(i int32) int32 { return min(c.Nav[i].end, int32(len(c.Nav))) }

// openNode returns the last node with an open end, or -1, which means the region.
func (c *Chunk) openNode() int {
	i := int32(c.Len()) - 1
	for i >= 0 && c.Nav[i].end != open {
		i = c.Nav[i].Parent
	}
	return int(i)
}

// sumOf returns the summary of some nodes.
func sumOf(recs ...*Record) summary {
	s := summary{expiry: Never, nodes: int32(len(recs))}
	for _, r := range recs {
		if r.hasTTL() {
			s.hasTTL++
			s.expiry = min(s.expiry, r.Expiry)
		}
		s.types |= r.typeMask
		s.tags |= r.TagList().mask
		s.keys |= r.keyMask
	}
	return s
}

// replaceSum updates c.sum after nodes with the summary old were replaced with nodes with the
// summary new. c must already have the new nodes.
func (c *Chunk) replaceSum(old, new summary) {
	lost := c.sum.replace(&old, &new)
	for i := 0; i < c.Len() && lost.types|lost.tags|lost.keys != 0; i++ { // the first nodes often have what is lost
		r := c.Rec(i)
		lost.types &^= r.typeMask
		lost.tags &^= r.TagList().mask
		lost.keys &^= r.keyMask
	}
	c.sum.types &^= lost.types
	c.sum.tags &^= lost.tags
	c.sum.keys &^= lost.keys
	if lost.expiry {
		c.sum.expiry = Never
		for _, r := range c.Recs() {
			c.sum.expiry = min(c.sum.expiry, r.Expiry)
		}
	}
}

// Len returns the number of nodes.
func (c *Chunk) Len() int { return len(c.Nav) }

// Parent returns the parent of node i, or -1 for a child of the region.
func (c *Chunk) Parent(i int) int { return int(c.Nav[i].Parent) }

// End is EndOf for ints: the nodes below i are i+1 … End(i)-1.
func (c *Chunk) End(i int) int { return int(c.EndOf(int32(i))) }

// Level returns the level of node i in the chunk. Children of the region have level 0.
func (c *Chunk) Level(i int) int { return int(c.Nav[i].Level) }

// Forest returns the nodes of c for editing.
func (c *Chunk) Forest() Forest {
	n := c.Len()
	f := Forest{make([]*Record, 0, n), make([]int32, 0, n)}
	f.AddAll(c, 0, n, 0)
	return f
}

// WithRecord returns c with the record of node i replaced. The order of siblings
// must not change. If c grows, the new chunk has room for a few nodes.
func (c *Chunk) WithRecord(i int, r *Record) *Chunk {
	next := &Chunk{Nav: c.Nav, sum: c.sum}
	next.spare.nav = c.spare.nav
	c.setRecord(next, i, r)
	next.replaceSum(sumOf(c.Rec(i)), sumOf(r))
	return next
}

// Without returns c without the subtree of node i.
func (c *Chunk) Without(i int) *Chunk {
	end := c.End(i)
	next := &Chunk{flat: slices.Concat(c.list(0, i), c.list(end, c.Len())), Nav: slices.Concat(c.Nav[:i], c.Nav[end:]), sum: c.sum}
	next.replaceSum(sumOf(c.list(i, end)...), summary{expiry: Never})
	next.link(i, i-1, 0)
	return next
}

// InsertionIndex returns the number that a new child r of node parent gets. A parent of -1 means
// the region.
func (c *Chunk) InsertionIndex(parent int, r *Record) int {
	i, end := int32(0), int32(c.Len())
	if parent >= 0 {
		i, end = int32(parent)+1, c.EndOf(int32(parent))
	}
	if i == end {
		return int(i)
	}
	last := end - 1 // usually, a new node is the last child
	for c.Nav[last].Parent != int32(parent) {
		last = c.Nav[last].Parent
	}
	if CompareSiblings(c.Rec(int(last)), r) < 0 {
		return int(end)
	}
	for end = last; i < end; {
		mid := (i + end) / 2
		for c.Nav[mid].Parent != int32(parent) {
			mid = c.Nav[mid].Parent
		}
		if CompareSiblings(c.Rec(int(mid)), r) < 0 {
			i = c.EndOf(mid)
		} else {
			end = mid
		}
	}
	return int(i)
}

// Insert returns c with the subtrees of g as children of node parent, before node at. If it has to
// copy the lists, it leaves capacity for room more nodes.
func (c *Chunk) Insert(parent, at int, g Forest, room int) *Chunk {
	next, last, own, n := &Chunk{sum: c.sum}, at-1, 0, len(g.Recs)
	if at == c.Len() && c.openNode() == parent {
		if c.pages != nil {
			c.appendRecords(next, g.Recs)
		} else {
			next.flat, next.spare.recs = grown(c.flat, c.spare.recs, at+n, room)
			copy(next.flat[at:], g.Recs)
		}
		next.Nav, next.spare.nav = grown(c.Nav, c.spare.nav, at+n, room)
		last, own = parent, at // the nodes before it are shared
	} else {
		next.flat, next.Nav = slices.Concat(c.list(0, at), g.Recs, c.list(at, c.Len())), make([]nav, c.Len()+n)
		copy(next.Nav, c.Nav[:at])
		copy(next.Nav[at+n:], c.Nav[at:])
	}
	level := int32(0)
	if parent >= 0 {
		level = c.Nav[parent].Level + 1
	}
	for i, l := range g.Levels {
		next.Nav[at+i].Level = level + l
	}
	next.link(at, last, own)
	more := sumOf(g.Recs...)
	next.sum.add(&more)
	return next
}

// Room returns the extra capacity for a chunk of a region that is copied. The head grows node by
// node, but a segment only if it is already large.
func (c *Chunk) Room(r Region) int {
	if r == RegionHead {
		return max(c.Len()/2, ChunkTarget/4)
	}
	return c.Len() / 8
}

// Subtree returns the subtree of node i as a forest.
func (c *Chunk) Subtree(i int) Forest {
	var f Forest
	f.AddAll(c, i, int(c.EndOf(int32(i))), -c.Nav[i].Level)
	return f
}

// IndexOf returns the number of the node with an id, or -1 if it is not in the chunk. hint is a
// number that the node once had; sealing a head puts a segment before the node. For a large chunk
// that stays, IndexOf makes a map. It does not do so for a chunk of a working state, because the
// next mutation replaces it; there, the node is often the last one or one of the containers around
// that.
func (c *Chunk) IndexOf(id string, hint int32, stays bool) int {
	for i := int(hint); i < min(int(hint)+2, c.Len()); i++ {
		if c.Rec(i).ID == id {
			return i
		}
	}
	if stays && c.Len() > 2*ChunkTarget {
		if i, ok := c.Run().ids[id]; ok {
			return int(i)
		}
		return -1
	}
	for i := c.Len() - 1; i >= 0; i = int(c.Nav[i].Parent) {
		if c.Rec(i).ID == id {
			return i
		}
	}
	for i := c.Len() - 1; i >= 0; i-- {
		if c.Rec(i).ID == id {
			return i
		}
	}
	return -1
}

// Cut divides a forest into chunks: one for each subtree if whole is set, or else chunks of about
// ChunkTarget nodes.
func Cut(f Forest, whole bool) []*Chunk {
	var out []*Chunk
	start := 0
	for i := 1; i <= len(f.Recs); i++ {
		if i == len(f.Recs) || f.Levels[i] == 0 && (whole || i-start >= ChunkTarget) {
			out = append(out, NewChunk(Forest{f.Recs[start:i:i], f.Levels[start:i:i]}))
			start = i
		}
	}
	return out
}
