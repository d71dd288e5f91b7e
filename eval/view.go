package eval

import (
	"slices"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/tree"
)

// view is what the steps of a chain run over at a time: some chunks of the tree, grouped in runs.
// Their nodes, in document order, are the bits of a slice of words, and every set of nodes has that
// many words.
type view struct {
	sections []section
	nodes    []uint64 // all nodes to search
	// found is what the last step has found, nil for nothing; implied the nodes whose implied core
	// it has found.
	found, implied []uint64
}

// section is a run in a view.
type section struct {
	*tree.Run
	region   engine.Region
	at       int // the position of its first chunk in the region
	from, to int // its words, from <= k < to
}

// viewWords is the size at which a view is full: few enough words for its sets to stay in the
// nearest cache.
const viewWords = 64

// add adds the chunks from <= k < to of a run, the first chunk of which has the position at in a
// region.
func (v *view) add(run *tree.Run, r engine.Region, at, from, to int) {
	n := len(v.sections)
	v.sections = slices.Grow(v.sections, 1)[:n+1]
	s := &v.sections[n]
	s.Run, s.region, s.at, s.from = run, r, at, len(v.nodes)
	v.nodes = run.AppendNodes(v.nodes, from, to)
	s.to = len(v.nodes)
}

// reset removes all sections, so their chunks can be freed.
func (v *view) reset() {
	clear(v.sections)
	v.sections, v.nodes, v.found, v.implied = v.sections[:0], v.nodes[:0], nil, nil
}

// of returns the section's part of a set; nil is empty.
func (s *section) of(set []uint64) []uint64 {
	if set == nil {
		return nil
	}
	return set[s.from:s.to]
}

// isBelow reports whether one of a set of the root and the regions is above the section.
func (s *section) isBelow(roots rootSet) bool { return roots.has(rootNode | rootOf[s.region]) }

// dropSegments removes the children of ^seq from a set.
func (v *view) dropSegments(set []uint64) {
	for i := range v.sections {
		if s := &v.sections[i]; s.region == engine.RegionSeq {
			s.DropFirst(s.of(set))
		}
	}
}

// addImplicitCores adds to a set the nodes that have an implied core.
func (v *view) addImplicitCores(set []uint64) {
	for i := range v.sections {
		s := &v.sections[i]
		unite(s.of(set), s.ImplicitCore())
	}
}

// keepChildren removes from a set the nodes whose parent is neither in parents nor in roots.
func (v *view) keepChildren(set, parents []uint64, roots rootSet) {
	for i := range v.sections {
		s := &v.sections[i]
		s.KeepChildren(s.of(set), s.of(parents), roots.has(rootOf[s.region]))
	}
}

// addBelow adds what lies below the nodes of a set, and below some of the root and the regions.
func (v *view) addBelow(below, set []uint64, roots rootSet) {
	for i := range v.sections {
		if s := &v.sections[i]; s.isBelow(roots) {
			copy(s.of(below), s.of(v.nodes))
		} else {
			s.AddBelow(s.of(below), s.of(set))
		}
	}
}

// treeOf returns the tree of a snapshot, whose chunks and indexes the search runs over. The
// conversion is free.
func treeOf(s *engine.Snapshot) *tree.Snapshot { return (*tree.Snapshot)(s) }
