package engine

import (
	"cmp"
	"slices"

	"github.com/pactkit/pactkit/internal/tree"
)

// Delete removes a node. In the working state (and, with [Options].System, in ^sys) it removes the
// node with its subtree and returns the zero Node; if something outside refers to it or holds it,
// the error has the code [ErrReferenced]. In a sealed segment the node stays: Delete adds a
// redaction marker that refers to it to the post-context, and returns the marker. Regions cannot be
// deleted ([ErrPlacement]), nor ^sys without System ([ErrForbiddenRegion]), nor markers of nodes
// that stay ([ErrSealed]). Errors of targets are those of [Context.Resolve]. The cost depends on
// the subtree and its turn, not on the size of the tree.
func (c *Context) Delete(t Target) (Node, error) {
	return c.changeNode(t, func(tx *tx, n Node) (string, error) {
		if err := tx.mayChange(n); err != nil {
			return "", err
		}
		if n.region() == tree.RegionSeq {
			return tx.redact(n)
		}
		return "", tx.drop(n)
	})
}

// drop removes a node and its group.
func (tx *tx) drop(n Node) error {
	if id, ok := n.rec().Marks(); ok && n.rec().Cycle != tx.s.Cycle() {
		if _, found := tx.s.Find(id); found {
			return fail(ErrSealed, "the redaction %q stays as long as %q does", n.ID(), id)
		}
	}
	cl := tx.newCollector(CauseDeleted)
	group := cl.group(n)
	cl.release(group, 1)
	for _, m := range group {
		if cl.referred(m.rec()) {
			return fail(ErrReferenced, "%q is held, or another node refers to it", m.ID())
		}
	}
	cl.kill(group)
	cl.apply()
	return nil
}

// redact adds redaction markers for a node and its other versions: if it has overlays or is one,
// those are redacted too. It returns the id of the first marker. A marker may have the key of its
// target, but is not a version of it.
func (tx *tx) redact(n Node) (string, error) {
	if id, ok := n.rec().Marks(); ok {
		return "", fail(ErrSealed, "the redaction %q stays as long as %q does", n.ID(), id)
	}
	first := ""
	list := slices.DeleteFunc(tx.versions(n), func(v Node) bool { return v.ID() == n.ID() || v.rec().IsMarker() })
	for _, v := range append([]Node{n}, list...) {
		d := Draft{Type: "redaction", Refs: []string{v.ID()}}
		first = cmp.Or(first, tx.annotate(v, &d))
	}
	return first, nil
}

// annotate adds a block to the post-context of the segment of n, and returns its id.
func (tx *tx) annotate(n Node, d *Draft) string {
	f := tx.forest()
	tx.buildDraft(&f, d, max(d.Offset, 1), 0)
	depth, _ := n.Depth()
	tx.put(destination{region: tree.RegionSeq, depth: depth, at: n.at(), parent: 0}, f)
	return f.Recs[0].ID
}
