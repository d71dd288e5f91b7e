package tree

import (
	"cmp"
	"iter"
	"slices"
)

// Node is a handle on one node of one snapshot: a small value that is cheap to make and to copy.
// The zero Node is not a node.
type Node struct {
	tree  *Snapshot
	chunk *Chunk
	i     int32
	loc   loc
}

// Handle is Node or a type defined from it, such as the Node of package engine.
type Handle interface {
	~struct {
		tree  *Snapshot
		chunk *Chunk
		i     int32
		loc   loc
	}
}

// loc is a region and the position of a chunk in it. It is one word, because results are long lists
// of nodes.
type loc int32

func newLoc(r Region, at int) loc { return loc(at<<3 | int(r)) }

// Tree returns the snapshot of the node.
func (n Node) Tree() *Snapshot { return n.tree }

// Chunk returns the chunk of the node. For the zero Node, it returns nil.
func (n Node) Chunk() *Chunk { return n.chunk }

// I returns the number of the node in its chunk.
func (n Node) I() int32 { return n.i }

// With returns node i of the chunk of n.
func (n Node) With(i int32) Node { n.i = i; return n }

// In returns the node of another snapshot that has the same position as n.
func (n Node) In(s *Snapshot) Node {
	n.tree, n.chunk = s, s.roots
	if n.Region() != RegionTop {
		n.chunk = s.Chunk(n.Region(), n.At())
	}
	return n
}

// Region returns the region that contains the node. For ^root and the regions themselves, it
// returns RegionTop.
func (n Node) Region() Region { return Region(n.loc & 7) }

// At returns the position of the chunk in its region.
func (n Node) At() int { return int(n.loc >> 3) }

// Rec returns the record of the node.
func (n Node) Rec() *Record { return n.chunk.Rec(int(n.i)) }

// Compare compares the positions of two nodes of one snapshot in document order.
func (n Node) Compare(m Node) int {
	if n.loc == m.loc { // in one chunk, as usual
		return cmp.Compare(n.i, m.i)
	}
	a, b := n.order(), m.order()
	return slices.Compare(a[:], b[:])
}

// order returns the sort key of document order within a snapshot. A region comes before its
// content.
func (n Node) order() [3]int32 {
	if n.Region() != RegionTop {
		return [3]int32{int32(n.Region()), int32(n.At()), n.i}
	}
	if r := n.Content(); r != RegionRest {
		return [3]int32{int32(r), -1, 0}
	}
	return [3]int32{-1, 0, 0}
}

// Depth returns -1 in ^sys, 0 in ^ah and k in the k-th newest segment. The regions ^sys and ^ah
// have the depth of their content. Elsewhere, it returns false.
func (n Node) Depth() (int, bool) {
	r, isTop := n.Region(), n.Region() == RegionTop
	if isTop {
		r = n.Content()
	}
	switch {
	case r == RegionSys:
		return -1, true
	case r == RegionHead:
		return 0, true
	case r == RegionSeq && !isTop:
		return n.tree.Segments() - n.At(), true
	}
	return 0, false
}

// Content returns the region whose node this is, or RegionRest for ^root. n must be ^root or
// the node of a region.
func (n Node) Content() Region {
	if r := slices.Index(n.tree.rootAt[:], int8(n.i)); r >= 0 {
		return Region(r)
	}
	return RegionRest
}

// Parent returns the parent. For ^root, it returns false.
func (n Node) Parent() (Node, bool) {
	p := n.chunk.Nav[n.i].Parent
	switch {
	case p >= 0:
		n.i = p
		return n, true
	case n.Region() == RegionTop:
		return Node{}, false
	}
	if top, ok := n.tree.Region(n.Region()); ok {
		return top, true
	}
	return n.tree.Root(), true
}

// Children yields the children in canonical order.
func (n Node) Children() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		if n.Region() != RegionTop {
			for i := n.i + 1; i < n.chunk.EndOf(n.i); i = n.chunk.EndOf(i) {
				if !yield(Node{n.tree, n.chunk, i, n.loc}) {
					return
				}
			}
			return
		}
		for r := range RegionRest {
			if top, ok := n.tree.Region(r); n.i == 0 && ok && !yield(top) {
				return
			}
		}
		content := n.Content()
		for at, c := range n.tree.parts[content].All() {
			for i := int32(0); int(i) < c.Len(); i = c.EndOf(i) {
				if !yield(Node{n.tree, c, i, newLoc(content, at)}) {
					return
				}
			}
		}
	}
}

// Before yields the nodes that come before n in document order, nearest first, except ^root and the
// regions. For ^root and the regions, it yields none.
func (n Node) Before() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		region, at, c := n.Region(), n.At(), n.chunk
		if region == RegionTop {
			return
		}
		for i := n.i; ; i = int32(c.Len()) {
			for i--; i >= 0; i-- {
				if !yield(Node{n.tree, c, i, newLoc(region, at)}) {
					return
				}
			}
			for at--; at < 0; at = n.tree.parts[region].Len() - 1 {
				if region == RegionSys {
					return
				}
				region--
			}
			c = n.tree.parts[region].At(at)
		}
	}
}

// LastChild returns the last child, and reports whether there is one. The cost is proportional to
// the depth of the tree.
func (n Node) LastChild() (Node, bool) {
	up, last := n.i, n.chunk.EndOf(n.i)-1
	if n.Region() == RegionTop {
		region := n.Content()
		at := n.tree.parts[region].Len() - 1
		if at < 0 {
			return Node{n.tree, n.chunk, int32(n.chunk.Len()) - 1, n.loc}, n.i == 0 && n.chunk.Len() > 1
		}
		n.chunk, n.loc = n.tree.parts[region].At(at), newLoc(region, at)
		up, last = -1, int32(n.chunk.Len())-1
	}
	if last == up {
		return Node{}, false
	}
	for n.chunk.Nav[last].Parent != up {
		last = n.chunk.Nav[last].Parent
	}
	n.i = last
	return n, true
}
