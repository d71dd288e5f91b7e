package engine

import (
	"cmp"
	"slices"

	"github.com/pactkit/pactkit/internal/tree"
)

// Replace gives a node new content and headers, and returns it. In the working state (and, with
// [Options].System, in ^sys) it changes the node in place: id, base, offset, children, removable,
// cycle, created_at_ns, created_at_iso and creation_index stay, and so do the type and the key
// unless the draft has others. In a sealed segment the node stays as it is: Replace adds an overlay
// block that refers to it to the post-context, and returns the overlay. A draft that would change
// what must stay is an error of code [ErrPlacement], one that refers to the node itself
// [ErrCycleDetected], and a redaction marker of an older cycle [ErrSealed]; other errors are those
// of [Context.Resolve] and [Context.Insert]. After an error nothing has changed. The cost depends
// on the turn of the node and on the number of nodes with its key, not on the size of the tree.
func (c *Context) Replace(t Target, d Draft) (Node, error) {
	if err := d.check(0); err != nil {
		return Node{}, err
	}
	return c.changeNode(t, func(tx *tx, n Node) (string, error) {
		if err := cmp.Or(tx.checkRefs(&d), tx.mayChange(n)); err != nil {
			return "", err
		}
		if n.region() == tree.RegionSeq {
			return tx.overlay(n, &d)
		}
		return n.ID(), tx.rewrite(n, &d)
	})
}

// overlay adds an overlay of n and returns its id.
func (tx *tx) overlay(n Node, d *Draft) (string, error) {
	if d.base() != tree.BaseBlock {
		return "", fail(ErrPlacement, "an overlay is a block")
	}
	depth, _ := n.Depth()
	d.Key = cmp.Or(d.Key, n.rec().Key)
	if d.Key != n.rec().Key {
		if err := tx.makeWay(d, destination{region: tree.RegionSeq, depth: depth}); err != nil {
			return "", err
		}
	} else if d.Key != "" {
		if d.ID != "" && tx.taken(d.ID, tx.lastID) {
			return "", fail(ErrNodeIDDuplicate, "the id %q is taken", d.ID)
		}
		n = tx.removeOverlays(n, d)
	}
	if !slices.Contains(d.Refs, n.ID()) {
		d.Refs = append(slices.Clip(d.Refs), n.ID())
	}
	return tx.annotate(n, d), nil
}

// original returns the node of which n is an overlay: an older one with its key.
func (tx *tx) original(n Node) (Node, bool) {
	r := n.rec()
	for _, ref := range r.Extra().Refs {
		o, ok := tx.s.Find(ref)
		if r.Key != "" && ok && o.region() == tree.RegionSeq && !o.rec().IsMarker() && o.rec().Key == r.Key && tree.CompareAge(o.rec(), r) < 0 {
			return o, true
		}
	}
	return Node{}, false
}

// versions returns the original of n, which may be n itself, and its overlays, oldest first. If n
// has no key, it returns only n.
func (tx *tx) versions(n Node) []Node {
	if n.rec().Key == "" {
		return []Node{n}
	}
	first := func(n Node) Node {
		for o, ok := tx.original(n); ok; o, ok = tx.original(n) {
			n = o
		}
		return n
	}
	var list []Node
	root := first(n)
	for _, id := range tx.c.keys[n.rec().Key] {
		if m, ok := tx.s.Find(id); ok && m.region() == tree.RegionSeq && first(m) == root {
			list = append(list, m)
		}
	}
	slices.SortFunc(list, func(a, b Node) int { return tree.CompareAge(a.rec(), b.rec()) })
	return list
}

// removeOverlays removes the overlays of the original of n, and returns the original. An overlay
// stays if something keeps it, or if d refers to it or to its redaction marker.
func (tx *tx) removeOverlays(n Node, d *Draft) Node {
	list := tx.versions(n)
	cl := tx.newCollector(CauseDeleted)
	for _, ref := range d.Refs {
		cl.released[ref]-- // this reference does not exist yet
	}
	for _, m := range list[1:] {
		cl.remove(m)
	}
	cl.apply()
	root, _ := tx.s.Find(list[0].ID())
	return root
}

// rewrite replaces n in place.
func (tx *tx) rewrite(n Node, d *Draft) error {
	old := n.rec()
	typ := cmp.Or(d.Type, old.Type)
	base, _ := tree.SplitType(typ)
	switch {
	case d.ID != "" && d.ID != old.ID:
		return fail(ErrPlacement, "a replacement keeps the id %q", old.ID)
	case base != old.Base:
		return fail(ErrPlacement, "a replacement keeps the base of its type")
	case len(d.Children) > 0:
		return fail(ErrPlacement, "a replacement keeps the children")
	case slices.Contains(d.Refs, old.ID):
		return fail(ErrCycleDetected, "%q would refer to itself", old.ID)
	}
	if id, ok := old.Marks(); ok && old.Cycle != tx.s.Cycle() {
		return fail(ErrSealed, "the redaction of %q cannot change", id)
	}
	d.Key = cmp.Or(d.Key, old.Key)
	d.Removable = old.Removable
	depth, _ := n.Depth()
	tx.count(old, -1)
	if n.region() != tree.RegionSys && n.region() != tree.RegionRest {
		if err := tx.makeWay(d, destination{region: n.region(), depth: depth}); err != nil {
			return err
		}
		before := n.region()
		if n, _ = tx.s.Find(old.ID); n.region() != before {
			return fail(ErrOverlap, "%q is inside an older node with its key", old.ID)
		}
	}
	r := &tree.Record{ID: old.ID, Type: typ, Base: old.Base, Offset: old.Offset, Cycle: old.Cycle, NS: old.NS, ISO: old.ISO,
		Index: old.Index, Expiry: tree.Never, TTLFrom: tx.s.Cycle()}
	if _, ok := old.Text(tree.HeaderCreatedISO); !ok {
		r.Null.Add(tree.HeaderCreatedISO)
	}
	for _, x := range old.Extra().Numbers {
		if x.Header != tree.HeaderTTL && x.Header != tree.HeaderPriority && x.Header != tree.HeaderCad {
			r.Own().Numbers = append(r.Own().Numbers, x)
		}
	}
	tx.fill(r, d)
	if r.IsMarker() && len(tx.c.markers[r.ID]) > 0 {
		return fail(ErrPlacement, "%q is redacted and cannot become a redaction", r.ID)
	}
	tx.count(r, 1)
	tx.setRecord(n, r)
	for _, id := range tx.c.markers[r.ID] {
		if m, ok := tx.s.Find(id); ok {
			marker := m.rec().Copy()
			marker.LiveAs(r)
			tx.setRecord(m, marker)
		}
	}
	if d.Cad != nil {
		n, _ = tx.s.Find(r.ID)
		tx.schedule(n.chunk().Subtree(int(n.i())), tx.isCore(destination{region: n.region(), at: n.at(), parent: int(n.up())}))
	}
	return nil
}

// setRecord replaces the record of n.
func (tx *tx) setRecord(n Node, r *tree.Record) {
	part := tx.part(n.region())
	*part = part.Set(n.at(), n.chunk().WithRecord(int(n.i()), r))
	if r.Key != n.rec().Key {
		tx.post(n.region(), n.chunk().Top(int(n.i())), int(n.i()), r)
	}
}
