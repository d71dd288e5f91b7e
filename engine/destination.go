package engine

import (
	"math"

	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/tree"
)

// Position is where a node is put. [AtDepth] and [Under] make positions.
type Position struct {
	under  bool // below parent, not at depth
	parent string
	depth  int
	offset int64
}

// AtDepth returns the position at an offset of a depth: 0 is the active head, k > 0 the k-th newest
// segment, and -1 ^sys. At offset 0 of the head, a block goes into the core container. At offset 0
// of a depth k > 0, the node goes into a new segment at depth k, and the segments at depth k and
// deeper move one deeper; a segment does the same.
func AtDepth(depth int, offset int64) Position { return Position{depth: depth, offset: offset} }

// Under returns the position at an offset among the children of the node with an id.
func Under(parentID string, offset int64) Position {
	return Position{under: true, parent: parentID, offset: offset}
}

// Target names an existing node. [ByID] and [ByKey] make targets.
type Target struct{ id, key string }

// ByID names the node with an id.
func ByID(id string) Target { return Target{id: id} }

// ByKey names the live node with a key. If there are several, they must be one node and its
// overlays; then it names the newest.
func ByKey(key string) Target { return Target{key: key} }

// destination is a resolved position.
type destination struct {
	region tree.Region
	depth  int
	at     int   // chunk in the region; -1 for a child of the region
	parent int   // node in the chunk; -1 for the region
	offset int64 // of the new node in its parent
	core   bool  // in the core container of the head, which does not exist yet
	splice bool  // in a new segment at depth
}

// childOfHead is the destination of a child of ^ah at offset 0.
var childOfHead = destination{region: tree.RegionHead, at: -1, parent: -1}

// locate resolves the position of a node of a base.
func (tx *tx) locate(pos Position, base tree.Base) (destination, error) {
	if pos.under {
		return tx.locateUnder(pos, base)
	}
	switch {
	case pos.depth < -1:
		return destination{}, fail(ErrNotFound, "there is nothing at depth %d", pos.depth)
	case pos.depth == -1:
		err := tx.system()
		if err == nil && base == tree.BaseSeg {
			err = fail(ErrPlacement, "a segment can only be a child of ^seq")
		}
		return destination{region: tree.RegionSys, depth: -1, at: -1, parent: -1, offset: pos.offset}, err
	case pos.depth == 0:
		return tx.locateHead(pos.offset, base)
	}
	n := tx.s.Segments()
	p := destination{region: tree.RegionSeq, depth: pos.depth, at: n - pos.depth, parent: 0, offset: pos.offset}
	if p.splice = base == tree.BaseSeg || pos.offset == 0; p.splice {
		if base == tree.BaseSeg && pos.offset != 0 {
			return destination{}, fail(ErrPlacement, "a segment must have offset 0")
		}
		n++
	}
	if pos.depth > n {
		return destination{}, fail(ErrNotFound, "there is nothing at depth %d: the sequence has %d segments", pos.depth, tx.s.Segments())
	}
	return p, nil
}

// system returns an error if ^sys must not be changed.
func (tx *tx) system() error {
	if tx.c.opts.System {
		return nil
	}
	return fail(ErrForbiddenRegion, "^sys may not be changed without the System capability")
}

// mayChange returns an error if the region of n does not allow changes to n.
func (tx *tx) mayChange(n Node) error {
	switch n.region() {
	case tree.RegionTop:
		return fail(ErrPlacement, "%q is a region or the root", n.ID())
	case tree.RegionSys:
		return tx.system()
	}
	return nil
}

// locateHead resolves an offset in ^ah.
func (tx *tx) locateHead(offset int64, base tree.Base) (destination, error) {
	p := childOfHead
	p.offset = offset
	if base == tree.BaseSeg {
		return p, fail(ErrPlacement, "a segment can only be a child of ^seq")
	}
	if offset != 0 {
		return p, nil
	}
	core := tx.headCore()
	switch {
	case base == tree.BaseBlock:
		core.core = core.at < 0
		return core, nil
	case core.at >= 0:
		return p, fail(ErrPlacement, "the active head has a core container already")
	}
	return p, nil
}

// beforeCore sorts before any sibling at offset 0.
var beforeCore = tree.Record{NS: math.MinInt64, Index: math.MinInt64}

// headCore returns a destination inside the core container of ^ah. If ^ah has no core container, it
// returns childOfHead.
func (tx *tx) headCore() destination {
	part := tx.part(tree.RegionHead)
	first := max(part.Find(&beforeCore), 0)
	for at, c := range part.Within(first, part.Len()) {
		for i := 0; i < len(c.Recs); i = c.End(i) {
			switch sign := c.Recs[i].OffsetSign(); {
			case sign > 0:
				return childOfHead
			case sign == 0 && c.Recs[i].Base == tree.BaseCont:
				return destination{region: tree.RegionHead, at: at, parent: i}
			}
		}
	}
	return childOfHead
}

// isCore reports whether p is inside the core container of ^ah.
func (tx *tx) isCore(p destination) bool {
	core := tx.headCore()
	return core.at >= 0 && p.region == core.region && p.at == core.at && p.parent == core.parent
}

// locateUnder resolves a position below a node.
func (tx *tx) locateUnder(pos Position, base tree.Base) (destination, error) {
	n, ok := tx.s.Find(pos.parent)
	if !ok {
		return destination{}, fail(ErrNotFound, "no node has the id %q", pos.parent)
	}
	if base == tree.BaseSeg {
		return destination{}, fail(ErrPlacement, "a segment cannot be inserted under a node; insert it at a depth")
	}
	depth, placed := n.Depth()
	if n.region() == tree.RegionTop {
		if !placed {
			return destination{}, fail(ErrInvalidParent, "%q cannot have such a child", pos.parent)
		}
		return tx.locate(AtDepth(depth, pos.offset), base)
	}
	switch {
	case n.region() == tree.RegionRest:
		return destination{}, fail(ErrInvalidParent, "%q is outside the regions", pos.parent)
	case n.Base() == tree.BaseBlock:
		return destination{}, fail(ErrParentNotContainer, "%q is a block", pos.parent)
	case n.region() == tree.RegionSeq && (n.inCore() || n.i() == 0 && pos.offset == 0):
		return destination{}, fail(ErrSealed, "the core of a sealed segment cannot change")
	}
	p := destination{region: n.region(), depth: depth, at: n.at(), parent: int(n.i()), offset: pos.offset}
	return p, tx.mayChange(n)
}

// inCore reports whether the node is the core container of its segment or is inside it. In a
// segment without a core container, the content at offset 0 counts as core.
func (n Node) inCore() bool {
	if n.region() != tree.RegionSeq || n.i() == 0 {
		return false
	}
	i := n.i()
	for n.chunk().Nav[i].Level > 1 {
		i = n.chunk().Nav[i].Parent
	}
	return n.chunk().Recs[i].OffsetSign() == 0
}

// checkDepth returns an error if a reader with the default limit on depth would refuse the node,
// now or, in the head, once it is sealed. height is the number of levels below the node.
func (tx *tx) checkDepth(p destination, base tree.Base, height int) error {
	level := 2 // that of a child of a region
	switch {
	case p.splice:
		level += segmentLevel(base)
	case p.parent >= 0:
		level += int(tx.part(p.region).At(p.at).Nav[p.parent].Level) + 1
	}
	if p.region == tree.RegionHead {
		level += 2 // a segment, and perhaps a core
	}
	if level+height >= canonjson.DefaultDepth {
		return fail(ErrTreeDepth, "the tree would be nested deeper than %d levels, and a saved one could not be read", canonjson.DefaultDepth)
	}
	return nil
}
