package tree

import (
	"cmp"
	"iter"
	"slices"
	"sort"
	"sync/atomic"
)

// Sequence is a persistent list of chunks: a tree whose nodes have at most fanout entries and a
// summary of what is below them. A change copies one path of the tree and shares the rest.
type Sequence struct{ root *seqNode }

const fanout = 16

// seqNode is a node of a sequence: a leaf with chunks, or an inner node.
type seqNode struct {
	sum    summary
	low    *Record             // of the first node; nil if the sequence is empty
	chunks []*Chunk            // leaf
	run    atomic.Pointer[Run] // of the chunks of a leaf; created by searches
	*inner                     // nil in a leaf
}

type inner struct {
	kids   []*seqNode
	starts [fanout]int32 // the number of chunks before each entry
	lists  allPostings   // of a root; created by searches
}

var emptySeq = &seqNode{sum: summary{expiry: Never}}

// newLeaf returns a leaf with a copy of some chunks, in one allocation, because every insertion
// makes a leaf.
func newLeaf(chunks []*Chunk) *seqNode {
	var n *seqNode
	switch k := len(chunks); {
	case k == 1: // usually the head
		p := &struct {
			seqNode
			room [1]*Chunk
		}{}
		n, p.chunks = &p.seqNode, p.room[:]
	case k <= fanout/2:
		p := &struct {
			seqNode
			room [fanout / 2]*Chunk
		}{}
		n, p.chunks = &p.seqNode, p.room[:k]
	default:
		p := &struct {
			seqNode
			room [fanout]*Chunk
		}{}
		n, p.chunks = &p.seqNode, p.room[:k]
	}
	copy(n.chunks, chunks)
	n.low = chunks[0].Rec(0)
	return n
}

// newInner returns an inner node with a copy of some nodes, also in one allocation.
func newInner(kids []*seqNode) *seqNode {
	var n *seqNode
	if len(kids) <= fanout/2 {
		p := &struct {
			seqNode
			in   inner
			room [fanout / 2]*seqNode
		}{}
		n, p.inner, p.in.kids = &p.seqNode, &p.in, append(p.room[:0], kids...)
	} else {
		p := &struct {
			seqNode
			in   inner
			room [fanout]*seqNode
		}{}
		n, p.inner, p.in.kids = &p.seqNode, &p.in, append(p.room[:0], kids...)
	}
	n.low = kids[0].low
	return n
}

// total sets the summary of a new node to the sum of its entries.
func (n *seqNode) total() *seqNode {
	n.sum = summary{expiry: Never}
	for _, c := range n.chunks {
		n.sum.add(&c.sum)
	}
	if n.inner != nil {
		for i, k := range n.kids {
			n.starts[i] = int32(n.sum.chunks)
			n.sum.add(&k.sum)
		}
	}
	return n
}

// replace sets the summary of a new node to before with the entry old replaced with new. It avoids
// looking at all entries, because most of them are far away in memory.
func (n *seqNode) replace(before, old, new *summary) *seqNode {
	n.sum = *before
	if n.sum.replace(old, new) != (missing{}) {
		return n.total()
	}
	return n
}

// NewSequence returns a sequence of chunks.
func NewSequence(chunks []*Chunk) Sequence {
	if len(chunks) == 0 {
		return Sequence{emptySeq}
	}
	var level []*seqNode
	for part := range slices.Chunk(chunks, fanout) {
		level = append(level, newLeaf(part).total())
	}
	for len(level) > 1 {
		var up []*seqNode
		for part := range slices.Chunk(level, fanout) {
			up = append(up, newInner(part).total())
		}
		level = up
	}
	return Sequence{level[0]}
}

// Len returns the number of chunks.
func (s Sequence) Len() int { return s.root.sum.chunks }

// height returns the number of levels of inner nodes.
func (s Sequence) height() int {
	h := 0
	for n := s.root; n.inner != nil; n = n.kids[0] {
		h++
	}
	return h
}

// At returns chunk i.
func (s Sequence) At(i int) *Chunk {
	n := s.root
	for n.inner != nil {
		var k int
		k, i = n.kid(i)
		n = n.kids[k]
	}
	return n.chunks[i]
}

// Set returns s with chunk i replaced, or removed if c has no nodes.
func (s Sequence) Set(i int, c *Chunk) Sequence {
	if c.Len() == 0 {
		c = nil
	}
	return s.edit(i, 1, c)
}

// with returns n with entry k replaced.
func (n *seqNode) with(k int, kid *seqNode) *seqNode {
	next := newInner(n.kids)
	next.kids[k] = kid
	next.low, next.starts = next.kids[0].low, n.starts
	for i := k + 1; i < len(n.kids); i++ {
		next.starts[i] += int32(kid.sum.chunks - n.kids[k].sum.chunks)
	}
	return next.replace(&n.sum, &n.kids[k].sum, &kid.sum)
}

// Insert returns s with c before chunk i.
func (s Sequence) Insert(i int, c *Chunk) Sequence { return s.edit(i, 0, c) }

// Append returns s with c at the end.
func (s Sequence) Append(c *Chunk) Sequence { return s.edit(s.Len(), 0, c) }

// edit removes del (0 or 1) chunks at i and, if c is not nil, inserts c there.
func (s Sequence) edit(i, del int, c *Chunk) Sequence {
	root, more := s.root.edit(i, del, c)
	switch {
	case root == nil:
		return Sequence{emptySeq}
	case more != nil:
		return Sequence{newInner([]*seqNode{root, more}).total()}
	}
	for root.inner != nil && len(root.kids) == 1 {
		root = root.kids[0]
	}
	return Sequence{root}
}

// edit returns the nodes that replace n: none, one or two.
func (n *seqNode) edit(i, del int, c *Chunk) (*seqNode, *seqNode) {
	if n.inner == nil {
		var room [fanout + 1]*Chunk
		list := append(room[:0], n.chunks[:i]...)
		if c != nil {
			list = append(list, c)
		}
		list = append(list, n.chunks[i+del:]...)
		switch mid := split(len(list), i); {
		case mid > 0:
			return newLeaf(list[:mid]).total(), newLeaf(list[mid:]).total()
		case len(list) == 0:
			return nil, nil
		case c == nil:
			return newLeaf(list).total(), nil
		}
		old := &emptySeq.sum
		if del > 0 {
			old = &n.chunks[i].sum
		}
		return newLeaf(list).replace(&n.sum, old, &c.sum), nil
	}
	k, i := n.kid(i)
	first, second := n.kids[k].edit(i, del, c)
	if first != nil && second == nil {
		return n.with(k, first), nil
	}
	var room [fanout + 1]*seqNode
	list := append(room[:0], n.kids[:k]...)
	if first != nil {
		list = append(list, first, second)
	}
	list = append(list, n.kids[k+1:]...)
	switch mid := split(len(list), k); {
	case mid > 0:
		return newInner(list[:mid]).total(), newInner(list[mid:]).total()
	case len(list) == 0:
		return nil, nil
	}
	return newInner(list).total(), nil
}

// kid returns the entry of an inner node that contains chunk i, and the number of the chunk in that
// entry. A chunk after the end belongs to the last entry.
func (n *seqNode) kid(i int) (k, in int) {
	for k = len(n.kids) - 1; int(n.starts[k]) > i; k-- { // starts is in one cache line, unlike the entries
	}
	return k, i - int(n.starts[k])
}

// split returns where to split a list of n entries after an insertion at the index at, or 0 if it
// fits in one node. After an insertion at the end the first part stays full, because a history
// grows at its end.
func split(n, at int) int {
	switch {
	case n <= fanout:
		return 0
	case at >= n-2:
		return n - 1
	}
	return n / 2
}

// All yields the chunks in order, each with its position.
func (s Sequence) All() iter.Seq2[int, *Chunk] { return s.Within(0, s.Len()) }

// Within yields the chunks from <= i < to.
func (s Sequence) Within(from, to int) iter.Seq2[int, *Chunk] {
	return s.where(from, to, func(*summary) bool { return true })
}

// where yields the chunks from <= i < to for whose summary keep returns true. It skips whole parts
// for which keep returns false.
func (s Sequence) where(from, to int, keep func(*summary) bool) iter.Seq2[int, *Chunk] {
	return func(yield func(int, *Chunk) bool) { s.root.walk(0, from, to, keep, yield) }
}

// Nodes returns the number of nodes in all chunks.
func (s Sequence) Nodes() int { return int(s.root.sum.nodes) }

// Expiring yields the chunks with a node that expires in a cycle or earlier.
func (s Sequence) Expiring(cycle int64) iter.Seq2[int, *Chunk] {
	return s.where(0, s.Len(), func(sum *summary) bool { return sum.expiry <= cycle })
}

// DistinctChunks returns a function that yields the first node of each chunk of a tree, ^root
// first, except the chunks that it has already yielded, for this or another tree.
func DistinctChunks() func(s *Snapshot) iter.Seq[Node] {
	seen := map[*summary]bool{} // of the parts that were seen
	isNew := func(sum *summary) bool {
		known := seen[sum]
		seen[sum] = true
		return !known
	}
	return func(s *Snapshot) iter.Seq[Node] {
		return func(yield func(Node) bool) {
			if isNew(&s.roots.sum) && !yield(s.Root()) {
				return
			}
			for r := range NumRegions {
				for at, c := range s.parts[r].where(0, s.parts[r].Len(), isNew) {
					if !yield(s.Node(r, at, c, 0)) {
						return
					}
				}
			}
		}
	}
}

// Replacer returns a function that replaces each record of a state, which must not be shared yet,
// with what the function record returns for it. Ids and order must stay the same. The resulting
// states share what the original ones share, and each costs what it does not share with the ones
// before it.
func Replacer(record func(*Record) *Record) func(*Snapshot) {
	chunks, nodes := map[*Chunk]*Chunk{}, map[*seqNode]*seqNode{}
	chunk := func(c *Chunk) *Chunk {
		if chunks[c] == nil {
			chunks[c] = c.mapped(record)
		}
		return chunks[c]
	}
	var node func(n *seqNode) *seqNode
	node = func(n *seqNode) *seqNode {
		next := nodes[n]
		if next != nil {
			return next
		}
		if n.inner != nil {
			if kids := mapped(n.kids, node); !slices.Equal(kids, n.kids) {
				next = newInner(kids).total()
			}
		} else if list := mapped(n.chunks, chunk); !slices.Equal(list, n.chunks) {
			next = newLeaf(list).total()
		}
		nodes[n] = cmp.Or(next, n)
		return nodes[n]
	}
	return func(s *Snapshot) {
		s.roots = chunk(s.roots)
		for r := range s.parts {
			s.parts[r].root = node(s.parts[r].root)
		}
	}
}

// mapped returns f(x) for each element x.
func mapped[T any](list []T, f func(T) T) []T {
	next := make([]T, len(list))
	for i, x := range list {
		next[i] = f(x)
	}
	return next
}

// mapped returns c with record(r) for each record r, or c itself if nothing changes.
func (c *Chunk) mapped(record func(*Record) *Record) *Chunk {
	was := c.list(0, c.Len())
	recs := mapped(was, record)
	if slices.Equal(recs, was) {
		return c
	}
	next := &Chunk{flat: recs, Nav: c.Nav, sum: sumOf(recs...)}
	next.sum.chunks = 1
	return next
}

// walk implements [Sequence.where]. base is the position of the first chunk of n. It returns false
// if yield did.
func (n *seqNode) walk(base, from, to int, keep func(*summary) bool, yield func(int, *Chunk) bool) bool {
	if base >= to || base+n.sum.chunks <= from || !keep(&n.sum) {
		return true
	}
	for i, c := range n.chunks {
		if at := base + i; at >= from && at < to && keep(&c.sum) && !yield(at, c) {
			return false
		}
	}
	if n.inner != nil {
		for _, k := range n.kids {
			if !k.walk(base, from, to, keep, yield) {
				return false
			}
			base += k.sum.chunks
		}
	}
	return true
}

// Find returns the last chunk whose first node is not after r in canonical order, or -1 if there is
// none.
func (s Sequence) Find(r *Record) int {
	at, n := 0, s.root
	for n.inner != nil {
		after := sort.Search(len(n.kids), func(k int) bool { return CompareSiblings(n.kids[k].low, r) > 0 })
		if after == 0 {
			return -1
		}
		for _, before := range n.kids[:after-1] {
			at += before.sum.chunks
		}
		n = n.kids[after-1]
	}
	return at - 1 + sort.Search(len(n.chunks), func(i int) bool { return CompareSiblings(n.chunks[i].Rec(0), r) > 0 })
}

// Put returns s, which must not be of ^seq, with the subtree f as a child of the region. It returns
// the chunk and the number of the top node of f, or -1 for both if it divided a chunk that became
// too large.
func (s Sequence) Put(f Forest) (next Sequence, at, i int) {
	if s.Len() == 0 {
		return s.Append(NewChunk(f.Clone())), 0, 0
	}
	at = max(s.Find(f.Recs[0]), 0)
	c := s.At(at)
	i = c.InsertionIndex(-1, f.Recs[0])
	c = c.Insert(-1, i, f, ChunkTarget/4)
	if c.Len() <= 2*ChunkTarget {
		return s.Set(at, c), at, i
	}
	pieces := Cut(c.Forest(), false)
	s = s.Set(at, pieces[0])
	for k, piece := range pieces[1:] {
		s = s.Insert(at+1+k, piece)
	}
	return s, -1, -1
}

// location returns the position of the chunk of a location whose top node is top, and the chunk. If
// there is none, it returns -1.
func (s Sequence) location(h *Location, top *Record) (int, *Chunk) {
	if at := int(h.at.Load()); at < s.Len() { // usually it is where it was last
		if c := s.At(at); c.Rec(0) == top || CompareSiblings(c.Rec(0), top) == 0 {
			return at, c
		}
	}
	at := s.Find(top)
	if at < 0 {
		return -1, nil
	}
	h.at.Store(int32(at))
	return at, s.At(at)
}
