package eval

import (
	"context"
	"math/bits"
	"slices"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/engine"
)

// rootSet is a set of ^root and the regions, as nodes.
type rootSet uint8

const (
	rootNode rootSet = 1 << iota
	sysNode
	seqNode
	headNode
)

func (s rootSet) has(t rootSet) bool { return s&t != 0 }

// rootOf has the parent of the children of each region. Nodes in no named region are children of
// the root.
var rootOf = [...]rootSet{engine.RegionSys: sysNode, engine.RegionSeq: seqNode, engine.RegionHead: headNode, engine.RegionRest: rootNode}

// node returns the node of a set of one, if the tree has it.
func (s rootSet) node(snap *engine.Snapshot) (engine.Node, bool) {
	if s == rootNode {
		return snap.Root(), true
	}
	return snap.Region(engine.Region(slices.Index(rootOf[:], s)))
}

// rootsOf returns which of the root and the regions a step finds, given those that the previous
// step has found. It does not depend on the nodes below them.
func (s *step) rootsOf(ctx context.Context, lives *engine.Lives, snap *engine.Snapshot, before rootSet) rootSet {
	found := s.roots
	for _, p := range s.coordinates {
		if len(p.offsets) == 0 {
			found |= p.regions()
		}
	}
	if s.combinator != ast.First {
		if !before.has(rootNode) {
			return 0
		}
		found &^= rootNode
	}
	for i := range s.parts {
		found = s.parts[i].narrowRoots(ctx, lives, snap, found)
	}
	return found
}

// narrowRoots removes from a set what the tree does not have, and what a part of a step rules out.
func (p *part) narrowRoots(ctx context.Context, lives *engine.Lives, snap *engine.Snapshot, found rootSet) rootSet {
	for rest := found; rest != 0; rest &= rest - 1 {
		top := rest & -rest
		n, ok := top.node(snap)
		if !ok || slices.ContainsFunc(p.tests, func(t *test) bool { return t.re != nil && ctx.Err() != nil || !t.node(ctx, lives, n) }) {
			found &^= top
		}
	}
	if p.position == nil {
		return found
	}
	return p.pickRoot(found&rootNode) | p.pickRoot(found&^rootNode)
}

// pickRoot applies a positional pseudo to siblings.
func (p *part) pickRoot(siblings rootSet) rootSet {
	at := 0
	switch n := bits.OnesCount8(uint8(siblings)); p.position.Name {
	case ast.LastOf:
		at = n - 1
	case ast.NthOf:
		at = int(min(p.position.N, 100)) - 1
	}
	for ; at > 0; at-- {
		siblings &= siblings - 1
	}
	return siblings & -siblings
}
