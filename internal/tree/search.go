package tree

import (
	"iter"
	"math"
	"math/bits"
	"slices"
	"sync/atomic"
	"unique"
)

// Word is a type, tag or key made ready to be searched for in many chunks.
type Word struct {
	text   string
	handle unique.Handle[string]
	mask   uint64
}

// NewWord makes a word ready.
func NewWord(text string) Word { return Word{text, unique.Make(text), maskOf(text)} }

// ChunkRun is a sequence of neighbouring chunks.
type ChunkRun struct {
	Chunks []*Chunk // shared
	// Which has bit i when chunk i may satisfy the filter; it is never 0.
	Which uint64
	// Batch holds all chunks of the run, Chunks[0] as its chunk From; nil if the run
	// has no batch.
	Batch *ChunkBatch
	From  int
}

// ChunkRuns yields the chunks from <= i < to of a region, in document order,
// as runs, each with the position of its first chunk. It skips runs in which
// no chunk may satisfy f. It is [Snapshot.Chunks] with fewer calls.
func (s *Snapshot) ChunkRuns(r Region, from, to int, f Filter) iter.Seq2[int, ChunkRun] {
	return func(yield func(int, ChunkRun) bool) { s.parts[r].root.chunkRuns(0, max(from, 0), to, &f, yield) }
}

func (n *seqNode) chunkRuns(base, from, to int, f *Filter, yield func(int, ChunkRun) bool) bool {
	if base >= to || base+n.sum.chunks <= from || !f.keep(&n.sum) {
		return true
	}
	for _, k := range n.kids {
		if !k.chunkRuns(base, from, to, f, yield) {
			return false
		}
		base += k.sum.chunks
	}
	if len(n.kids) > 0 {
		return true
	}
	first, last := max(from-base, 0), min(to-base, len(n.chunks))
	h := n.leafIndex()
	s := ChunkRun{Chunks: n.chunks[first:last], Which: h.which(f) >> first & (1<<(last-first) - 1), From: first}
	if f.keys != 0 || f.hasTTL {
		for i, c := range s.Chunks {
			if !f.keep(&c.sum) {
				s.Which &^= 1 << i
			}
		}
	}
	if s.Which == 0 {
		return true
	}
	if s.Batch = h.batch.Load(); s.Batch == nil {
		s.Batch = n.newBatch(h)
	}
	return yield(base+first, s)
}

// leafIndex is an index of the chunks of a leaf: for every bit of the masks of types and tags, the set of those that have
// it.
type leafIndex struct {
	types, tags [64]uint16
	batch       atomic.Pointer[ChunkBatch]
	requested   atomic.Bool // an earlier search used the batch
	noBatch     bool        // a chunk is too large, or it is the only one
}

func (h *leafIndex) add(i int, s *summary) {
	for m := s.types; m != 0; m &= m - 1 {
		h.types[bits.TrailingZeros64(m)] |= 1 << i
	}
	for m := s.tags; m != 0; m &= m - 1 {
		h.tags[bits.TrailingZeros64(m)] |= 1 << i
	}
}

// leafIndex returns the index of a leaf, made on first use.
func (n *seqNode) leafIndex() *leafIndex {
	if h := n.index.Load(); h != nil {
		return h
	}
	return n.newLeafIndex()
}

func (n *seqNode) newLeafIndex() *leafIndex {
	h := &leafIndex{noBatch: len(n.chunks) < 2}
	for i, c := range n.chunks {
		h.noBatch = h.noBatch || c.Len() > 64
		h.add(i, &c.sum)
	}
	n.index.Store(h)
	return h
}

// which returns the chunks that may have all types and tags of a filter.
func (h *leafIndex) which(f *Filter) uint64 {
	out := uint16(math.MaxUint16)
	for m := f.types; m != 0; m &= m - 1 {
		out &= h.types[bits.TrailingZeros64(m)]
	}
	for m := f.tags; m != 0; m &= m - 1 {
		out &= h.tags[bits.TrailingZeros64(m)]
	}
	return uint64(out)
}

// Run is the nodes of a [Chunk] or a [ChunkBatch] in document order: what a
// search looks at in one step. All sets of a run have the same number of
// words. Sets that a method returns are shared and read-only; nil is empty.
type Run interface {
	// AppendNodes appends the set of the nodes of the chunks from <= k < to of
	// the run.
	AppendNodes(dst []uint64, from, to int) []uint64
	// AddFirst adds to set the first nodes of the chunks 0 <= from <= k < to. to may be
	// larger than the number of chunks.
	AddFirst(set []uint64, from, to int)
	// DropFirst takes the first nodes of all chunks out of set.
	DropFirst(set []uint64)
	OfBase(Base) Bits // the base must not be BaseRegion
	OfType(Word) Bits // of any base
	Tagged(Word) Bits
	Keyed(key string) Bits
	// ImplicitCore returns the segments without a container among their
	// children. Their children at offset 0 are their core.
	ImplicitCore() Bits
	// Exact reports whether a numeric header of all nodes is a 64-bit integer.
	Exact(Column) bool
	// KeepInts keeps in set the nodes whose value in a numeric header, which must
	// be exact, is in one of some ranges, or, if not is set, in none of them. 0
	// stands for a missing value.
	KeepInts(set []uint64, col Column, ranges []IntRange, not bool)
	// Parent returns the parent of node i, -1 for a child of the region.
	Parent(i int) int
	// KeepChildren keeps in set the nodes whose parent is in parents, and the
	// children of the region if region is set.
	KeepChildren(set, parents []uint64, region bool)
	// AddBelow adds to below the nodes below those of a set.
	AddBelow(below, set []uint64)
	// Find returns the chunk of node i and the number it has there, with the
	// number k of the chunk in the run.
	Find(i int) (k int, c *Chunk, in int)
}

// IntRange is the integers from From to To.
type IntRange struct{ From, To int64 }

// Has reports whether an integer is in the range.
func (r IntRange) Has(i int64) bool { return r.From <= i && i <= r.To }

// AppendRun appends the nodes of a set of a run, the first chunk of which has the
// position at in a region.
func AppendRun[N Handle](dst []N, s *Snapshot, r Region, at int, run Run, set []uint64) []N {
	batch, _ := run.(*ChunkBatch)
	for k, w := range set {
		if w == 0 {
			continue
		}
		n := bits.OnesCount64(w)
		dst = slices.Grow(dst, n)[:len(dst)+n]
		out := dst[len(dst)-n:]
		if batch == nil {
			putNodes(out, Node{s, run.(*Chunk), int32(k << 6), newLoc(r, at)}, w)
			continue
		}
		for w != 0 {
			n := batch.tree[k<<6+bits.TrailingZeros64(w)].chunk
			slot := &batch.slots[n]
			out = putNodes(out, Node{s, slot.c, -int32(slot.shift), newLoc(r, at+int(n))}, w&slot.mask)
			w &^= slot.mask
		}
	}
	return dst
}

// putNodes writes a node for each bit of a set to out, with the number of the bit plus
// that of first, and returns the rest of out. Inlined, it would run out of
// registers and take a third more time.
//
//go:noinline
func putNodes[N Handle](out []N, first Node, set uint64) []N {
	for set != 0 {
		low := bits.TrailingZeros64(set)
		n := bits.TrailingZeros64(^(set >> low)) // neighbours are frequent
		part := out[:n]
		for i := range part {
			part[i] = N{first.tree, first.chunk, first.i + int32(low+i), first.loc}
		}
		out = out[n:]
		set &= ^uint64(0) << low << n
	}
	return out
}
