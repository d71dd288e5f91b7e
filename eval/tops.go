package eval

import (
	"context"
	"math/bits"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/engine"
)

// topSet is a set of ^root and the regions.
type topSet uint8

const (
	topRoot topSet = 1 << iota
	topSys
	topSeq
	topHead
)

func (s topSet) has(t topSet) bool { return s&t != 0 }

// topOf is the region that holds the nodes of a chunk; what else lies below the root has the root for a parent.
var topOf = [...]topSet{engine.RegionSys: topSys, engine.RegionSeq: topSeq, engine.RegionHead: topHead, engine.RegionRest: topRoot}

var regionTops = map[ast.RegionName]topSet{ast.Root: topRoot, ast.Seq: topSeq}

// node returns the one node of a set of one, if the tree has it.
func (s topSet) node(snap *engine.Snapshot) (engine.Node, bool) {
	switch s {
	case topRoot:
		return snap.Root(), true
	case topSys:
		return snap.Region(engine.RegionSys)
	case topSeq:
		return snap.Region(engine.RegionSeq)
	}
	return snap.Region(engine.RegionHead)
}

// topsOf returns which of the root and the regions a step finds, given which the step before has found. Nothing below
// them can change that.
func (s *step) topsOf(ctx context.Context, snap *engine.Snapshot, before topSet) topSet {
	found := s.tops
	for _, p := range s.places {
		if len(p.offsets) == 0 && p.from <= -1 && p.to >= -1 {
			found |= topSys
		}
		if len(p.offsets) == 0 && p.from <= 0 && p.to >= 0 {
			found |= topHead
		}
	}
	if found == 0 {
		return 0
	}
	if s.combinator != ast.First {
		if before.has(topRoot) {
			found &^= topRoot
		} else {
			return 0
		}
	}
	for rest := found; rest != 0; rest &= rest - 1 {
		top := rest & -rest
		if _, ok := top.node(snap); !ok {
			found &^= top
		}
	}
	for i := range s.parts {
		found = s.parts[i].narrowTops(ctx, snap, found)
	}
	return found
}

func (p *part) narrowTops(ctx context.Context, snap *engine.Snapshot, found topSet) topSet {
	for rest := found; rest != 0; rest &= rest - 1 {
		top := rest & -rest
		n, _ := top.node(snap)
		for _, t := range p.tests {
			if !t.node(ctx, n) {
				found &^= top
				break
			}
		}
	}
	if p.position == nil {
		return found
	}
	return p.pickTop(found&topRoot) | p.pickTop(found&^topRoot)
}

// pickTop applies a positional pseudo to siblings.
func (p *part) pickTop(siblings topSet) topSet {
	at := 0
	switch n := bits.OnesCount8(uint8(siblings)); p.position.Name {
	case ast.LastOf:
		at = n - 1
	case ast.NthOf:
		at = int(min(p.position.N, 100)) - 1
	}
	for rest := siblings; rest != 0; rest &= rest - 1 {
		if at == 0 {
			return rest & -rest
		}
		at--
	}
	return 0
}
