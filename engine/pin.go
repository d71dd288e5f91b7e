package engine

import "github.com/pactkit/pactkit/internal/tree"

// Pin sets the header pinned of a node in the working state, and returns the node: a pinned node is
// exempt from expiry and pruning. The node stays as it is otherwise, with the stand-ins of a policy
// (E90). In a sealed segment the error has the code [ErrSealed]; [Context.Hold] protects such a
// node. Other errors are those of [Context.Replace].
func (c *Context) Pin(t Target, pinned bool) (Node, error) {
	return c.changeNode(t, func(tx *tx, n Node) (string, error) {
		if err := tx.mayChange(n); err != nil {
			return "", err
		}
		if n.region() == tree.RegionSeq {
			return "", fail(ErrSealed, "%q is sealed; hold it instead", n.ID())
		}
		r := n.rec().Copy()
		r.Reset(tree.HeaderPinned)
		if r.Pinned = pinned; pinned {
			r.Have.Add(tree.HeaderPinned)
		}
		tx.setRecord(n, r)
		return r.ID, nil
	})
}
