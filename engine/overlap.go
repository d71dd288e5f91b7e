package engine

import (
	"slices"

	"github.com/pactkit/pactkit/internal/tree"
)

// makeWay maintains the order of the instances of a key (ODI): older ones must be strictly deeper
// than the new one. It moves an older one in the active head to the post-context of the newest
// segment.
func (tx *tx) makeWay(d *Draft, p destination) error {
	keys := d.appendKeys(nil)
	seen := make(map[string]bool, len(keys))
	for _, key := range keys {
		if seen[key] {
			return fail(ErrOverlap, "two nodes of one draft have the key %q", key)
		}
		seen[key] = true
		for _, id := range slices.Clone(tx.c.keys[key]) {
			if err := tx.demote(id, key, p); err != nil {
				return err
			}
		}
	}
	return nil
}

// demote moves an older instance of a key out of the way of a new one at p, if necessary.
func (tx *tx) demote(id, key string, p destination) error {
	n, ok := tx.s.Find(id)
	if !ok {
		return nil
	}
	depth, placed := n.Depth()
	if !placed || depth < 0 || depth > p.depth || p.splice && depth == p.depth {
		return nil
	}
	refuse := fail(ErrOverlap, "%q has the key %q at depth %d, which is not deeper than %d", id, key, depth, p.depth)
	if depth > 0 || p.depth > 0 || tx.s.Segments() == 0 {
		return refuse
	}
	newest := tx.part(tree.RegionSeq).At(tx.s.Segments() - 1).Rec(0)
	if tx.move(n, Under(newest.ID, max(n.rec().Offset, 1))) != nil {
		return refuse
	}
	return nil
}

// keepsOrder returns an error if, for a key in the subtree of n, older instances would not stay
// strictly deeper or younger ones strictly shallower after n moves to p. The versions of a node are
// one instance, as old as the node, as long as they are in one segment.
func (tx *tx) keepsOrder(n Node, p destination) error {
	if p.region == tree.RegionSys {
		return nil
	}
	_, isOverlay := n.Original()
	stays := !p.splice && p.region == n.region() && p.at == n.at() && (!isOverlay || p.parent == 0 && p.offset != 0)
	for i := n.i(); i < n.end(); i++ {
		moved := n.with(i)
		r := moved.rec()
		if r.Key == "" {
			continue
		}
		if stays {
			moved = moved.first()
		}
		for _, id := range tx.c.keys[r.Key] {
			o, ok := tx.s.Find(id)
			if !ok || id == r.ID || o.region() == tree.RegionSys || o.region() == tree.RegionTop {
				continue
			}
			depth, _ := o.Depth()
			if p.splice && depth >= p.depth {
				depth++
			}
			if n.holds(o) {
				depth = p.depth
			}
			if original := o.first(); stays || !n.holds(original) {
				o = original
			}
			age := tree.CompareAge(o.rec(), moved.rec())
			if age < 0 && depth <= p.depth || age > 0 && depth >= p.depth {
				return fail(ErrOverlap, "%q has the key %q at depth %d", id, r.Key, depth)
			}
		}
	}
	return nil
}
