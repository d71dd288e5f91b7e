package tree

import (
	"cmp"
	"iter"
	"slices"
)

// Node is a handle on one node of one snapshot: a small value, cheap to
// make and to copy. The zero Node is not a node.
type Node struct {
	Tree  *Snapshot
	Chunk *Chunk
	I     int32
	Loc   loc
}

// Handle is a Node, or a type made of it, such as the Node of package engine.
type Handle interface {
	~struct {
		Tree  *Snapshot
		Chunk *Chunk
		I     int32
		Loc   loc
	}
}

// loc is a region and the position of a chunk in it, in one word, since
// results are long lists of nodes.
type loc int32

func newLoc(r Region, at int) loc { return loc(at<<3 | int(r)) }

// Region returns the region of the content a node belongs to; RegionTop for
// ^root and the regions themselves.
func (l loc) Region() Region { return Region(l & 7) }

// At returns the position of the chunk in the region.
func (l loc) At() int { return int(l >> 3) }

// Rec returns the record of the node.
func (n Node) Rec() *Record { return n.Chunk.Recs[n.I] }

// Place returns the region, the position of the chunk in it, the chunk and
// the node's number there. ^root and the regions are in [Snapshot.Roots]; for
// them top is true, and region and at mean nothing.
func (n Node) Place() (region Region, at int, c *Chunk, i int, top bool) {
	r := n.Loc.Region()
	return r, n.Loc.At(), n.Chunk, int(n.I), r == RegionTop
}

// Compare orders nodes of one snapshot by document order.
func (n Node) Compare(m Node) int {
	a, b := n.Order(), m.Order()
	return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]), cmp.Compare(a[2], b[2]))
}

// Order gives region heads the place before the content of their region.
func (n Node) Order() [3]int32 {
	if n.Loc.Region() != RegionTop {
		return [3]int32{int32(n.Loc.Region()), int32(n.Loc.At()), n.I}
	}
	for r := range RegionRest {
		if n.I > 0 && int32(n.Tree.RootAt[r]) == n.I {
			return [3]int32{int32(r), -1, 0}
		}
	}
	return [3]int32{-1, 0, 0}
}

// Depth returns -1 in ^sys, 0 in ^ah and k in the k-th newest segment; the
// regions ^sys and ^ah have the depth of their content. Elsewhere there is none.
func (n Node) Depth() (int, bool) {
	r := n.Loc.Region()
	if r == RegionTop {
		r = RegionRest
		switch int8(n.I) {
		case n.Tree.RootAt[RegionSys]:
			r = RegionSys
		case n.Tree.RootAt[RegionHead]:
			r = RegionHead
		}
	}
	switch r {
	case RegionSys:
		return -1, true
	case RegionHead:
		return 0, true
	case RegionSeq:
		return n.Tree.Segments() - n.Loc.At(), true
	}
	return 0, false
}

// Content returns the region whose node this is; RegionRest for ^root.
func (n Node) Content() Region {
	for r := range RegionRest {
		if n.Loc.Region() == RegionTop && n.I > 0 && int32(n.Tree.RootAt[r]) == n.I {
			return r
		}
	}
	return RegionRest
}

// Parent returns the parent; false for ^root.
func (n Node) Parent() (Node, bool) {
	p := n.Chunk.Nav[n.I].Parent
	switch {
	case p >= 0:
		n.I = p
		return n, true
	case n.Loc.Region() == RegionTop:
		return Node{}, false
	}
	if top, ok := n.Tree.Region(n.Loc.Region()); ok {
		return top, true
	}
	return n.Tree.Root(), true
}

// Children yields the children in canonical order.
func (n Node) Children() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		if n.Loc.Region() != RegionTop {
			for i := n.I + 1; i < n.Chunk.EndOf(n.I); i = n.Chunk.EndOf(i) {
				if !yield(Node{n.Tree, n.Chunk, i, n.Loc}) {
					return
				}
			}
			return
		}
		for r := range RegionRest {
			if top, ok := n.Tree.Region(r); n.I == 0 && ok && !yield(top) {
				return
			}
		}
		content := n.Content()
		for at, c := range n.Tree.Parts[content].All() {
			for i := int32(0); int(i) < len(c.Recs); i = c.EndOf(i) {
				if !yield(Node{n.Tree, c, i, newLoc(content, at)}) {
					return
				}
			}
		}
	}
}

// LastChild returns the last child, and reports whether there is one. It costs the depth
// of the tree.
func (n Node) LastChild() (Node, bool) {
	up, last := n.I, n.Chunk.EndOf(n.I)-1
	if n.Loc.Region() == RegionTop {
		region := n.Content()
		at := n.Tree.Parts[region].Len() - 1
		if at < 0 {
			return Node{n.Tree, n.Chunk, int32(len(n.Chunk.Recs)) - 1, n.Loc}, n.I == 0 && len(n.Chunk.Recs) > 1
		}
		n.Chunk, n.Loc = n.Tree.Parts[region].At(at), newLoc(region, at)
		up, last = -1, int32(len(n.Chunk.Recs))-1
	}
	if last == up {
		return Node{}, false
	}
	for n.Chunk.Nav[last].Parent != up {
		last = n.Chunk.Nav[last].Parent
	}
	n.I = last
	return n, true
}

// AppendChunk appends the nodes [from, to) of the chunk of n.
func (n Node) AppendChunk(dst []Node, from, to int) []Node {
	dst = slices.Grow(dst, to-from)
	for i := from; i < to; i++ {
		n.I = int32(i)
		dst = append(dst, n)
	}
	return dst
}
