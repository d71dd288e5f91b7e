package tree

import (
	"math/bits"
	"slices"
	"sync/atomic"
)

// ChunkBatch is what searches need of up to 16 neighbouring small chunks, put side by
// side: sets are of a few words for all of them, and each chunk lies within one
// word, so that a node, its parent and what is below it are in one word too.
//
// It belongs to a leaf of the tree of chunks, which neighbouring snapshots share.
// The second search that comes to the leaf makes it. It takes about 12 bytes a
// node, and up to 12 more for each numeric header that is asked for.
type ChunkBatch struct {
	words int
	slots [fanout]batchSlot
	n     int // chunks
	tree  []batchNav
	all   []uint64
	bases [BaseRegion][]uint64
	// coreless tells that a chunk has a segment without a container.
	implicitCore bool
	types        []batchPosting
	tags         []batchPosting
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

type batchPosting struct {
	word Word
	set  []uint64
}

// batchColumn is a numeric header. Where it has few values, there is for each of
// them the set of the nodes that have it or a lesser one; else all values are
// there as they are.
type batchColumn struct {
	inexact bool // some value is no 64-bit integer
	values  []int64
	upTo    []uint64
	ints    []int64
}

// MaxBatch is the greatest number of words of a set of a [Pack].
const MaxBatch = fanout

// batch returns the batch of a leaf, nil where there is none: until the leaf is
// searched again, or where a chunk is too large.
func (n *seqNode) batch(h *leafIndex) *ChunkBatch {
	if p := h.batch.Load(); p != nil {
		return p
	}
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
	sets := make([]uint64, p.words*(int(BaseRegion)+1))
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
	at := &p.slots[k]
	sets, w := at.c.Sets(), at.word
	for b := range BaseRegion {
		p.bases[b][w] |= sets.OfBase(b) << at.shift
	}
	p.all[w] |= at.mask
	p.implicitCore = p.implicitCore || sets.ImplicitCore() != 0
	p.types = p.postings(p.types, at, sets.small.types)
	p.tags = p.postings(p.tags, at, sets.small.tags)
	tree := p.tree[int(w)<<6+int(at.shift):]
	for i, n := range at.c.Nav {
		here := batchNav{-1, int8(at.c.End(i)) + int8(at.shift), uint8(k)}
		if n.Parent >= 0 {
			here.parent = int8(n.Parent) + int8(at.shift)
		}
		tree[i] = here
	}
}

func (p *ChunkBatch) postings(dst []batchPosting, at *batchSlot, list []smallPosting) []batchPosting {
	for _, from := range list {
		k := slices.IndexFunc(dst, func(to batchPosting) bool { return to.word.handle == from.word })
		if k < 0 {
			k = len(dst)
			dst = append(dst, batchPosting{Word{handle: from.word}, make([]uint64, p.words)})
		}
		dst[k].set[at.word] |= from.set[0] << at.shift
	}
	return dst
}

// column returns a numeric header, made by whoever comes first.
func (p *ChunkBatch) column(col Column) *batchColumn {
	if c := p.columns[col].Load(); c != nil {
		return c
	}
	c := p.newColumn(col)
	p.columns[col].Store(c)
	return c
}

func (p *ChunkBatch) newColumn(col Column) *batchColumn {
	out := &batchColumn{}
	for k := range p.slots[:p.n] {
		ints, ok := p.slots[k].c.Ints(col)
		if !ok {
			return &batchColumn{inexact: true}
		}
		out.values = append(out.values, ints...)
	}
	slices.Sort(out.values)
	out.values = slices.Clone(slices.Compact(out.values))
	few := len(out.values)*(p.words+1) <= 32*p.words
	if few {
		out.upTo = make([]uint64, len(out.values)*p.words)
	} else {
		out.values, out.ints = nil, make([]int64, 64*p.words)
	}
	for k := range p.slots[:p.n] {
		at := &p.slots[k]
		ints, _ := at.c.Ints(col)
		if !few {
			copy(out.ints[int(at.word)<<6+int(at.shift):], ints)
			continue
		}
		for i, v := range ints {
			from, _ := slices.BinarySearch(out.values, v)
			for ; from < len(out.values); from++ {
				out.upTo[from*p.words+int(at.word)] |= 1 << (int(at.shift) + i)
			}
		}
	}
	return out
}

// Len returns the number of chunks.
func (p *ChunkBatch) Len() int { return p.n }

// Words returns how many words a set of nodes takes.
func (p *ChunkBatch) Words() int { return p.words }

// Nodes returns the nodes of the chunks from <= k < to. It may use room.
func (p *ChunkBatch) Nodes(room []uint64, from, to int) []uint64 {
	if to-from == p.n {
		return p.all
	}
	set := room[:p.words]
	clear(set)
	for k := range p.slots[from:to] {
		at := &p.slots[from+k]
		set[at.word] |= at.mask
	}
	return set
}

// OfBase returns the nodes of a base, which must not be [BaseRegion]. Sets that
// a batch returns are shared: read them, do not write them.
func (p *ChunkBatch) OfBase(b Base) []uint64 { return p.bases[b] }

// OfType returns the nodes of a user type, nil for none.
func (p *ChunkBatch) OfType(w Word) []uint64 { return find(p.types, w) }

// Tagged returns the nodes with a tag, nil for none.
func (p *ChunkBatch) Tagged(w Word) []uint64 { return find(p.tags, w) }

func find(list []batchPosting, w Word) []uint64 {
	for i := range list {
		if list[i].word.handle == w.handle {
			return list[i].set
		}
	}
	return nil
}

// ImplicitCore tells whether a segment of the batch has no container among its
// children.
func (p *ChunkBatch) ImplicitCore() bool { return p.implicitCore }

// First returns the set and the word of the first node of chunk k.
func (p *ChunkBatch) First(k int) (set uint64, word int) {
	at := &p.slots[k]
	return 1 << at.shift, int(at.word)
}

// Exact tells whether a numeric header of all nodes is a 64-bit integer.
func (p *ChunkBatch) Exact(col Column) bool { return !p.column(col).inexact }

// AddBetween adds to set the nodes with from <= value <= to in a numeric header,
// which must be exact; 0 stands for a value that is missing. Bits that stand for
// no node may be set too.
func (p *ChunkBatch) AddBetween(set []uint64, col Column, from, to int64) {
	c := p.column(col)
	if c.ints != nil {
		width := uint64(to - from)
		for w := range set[:p.words] {
			outside := uint64(0)
			for i, v := range c.ints[w<<6 : w<<6+64] { // without a branch, the processor does several at a time
				_, borrow := bits.Sub64(width, uint64(v-from), 0)
				outside |= borrow << (i & 63)
			}
			set[w] |= ^outside
		}
		return
	}
	last := len(c.values) - 1
	for last >= 0 && c.values[last] > to {
		last--
	}
	if last < 0 {
		return
	}
	less := last
	for less >= 0 && c.values[less] >= from {
		less--
	}
	upTo := c.upTo[last*p.words : (last+1)*p.words]
	if less < 0 {
		for w, in := range upTo {
			set[w] |= in
		}
		return
	}
	under := c.upTo[less*p.words : (less+1)*p.words]
	for w, in := range upTo {
		set[w] |= in &^ under[w]
	}
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

// End returns the bit after the last node below that of bit i.
func (p *ChunkBatch) End(i int) int { return i&^63 + int(p.tree[i].end) }

// Children keeps of the nodes of a word those whose parent is in parents, and the
// children of the region if regions is set.
func (p *ChunkBatch) Children(word int, set, parents uint64, region bool) uint64 {
	tree := p.tree[word<<6 : word<<6+64]
	kept := uint64(0)
	for w := set; w != 0; w &= w - 1 {
		i := bits.TrailingZeros64(w) & 63
		if up := tree[i].parent; up >= 0 && parents>>(up&63)&1 != 0 || up < 0 && region {
			kept |= 1 << i
		}
	}
	return kept
}

// Below returns the nodes of a word that are below those of a set.
func (p *ChunkBatch) Below(word int, set uint64) uint64 {
	tree := p.tree[word<<6 : word<<6+64]
	below := uint64(0)
	for w := set; w != 0; {
		i := bits.TrailingZeros64(w) & 63
		inside := ^uint64(0) >> (64 - uint8(tree[i].end)) &^ (1<<i | (1<<i - 1))
		below |= inside
		w &^= inside | 1<<i
	}
	return below
}

// Find returns the node that a bit of a word stands for: its number in chunk k.
func (p *ChunkBatch) Find(word, bit int) (k int, c *Chunk, i int) {
	k = int(p.tree[word<<6+bit].chunk)
	at := &p.slots[k]
	return k, at.c, bit - int(at.shift)
}

// AppendBatch appends the nodes of a set of a word of a batch, the first chunk of
// which is chunk base of a region.
func AppendBatch[N Handle](dst []N, s *Snapshot, r Region, base int, p *ChunkBatch, word int, set uint64) []N {
	from := len(dst)
	n := bits.OnesCount64(set)
	dst = slices.Grow(dst, n)[:from+n]
	out := dst[from:]
	for k := 0; k < len(out); {
		chunk := p.tree[word<<6+bits.TrailingZeros64(set)].chunk
		at := &p.slots[chunk]
		here, where := (set&at.mask)>>at.shift, newLoc(r, base+int(chunk))
		set &^= at.mask
		for here != 0 {
			low := bits.TrailingZeros64(here)
			run := bits.TrailingZeros64(^(here >> low)) // neighbours are frequent
			part := out[k : k+run]
			for i := range part {
				part[i] = N{s, at.c, int32(low + i), where}
			}
			k += run
			here &= ^uint64(0) << low << run
		}
	}
	return dst
}
