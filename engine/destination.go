package engine

import (
	"math"
	"slices"

	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/tree"
)

// Position is where a node is put. [AtDepth], [Under], [InCore] and [Before] make positions.
type Position struct {
	kind   positionKind
	node   string // the parent or, for before, the sibling
	depth  int
	offset int64
}

type positionKind uint8

const (
	atDepth positionKind = iota
	under
	inCore
	before
)

// AtDepth returns the position at an offset of a depth: 0 is the active head, k > 0 the k-th newest
// segment, and -1 ^sys. At offset 0 of the head, a block goes into the core container. At offset 0
// of a depth k > 0, the node goes into a new segment at depth k, and the segments at depth k and
// deeper move one deeper; a segment does the same.
func AtDepth(depth int, offset int64) Position { return Position{depth: depth, offset: offset} }

// Under returns the position at an offset among the children of the node with an id.
func Under(parentID string, offset int64) Position {
	return Position{kind: under, node: parentID, offset: offset}
}

// InCore returns the position at an offset in the core container of the active head. If there is
// none, it is made first, also for a container, which [AtDepth] would make the core itself (E48).
func InCore(offset int64) Position { return Position{kind: inCore, offset: offset} }

// Before returns the position directly before the node with an id, at its offset. The new node gets
// a created_at_ns between those of its neighbors that no other node of its cycle has (E49); without
// room for one, the error is [ErrNoRoom]. Before is not a position for [Context.Move],
// because a moved node keeps its created_at_ns ([ErrPlacement]). The cost depends on the siblings,
// and on what changed since the newest snapshot.
func Before(siblingID string) Position { return Position{kind: before, node: siblingID} }

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
	ns     int64 // its created_at_ns; 0 for that of the clock
	core   bool  // in the core container of the head, which does not exist yet
	splice bool  // in a new segment at depth
}

// childOfHead is the destination of a child of ^ah at offset 0.
var childOfHead = destination{region: tree.RegionHead, at: -1, parent: -1}

// locate resolves the position of a node of a base.
func (tx *tx) locate(pos Position, base tree.Base) (destination, error) {
	switch {
	case pos.kind == under:
		return tx.locateUnder(pos, base)
	case pos.kind == before:
		return tx.locateBefore(pos.node, base)
	case pos.kind == inCore && base == tree.BaseSeg:
		return destination{}, fail(ErrPlacement, "a segment can only be a child of ^seq")
	case pos.kind == inCore:
		p := tx.headCore()
		p.core, p.offset = p.at < 0, pos.offset
		return p, nil
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
	return fail(ErrForbiddenRegion, "^sys may only be changed with the option System (pactkit commit --system)")
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
		for i := 0; i < c.Len(); i = c.End(i) {
			switch sign := c.Rec(i).OffsetSign(); {
			case sign > 0:
				return childOfHead
			case sign == 0 && c.Rec(i).Base == tree.BaseCont:
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
	n, ok := tx.s.Find(pos.node)
	if !ok {
		return destination{}, fail(ErrNotFound, "no node has the id %q", pos.node)
	}
	if base == tree.BaseSeg {
		return destination{}, fail(ErrPlacement, "a segment cannot be inserted under a node; insert it at a depth")
	}
	depth, placed := n.Depth()
	if n.region() == tree.RegionTop {
		if !placed {
			return destination{}, fail(ErrInvalidParent, "%q cannot have such a child", pos.node)
		}
		return tx.locate(AtDepth(depth, pos.offset), base)
	}
	switch {
	case n.region() == tree.RegionRest:
		return destination{}, fail(ErrInvalidParent, "%q is outside the regions", pos.node)
	case n.Base() == tree.BaseBlock:
		return destination{}, fail(ErrParentNotContainer, "%q is a block", pos.node)
	case n.region() == tree.RegionSeq && (n.inCore() || n.i() == 0 && pos.offset == 0):
		return destination{}, fail(ErrSealed, "the core of a sealed segment cannot change")
	}
	p := destination{region: n.region(), depth: depth, at: n.at(), parent: int(n.i()), offset: pos.offset}
	return p, tx.mayChange(n)
}

// locateBefore resolves the position before a node.
func (tx *tx) locateBefore(id string, base tree.Base) (destination, error) {
	n, ok := tx.s.Find(id)
	if !ok {
		return destination{}, fail(ErrNotFound, "no node has the id %q", id)
	}
	up, ok := n.Parent()
	switch r := n.rec(); {
	case !ok || n.region() == tree.RegionTop:
		return destination{}, fail(ErrInvalidParent, "nothing can be inserted before %q, which is a region or the root", id)
	case r.Exact(tree.HeaderOffset) || r.Exact(tree.HeaderCreatedNS):
		return destination{}, fail(ErrNoRoom, "no position is left before %q, whose offset or created_at_ns is not a 64-bit integer", id)
	case n.region() == tree.RegionHead && n.up() < 0 && r.Offset == 0:
		return destination{}, fail(ErrPlacement, "beside %q, offset 0 belongs to the core of the active head", id)
	}
	p, err := tx.locateUnder(Under(up.ID(), n.rec().Offset), base)
	if err != nil {
		return p, err
	}
	low, high := int64(0), n.rec().NS
	previous, hasPrevious := previousSibling(up, n)
	if hasPrevious && (previous.rec().Offset == p.offset || previous.rec().NS < high) {
		low = previous.rec().NS
	}
	if p.ns = tx.instantBetween(low, high); p.ns == 0 {
		return p, fail(ErrNoRoom, "no instant is left before %q: insert the node at the end, then move those that belong after it to the end", id)
	}
	return p, nil
}

// previousSibling returns the child of up before n, and reports whether there is one.
func previousSibling(up, n Node) (previous Node, ok bool) {
	for c := range up.Children() {
		if c == n {
			break
		}
		previous, ok = c, true
	}
	return previous, ok
}

// instantBetween returns an instant after low and before high that is free in the working cycle,
// halfway if possible, or 0 if all are taken.
func (tx *tx) instantBetween(low, high int64) int64 {
	var made []Node // since the newest snapshot
	if sealed := tx.next.sealed.sealed; len(sealed) > 0 {
		_, _, made = matchRecords(sealed[len(sealed)-1], tx.s, false)
	} else {
		made = slices.Collect(tx.s.All())
	}
	taken := map[int64]bool{0: true} // 0 is how an export writes a missing instant
	for _, n := range made {
		taken[n.rec().NS] = true
	}
	mid := low + int64((uint64(high)-uint64(low))/2)
	for _, step := range [...]int64{1, -1} {
		for ns := mid; ns > low && ns < high; ns += step {
			if !taken[ns] {
				return ns
			}
		}
	}
	return 0
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
	return n.chunk().Rec(int(i)).OffsetSign() == 0
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
