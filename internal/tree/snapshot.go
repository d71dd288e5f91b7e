package tree

import (
	"iter"
	"slices"

	"github.com/pactkit/pactkit/internal/edition"
)

// Snapshot is an immutable state of a tree. It is safe for concurrent use. A change modifies a
// copy, which is not shared until it is complete.
type Snapshot struct {
	origin  *Origin
	cycle   int64  // of the commit or, in a working state, the one in progress
	roots   *Chunk // ^root and the regions that exist
	rootAt  [RegionRest]int8
	working bool
	parts   [NumRegions]Sequence
	about   any // see About
}

// Origin is what the states of a timeline have in common.
type Origin struct {
	Edition    edition.Edition
	Version    string   // spec_version as it was read, or else that of the edition
	OwnVersion bool     // the snapshot itself had a spec_version
	Extra      []Member // unknown members of the document
	Index      *Index
}

// NewSnapshot returns a snapshot of a cycle without nodes. Before it is used, it must get a ^root;
// see [Snapshot.SetRoots].
func NewSnapshot(o *Origin, cycle int64, working bool) *Snapshot {
	s := &Snapshot{origin: o, roots: NewChunk(Forest{})}
	s.SetCycle(cycle, working)
	for r := range s.parts {
		s.parts[r] = NewSequence(nil)
	}
	return s
}

// Seal turns a working state into the snapshot of its cycle.
func (s *Snapshot) Seal() { s.SetCycle(s.cycle, false) }

// Advance turns a state into the working state of the cycle after it.
func (s *Snapshot) Advance() { s.SetCycle(s.cycle+1, true) }

// Origin returns what the snapshot has in common with others of its timeline.
func (s *Snapshot) Origin() *Origin { return s.origin }

// Cycle returns the cycle of the commit or, for a working state, the cycle in progress.
func (s *Snapshot) Cycle() int64 { return s.cycle }

// TTLAt returns the cycle from which lifetimes count.
func (s *Snapshot) TTLAt() int64 {
	if s.working {
		return s.cycle - 1
	}
	return s.cycle
}

// IsWorking reports whether this is a working state.
func (s *Snapshot) IsWorking() bool { return s.working }

// Part returns the chunks of a region. In a state that is not shared yet, they may be replaced.
func (s *Snapshot) Part(r Region) *Sequence { return &s.parts[r] }

// SetCycle sets the cycle of a state that is not shared yet.
func (s *Snapshot) SetCycle(cycle int64, working bool) {
	s.cycle, s.working = cycle, working
}

// SetOrigin sets the origin of a state that is not shared yet.
func (s *Snapshot) SetOrigin(o *Origin) { s.origin = o }

// About returns what package engine attached to the snapshot, or nil.
func (s *Snapshot) About() any { return s.about }

// SetAbout sets what About returns in a state that is not shared yet.
func (s *Snapshot) SetAbout(about any) { s.about = about }

// SameTree reports whether two states share the whole tree.
func (s *Snapshot) SameTree(o *Snapshot) bool { return s.roots == o.roots && s.parts == o.parts }

// SameRegions reports whether both states have the same regions at the same positions of
// [Snapshot.RegionRoots].
func (s *Snapshot) SameRegions(o *Snapshot) bool { return s.rootAt == o.rootAt }

// SameAs reports whether two origins are equal except for the index.
func (o *Origin) SameAs(p *Origin) bool {
	return o == p || o.Edition == p.Edition && o.Version == p.Version && slices.Equal(o.Extra, p.Extra)
}

// Len returns the number of nodes, ^root and the regions included.
func (s *Snapshot) Len() int {
	n := s.roots.Len()
	for i := range s.parts {
		n += int(s.parts[i].root.sum.nodes)
	}
	return n
}

// Segments returns the number of children of ^seq, which is also the greatest depth.
func (s *Snapshot) Segments() int { return s.parts[RegionSeq].Len() }

// Root returns ^root.
func (s *Snapshot) Root() Node { return Node{tree: s, chunk: s.roots, loc: newLoc(RegionTop, 0)} }

// Region returns the node of a region. If the tree does not have it, and for RegionRest, it returns
// false.
func (s *Snapshot) Region(r Region) (Node, bool) {
	if r >= RegionRest || s.rootAt[r] < 0 {
		return Node{}, false
	}
	return Node{tree: s, chunk: s.roots, i: int32(s.rootAt[r]), loc: newLoc(RegionTop, 0)}, true
}

// RegionRoots returns the chunk that has ^root as node 0, and the regions.
func (s *Snapshot) RegionRoots() *Chunk { return s.roots }

// NumChunks returns the number of chunks of a region.
func (s *Snapshot) NumChunks(r Region) int { return s.parts[r].Len() }

// Chunk returns chunk i of a region in document order. In RegionSeq, chunk i is the segment at
// depth Segments()-i. The cost is logarithmic in the number of chunks.
func (s *Snapshot) Chunk(r Region, i int) *Chunk { return s.parts[r].At(i) }

// Chunks yields the chunks from <= i < to of a region that f selects, in document order. It skips
// parts of the tree in which no chunk can have a match.
func (s *Snapshot) Chunks(r Region, from, to int, f Filter) iter.Seq2[int, *Chunk] {
	return s.parts[r].where(max(from, 0), min(to, s.parts[r].Len()), f.keep)
}

// Node returns node i of chunk at of a region.
func (s *Snapshot) Node(r Region, at int, c *Chunk, i int) Node {
	return Node{s, c, int32(i), newLoc(r, at)}
}

// ImplicitCore reports whether ^ah exists and has no container among its children. Then its
// children at offset 0 are its core.
func (s *Snapshot) ImplicitCore() bool {
	for _, c := range s.parts[RegionHead].All() {
		for i := 0; i < c.Len(); i = c.End(i) {
			if c.Rec(i).Base == BaseCont {
				return false
			}
		}
	}
	return s.rootAt[RegionHead] >= 0
}

// All yields every node in document order.
func (s *Snapshot) All() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		if !yield(s.Root()) {
			return
		}
		for r := range NumRegions {
			if n, ok := s.Region(r); ok && !yield(n) {
				return
			}
			for at, c := range s.parts[r].All() {
				for i := range c.Len() {
					if !yield(s.Node(r, at, c, i)) {
						return
					}
				}
			}
		}
	}
}

// Find returns the node with the given id, and reports whether it exists. The cost does not depend
// on the size of the tree, except that the active head is searched.
func (s *Snapshot) Find(id string) (Node, bool) {
	for p := s.origin.Index.ids.lookup(id); p != nil; p = p.next {
		h := p.location
		if top := h.Top.Load(); top != nil { // the usual case; faster than with an iterator
			if at, c := s.parts[h.Region].location(h, top); c != nil {
				if i := c.IndexOf(id, p.hint, !s.working); i >= 0 {
					return s.Node(h.Region, at, c, i), true
				}
			}
		}
		if h.Head {
			for at, c := range s.parts[RegionHead].All() {
				if i := c.IndexOf(id, p.hint, !s.working); i >= 0 {
					return s.Node(RegionHead, at, c, i), true
				}
			}
		}
	}
	if i := s.roots.IndexOf(id, 0, false); i >= 0 {
		return Node{tree: s, chunk: s.roots, i: int32(i), loc: newLoc(RegionTop, 0)}, true
	}
	return Node{}, false
}

// locationChunks yields the first node of each chunk that a location may mean.
func (s *Snapshot) locationChunks(h *Location) iter.Seq[Node] {
	return func(yield func(Node) bool) {
		if top := h.Top.Load(); top != nil {
			if at, c := s.parts[h.Region].location(h, top); c != nil && !yield(s.Node(h.Region, at, c, 0)) {
				return
			}
		}
		if h.Head {
			for at, c := range s.parts[RegionHead].All() {
				if !yield(s.Node(RegionHead, at, c, 0)) {
					return
				}
			}
		}
	}
}

// AppendKeyed appends the nodes with a key in document order.
func AppendKeyed[N Handle](dst []N, s *Snapshot, key string) []N {
	start, word := len(dst), Word{text: key, mask: maskOf(key)}
	if key == "" { // the index has no empty keys
		return searchKey(dst, s, word)
	}
	dst = appendKeyedOf(dst, s.Root(), word)
	limit := 16 + s.Segments()/8
	for p := s.origin.Index.keys.lookup(key); p != nil; p = p.next {
		if limit--; limit < 0 {
			return searchKey(dst[:start], s, word)
		}
		for n := range s.locationChunks(p.location) {
			dst = appendKeyedOf(dst, n, word)
		}
	}
	found := dst[start:]
	if len(found) > 1 {
		slices.SortFunc(found, compareHandles[N])
		found = slices.CompactFunc(found, func(a, b N) bool { return compareHandles(a, b) == 0 })
	}
	return dst[:start+len(found)]
}

func compareHandles[N Handle](a, b N) int { return Node(a).Compare(Node(b)) }

// appendKeyedOf appends the nodes with a key in the chunk of n.
func appendKeyedOf[N Handle](dst []N, n Node, key Word) []N {
	for i := range n.chunk.keyed(key) {
		if dst == nil {
			dst = make([]N, 0, 1) // most keys are on one node
		}
		dst = append(dst, N(n.With(i)))
	}
	return dst
}

// searchKey is AppendKeyed for a key that is empty or has too many locations. It searches the whole
// tree.
func searchKey[N Handle](dst []N, s *Snapshot, key Word) []N {
	start := len(dst)
	dst = appendKeyedOf(dst, s.Root(), key)
	for r := range NumRegions {
		for at, c := range s.Chunks(r, 0, s.NumChunks(r), Filter{keys: key.mask}) {
			dst = appendKeyedOf(dst, s.Node(r, at, c, 0), key)
		}
	}
	slices.SortFunc(dst[start:], compareHandles[N])
	return dst
}
