package tree

import (
	"iter"
	"math/bits"
	"slices"
	"unique"
)

// Word is a type, tag or key prepared for a search in many chunks.
type Word struct {
	text   string
	handle unique.Handle[string]
	mask   uint64
}

// NewWord prepares a word for a search.
func NewWord(text string) Word { return Word{text, unique.Make(text), maskOf(text)} }

// String returns the word.
func (w Word) String() string { return w.text }

// Filter selects chunks that may have certain nodes. The zero value selects every chunk. A selected
// chunk may turn out to have no match.
type Filter struct {
	types, tags, keys uint64
	hasTTL            bool
}

// Type restricts f to chunks that may have a user type.
func (f Filter) Type(user string) Filter { f.types |= maskOf(user); return f }

// Tag restricts f to chunks that may have a tag.
func (f Filter) Tag(tag string) Filter { f.tags |= maskOf(tag); return f }

// Key restricts f to chunks that may have a key. An empty key does not restrict it.
func (f Filter) Key(key string) Filter { f.keys |= maskOf(key); return f }

// HasTTL restricts f to chunks that have a node with a ttl.
func (f Filter) HasTTL() Filter { f.hasTTL = true; return f }

// keep reports whether f selects a part with a summary.
func (f Filter) keep(s *summary) bool {
	return s.types&f.types == f.types && s.tags&f.tags == f.tags && s.keys&f.keys == f.keys &&
		(!f.hasTTL || s.hasTTL > 0)
}

// MayHold reports whether f selects the chunk.
func (c *Chunk) MayHold(f Filter) bool { return f.keep(&c.sum) }

// RunPart is the part of a run with the chunks From <= k < To.
type RunPart struct {
	*Run
	From, To int
}

// Runs yields, in document order, runs with all chunks from <= i < to of a region that f selects,
// each with the position of its first chunk. A run of several chunks may include others that f does
// not select. Runs skips parts of the tree in which no chunk can have a match.
func (s *Snapshot) Runs(r Region, from, to int, f Filter) iter.Seq2[int, RunPart] {
	return func(yield func(int, RunPart) bool) { s.parts[r].root.runs(0, max(from, 0), to, &f, yield) }
}

// runs implements [Snapshot.Runs]. base is the position of the first chunk of n. It returns false
// if yield did.
func (n *seqNode) runs(base, from, to int, f *Filter, yield func(int, RunPart) bool) bool {
	if base >= to || base+n.sum.chunks <= from || !f.keep(&n.sum) {
		return true
	}
	if n.inner != nil {
		for _, k := range n.kids {
			if !k.runs(base, from, to, f, yield) {
				return false
			}
			base += k.sum.chunks
		}
		return true
	}
	first, last := max(from-base, 0), min(to-base, len(n.chunks))
	if p := n.joinedRun(); p != nil {
		return yield(base, RunPart{p, first, last})
	}
	for i := first; i < last; i++ {
		if c := n.chunks[i]; f.keep(&c.sum) && !yield(base+i, RunPart{c.Run(), 0, 1}) {
			return false
		}
	}
	return true
}

// AppendRun appends the nodes of a set of a run. at is the position of the first chunk of the run
// in the region r.
func AppendRun[N Handle](dst []N, s *Snapshot, r Region, at int, p *Run, set []uint64) []N {
	for k, w := range set {
		if w == 0 {
			continue
		}
		n := bits.OnesCount64(w)
		dst = slices.Grow(dst, n)[:len(dst)+n]
		out := dst[len(dst)-n:]
		for w != 0 {
			i, _, _ := p.Find(k<<6 + bits.TrailingZeros64(w))
			slot := &p.slots[i]
			out = putNodes(out, Node{s, slot.c, int32(k<<6 - slot.first), newLoc(r, at+i)}, w&slot.mask)
			w &^= slot.mask
		}
	}
	return dst
}

// putNodes writes a node for each bit of a set to out, and returns the rest of out. The number of a
// node is that of its bit plus that of first. If putNodes were inlined, the compiler would run out
// of registers, and it would take a third more time.
//
//go:noinline
func putNodes[N Handle](out []N, first Node, set uint64) []N {
	for set != 0 {
		low := bits.TrailingZeros64(set)
		n := bits.TrailingZeros64(^(set >> low)) // neighboring bits are frequent
		part := out[:n]
		for i := range part {
			part[i] = N{first.tree, first.chunk, first.i + int32(low+i), first.loc}
		}
		out = out[n:]
		set &= ^uint64(0) << low << n
	}
	return out
}
