package engine

import (
	"iter"

	"github.com/pactkit/pactkit/internal/tree"
)

// Snapshot is an immutable state of a tree: the state after a commit, or a working state. It is
// safe for concurrent use.
type Snapshot tree.Snapshot

// tree returns s as a [tree.Snapshot].
func (s *Snapshot) tree() *tree.Snapshot { return (*tree.Snapshot)(s) }

// origin returns what the snapshot has in common with others of its timeline.
func (s *Snapshot) origin() *tree.Origin { return s.tree().Origin() }

// node returns node i of chunk at of a region.
func (s *Snapshot) node(r tree.Region, at int, c *tree.Chunk, i int) Node {
	return Node(s.tree().Node(r, at, c, i))
}

// Cycle returns the cycle of the commit or, for a working state, the cycle in progress.
func (s *Snapshot) Cycle() int64 { return s.tree().Cycle() }

// Working reports whether this is a working state.
func (s *Snapshot) Working() bool { return s.tree().IsWorking() }

// Edition returns the edition of the tree.
func (s *Snapshot) Edition() Edition { return s.origin().Edition }

// SpecVersion returns the spec_version with which the snapshot was read or, if there was none, that
// of its edition.
func (s *Snapshot) SpecVersion() string { return s.origin().Version }

// Len returns the number of nodes, ^root and the regions included.
func (s *Snapshot) Len() int { return s.tree().Len() }

// Segments returns the number of children of ^seq, which is also the greatest depth.
func (s *Snapshot) Segments() int { return s.tree().Segments() }

// Root returns ^root.
func (s *Snapshot) Root() Node { return Node(s.tree().Root()) }

// Region returns the node of a region. If the tree does not have it, and for RegionRest, it returns
// false.
func (s *Snapshot) Region(r Region) (Node, bool) {
	n, ok := s.tree().Region(r)
	return Node(n), ok
}

// Segment returns the segment at the given depth, where 1 is the newest, and reports whether it
// exists. The cost is logarithmic in the number of segments.
func (s *Snapshot) Segment(depth int) (Node, bool) {
	at := s.Segments() - depth
	if depth < 1 || at < 0 {
		return Node{}, false
	}
	return s.node(tree.RegionSeq, at, s.tree().Chunk(tree.RegionSeq, at), 0), true
}

// All yields every node in document order.
func (s *Snapshot) All() iter.Seq[Node] { return nodes(s.tree().All()) }

// nodes converts the nodes of a sequence.
func nodes(seq iter.Seq[tree.Node]) iter.Seq[Node] {
	return func(yield func(Node) bool) { seq(func(n tree.Node) bool { return yield(Node(n)) }) }
}

// Find returns the node with the given id, and reports whether it exists. The cost does not depend
// on the size of the tree, except that the active head is searched.
func (s *Snapshot) Find(id string) (Node, bool) {
	n, ok := s.tree().Find(id)
	return Node(n), ok
}

// Keyed returns the nodes with a key in document order. It looks only at turns in which some
// snapshot of the timeline has such a node, but searches the whole tree if these are many, or if
// the key is "".
func (s *Snapshot) Keyed(key string) []Node {
	return tree.AppendKeyed[Node](nil, s.tree(), key)
}
