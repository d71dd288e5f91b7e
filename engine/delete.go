package engine

import (
	"slices"

	"github.com/pactkit/pactkit/internal/tree"
)

// Delete takes a node away. In the working state (and, with the capability,
// in ^sys) it is dropped with what is below it. In a sealed segment it stays,
// and a redaction marker in the post-context refers to it; the marker is what
// Delete returns then.
func (c *Context) Delete(t Target) (Node, error) {
	return c.change(func(tx *tx) (string, error) {
		n, err := tx.resolve(t)
		if err != nil {
			return "", err
		}
		switch n.region() {
		case tree.RegionTop:
			return "", fail(ErrPlacement, "%q is a region or the root", n.ID())
		case tree.RegionSeq:
			return tx.redact(n)
		case tree.RegionSys:
			if err := tx.system(); err != nil {
				return "", err
			}
		}
		return "", tx.drop(n)
	})
}

func (tx *tx) drop(n Node) error {
	if id, ok := n.rec().Marks(); ok && n.rec().Cycle != tx.s.Cycle() {
		if _, found := tx.find(id); found {
			return fail(ErrSealed, "the redaction %q stays as long as %q does", n.ID(), id)
		}
	}
	cl := tx.newCollector(CauseDeleted)
	group := cl.group(n)
	inside := references(group)
	for _, m := range group {
		if cl.referred(m.rec(), inside) {
			return fail(ErrReferenced, "%q is referred to", m.ID())
		}
	}
	cl.kill(group, inside)
	cl.apply()
	return nil
}

// redact adds redaction markers for a node and, if that has overlays or is one,
// for the other versions of it. It returns the first. A marker may have the key of
// its target, but is not a version of it.
func (tx *tx) redact(n Node) (string, error) {
	if id, ok := n.rec().Marks(); ok {
		return "", fail(ErrSealed, "the redaction %q stays as long as %q does", n.ID(), id)
	}
	first := ""
	list := slices.DeleteFunc(tx.versions(n), func(v Node) bool { return v.ID() == n.ID() || v.rec().IsMarker() })
	for _, v := range append([]Node{n}, list...) {
		d := Draft{Type: "redaction", Refs: []string{v.ID()}}
		id, err := tx.annotate(v, &d)
		if err != nil {
			return "", err
		}
		if first == "" {
			first = id
		}
	}
	return first, nil
}

// annotate adds a block to the post-context of the segment of n.
func (tx *tx) annotate(n Node, d *Draft) (string, error) {
	offset := d.Offset
	if offset <= 0 {
		offset = 1
	}
	f := tx.forest()
	if err := tx.buildDraft(&f, d, offset, 0); err != nil {
		return "", err
	}
	depth, _ := n.Depth()
	tx.put(destination{region: tree.RegionSeq, depth: depth, at: n.at(), parent: 0}, f)
	return f.Recs[0].ID, nil
}
