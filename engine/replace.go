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
// block that refers to it alone to the post-context, and returns the overlay. A draft that would
// change what must stay, or an overlay that refers to another node, is an error of code
// [ErrPlacement]; a draft that refers to the node itself in the working state [ErrCycleDetected],
// and a redaction marker of an older cycle [ErrSealed]; other errors are those of [Context.Resolve]
// and [Context.Insert]. After an error nothing has changed. The cost depends on the turn of the
// node and on the number of nodes with its key, not on the size of the tree.
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

// overlay adds an overlay of n, or a redaction marker if d is one, and returns its id.
func (tx *tx) overlay(n Node, d *Draft) (string, error) {
	if d.base() != tree.BaseBlock {
		return "", fail(ErrPlacement, "an overlay is a block")
	}
	depth, _ := n.Depth()
	marks := d.isRedaction()
	if !marks {
		d.Key = cmp.Or(d.Key, n.rec().Key)
	}
	original := n
	isVersion := !marks && d.Key != "" && d.Key == n.rec().Key && !n.rec().IsMarker()
	if isVersion {
		original = n.first()
	}
	for _, ref := range d.Refs {
		if ref != n.ID() && ref != original.ID() {
			return "", fail(ErrPlacement, "an overlay refers to its original %q only, this one would also refer to %q", original.ID(), ref)
		}
	}
	switch {
	case isVersion:
		if d.ID != "" && tx.taken(d.ID, tx.lastID) {
			return "", fail(ErrNodeIDDuplicate, "the id %q is taken", d.ID)
		}
		original = tx.removeOverlays(original)
	case d.Key != "":
		if err := tx.makeWay(d, destination{region: tree.RegionSeq, depth: depth}); err != nil {
			return "", err
		}
	}
	d.Refs = []string{original.ID()}
	return tx.annotate(original, d), nil
}

// Original returns the node of which n is an overlay, and reports whether n is one: a block that is
// a child of a sealed segment, not at offset 0, whose only reference is to an older node of that
// segment (E47). Redaction markers are not overlays, and have none. If both have the same key, they
// are versions of one document. The cost is that of [Snapshot.Find].
func (n Node) Original() (Node, bool) {
	r := n.rec()
	refs := r.Extra().Refs
	if len(refs) != 1 || n.region() != tree.RegionSeq || n.up() != 0 || r.Base != tree.BaseBlock || r.OffsetSign() == 0 || r.IsMarker() {
		return Node{}, false
	}
	o, ok := n.Snapshot().Find(refs[0])
	if !ok || o.chunk() != n.chunk() || o.rec().IsMarker() || tree.CompareAge(o.rec(), r) >= 0 {
		return Node{}, false
	}
	return o, true
}

// first returns the node of which n is a version, which may be n itself: the original with its key,
// the original of that, and so on.
func (n Node) first() Node {
	for n.rec().Key != "" {
		o, ok := n.Original()
		if !ok || o.rec().Key != n.rec().Key {
			break
		}
		n = o
	}
	return n
}

// versions returns the original of n, which may be n itself, and its overlays, oldest first. If n
// has no key, it returns only n.
func (tx *tx) versions(n Node) []Node {
	if n.rec().Key == "" {
		return []Node{n}
	}
	var list []Node
	root := n.first()
	for _, id := range tx.c.keys[n.rec().Key] {
		if m, ok := tx.s.Find(id); ok && m.chunk() == root.chunk() && m.first() == root {
			list = append(list, m)
		}
	}
	slices.SortFunc(list, func(a, b Node) int { return tree.CompareAge(a.rec(), b.rec()) })
	return list
}

// removeOverlays removes the overlays of a node with its key, except those that something keeps. It
// returns the node.
func (tx *tx) removeOverlays(original Node) Node {
	cl := tx.newCollector(CauseDeleted)
	for _, m := range tx.versions(original)[1:] {
		cl.remove(m)
	}
	cl.apply()
	original, _ = tx.s.Find(original.ID())
	return original
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
	tx.removeStandIns(r.ID)
	if d.Cad != nil {
		n, _ = tx.s.Find(r.ID)
		tx.schedule(n.chunk().Subtree(int(n.i())), tx.isCore(destination{region: n.region(), at: n.at(), parent: int(n.up())}))
	}
	return nil
}

// removeStandIns removes the markers that a policy made for a node, because they stand for an older
// content.
func (tx *tx) removeStandIns(id string) {
	cl := tx.newCollector(CauseDeleted)
	for _, marker := range tx.c.markers[id] {
		if m, ok := tx.s.Find(marker); ok && isStandIn(m.rec()) {
			if cl.referred(m.rec()) {
				tx.fail(ErrReferenced, "%q, which a policy shows in place of %q, is held, or another node refers to it", marker, id)
			}
			cl.kill([]Node{m})
		}
	}
	cl.apply()
}

// setRecord replaces the record of n.
func (tx *tx) setRecord(n Node, r *tree.Record) {
	part := tx.part(n.region())
	*part = part.Set(n.at(), n.chunk().WithRecord(int(n.i()), r))
	if r.Key != n.rec().Key {
		tx.post(n.region(), n.chunk().Top(int(n.i())), int(n.i()), r)
	}
}
