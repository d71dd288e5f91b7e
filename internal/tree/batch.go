package tree

import (
	"math/bits"
	"slices"
	"sync/atomic"
	"unique"
)

// ChunkBatch holds the sets that searches need of up to 16 neighbouring small
// chunks. One set of a few words covers all of them, and the bits of each chunk are
// within one word, so a node, its parent and its subtree are in one word, too.
//
// It belongs to a leaf of a [Sequence], which neighbouring snapshots share. The
// second search of the leaf makes it. It takes about 12 bytes a node, and up to 12
// more for each numeric header that a search asks for.
type ChunkBatch struct {
	words        int
	slots        [fanout]batchSlot
	n            int // chunks
	tree         []batchNav
	all          []uint64
	bases        [BaseRegion]Bits
	implicitCore Bits
	types, tags  batchPostings
	columns      [numColumns]atomic.Pointer[batchColumn]
}

// batchSlot is where a chunk is in a batch.
type batchSlot struct {
	c     *Chunk
	mask  uint64 // its bits in the word
	word  uint8
	shift uint8 // the bit of its first node
}

// batchNav places a node inside its word.
type batchNav struct {
	parent int8 // -1: a child of the region
	end    int8 // the bit after the last node of the subtree
	chunk  uint8
}

// batchPostings holds one set of nodes for each of some words, one after the other.
type batchPostings struct {
	words []unique.Handle[string]
	sets  Bits
}

// batchColumn holds a numeric header. If it has few distinct values, upTo holds for
// each n the set of the nodes that have one of the n smallest; else ints holds the
// value of each node.
type batchColumn struct {
	inexact bool    // some value is not a 64-bit integer
	values  []int64 // the distinct values, ascending
	upTo    []uint64
	ints    []int64
}

// newBatch makes the batch of a leaf. It returns nil in the first search of the leaf,
// and if a chunk is too large.
func (n *seqNode) newBatch(h *leafIndex) *ChunkBatch {
	if h.noBatch || !h.requested.Swap(true) {
		return nil
	}
	p := newBatch(n.chunks)
	h.batch.Store(p)
	return p
}

func newBatch(chunks []*Chunk) *ChunkBatch {
	p := &ChunkBatch{n: len(chunks)}
	free := 0 // bits of the word that are left
	for k, c := range chunks {
		if c.Len() > free {
			p.words++
			free = 64
		}
		shift := 64 - free
		p.slots[k] = batchSlot{c, ^uint64(0) >> (64 - c.Len()) << shift, uint8(p.words - 1), uint8(shift)}
		free -= c.Len()
	}
	sets := make(Bits, p.words*(int(BaseRegion)+1))
	for b := range BaseRegion {
		p.bases[b] = sets[int(b)*p.words : int(b+1)*p.words]
	}
	p.all = sets[int(BaseRegion)*p.words:]
	p.tree = make([]batchNav, 64*p.words)
	for k := range chunks {
		p.add(k)
	}
	return p
}

// add fills in chunk k.
func (p *ChunkBatch) add(k int) {
	slot := &p.slots[k]
	col, w := slot.c.columns(), slot.word
	for b := range BaseRegion {
		p.bases[b][w] |= col.bases[b][0] << slot.shift
	}
	p.all[w] |= slot.mask
	if cores := col.implicitCore[0]; cores != 0 {
		if p.implicitCore == nil {
			p.implicitCore = make(Bits, p.words)
		}
		p.implicitCore[w] |= cores << slot.shift
	}
	p.addPostings(&p.types, slot, &col.types)
	p.addPostings(&p.tags, slot, &col.tags)
	tree := p.tree[int(w)<<6+int(slot.shift):]
	for i, n := range slot.c.Nav {
		here := batchNav{-1, int8(slot.c.End(i)) + int8(slot.shift), uint8(k)}
		if n.Parent >= 0 {
			here.parent = int8(n.Parent) + int8(slot.shift)
		}
		tree[i] = here
	}
}

func (p *ChunkBatch) addPostings(dst *batchPostings, slot *batchSlot, from *postings) {
	for i := range from.words {
		w := &from.words[i]
		k := slices.Index(dst.words, w.handle)
		if k < 0 {
			k = len(dst.words)
			dst.words = append(dst.words, w.handle)
			dst.sets = append(dst.sets, make(Bits, p.words)...)
		}
		dst.sets[k*p.words+int(slot.word)] |= w.set[0] << slot.shift
	}
}

// column returns a numeric header, made on first use.
func (p *ChunkBatch) column(col Column) *batchColumn {
	if c := p.columns[col].Load(); c != nil {
		return c
	}
	return p.newColumn(col)
}

func (p *ChunkBatch) newColumn(col Column) *batchColumn {
	out := &batchColumn{}
	defer p.columns[col].Store(out)
	for k := range p.slots[:p.n] {
		ints, ok := p.slots[k].c.Ints(col)
		if !ok {
			out.inexact = true
			return out
		}
		out.values = append(out.values, ints...)
	}
	slices.Sort(out.values)
	out.values = slices.Clone(slices.Compact(out.values))
	few := len(out.values)*(p.words+1) <= 32*p.words
	if few {
		out.upTo = make([]uint64, (len(out.values)+1)*p.words)
	} else {
		out.values, out.ints = nil, make([]int64, 64*p.words)
	}
	for k := range p.slots[:p.n] {
		slot := &p.slots[k]
		ints, _ := slot.c.Ints(col)
		if !few {
			copy(out.ints[int(slot.word)<<6+int(slot.shift):], ints)
			continue
		}
		for i, v := range ints {
			n, _ := slices.BinarySearch(out.values, v)
			for n++; n <= len(out.values); n++ {
				out.upTo[n*p.words+int(slot.word)] |= 1 << (int(slot.shift) + i)
			}
		}
	}
	return out
}

// AppendNodes appends the set of the nodes of the chunks from <= k < to.
func (p *ChunkBatch) AppendNodes(dst []uint64, from, to int) []uint64 {
	dst = append(dst, p.all...)
	if to-from < p.n {
		set := dst[len(dst)-p.words:]
		clear(set)
		for k := range p.slots[from:to] {
			slot := &p.slots[from+k]
			set[slot.word] |= slot.mask
		}
	}
	return dst
}

// OfBase returns the nodes of a base, which must not be [BaseRegion].
func (p *ChunkBatch) OfBase(b Base) Bits { return p.bases[b] }

// OfType returns the nodes of a user type, nil for none.
func (p *ChunkBatch) OfType(w Word) Bits { return p.types.find(w, p.words) }

// Tagged returns the nodes with a tag, nil for none.
func (p *ChunkBatch) Tagged(w Word) Bits { return p.tags.find(w, p.words) }

func (p *batchPostings) find(w Word, words int) Bits {
	for k, word := range p.words {
		if word == w.handle {
			return p.sets[k*words : (k+1)*words]
		}
	}
	return nil
}

// Keyed returns the nodes with a key.
func (p *ChunkBatch) Keyed(key string) Bits {
	set := make(Bits, p.words)
	for k := range p.slots[:p.n] {
		slot := &p.slots[k]
		if of := slot.c.Keyed(key); of != nil {
			set[slot.word] |= of[0] << slot.shift
		}
	}
	return set
}

// ImplicitCore returns the segments without a container among their children, nil if
// there are none.
func (p *ChunkBatch) ImplicitCore() Bits { return p.implicitCore }

// AddFirst adds the first nodes of the chunks from <= k < to; to may be too large.
func (p *ChunkBatch) AddFirst(set []uint64, from, to int) {
	for k := from; k < min(to, p.n); k++ {
		slot := &p.slots[k]
		set[slot.word] |= 1 << slot.shift
	}
}

// DropFirst takes the first nodes of all chunks out of set.
func (p *ChunkBatch) DropFirst(set []uint64) {
	for k := range p.slots[:p.n] {
		slot := &p.slots[k]
		set[slot.word] &^= 1 << slot.shift
	}
}

// Exact reports whether a numeric header of all nodes is a 64-bit integer.
func (p *ChunkBatch) Exact(col Column) bool { return !p.column(col).inexact }

// KeepInts keeps in set the nodes with a value in some ranges.
func (p *ChunkBatch) KeepInts(set []uint64, col Column, ranges []IntRange, not bool) {
	c := p.column(col)
	if c.ints != nil {
		for k, w := range set {
			if w != 0 {
				set[k] = inRanges(w, c.ints[k<<6:k<<6+64], ranges, not)
			}
		}
		return
	}
	if len(ranges) == 1 && !not {
		in, below := c.between(ranges[0], p.words)
		for k := range set {
			set[k] &= in[k] &^ below[k]
		}
		return
	}
	var room [fanout]uint64
	outside := room[:copy(room[:], set)]
	for _, r := range ranges {
		in, below := c.between(r, p.words)
		for k := range outside {
			outside[k] &^= in[k] &^ below[k]
		}
	}
	for k := range set {
		if not {
			set[k] = outside[k]
		} else {
			set[k] &^= outside[k]
		}
	}
}

// between returns the nodes whose value is at most the end of a range, and those
// whose value is below it. The header must have few values.
func (c *batchColumn) between(r IntRange, words int) (in, below []uint64) {
	n := len(c.values)
	for n > 0 && c.values[n-1] > r.To {
		n--
	}
	less := n
	for less > 0 && c.values[less-1] >= r.From {
		less--
	}
	return c.upTo[n*words : (n+1)*words], c.upTo[less*words : (less+1)*words]
}

// Parent returns the bit of the parent of the node of bit i, -1 for a child of
// the region.
func (p *ChunkBatch) Parent(i int) int {
	up := int(p.tree[i].parent)
	if up < 0 {
		return -1
	}
	return i&^63 | up
}

// KeepChildren keeps in set the nodes whose parent, which is in the same word, is
// in parents.
func (p *ChunkBatch) KeepChildren(set, parents []uint64, region bool) {
	for k, w := range set {
		if w == 0 {
			continue
		}
		above := uint64(0)
		if k < len(parents) {
			above = parents[k]
		}
		set[k] = children((*[64]batchNav)(p.tree[k<<6:]), w, above, region)
	}
}

// children returns those of a set of nodes of a word whose parent is in parents.
func children(tree *[64]batchNav, set, parents uint64, region bool) uint64 {
	kept := uint64(0)
	for w := set; w != 0; w &= w - 1 {
		i := bits.TrailingZeros64(w) & 63
		if up := tree[i].parent; up >= 0 && parents>>(up&63)&1 != 0 || up < 0 && region {
			kept |= 1 << i
		}
	}
	return kept
}

// AddBelow adds to below the nodes below those of a set.
func (p *ChunkBatch) AddBelow(below, set []uint64) {
	for k, w := range set {
		for w != 0 {
			i := bits.TrailingZeros64(w) & 63
			inside := ^uint64(0) >> (64 - uint8(p.tree[k<<6+i].end)) &^ (1<<i | (1<<i - 1))
			below[k] |= inside
			w &^= inside | 1<<i
		}
	}
}

// Find returns the chunk of node i, number k, and the number it has there.
func (p *ChunkBatch) Find(i int) (k int, c *Chunk, in int) {
	k = int(p.tree[i].chunk)
	slot := &p.slots[k]
	return k, slot.c, i&63 - int(slot.shift)
}
