package engine

import (
	"cmp"
	"slices"

	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/tree"
)

// Changes lists what differs between two snapshots, by id. Added and Changed
// are in document order of the newer one, Removed in that of the older.
type Changes struct {
	Added, Removed []Node
	Changed        []Change
}

// Change is a node of both snapshots that differs.
type Change struct {
	Old, New Node
	Fields   []string // see [ChangedFields]
}

// Diff compares two snapshots. It skips the parts that they share, so the cost
// depends on what differs. A ttl that ran down differs, too.
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

// matchNodes pairs the nodes of two lists by id. It returns the pairs, in the order of newer, and the nodes
// of one list alone, in their order. No list may hold an id twice.
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

// matchRecords pairs the nodes of two snapshots that are not in the same place with the same record or, with clock,
// do not show the same ttl; then Fields says so if nothing else differs. It costs what the snapshots do not share.
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

// DiffNodes compares two sets of nodes, such as the results of one selector
// in two snapshots: Added is in newer only, Removed in older only, Changed in
// both but not the same. The order of the arguments is kept. No set may hold
// an id twice.
func DiffNodes(older, newer []Node) Changes { return newChanges(matchNodes(older, newer)) }

// ChangedFields returns the names of the members that differ between two
// states of one node, sorted. A member that both lack is not compared, even
// where it has a default; one that only one side lacks is compared with its
// default. parent_id is called parent, and content is reported as
// content_hash, which is the stored hash, else the computed one.
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
	have := (given(a) | given(b)) &^ (1<<tree.HeaderChildren | 1<<tree.HeaderContent | 1<<tree.HeaderContentHash | 1<<tree.HeaderParentID | 1<<tree.HeaderTTL)
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

// changedCustom returns the custom members that b has and a has not, or has with another value, and the names of
// those that only a has.
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

// given returns the headers that the node was read with. A required header that is null counts as missing.
func given(r *tree.Record) tree.HeaderSet { return r.Have &^ (r.Null & tree.RequiredHeaders) }

// sameHeader compares one header; numbers by their value.
func sameHeader(a, b *tree.Record, h tree.Header) bool {
	if !tree.RequiredHeaders.Has(h) && (a.Have.Has(h) != b.Have.Has(h) || a.Null.Has(h) != b.Null.Has(h)) {
		return false
	}
	if tree.NumericHeaders.Has(h) {
		return a.CompareHeader(b, h) == 0
	}
	switch h {
	case tree.HeaderTag, tree.HeaderRefs, tree.HeaderProvenance, tree.HeaderRemovable, tree.HeaderPinned:
		return headerText(a, h, 0) == headerText(b, h, 0)
	}
	sa, oka := a.Text(h)
	sb, okb := b.Text(h)
	return oka == okb && sa == sb
}

// contentChanged reports whether the content, or anything else that the content hash covers, differs.
func contentChanged(a, b *tree.Record) bool {
	if a.Content != b.Content &&
		string(canonjson.AppendPython(nil, a.Content)) != string(canonjson.AppendPython(nil, b.Content)) {
		return true
	}
	if a.Content == b.Content && a.Kind == b.Kind && a.Role == b.Role && a.Null == b.Null && a.Have == b.Have &&
		a.More == nil && b.More == nil {
		return false
	}
	return hashOfNode(a) != hashOfNode(b)
}

// AppendJSON appends the changes as the specification prints them:
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

// Details lists the changes of the structure; [Changes.Details] makes it.
type Details struct {
	ChildrenAdded   []Family // by parent, in document order of the newer snapshot
	ChildrenRemoved []Family // by parent, in document order of the older one
	ParentChanged   []Change
	OffsetChanged   []Change
	// Moved pairs a removed node with an added one of the same content, in
	// the order of the added ones. Nodes without content are not paired.
	Moved []Change
}

// Family is a parent with some of its children.
type Family struct {
	Parent   string
	Children []string
}

// Details works out the structural changes.
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
		if olds := byHash[h]; len(olds) > 0 {
			d.Moved = append(d.Moved, Change{Old: olds[0], New: n, Fields: ChangedFields(olds[0], n)})
			byHash[h] = olds[1:]
		}
	}
	return d
}

func families(list []Node) []Family {
	type entry struct{ parent, child Node }
	var all []entry
	for _, n := range list {
		if p, ok := n.Parent(); ok {
			all = append(all, entry{p, n})
		}
	}
	slices.SortFunc(all, func(a, b entry) int { return cmp.Or(a.parent.Compare(b.parent), a.child.Compare(b.child)) })
	var out []Family
	for _, e := range all {
		if n := len(out); n == 0 || out[n-1].Parent != e.parent.ID() {
			out = append(out, Family{Parent: e.parent.ID()})
		}
		last := &out[len(out)-1]
		last.Children = append(last.Children, e.child.ID())
	}
	return out
}
