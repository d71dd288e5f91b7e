package engine

import (
	"cmp"

	"github.com/pactkit/pactkit/internal/tree"
)

// cutOut removes the subtree of n from the tree.
func (tx *tx) cutOut(n Node) {
	if n.up() >= 0 {
		up := n.with(n.up())
		cl := collector{dead: map[*tree.Record]bool{n.rec(): true}}
		if up.rec().Removable && cl.isEmpty(up) {
			tx.emptied = append(tx.emptied, up.ID())
		}
	}
	part := tx.part(n.region())
	*part = part.Set(n.at(), n.chunk().Without(int(n.i())))
}

// Move moves a node with its subtree to another position and returns it. Regions, segments and
// redaction markers cannot move ([ErrPlacement]), nor can the nodes of sealed cores, and nodes of
// sealed segments cannot return to the working state ([ErrSealed]). A node cannot move into itself
// ([ErrCycleDetected]), nor to a place where it would violate the order of the nodes with its key
// ([ErrOverlap]). Errors of targets and positions are those of [Context.Resolve] and
// [Context.Insert]. After an error nothing has changed. The cost depends on the subtree and the
// turns that it leaves and enters, not on the size of the tree.
func (c *Context) Move(t Target, pos Position) (Node, error) {
	return c.changeNode(t, func(tx *tx, n Node) (string, error) { return n.ID(), tx.move(n, pos) })
}

// move moves n to a position.
func (tx *tx) move(n Node, pos Position) error {
	if err := tx.mayMove(n); err != nil {
		return err
	}
	switch pos.kind {
	case before:
		return fail(ErrPlacement, "%q keeps its created_at_ns, so it cannot move to an instant; move it to an offset", n.ID())
	case under:
		if up, ok := tx.s.Find(pos.node); ok && n.holds(up) {
			return fail(ErrCycleDetected, "%q would be inside itself", n.ID())
		}
	case inCore:
		if core := tx.headCore(); core.at >= 0 && n.holds(tx.s.node(core.region, core.at, tx.part(core.region).At(core.at), core.parent)) {
			return fail(ErrCycleDetected, "%q would be inside itself", n.ID())
		}
	}
	p, err := tx.locate(pos, n.Base())
	if err != nil {
		return err
	}
	if n.region() == tree.RegionSeq && p.region != tree.RegionSeq {
		return fail(ErrSealed, "%q is sealed and cannot return to the working state", n.ID())
	}
	if err := cmp.Or(tx.keepsRedaction(n, p), tx.keepsOrder(n, p), tx.checkDepth(p, n.Base(), n.height())); err != nil {
		return err
	}
	var f tree.Forest
	switch {
	case p.splice:
		f = tx.wrap(n.Base())
	case p.core:
		tx.makeCore()
		n, _ = tx.s.Find(n.ID())
	}
	above := len(f.Recs)
	f.AddAll(n.chunk(), int(n.i()), int(n.end()), int32(above)-n.chunk().Nav[n.i()].Level)
	f.Recs[above] = atOffset(n.rec(), p.offset)
	tx.cutOut(n)
	if p.splice {
		tx.putSegment(p.depth, f)
		return nil
	}
	p, err = tx.locate(pos, n.Base()) // removing n may have moved the position
	if err == nil {
		tx.put(p, f)
	}
	return err
}

// atOffset returns r if it has the given offset, or else a copy with that offset.
func atOffset(r *tree.Record, offset int64) *tree.Record {
	if r.Offset == offset && !r.Exact(tree.HeaderOffset) {
		return r
	}
	moved := r.Copy()
	moved.Reset(tree.HeaderOffset)
	moved.Offset = offset
	moved.Have.Add(tree.HeaderOffset)
	return moved
}

// mayMove returns an error if n must not move.
func (tx *tx) mayMove(n Node) error {
	switch {
	case n.Base() == tree.BaseSeg:
		return fail(ErrPlacement, "the segment %q stays where it is", n.ID())
	case n.rec().IsMarker():
		return fail(ErrPlacement, "the redaction %q stays where it is", n.ID())
	case n.inCore():
		return fail(ErrSealed, "%q is part of a sealed core", n.ID())
	}
	return tx.mayChange(n)
}

// height returns the number of levels below n.
func (n Node) height() int {
	h := int32(0)
	for _, p := range n.chunk().Nav[n.i():n.end()] {
		h = max(h, p.Level-n.chunk().Nav[n.i()].Level)
	}
	return int(h)
}

// keepsRedaction returns an error if n would leave a redacted container.
func (tx *tx) keepsRedaction(n Node, p destination) error {
	if len(tx.c.markers) == 0 {
		return nil
	}
	for up := range n.upward() {
		inside := up == n || !p.splice && p.region == n.region() && p.at == n.at() && p.parent >= int(up.i()) && p.parent < int(up.end())
		if !inside && len(tx.c.markers[up.ID()]) > 0 {
			return fail(ErrSealed, "%q is in %q, which is redacted", n.ID(), up.ID())
		}
	}
	return nil
}
