package engine

import (
	"iter"

	"github.com/pactkit/pactkit/internal/tree"
)

// Snapshot is one immutable state of a tree: that after a commit, or a working
// state. All methods may be called by any number of goroutines at once.
type Snapshot tree.Snapshot

// tree returns the tree itself.
func (s *Snapshot) tree() *tree.Snapshot { return (*tree.Snapshot)(s) }

// origin returns what the snapshot has in common with others.
func (s *Snapshot) origin() *tree.Origin { return s.tree().Origin() }

// node returns node i of chunk at of a region.
func (s *Snapshot) node(r tree.Region, at int, c *tree.Chunk, i int) Node {
	return Node(s.tree().Node(r, at, c, i))
}

// Cycle returns the cycle of the commit; for a working state the cycle in progress.
func (s *Snapshot) Cycle() int64 { return s.tree().Cycle() }

// Working reports whether this is a working state.
func (s *Snapshot) Working() bool { return s.tree().IsWorking() }

// Edition returns the edition the tree is written in.
func (s *Snapshot) Edition() Edition { return s.origin().Edition }

// SpecVersion returns the spec_version that the snapshot was read with, else that
// of its edition.
func (s *Snapshot) SpecVersion() string { return s.origin().Version }

// Len returns the number of nodes, ^root and the regions included.
func (s *Snapshot) Len() int { return s.tree().Len() }

// Segments returns the number of children of ^seq, which is the greatest depth.
func (s *Snapshot) Segments() int { return s.tree().Segments() }

// Root returns ^root.
func (s *Snapshot) Root() Node { return Node(s.tree().Root()) }

// Region returns the node of a region; false if the tree has none, and for
// RegionRest.
func (s *Snapshot) Region(r Region) (Node, bool) {
	n, ok := s.tree().Region(r)
	return Node(n), ok
}

// Segment returns the segment at a depth, 1 for the newest; false if there is
// none.
func (s *Snapshot) Segment(depth int) (Node, bool) {
	at := s.Segments() - depth
	if depth < 1 || at < 0 {
		return Node{}, false
	}
	return s.node(tree.RegionSeq, at, s.tree().Chunk(tree.RegionSeq, at), 0), true
}

// All yields every node in document order.
func (s *Snapshot) All() iter.Seq[Node] { return nodes(s.tree().All()) }

// nodes wraps the nodes of a sequence.
func nodes(seq iter.Seq[tree.Node]) iter.Seq[Node] {
	return func(yield func(Node) bool) { seq(func(n tree.Node) bool { return yield(Node(n)) }) }
}

// Find returns the node with an id. The cost does not depend on the size of
// the tree, except within the active head, which is searched.
func (s *Snapshot) Find(id string) (Node, bool) {
	n, ok := s.tree().Find(id)
	return Node(n), ok
}

// Keyed returns the nodes with a key in document order.
func (s *Snapshot) Keyed(key string) []Node {
	return tree.AppendKeyed[Node](nil, s.tree(), key)
}
