package eval

import (
	"math/bits"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/tree"
)

// view is what the steps of a chain run over at a time: one chunk of any size, or a pack of small ones. Its nodes, in
// document order, are the bits of a run of words, and every set of nodes has that many words.
type view struct {
	chunk *tree.Chunk // nil for a pack
	pack  *tree.ChunkBatch
	at    int // the position of the chunk, or of the first chunk of the pack
	from  int // the chunks of the pack to look at, from <= k < to
	to    int
	nodes []uint64 // all nodes to look at
	// found is what the last step has found, nil for nothing; implied the nodes whose implied core it has found.
	found, implied []uint64
}

// viewChunk adds a chunk to the views.
func (m *matcher) viewChunk(c *tree.Chunk, at int) {
	v := m.newView()
	v.chunk, v.pack, v.at = c, nil, at
	v.nodes = m.arenas[2].set((c.Len() + 63) >> 6)
	fill(v.nodes, 0, c.Len())
}

// viewPack adds the chunks from <= k < to of a pack, whose first chunk has the position at, to the views.
func (m *matcher) viewPack(p *tree.ChunkBatch, at, from, to int) {
	v := m.newView()
	v.chunk, v.pack, v.at, v.from, v.to = nil, p, at, from, to
	v.nodes = p.Nodes(m.arenas[2].raw(p.Words()), from, to)
}

// newView adds a view in which nothing was found.
func (m *matcher) newView() *view {
	if len(m.views) == cap(m.views) {
		m.views = append(m.views, view{})
	} else {
		m.views = m.views[:len(m.views)+1]
	}
	v := &m.views[len(m.views)-1]
	v.found, v.implied = nil, nil
	return v
}

// clearViews makes ready for other views.
func (m *matcher) clearViews() {
	m.views = m.views[:0]
	m.arenas[2].reset()
}

// The sets that a view returns are shared: they are read, not written. They may be shorter than the view.

func (v *view) ofBase(b engine.Base) []uint64 {
	if v.pack != nil {
		return v.pack.OfBase(b)
	}
	return v.chunk.OfBase(b)
}

func (v *view) ofType(user tree.Word) []uint64 {
	if v.pack != nil {
		return v.pack.OfType(user)
	}
	return v.chunk.OfType(user)
}

func (v *view) tagged(tag tree.Word) []uint64 {
	if v.pack != nil {
		return v.pack.Tagged(tag)
	}
	return v.chunk.Tagged(tag)
}

// coreless returns the nodes that have an implied core. A view of a pack has none: see matcher.searchAll.
func (v *view) coreless() []uint64 {
	if v.pack != nil {
		return nil
	}
	return v.chunk.ImplicitCore()
}

// parent returns the parent of a node, -1 for a child of the region.
func (v *view) parent(i int) int {
	if v.pack != nil {
		return v.pack.Parent(i)
	}
	return v.chunk.Parent(i)
}

// end returns the number after the last node below node i: these are i+1 … end-1.
func (v *view) end(i int) int {
	if v.pack != nil {
		return v.pack.End(i)
	}
	return v.chunk.End(i)
}

// locate returns the chunk of node i, with its position, and the number that the node has there.
func (v *view) locate(i int) (at int, c *tree.Chunk, in int) {
	if v.pack != nil {
		k, c, in := v.pack.Find(i>>6, i&63)
		return v.at + k, c, in
	}
	return v.at, v.chunk, i
}

// addTops adds the first nodes of the chunks of a view of ^seq, which are segments, at the depths from <= d <= to.
func (v *view) addTops(set []uint64, segments int, from, to int64) {
	if v.pack == nil {
		if d := int64(segments - v.at); from <= d && d <= to {
			setBit(set, 0)
		}
		return
	}
	for k := v.from; k < v.to; k++ {
		if d := int64(segments - v.at - k); from <= d && d <= to {
			bit, word := v.pack.First(k)
			set[word] |= bit
		}
	}
}

// keepChildren keeps the nodes whose parent is in a set; those of the region when region is set.
func (v *view) keepChildren(set, parents []uint64, region bool) {
	if p := v.pack; p != nil { // parents are in the same word: a third less time for a chain of children
		for k, w := range set {
			if w != 0 {
				set[k] = p.Children(k, w, wordOf(parents, k), region)
			}
		}
		return
	}
	for k, w := range set {
		kept := w
		for ; w != 0; w &= w - 1 {
			low := bits.TrailingZeros64(w)
			if p := v.parent(k<<6 | low); p < 0 && !region || p >= 0 && !contains(parents, p) {
				kept &^= 1 << low
			}
		}
		set[k] = kept
	}
}

// addBelow adds what lies below the nodes of a set.
func (v *view) addBelow(below, set []uint64) {
	end := 0 // what comes before it is added
	for k := range set {
		next := (k + 1) << 6
		for i := max(end, k<<6); i < next; i = max(end, i+1) {
			w := set[k] >> (i & 63)
			if w == 0 {
				break
			}
			i += bits.TrailingZeros64(w)
			end = v.end(i)
			fill(below, i+1, end)
		}
	}
}
