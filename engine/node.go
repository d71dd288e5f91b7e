package engine

import (
	"iter"
	"slices"

	"github.com/pactkit/pactkit/internal/tree"
)

// Node is a handle on one node of one snapshot: a small value that is cheap to make and to copy.
// The zero Node is not a node; only its IsZero may be called.
type Node tree.Node

func (n Node) tree() *tree.Snapshot { return tree.Node(n).Tree() }
func (n Node) region() tree.Region  { return tree.Node(n).Region() }
func (n Node) at() int              { return tree.Node(n).At() }
func (n Node) chunk() *tree.Chunk   { return tree.Node(n).Chunk() }
func (n Node) i() int32             { return tree.Node(n).I() }
func (n Node) rec() *tree.Record    { return tree.Node(n).Rec() }

// end returns the number after the last node of the subtree of n in its chunk.
func (n Node) end() int32 { return n.chunk().EndOf(n.i()) }

// up returns the number of the parent of n in its chunk, or -1 if that is the region.
func (n Node) up() int32 { return n.chunk().Nav[n.i()].Parent }

// holds reports whether m is in the subtree of n.
func (n Node) holds(m Node) bool { return m.chunk() == n.chunk() && m.i() >= n.i() && m.i() < n.end() }

// with returns node i of the chunk of n.
func (n Node) with(i int32) Node { return Node(tree.Node(n).With(i)) }

// upward yields n and its ancestors in its chunk.
func (n Node) upward() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		for yield(n) && n.up() >= 0 {
			n = n.with(n.up())
		}
	}
}

// IsZero reports whether n is not a node.
func (n Node) IsZero() bool { return n.chunk() == nil }

// Snapshot returns the snapshot that the node belongs to.
func (n Node) Snapshot() *Snapshot { return (*Snapshot)(n.tree()) }

// Region returns the region that contains the node. For ^root and the regions themselves, it
// returns false.
func (n Node) Region() (Region, bool) { return n.region(), n.region() != tree.RegionTop }

// Compare compares the positions of two nodes of one snapshot in document order.
func (n Node) Compare(m Node) int { return tree.Node(n).Compare(tree.Node(m)) }

// Depth returns -1 in ^sys, 0 in ^ah and k in the k-th newest segment. The regions ^sys and ^ah
// have the depth of their content. Elsewhere, it returns false.
func (n Node) Depth() (int, bool) { return tree.Node(n).Depth() }

// Parent returns the parent. For ^root, it returns false.
func (n Node) Parent() (Node, bool) {
	p, ok := tree.Node(n).Parent()
	return Node(p), ok
}

// Children yields the children in canonical order.
func (n Node) Children() iter.Seq[Node] { return nodes(tree.Node(n).Children()) }

// Before yields the nodes that come before n in document order, nearest first, except ^root and the
// regions. For ^root and the regions, it yields none.
func (n Node) Before() iter.Seq[Node] { return nodes(tree.Node(n).Before()) }

// LastChild returns the last child, and reports whether there is one. The cost is proportional to
// the depth of the tree.
func (n Node) LastChild() (Node, bool) {
	last, ok := tree.Node(n).LastChild()
	return Node(last), ok
}

// ID returns the id.
func (n Node) ID() string { return n.rec().ID }

// Type returns the node type as it is stored.
func (n Node) Type() string { return n.rec().Type }

// Base returns the canonical base of the type.
func (n Node) Base() Base { return n.rec().Base }

// UserType returns the part of the type that the user chose: summary for both cb:summary and
// summary, and "" for a canonical type.
func (n Node) UserType() string { return n.rec().UserType() }

// ParentID returns the id of the parent. For ^root, it returns false.
func (n Node) ParentID() (string, bool) {
	p, ok := n.Parent()
	if !ok {
		return "", false
	}
	return p.ID(), true
}

// Key returns the key. If it is missing or null, Key returns false. The methods for other optional
// headers do the same.
func (n Node) Key() (string, bool) { return n.rec().Text(tree.HeaderKey) }

// Kind returns the kind.
func (n Node) Kind() (string, bool) { return n.rec().Text(tree.HeaderKind) }

// Role returns the role.
func (n Node) Role() (string, bool) { return n.rec().Text(tree.HeaderRole) }

// CreatedISO returns created_at_iso.
func (n Node) CreatedISO() (string, bool) { return n.rec().Text(tree.HeaderCreatedISO) }

// Tags returns the tags. If the header is missing or null, it returns false. The list may be empty.
// The slice is shared and must not be modified.
func (n Node) Tags() ([]string, bool) {
	r := n.rec()
	return r.TagList().Words, r.Has(tree.HeaderTag)
}

// Refs returns the ids that the node refers to. The slice is shared and must not be modified.
func (n Node) Refs() []string { return n.rec().Extra().Refs }

// TTL returns the lifetime that this snapshot shows, and whether the node has one.
func (n Node) TTL() (Number, bool) { return ttlOf(n.rec(), n.tree().TTLAt()) }

// Cad returns the cadence, and whether the node has one.
func (n Node) Cad() (Number, bool) {
	r := n.rec()
	return numberOf(r, tree.HeaderCad), r.Has(tree.HeaderCad)
}

// Offset returns the offset.
func (n Node) Offset() Number { return numberOf(n.rec(), tree.HeaderOffset) }

// Priority returns the priority.
func (n Node) Priority() Number { return numberOf(n.rec(), tree.HeaderPriority) }

// Cycle returns the cycle in which the node was made.
func (n Node) Cycle() Number { return numberOf(n.rec(), tree.HeaderCycle) }

// CreatedNS returns created_at_ns.
func (n Node) CreatedNS() Number { return numberOf(n.rec(), tree.HeaderCreatedNS) }

// CreationIndex returns creation_index.
func (n Node) CreationIndex() Number { return numberOf(n.rec(), tree.HeaderCreationIndex) }

// Removable reports whether the node is removed when its last child is.
func (n Node) Removable() bool { return n.rec().Removable }

// Pinned reports whether the node is exempt from expiry and pruning.
func (n Node) Pinned() bool { return n.rec().Pinned }

// Content returns the content, or the zero Value if the node has none.
func (n Node) Content() Value { return Value{n.rec().Content} }

// ContentHash returns the stored content hash. If none is stored, it returns [Node.ComputedHash].
func (n Node) ContentHash() string { return hashOfNode(n.rec()) }

// Header returns the value of a header other than children, or of a custom member, as an export
// shows it. It returns the zero Value if the node has no such member.
func (n Node) Header(name string) Value {
	r := n.rec()
	h, ok := tree.HeaderOf(name)
	if !ok {
		v, _ := r.MemberValue(name)
		return Value{v}
	}
	if h == tree.HeaderChildren || !(r.Have | tree.RequiredHeaders).Has(h) {
		return Value{}
	}
	if h == tree.HeaderParentID {
		if id, ok := n.ParentID(); ok {
			return Text(id)
		}
		return Value{"null"}
	}
	return Value{string(appendHeader(nil, r, h, n.tree().TTLAt()))}
}

// Members yields the custom members, sorted by name.
func (n Node) Members() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		for _, m := range n.rec().Extra().Members {
			if !yield(m.Name, Value{m.Value}) {
				return
			}
		}
	}
}

// Headers returns the sorted names of all members that an export shows, except children.
func (n Node) Headers() []string {
	r := n.rec()
	var out []string
	for h := range tree.NumHeaders {
		if h != tree.HeaderChildren && (r.Have | tree.RequiredHeaders).Has(h) {
			out = append(out, tree.HeaderNames[h])
		}
	}
	for _, m := range r.Extra().Members {
		out = append(out, m.Name)
	}
	slices.Sort(out)
	return out
}

// ComputedHash returns the content hash of PACT 0.1, 08 §2.1, even if the node has a stored one:
// SHA-256 over the canonical JSON of content, kind, role and every content_* and data_* member
// except content_hash. The cost is a pass over the content.
func (n Node) ComputedHash() string { return n.rec().ComputedHash() }

// Region is a part of the tree below ^root.
type Region = tree.Region

// The regions, in document order.
const (
	RegionSys  = tree.RegionSys  // ^sys
	RegionSeq  = tree.RegionSeq  // ^seq
	RegionHead = tree.RegionHead // ^ah
	RegionRest = tree.RegionRest // any other child of ^root
)

// Base is the canonical base of a node type (PACT 1.0, glossary).
type Base = tree.Base

// The bases.
const (
	BaseBlock  = tree.BaseBlock  // block, cb, and every type without another base
	BaseCont   = tree.BaseCont   // cont, mc
	BaseSeg    = tree.BaseSeg    // seg, mt
	BaseRegion = tree.BaseRegion // ^root and the regions
)
