package engine

import (
	"iter"
	"math/bits"
	"slices"
	"sync/atomic"
)

type topRecord struct{ atomic.Pointer[record] }

// Region is a part of the tree below ^root.
type Region uint8

const (
	RegionSys  Region = iota // ^sys
	RegionSeq                // ^seq, one segment a chunk, oldest first
	RegionHead               // ^ah
	RegionRest               // what else lies directly below ^root
	numRegions

	regionTop Region = numRegions // ^root and the regions themselves
)

var regionTypes = [...]string{RegionSys: "^sys", RegionSeq: "^seq", RegionHead: "^ah"}

func regionOf(nodeType string) (Region, bool) {
	i := slices.Index(regionTypes[:], nodeType)
	return Region(i), i >= 0
}

// Snapshot is one immutable state of a tree: what a commit left, or a working
// state. All methods may be called by any number of goroutines at once.
type Snapshot struct {
	*origin
	cycle   int64
	ttlAt   int64  // the cycle lifetimes are counted from
	tops    *Chunk // ^root, then the regions that are there
	where   [RegionRest]int8
	working bool
	parts   [numRegions]sequence
}

// origin is what all states of a live context have in common.
type origin struct {
	edition    Edition
	version    string   // spec_version as it came, else what the edition writes
	ownVersion bool     // version stood in the snapshot itself
	extra      []member // members of the document the engine does not know
	index      *index
}

// Cycle returns the cycle of the commit; for a working state that of the
// coming one.
func (s *Snapshot) Cycle() int64 { return s.cycle }

// Working tells whether this is a working state.
func (s *Snapshot) Working() bool { return s.working }

// Edition returns the edition the tree is written in.
func (s *Snapshot) Edition() Edition { return s.edition }

// SpecVersion returns the spec_version the snapshot came with, else that of
// its edition.
func (s *Snapshot) SpecVersion() string { return s.version }

// Len returns the number of nodes, ^root and the regions included.
func (s *Snapshot) Len() int {
	n := len(s.tops.recs)
	for i := range s.parts {
		n += s.parts[i].root.sum.nodes
	}
	return n
}

// Segments returns the number of children of ^seq, which is the greatest depth.
func (s *Snapshot) Segments() int { return s.parts[RegionSeq].len() }

// Root returns ^root.
func (s *Snapshot) Root() Node { return Node{s: s, c: s.tops, loc: newLoc(regionTop, 0)} }

// Region returns the node of a region; false if the tree has none, and for
// RegionRest.
func (s *Snapshot) Region(r Region) (Node, bool) {
	if r >= RegionRest || s.where[r] < 0 {
		return Node{}, false
	}
	return Node{s: s, c: s.tops, i: int32(s.where[r]), loc: newLoc(regionTop, 0)}, true
}

// Tops returns the chunk that holds ^root, as node 0, and the regions below it.
func (s *Snapshot) Tops() *Chunk { return s.tops }

// NumChunks returns the number of chunks of a region.
func (s *Snapshot) NumChunks(r Region) int { return s.parts[r].len() }

// Chunk returns chunk i of a region in document order. In RegionSeq chunk i
// is the segment at depth Segments()-i. It costs the logarithm of their number.
func (s *Snapshot) Chunk(r Region, i int) *Chunk { return s.parts[r].at(i) }

// Chunks yields the chunks from <= i < to of a region that may satisfy f, in
// document order. Parts of the tree that cannot are passed over unseen.
func (s *Snapshot) Chunks(r Region, from, to int, f Filter) iter.Seq2[int, *Chunk] {
	return s.parts[r].where(max(from, 0), min(to, s.parts[r].len()), f.keep)
}

// Node returns node i of chunk at of a region.
func (s *Snapshot) Node(r Region, at int, c *Chunk, i int) Node {
	return Node{s, c, int32(i), newLoc(r, at)}
}

// Headless tells whether ^ah has no container among its children, so that its
// children at offset 0 stand for its core.
func (s *Snapshot) Headless() bool {
	for _, c := range s.parts[RegionHead].all() {
		for i := 0; i < len(c.recs); i = c.End(i) {
			if c.recs[i].base == BaseCont {
				return false
			}
		}
	}
	return s.where[RegionHead] >= 0
}

// All yields every node in document order.
func (s *Snapshot) All() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		if !yield(s.Root()) {
			return
		}
		for r := range numRegions {
			if n, ok := s.Region(r); ok && !yield(n) {
				return
			}
			for at, c := range s.parts[r].all() {
				for i := range c.recs {
					if !yield(s.Node(r, at, c, i)) {
						return
					}
				}
			}
		}
	}
}

// Find returns the node with an id. The cost does not depend on the size of
// the tree, except within the active head, which is searched.
func (s *Snapshot) Find(id string) (Node, bool) {
	for p := s.index.ids.lookup(id); p != nil; p = p.next {
		h := p.home
		if h == nil {
			continue
		}
		if top := h.top.Load(); top != nil { // by far the most frequent, so without an iterator
			if at, c := s.parts[h.region].home(h, top, !s.working); c != nil {
				if i := c.index(id, p.hint, !s.working); i >= 0 {
					return s.Node(h.region, at, c, i), true
				}
			}
		}
		if h.head {
			for at, c := range s.parts[RegionHead].all() {
				if i := c.index(id, p.hint, !s.working); i >= 0 {
					return s.Node(RegionHead, at, c, i), true
				}
			}
		}
	}
	if i := s.tops.index(id, 0, false); i >= 0 {
		return Node{s: s, c: s.tops, i: int32(i), loc: newLoc(regionTop, 0)}, true
	}
	return Node{}, false
}

// homeChunks yields the first node of every chunk that may be a home.
func (s *Snapshot) homeChunks(h *home) iter.Seq[Node] {
	return func(yield func(Node) bool) {
		if h == nil {
			return // of a template or of a node that was never part of a tree
		}
		if top := h.top.Load(); top != nil {
			if at, c := s.parts[h.region].home(h, top, !s.working); c != nil && !yield(s.Node(h.region, at, c, 0)) {
				return
			}
		}
		if h.head {
			for at, c := range s.parts[RegionHead].all() {
				if !yield(s.Node(RegionHead, at, c, 0)) {
					return
				}
			}
		}
	}
}

// Keyed returns the nodes with a key in document order.
func (s *Snapshot) Keyed(key string) []Node { return s.AppendKeyed(nil, key) }

// AppendKeyed is [Snapshot.Keyed] into a slice of the caller's.
func (s *Snapshot) AppendKeyed(dst []Node, key string) []Node {
	start := len(dst)
	if key == "" {
		for n := range s.All() {
			if k, ok := n.Key(); ok && k == "" {
				dst = append(dst, n)
			}
		}
		return dst
	}
	mask := maskOf(key)
	dst = s.Root().appendKeyed(dst, key, mask)
	limit := 16 + s.Segments()/8
	for p := s.index.keys.lookup(key); p != nil; p = p.next {
		if limit--; limit < 0 {
			return append(dst[:start], s.searchKey(key)...)
		}
		h := p.home
		if h == nil {
			continue // of a template or of a node that was never part of a tree
		}
		if top := h.top.Load(); top != nil {
			if at, c := s.parts[h.region].home(h, top, !s.working); c != nil {
				dst = s.Node(h.region, at, c, 0).appendKeyed(dst, key, mask)
			}
		}
		if h.head {
			for at, c := range s.parts[RegionHead].all() {
				dst = s.Node(RegionHead, at, c, 0).appendKeyed(dst, key, mask)
			}
		}
	}
	found := dst[start:]
	if len(found) > 1 {
		slices.SortFunc(found, Node.Compare)
		found = slices.CompactFunc(found, func(a, b Node) bool { return a.Compare(b) == 0 })
	}
	return dst[:start+len(found)]
}

// appendKeyed appends the nodes with a key of the chunk that n is in.
func (n Node) appendKeyed(dst []Node, key string, mask uint64) []Node {
	if n.c.sum.keys&mask == 0 {
		return dst
	}
	for k, w := range n.c.columns().keys.bits(key) {
		if dst == nil && w != 0 {
			dst = make([]Node, 0, bits.OnesCount64(w)) // most often all
		}
		for ; w != 0; w &= w - 1 {
			n.i = int32(k<<6 + bits.TrailingZeros64(w))
			dst = append(dst, n)
		}
	}
	return dst
}

// searchKey looks through the tree, for keys that were in too many places.
func (s *Snapshot) searchKey(key string) []Node {
	var out []Node
	for i := range s.tops.Keyed(key).All() {
		out = append(out, Node{s: s, c: s.tops, i: int32(i), loc: newLoc(regionTop, 0)})
	}
	for r := range numRegions {
		for at, c := range s.Chunks(r, 0, s.NumChunks(r), Filter{}.Key(key)) {
			for i := range c.Keyed(key).All() {
				out = append(out, s.Node(r, at, c, i))
			}
		}
	}
	slices.SortFunc(out, Node.Compare)
	return out
}
