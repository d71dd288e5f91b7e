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

// ChunkRun is a run of neighbouring chunks.
type ChunkRun struct {
	Chunks []*Chunk // shared
	// Which has bit i when chunk i may satisfy the filter; it is never 0.
	Which uint64
	// Batch has all chunks of the run, Chunks[0] as chunk From; nil where there
	// is none.
	Batch *ChunkBatch
	From  int
}

// ChunkRuns yields the chunks from <= i < to of a region, in document order,
// as runs, each with the position of its first chunk. Runs in which
// no chunk may satisfy f are passed over. It is [Snapshot.Chunks] with fewer
// calls.
func (s *Snapshot) ChunkRuns(r Region, from, to int, f Filter) iter.Seq2[int, ChunkRun] {
	from, to = max(from, 0), min(to, s.Parts[r].Len())
	return func(yield func(int, ChunkRun) bool) {
		if root := s.Parts[r].root; f.keep(&root.sum) {
			root.chunkRuns(0, from, to, f, yield)
		}
	}
}

func (n *seqNode) chunkRuns(base, from, to int, f Filter, yield func(int, ChunkRun) bool) bool {
	if len(n.kids) == 0 {
		first, last := max(from-base, 0), min(to-base, len(n.chunks))
		if first >= last {
			return true
		}
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
		s.Batch = n.batch(h)
		return yield(base+first, s)
	}
	if h := n.kidIndex(); h != nil {
		for w := h.which(f) & (1<<len(n.kids) - 1); w != 0; w &= w - 1 {
			k := bits.TrailingZeros64(w)
			first, next := base+int(h.starts[k]), base+int(h.starts[k+1])
			if first >= to {
				break
			}
			if next > from && (f.keys == 0 && !f.hasTTL || f.keep(&n.kids[k].sum)) && !n.kids[k].chunkRuns(first, from, to, f, yield) {
				return false
			}
		}
		return true
	}
	for _, k := range n.kids {
		if base >= to {
			break
		}
		if next := base + k.sum.chunks; next > from && f.keep(&k.sum) && !k.chunkRuns(base, from, to, f, yield) {
			return false
		}
		base += k.sum.chunks
	}
	return true
}

// leafIndex says of the chunks of a leaf, or of the entries of an inner node, which of
// them may hold what: for every bit of the masks of types and tags, the set of
// those that have it.
type leafIndex struct {
	types, tags [64]uint16
	// of a leaf
	batch     atomic.Pointer[ChunkBatch]
	requested atomic.Bool // since it was made
	noBatch   bool        // for a batch
	// of an inner node
	starts       [fanout + 1]int32 // the chunks before each entry
	postingLists allPostings       // of a root
}

// searchedOnce marks an inner node that was searched once.
var searchedOnce = new(leafIndex)

// kidIndex returns what the entries of an inner node may hold, nil until it is
// searched again: most roots are never searched twice.
func (n *seqNode) kidIndex() *leafIndex {
	switch h := n.search.Load(); h {
	case nil:
		n.search.Store(searchedOnce)
		return nil
	case searchedOnce:
	default:
		return h
	}
	h := new(leafIndex)
	for i, k := range n.kids {
		h.add(i, &k.sum)
		h.starts[i+1] = h.starts[i] + int32(k.sum.chunks)
	}
	n.search.Store(h)
	return h
}

func (h *leafIndex) add(i int, s *summary) {
	for m := s.types; m != 0; m &= m - 1 {
		h.types[bits.TrailingZeros64(m)] |= 1 << i
	}
	for m := s.tags; m != 0; m &= m - 1 {
		h.tags[bits.TrailingZeros64(m)] |= 1 << i
	}
}

// leafIndex returns what the chunks of a leaf may hold, made by whoever comes
// first.
func (n *seqNode) leafIndex() *leafIndex {
	if h := n.search.Load(); h != nil {
		return h
	}
	h := &leafIndex{noBatch: len(n.chunks) < 2}
	for i, c := range n.chunks {
		h.noBatch = h.noBatch || !c.Small()
		h.add(i, &c.sum)
	}
	n.search.Store(h)
	return h
}

// which returns the chunks that may have all types and tags of a filter.
func (h *leafIndex) which(f Filter) uint64 {
	out := uint16(math.MaxUint16)
	for m := f.types; m != 0; m &= m - 1 {
		out &= h.types[bits.TrailingZeros64(m)]
	}
	for m := f.tags; m != 0; m &= m - 1 {
		out &= h.tags[bits.TrailingZeros64(m)]
	}
	return uint64(out)
}

// AppendSet appends the nodes base+b of chunk at of a region, for every bit b
// of set.
func AppendSet[N Handle](dst []N, s *Snapshot, r Region, at int, c *Chunk, base int, set uint64) []N {
	from := len(dst)
	dst = slices.Grow(dst, bits.OnesCount64(set))[:from+bits.OnesCount64(set)]
	out, where := dst[from:], newLoc(r, at)
	for k := 0; k < len(out); {
		low := bits.TrailingZeros64(set)
		run := bits.TrailingZeros64(^(set >> low)) // neighbours are frequent
		part := out[k : k+run]
		for i := range part {
			part[i] = N{s, c, int32(base + low + i), where}
		}
		k += run
		set &= ^uint64(0) << low << run
	}
	return dst
}

// smallSets are the sets of a small chunk, side by side.
type smallSets struct {
	bases        [BaseRegion]uint64
	implicitCore uint64
	types        []smallPosting
	tags         []smallPosting
}

type smallPosting struct {
	word unique.Handle[string]
	set  [1]uint64
}

// smallBits returns the nodes of a small chunk that have a word.
func smallBits(list []smallPosting, w Word) Bits {
	for i := range list {
		if p := &list[i]; p.word == w.handle {
			return p.set[:]
		}
	}
	return nil
}

func (col *columns) makeSmall(c *Chunk) {
	for b := range BaseRegion {
		col.small.bases[b] = col.bases[b][0]
	}
	col.small.implicitCore = col.implicitCore[0]
	list := make([]smallPosting, 0, len(col.types.words)+len(col.tags.words))
	for _, p := range col.types.words {
		list = append(list, smallPosting{unique.Make(p.word), [1]uint64{p.set[0]}})
	}
	types := len(list)
	for _, p := range col.tags.words {
		list = append(list, smallPosting{unique.Make(p.word), [1]uint64{p.set[0]}})
	}
	col.small.types, col.small.tags = list[:types:types], list[types:]
	col.idHashes = make([]uint32, len(c.Recs))
	for i, r := range c.Recs {
		col.idHashes[i] = hashOf(r.ID)
	}
}

// Small tells whether the chunk has at most 64 nodes, so that every set of
// them is one word.
func (c *Chunk) Small() bool { return len(c.Recs) <= 64 }

// Sets returns the sets of a small chunk.
func (c *Chunk) Sets() *Sets { return (*Sets)(c.columns()) }

// Sets are the sets of nodes of a small chunk, each as one word, and its
// numeric headers. They say what the methods of [Chunk] say, with less work.
type Sets columns

// OfBase is [Chunk.OfBase].
func (s *Sets) OfBase(b Base) uint64 { return s.small.bases[b] }

// OfType is [Chunk.OfType].
func (s *Sets) OfType(w Word) uint64 {
	for i := range s.small.types {
		if p := &s.small.types[i]; p.word == w.handle {
			return p.set[0]
		}
	}
	return 0
}

// Tagged is [Chunk.Tagged].
func (s *Sets) Tagged(w Word) uint64 {
	for i := range s.small.tags {
		if p := &s.small.tags[i]; p.word == w.handle {
			return p.set[0]
		}
	}
	return 0
}

// Keyed is [Chunk.Keyed].
func (s *Sets) Keyed(w Word) uint64 {
	if set := s.keys.bits(w.text); set != nil {
		return set[0]
	}
	return 0
}

// ImplicitCore is [Chunk.Coreless].
func (s *Sets) ImplicitCore() uint64 { return s.small.implicitCore }

// Ints is [Chunk.Ints].
func (s *Sets) Ints(col Column) ([]int64, bool) {
	k := &s.numbers[col]
	return k.ints, !k.exact
}
