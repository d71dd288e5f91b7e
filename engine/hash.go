package engine

import "github.com/pactkit/pactkit/internal/tree"

// numberOf returns a numeric header other than ttl.
func numberOf(r *tree.Record, h tree.Header) Number {
	if text, ok := r.ExactText(h); ok {
		return Number{text: text}
	}
	return Number{i: *r.Integer(h)}
}

// ttlOf returns the ttl that a snapshot shows whose lifetimes count from the cycle at. If there is
// none, it returns false. A node made after that cycle, in the working state, still has its whole
// lifetime. A node that is only kept because something refers to it shows 0.
func ttlOf(r *tree.Record, at int64) (Number, bool) {
	if r.More != nil && r.Exact(tree.HeaderTTL) {
		return numberOf(r, tree.HeaderTTL), true
	}
	if r.Expiry == tree.Never {
		return Number{}, false
	}
	return Number{i: r.ShownTTL(at)}, true
}

// hashOfNode returns the stored content hash of r, computing it if r has none.
func hashOfNode(r *tree.Record) string {
	if h, ok := r.Text(tree.HeaderContentHash); ok {
		return h
	}
	return r.ComputedHash()
}
