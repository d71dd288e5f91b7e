package engine

import (
	"cmp"
	"slices"

	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/tree"
)

// Changes lists the nodes that differ between two snapshots. Nodes are the same if they have the
// same id. Added and Changed are in document order of the newer snapshot, Removed in that of the
// older.
type Changes struct {
	Added, Removed []Node
	Changed        []Change
}

// Change is a node that is in both snapshots but differs.
type Change struct {
	Old, New Node
	Fields   []string // see [ChangedFields]
}

// Diff compares two snapshots. A lower ttl is a difference, too. The cost depends on what differs,
// because Diff skips the parts that the snapshots share.
func Diff(older, newer *Snapshot) Changes {
	out := newChanges(matchRecords(older, newer, true))
	slices.SortFunc(out.Added, Node.Compare)
	slices.SortFunc(out.Removed, Node.Compare)
	slices.SortFunc(out.Changed, func(a, b Change) int { return a.New.Compare(b.New) })
	return out
}

// newChanges returns the changes of nodes that were matched, without the pairs that are equal.
func newChanges(both []Change, removed, added []Node) Changes {
	for i, p := range both {
		if p.Fields == nil {
			both[i].Fields = ChangedFields(p.Old, p.New)
		}
	}
	both = slices.DeleteFunc(both, func(p Change) bool { return len(p.Fields) == 0 })
	return Changes{Added: added, Removed: removed, Changed: both}
}

// matchNodes pairs the nodes of two lists by id. It returns the pairs, in the order of newer, and
// the nodes that are in only one list, in the order of that list. A list must not have two nodes
// with one id.
func matchNodes(older, newer []Node) (both []Change, removed, added []Node) {
	left := make(map[string]int, len(older))
	for i, n := range older {
		left[n.ID()] = i
	}
	for _, n := range newer {
		if i, ok := left[n.ID()]; ok {
			delete(left, n.ID())
			both = append(both, Change{Old: older[i], New: n})
		} else {
			added = append(added, n)
		}
	}
	for _, n := range older {
		if _, ok := left[n.ID()]; ok {
			removed = append(removed, n)
		}
	}
	return both, removed, added
}

// matchRecords pairs the nodes of two snapshots, except those that are in the same place with the
// same record. With clock, it includes nodes of which only the shown ttl differs; these have
// Fields. The cost depends on what the snapshots do not share.
func matchRecords(older, newer *Snapshot, clock bool) (both []Change, removed, added []Node) {
	changed, gone, made := tree.Diff[Node](older.tree(), newer.tree(), clock)
	if added = made; len(gone) > 0 {
		both, removed, added = matchNodes(gone, made)
	}
	for _, p := range changed {
		c := Change{Old: Node(p.Older), New: Node(p.Newer)}
		if p.OnlyTTL {
			c.Fields = []string{"ttl"}
		}
		both = append(both, c)
	}
	return both, removed, added
}

// DiffNodes compares two lists of nodes, such as the results of a selector in two snapshots. Added
// holds the nodes that are only in newer, Removed those that are only in older, each in the order
// of its list. Changed holds those that are in both but differ, in the order of newer. A list must
// not have two nodes with one id. The cost is linear in the length of the lists.
func DiffNodes(older, newer []Node) Changes { return newChanges(matchNodes(older, newer)) }

// ChangedFields returns the sorted names of the members that differ between two states of a node. A
// member that is missing in both is not compared, even if it has a default; a member that is
// missing in one is compared with its default. parent_id is reported as parent, and content as
// content_hash. A node without a stored hash is compared by its computed hash.
func ChangedFields(older, newer Node) []string {
	var out []string
	a, b := older.rec(), newer.rec()
	pa, _ := older.ParentID()
	pb, _ := newer.ParentID()
	if pa != pb {
		out = append(out, "parent")
	}
	ta, oka := older.TTL()
	tb, okb := newer.TTL()
	if oka != okb || oka && ta.Cmp(tb) != 0 {
		out = append(out, "ttl")
	}
	if a == b {
		return out
	}
	have := (given(a) | given(b)) &^
		(1<<tree.HeaderChildren | 1<<tree.HeaderContent | 1<<tree.HeaderContentHash | 1<<tree.HeaderParentID | 1<<tree.HeaderTTL)
	for h := range tree.NumHeaders {
		if have.Has(h) && !sameHeader(a, b, h) {
			out = append(out, tree.HeaderNames[h])
		}
	}
	if contentChanged(a, b) {
		out = append(out, tree.HeaderNames[tree.HeaderContentHash])
	}
	set, unset := changedCustom(a, b)
	for _, m := range set {
		out = append(out, m.Name)
	}
	out = append(out, unset...)
	slices.Sort(out)
	return out
}

// changedCustom returns the custom members of b that a does not have, or has with another value,
// and the names of those that only a has.
func changedCustom(a, b *tree.Record) (set []tree.Member, unset []string) {
	for _, m := range b.Extra().Members {
		if v, ok := a.MemberValue(m.Name); !ok || v != m.Value {
			set = append(set, m)
		}
	}
	for _, m := range a.Extra().Members {
		if _, ok := b.MemberValue(m.Name); !ok {
			unset = append(unset, m.Name)
		}
	}
	return set, unset
}

// given returns the headers that a node was read with, except required headers that are null.
func given(r *tree.Record) tree.HeaderSet { return r.Have &^ (r.Null & tree.RequiredHeaders) }

// sameHeader reports whether a header of two nodes is equal. It compares numbers by value.
func sameHeader(a, b *tree.Record, h tree.Header) bool {
	if !tree.RequiredHeaders.Has(h) && (a.Have.Has(h) != b.Have.Has(h) || a.Null.Has(h) != b.Null.Has(h)) {
		return false
	}
	if tree.NumericHeaders.Has(h) {
		return a.CompareHeader(b, h) == 0
	}
	if a.Field(h) == nil { // it is not a string
		return headerText(a, h, 0) == headerText(b, h, 0)
	}
	sa, oka := a.Text(h)
	sb, okb := b.Text(h)
	return oka == okb && sa == sb
}

// textChanged reports whether the content itself differs.
func textChanged(a, b *tree.Record) bool {
	return a.Content != b.Content &&
		string(canonjson.AppendPython(nil, a.Content)) != string(canonjson.AppendPython(nil, b.Content))
}

// contentChanged reports whether the content, or anything else that the content hash covers,
// differs.
func contentChanged(a, b *tree.Record) bool {
	if textChanged(a, b) {
		return true
	}
	if a.Content == b.Content && a.Kind == b.Kind && a.Role == b.Role && a.Null == b.Null && a.Have == b.Have &&
		a.More == nil && b.More == nil {
		return false
	}
	return hashOfNode(a) != hashOfNode(b)
}

// AppendJSON appends the changes in the form of the specification:
// {"added":[ids],"removed":[ids],"changed":[{"id":…,"fields":[…]}]}.
func (c Changes) AppendJSON(dst []byte) []byte {
	dst = appendList(append(dst, `{"added":`...), c.Added, Node.ID)
	dst = appendList(append(dst, `,"removed":`...), c.Removed, Node.ID)
	dst = canonjson.AppendList(append(dst, `,"changed":`...), c.Changed, func(dst []byte, ch Change) []byte {
		dst = canonjson.AppendString(append(dst, `{"id":`...), ch.New.ID())
		return append(append(append(dst, `,"fields":`...), listText(ch.Fields)...), '}')
	})
	return append(dst, '}')
}

// Details lists structural changes. [Changes.Details] returns it.
type Details struct {
	ChildrenAdded   []Family // by parent, in document order of the newer snapshot
	ChildrenRemoved []Family // by parent, in document order of the older one
	ParentChanged   []Change
	OffsetChanged   []Change
	// Moved pairs removed nodes with added nodes that have the same content, in the order of the
	// added ones. It does not have nodes without content.
	Moved []Change
	// Collisions pairs nodes that have the same content hash although their content differs
	// (decision E70): with SHA-256 that is a stored hash that is wrong.
	Collisions []Change
}

// Family is a parent with some of its children.
type Family struct {
	Parent   string
	Children []string
}

// Details returns the structural changes. The cost is a pass over the changed nodes and, if nodes
// were both added and removed, over their content.
func (c Changes) Details() Details {
	var d Details
	came, went := slices.Clone(c.Added), slices.Clone(c.Removed)
	for _, ch := range c.Changed {
		if slices.Contains(ch.Fields, "parent") {
			d.ParentChanged = append(d.ParentChanged, ch)
			came, went = append(came, ch.New), append(went, ch.Old)
		}
		if slices.Contains(ch.Fields, "offset") {
			d.OffsetChanged = append(d.OffsetChanged, ch)
		}
		if slices.Contains(ch.Fields, "content_hash") && ch.Old.ContentHash() == ch.New.ContentHash() {
			d.Collisions = append(d.Collisions, ch)
		}
	}
	d.ChildrenAdded, d.ChildrenRemoved = families(came), families(went)
	byHash := map[string][]Node{}
	for _, n := range c.Removed {
		if n.rec().Content != "" {
			byHash[n.ContentHash()] = append(byHash[n.ContentHash()], n)
		}
	}
	for _, n := range c.Added {
		if len(byHash) == 0 || n.rec().Content == "" {
			continue
		}
		h := n.ContentHash()
		olds := byHash[h]
		i := slices.IndexFunc(olds, func(old Node) bool { return !textChanged(old.rec(), n.rec()) })
		switch {
		case i >= 0:
			d.Moved = append(d.Moved, Change{Old: olds[i], New: n, Fields: ChangedFields(olds[i], n)})
			olds[0], olds[i] = olds[i], olds[0] // i is 0 unless there is a collision
			byHash[h] = olds[1:]
		case len(olds) > 0:
			d.Collisions = append(d.Collisions, Change{Old: olds[0], New: n, Fields: ChangedFields(olds[0], n)})
		}
	}
	return d
}

// families groups nodes by parent. It reuses the memory of list.
func families(list []Node) []Family {
	parent := func(n Node) Node { p, _ := n.Parent(); return p }
	list = slices.DeleteFunc(list, func(n Node) bool { return parent(n).IsZero() })
	slices.SortFunc(list, func(a, b Node) int { return cmp.Or(parent(a).Compare(parent(b)), a.Compare(b)) })
	var out []Family
	for _, n := range list {
		if last := len(out) - 1; last < 0 || out[last].Parent != parent(n).ID() {
			out = append(out, Family{Parent: parent(n).ID()})
		}
		last := &out[len(out)-1]
		last.Children = append(last.Children, n.ID())
	}
	return out
}
