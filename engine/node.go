package engine

import (
	"cmp"
	"iter"
	"slices"
)

// Node is a handle on one node of one snapshot: a small value, cheap to make
// and to copy. The zero Node is no node.
type Node struct {
	s   *Snapshot
	c   *Chunk
	i   int32
	loc loc
}

// loc is a region and the position of a chunk in it, in one word, since
// results are long lists of nodes.
type loc int32

func newLoc(r Region, at int) loc { return loc(at<<3 | int(r)) }

func (n Node) region() Region { return Region(n.loc & 7) }
func (n Node) at() int32      { return int32(n.loc >> 3) }

func (n Node) rec() *record { return n.c.recs[n.i] }

// IsZero tells whether n is no node.
func (n Node) IsZero() bool { return n.c == nil }

// Snapshot returns the snapshot the node belongs to.
func (n Node) Snapshot() *Snapshot { return n.s }

// Place returns the region, the position of the chunk in it, the chunk and
// the node's number there. ^root and the regions are in [Snapshot.Tops]; for
// them top is true, and region and at mean nothing.
func (n Node) Place() (region Region, at int, c *Chunk, i int, top bool) {
	return n.region(), int(n.at()), n.c, int(n.i), n.region() == regionTop
}

// Compare orders nodes of one snapshot by document order.
func (n Node) Compare(m Node) int {
	a, b := n.order(), m.order()
	return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]), cmp.Compare(a[2], b[2]))
}

// order gives region heads the place before the content of their region.
func (n Node) order() [3]int32 {
	if n.region() != regionTop {
		return [3]int32{int32(n.region()), n.at(), n.i}
	}
	for r := range RegionRest {
		if n.i > 0 && int32(n.s.where[r]) == n.i {
			return [3]int32{int32(r), -1, 0}
		}
	}
	return [3]int32{-1, 0, 0}
}

// Depth returns -1 in ^sys, 0 in ^ah and k in the k-th newest segment; the
// regions ^sys and ^ah have the depth of their content. Elsewhere there is none.
func (n Node) Depth() (int, bool) {
	r := n.region()
	if r == regionTop {
		r = RegionRest
		switch int8(n.i) {
		case n.s.where[RegionSys]:
			r = RegionSys
		case n.s.where[RegionHead]:
			r = RegionHead
		}
	}
	switch r {
	case RegionSys:
		return -1, true
	case RegionHead:
		return 0, true
	case RegionSeq:
		return n.s.Segments() - int(n.at()), true
	}
	return 0, false
}

// Parent returns the parent; false for ^root.
func (n Node) Parent() (Node, bool) {
	p := n.c.nav[n.i].parent
	switch {
	case p >= 0:
		n.i = p
		return n, true
	case n.region() == regionTop:
		return Node{}, false
	}
	if top, ok := n.s.Region(n.region()); ok {
		return top, true
	}
	return n.s.Root(), true
}

// Children yields the children in canonical order.
func (n Node) Children() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		if n.region() != regionTop {
			for i := n.i + 1; i < n.c.end(n.i); i = n.c.end(i) {
				if m := n; !yield(Node{m.s, m.c, i, m.loc}) {
					return
				}
			}
			return
		}
		content := RegionRest
		for r := range RegionRest {
			top, ok := n.s.Region(r)
			if n.i == 0 && ok && !yield(top) {
				return
			}
			if ok && top.i == n.i {
				content = r
			}
		}
		for at, c := range n.s.parts[content].all() {
			for i := int32(0); int(i) < len(c.recs); i = c.end(i) {
				if !yield(Node{n.s, c, i, newLoc(content, at)}) {
					return
				}
			}
		}
	}
}

// ID returns the id.
func (n Node) ID() string { return n.rec().id }

// Type returns the node type as it is stored.
func (n Node) Type() string { return n.rec().typ }

// Base returns the canonical kind.
func (n Node) Base() Base { return n.rec().base }

// UserType returns the part of the type the user chose: summary for both
// cb:summary and summary, "" for a canonical type.
func (n Node) UserType() string { return n.rec().userType() }

// ParentID returns the id of the parent; false for ^root.
func (n Node) ParentID() (string, bool) {
	p, ok := n.Parent()
	if !ok {
		return "", false
	}
	return p.ID(), true
}

// Key returns the key; false for a missing or null one. The same holds for
// the other optional headers.
func (n Node) Key() (string, bool) { return n.rec().text(hKey) }

// Kind returns the kind.
func (n Node) Kind() (string, bool) { return n.rec().text(hKind) }

// Role returns the role.
func (n Node) Role() (string, bool) { return n.rec().text(hRole) }

// CreatedISO returns created_at_iso.
func (n Node) CreatedISO() (string, bool) { return n.rec().text(hCreatedISO) }

// Tags returns the tags; false if there is no such header. A list may be
// empty. The slice is shared.
func (n Node) Tags() ([]string, bool) {
	r := n.rec()
	return r.extra().tags, r.have.has(hTag) && !r.null.has(hTag)
}

// Refs returns the ids the node refers to. The slice is shared.
func (n Node) Refs() []string { return n.rec().extra().refs }

// TTL returns the lifetime shown in this snapshot; false for none.
func (n Node) TTL() (Number, bool) { return n.rec().ttl(n.s.ttlAt) }

// Cad returns the cadence; false for none.
func (n Node) Cad() (Number, bool) {
	r := n.rec()
	return r.number(hCad), r.have.has(hCad) && !r.null.has(hCad)
}

// Offset returns the offset.
func (n Node) Offset() Number { return n.rec().number(hOffset) }

// Priority returns the priority.
func (n Node) Priority() Number { return n.rec().number(hPriority) }

// Cycle returns the cycle the node was made in.
func (n Node) Cycle() Number { return n.rec().number(hCycle) }

// CreatedNS returns created_at_ns.
func (n Node) CreatedNS() Number { return n.rec().number(hCreatedNS) }

// CreationIndex returns creation_index.
func (n Node) CreationIndex() Number { return n.rec().number(hCreationIndex) }

// Removable tells whether the node goes when its last child does.
func (n Node) Removable() bool { return n.rec().removable }

// Pinned tells whether expiry and pruning must leave the node alone.
func (n Node) Pinned() bool { return n.rec().pinned }

// Content returns the content; the zero Value if there is none.
func (n Node) Content() Value { return Value{n.rec().content} }

// ContentHash returns the stored content hash, else the computed one, which
// costs a pass over the content.
func (n Node) ContentHash() string { return n.rec().hash() }

// Header returns the value of any member by name, children excepted, as an
// export shows it; the zero Value for one that is missing. A custom member is
// found like any other.
func (n Node) Header(name string) Value {
	r := n.rec()
	h, ok := headerOf(name)
	if !ok {
		v, _ := r.memberValue(name)
		return Value{v}
	}
	if h == hChildren || !(r.have | requiredHeaders).has(h) {
		return Value{}
	}
	if h == hParentID {
		if id, ok := n.ParentID(); ok {
			return Text(id)
		}
		return Value{"null"}
	}
	return Value{string(r.appendHeader(nil, h, n.s.ttlAt))}
}

// Members yields the custom members, sorted by name.
func (n Node) Members() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		for _, m := range n.rec().extra().members {
			if !yield(m.name, Value{m.value}) {
				return
			}
		}
	}
}

// Headers returns the names of all members an export shows except children,
// sorted.
func (n Node) Headers() []string {
	r := n.rec()
	var out []string
	for h := range numHeaders {
		if h != hChildren && (r.have | requiredHeaders).has(h) {
			out = append(out, headerNames[h])
		}
	}
	for _, m := range r.extra().members {
		out = append(out, m.name)
	}
	slices.Sort(out)
	return out
}

// ComputedHash returns the content hash of PACT 0.1, 08 §2.1 whatever the
// node has stored: SHA-256 over the canonical JSON of content, kind, role and
// every content_* and data_* member. content_hash stays out of it.
func (n Node) ComputedHash() string { return n.rec().contentHash() }
