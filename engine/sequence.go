package engine

import (
	"iter"
	"slices"
)

// sequence is a persistent list of chunks: a tree of nodes with at most
// fanout entries, each with a summary of what is below. Every change copies
// one path and shares the rest.
type sequence struct {
	root   *seqNode
	height int // levels of inner nodes above the leaves
}

const fanout = 16

type seqNode struct {
	kids   []*seqNode // inner node
	chunks []*Chunk   // leaf
	marks  []mark     // of the chunks
	first  *record    // of the first chunk; nil where there is none
	sum    summary
}

var emptySeq = &seqNode{sum: summary{expiry: never}}

func newLeaf(chunks []*Chunk) *seqNode {
	n := &seqNode{chunks: chunks, sum: summary{expiry: never}}
	if len(chunks) > 0 {
		n.first = chunks[0].recs[0]
		n.marks = make([]mark, len(chunks))
	}
	for i, c := range chunks {
		n.marks[i] = mark{c.sum.types, c.sum.tags}
		n.sum.add(&c.sum)
	}
	return n
}

func newInner(kids []*seqNode) *seqNode {
	n := &seqNode{kids: kids, first: kids[0].first, sum: summary{expiry: never}}
	for _, k := range kids {
		n.sum.add(&k.sum)
	}
	return n
}

func newSequence(chunks []*Chunk) sequence {
	if len(chunks) == 0 {
		return sequence{root: emptySeq}
	}
	var level []*seqNode
	for part := range slices.Chunk(chunks, fanout) {
		level = append(level, newLeaf(slices.Clone(part)))
	}
	height := 0
	for ; len(level) > 1; height++ {
		var up []*seqNode
		for part := range slices.Chunk(level, fanout) {
			up = append(up, newInner(slices.Clone(part)))
		}
		level = up
	}
	return sequence{level[0], height}
}

func (s sequence) len() int { return s.root.sum.chunks }

// at returns chunk i.
func (s sequence) at(i int) *Chunk {
	n := s.root
	for len(n.kids) > 0 {
		for _, k := range n.kids {
			if i < k.sum.chunks {
				n = k
				break
			}
			i -= k.sum.chunks
		}
	}
	return n.chunks[i]
}

// set returns s with chunk i replaced; a chunk without nodes is taken out.
func (s sequence) set(i int, c *Chunk) sequence {
	if len(c.recs) == 0 {
		return s.edit(i, 1, nil)
	}
	return sequence{s.root.set(i, c), s.height}
}

func (n *seqNode) set(i int, c *Chunk) *seqNode {
	if len(n.kids) == 0 {
		chunks := slices.Clone(n.chunks)
		chunks[i] = c
		return newLeaf(chunks)
	}
	k, i := n.kid(i)
	kids := slices.Clone(n.kids)
	kids[k] = kids[k].set(i, c)
	return newInner(kids)
}

// insert returns s with c before chunk i.
func (s sequence) insert(i int, c *Chunk) sequence { return s.edit(i, 0, c) }

// append returns s with c at the end.
func (s sequence) append(c *Chunk) sequence { return s.edit(s.len(), 0, c) }

// edit takes out del (0 or 1) chunks at i and puts c there unless it is nil.
func (s sequence) edit(i, del int, c *Chunk) sequence {
	nodes := s.root.edit(i, del, c)
	switch len(nodes) {
	case 0:
		return sequence{root: emptySeq}
	case 1:
		root, height := nodes[0], s.height
		for len(root.kids) == 1 {
			root, height = root.kids[0], height-1
		}
		return sequence{root, height}
	}
	return sequence{newInner(nodes), s.height + 1}
}

func (n *seqNode) edit(i, del int, c *Chunk) []*seqNode {
	if len(n.kids) == 0 {
		chunks := make([]*Chunk, 0, len(n.chunks)+1)
		chunks = append(chunks, n.chunks[:i]...)
		if c != nil {
			chunks = append(chunks, c)
		}
		chunks = append(chunks, n.chunks[i+del:]...)
		return split(chunks, i, newLeaf)
	}
	k, i := n.kid(i)
	repl := n.kids[k].edit(i, del, c)
	kids := make([]*seqNode, 0, len(n.kids)+1)
	kids = append(append(append(kids, n.kids[:k]...), repl...), n.kids[k+1:]...)
	return split(kids, k, newInner)
}

// kid returns which entry of an inner node chunk i is below, and its number
// there. What lies behind the end belongs to the last.
func (n *seqNode) kid(i int) (k, in int) {
	for k < len(n.kids)-1 && i >= n.kids[k].sum.chunks {
		i -= n.kids[k].sum.chunks
		k++
	}
	return k, i
}

// split makes one node of the entries, none if there are none, or two if
// they are too many. After an insertion at the end the first stays full,
// which is how a history grows.
func split[E any](entries []E, at int, make func([]E) *seqNode) []*seqNode {
	switch {
	case len(entries) == 0:
		return nil
	case len(entries) <= fanout:
		return []*seqNode{make(entries)}
	}
	mid := len(entries) / 2
	if at >= len(entries)-2 {
		mid = len(entries) - 1
	}
	return []*seqNode{make(slices.Clip(entries[:mid])), make(slices.Clone(entries[mid:]))}
}

// all yields the chunks in order, each with its position.
func (s sequence) all() iter.Seq2[int, *Chunk] { return s.within(0, s.len()) }

// within yields the chunks from <= i < to.
func (s sequence) within(from, to int) iter.Seq2[int, *Chunk] {
	return func(yield func(int, *Chunk) bool) {
		s.root.walk(0, from, to, func(*summary) bool { return true }, yield)
	}
}

// where yields the chunks from <= i < to whose summary satisfies keep,
// passing over whole parts that do not.
func (s sequence) where(from, to int, keep func(*summary) bool) iter.Seq2[int, *Chunk] {
	return func(yield func(int, *Chunk) bool) { s.root.walk(0, from, to, keep, yield) }
}

func (n *seqNode) walk(base, from, to int, keep func(*summary) bool, yield func(int, *Chunk) bool) bool {
	for i, c := range n.chunks {
		if at := base + i; at >= from && at < to && keep(&c.sum) && !yield(at, c) {
			return false
		}
	}
	for _, k := range n.kids {
		if base >= to {
			break
		}
		if next := base + k.sum.chunks; next > from && keep(&k.sum) && !k.walk(base, from, to, keep, yield) {
			return false
		}
		base += k.sum.chunks
	}
	return true
}

// find returns the last chunk whose first node does not come after r in
// canonical order, -1 if there is none.
func (s sequence) find(r *record) int {
	at, n := 0, s.root
	for len(n.kids) > 0 {
		from, to := 0, len(n.kids) // the first kid that begins behind r
		for from < to {
			if mid := int(uint(from+to) >> 1); compareSiblings(n.kids[mid].first, r) <= 0 {
				from = mid + 1
			} else {
				to = mid
			}
		}
		if from == 0 {
			return -1
		}
		for _, before := range n.kids[:from-1] {
			at += before.sum.chunks
		}
		n = n.kids[from-1]
	}
	from, to := 0, len(n.chunks)
	for from < to {
		if mid := int(uint(from+to) >> 1); compareSiblings(n.chunks[mid].recs[0], r) <= 0 {
			from = mid + 1
		} else {
			to = mid
		}
	}
	return at + from - 1
}
