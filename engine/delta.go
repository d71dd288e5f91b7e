package engine

import (
	"cmp"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/internal/tree"
)

// delta is the difference that turns one snapshot into the next.
type delta struct {
	older    *Snapshot
	newer    *Snapshot
	added    []Node            // the top nodes of new subtrees
	isAdded  map[string]bool   // the ids of all new nodes
	removed  []Node            // the top nodes of removed subtrees
	moved    map[string][]Node // by the id of the new parent
	changed  []Change          // without Fields
	verbatim bool              // new nodes are written with the members that they were read with
	late     lateStarts
	lastNS   int64 // the latest instant of the new nodes
}

// newDelta returns the delta from older to newer. It returns nil if newer must be written in full,
// which is the case if older is nil or the snapshots differ in edition, root or regions. The cost
// depends on the size of the delta.
func newDelta(older, newer *Snapshot) *delta {
	if older == nil || older.Edition() != newer.Edition() || !sameRoots(older, newer) {
		return nil
	}
	d := &delta{older: older, newer: newer, late: lateStarts{}}
	both, removed, added := matchRecords(older, newer, false)
	for _, c := range both {
		was, _ := c.Old.ParentID()
		if is, _ := c.New.ParentID(); was != is {
			if d.moved == nil {
				d.moved = map[string][]Node{}
			}
			d.moved[is] = append(d.moved[is], c.New)
		}
		if c.Old.rec() != c.New.rec() {
			d.changed = append(d.changed, c)
		}
	}
	d.verbatim = slices.ContainsFunc(added, func(n Node) bool { return !isBrief(n.rec(), newer.Edition()) })
	for _, n := range added {
		d.late.note(n.rec(), newer.tree().TTLAt())
		d.lastNS = max(d.lastNS, n.rec().NS)
	}
	d.isAdded, d.added = topNodes(added)
	if !d.verbatim {
		slices.SortStableFunc(d.added, func(a, b Node) int { return cmp.Compare(a.rec().Index, b.rec().Index) })
	}
	_, d.removed = topNodes(removed)
	slices.SortStableFunc(d.changed, func(a, b Change) int { return a.New.Compare(b.New) })
	return d
}

// sameRoots reports whether the root and the regions are the same nodes in both snapshots.
func sameRoots(older, newer *Snapshot) bool {
	a, b := older.tree().RegionRoots(), newer.tree().RegionRoots()
	return a == b || older.tree().SameRegions(newer.tree()) && a.EqualFunc(b, func(a, b *tree.Record) bool {
		const id = 1 << tree.HeaderID
		return a.ID == b.ID && a.Extra().Unnamed == b.Extra().Unnamed && a.Have&id == b.Have&id && a.Null&id == b.Null&id
	})
}

// topNodes returns the ids of the nodes in list and, in document order, the nodes whose parents are
// not in list. It modifies list.
func topNodes(list []Node) (ids map[string]bool, tops []Node) {
	if len(list) == 0 {
		return nil, nil
	}
	ids = make(map[string]bool, len(list))
	for _, n := range list {
		ids[n.ID()] = true
	}
	tops = slices.DeleteFunc(list, func(n Node) bool {
		p, ok := n.ParentID()
		return ok && ids[p]
	})
	slices.SortFunc(tops, Node.Compare)
	return ids, tops
}

// lateStarts holds, by id, the cycles from which lifetimes count, where a reader could not derive
// them.
type lateStarts map[string]int64

// note records a node whose lifetime counts from a future cycle other than its own.
func (l lateStarts) note(r *tree.Record, ttlAt int64) {
	if r.Expiry != tree.Never && r.TTLFrom != r.Cycle && max(r.TTLFrom, r.Cycle) > ttlAt {
		l[r.ID] = r.TTLFrom
	}
}

// write adds the members of the delta to list.
func (d *delta) write(list *members) {
	if len(d.added) > 0 {
		w := newNodeWriter(d.newer, d.verbatim, d.isAdded)
		w.before = d.older.lastMade()
		for _, n := range d.added {
			parent, _ := n.ParentID()
			if !d.verbatim && parent == d.older.usualParent(n.rec().Base) {
				parent = ""
			}
			w.plan(n, parent)
		}
		list.put("added", func(dst []byte) []byte {
			w.dst = append(dst, '[')
			for at := 0; at < len(w.plans); at = w.plans[at].end {
				w.write(at)
			}
			return append(w.dst, ']')
		})
		for len(w.gaps) > 0 && w.gaps[len(w.gaps)-1] == 1 { // those at the end follow
			w.gaps = w.gaps[:len(w.gaps)-1]
		}
		if len(w.gaps) > 0 {
			list.put("ns", w.appendGaps)
		}
	}
	list.objects("changed", d.changes())
	var moved members
	for parent, nodes := range d.moved {
		slices.SortFunc(nodes, Node.Compare)
		moved.nodes(parent, nodes)
	}
	list.object("moved", moved)
	if len(d.removed) > 0 {
		list.nodes("removed", d.removed)
	}
	list.counts("ttl_from", d.late)
	list.flag("verbatim", d.verbatim)
}

// changes returns an object for each node whose members changed.
func (d *delta) changes() (list []members) {
	for _, c := range d.changed {
		set, unset := d.changedMembers(c)
		if len(set)+len(unset) == 0 {
			continue
		}
		var change members
		change.text("id", c.New.ID())
		change.object("set", set)
		slices.Sort(unset)
		change.ids("unset", unset)
		list = append(list, change)
	}
	return list
}

// changedMembers returns the members of a node that changed, and the names of the members that it
// lost.
func (d *delta) changedMembers(c Change) (set members, unset []string) {
	a, b, at := c.Old.rec(), c.New.rec(), d.newer.tree().TTLAt()
	for h := range tree.NumHeaders {
		was, is := headerText(a, h, at), headerText(b, h, at)
		same := was == is && a.Have.Has(h) == b.Have.Has(h) && (a.Null.Has(h) == b.Null.Has(h) || h == tree.HeaderTTL)
		switch h {
		case tree.HeaderParentID, tree.HeaderID:
			continue
		case tree.HeaderChildren: // of a node without any
			_, has := c.New.LastChild()
			same, is = has || a.Have.Has(h) == b.Have.Has(h), "[]"
		case tree.HeaderCycle: // null means that of the snapshot
			same = same && a.Cycle == b.Cycle
		case tree.HeaderTTL:
			if same = same && lateStart(a, at) == lateStart(b, at); !same {
				d.late.note(b, at)
			}
		}
		switch {
		case same:
		case b.Have.Has(h):
			set.add(tree.HeaderNames[h], is)
		default:
			unset = append(unset, tree.HeaderNames[h])
		}
	}
	customSet, customUnset := changedCustom(a, b)
	set.addAll(customSet)
	return set, append(unset, customUnset...)
}

// lateStart returns the cycle from which a lifetime counts if that is a future one, or else 0.
func lateStart(r *tree.Record, ttlAt int64) int64 {
	if r.Expiry == tree.Never || r.TTLFrom <= ttlAt {
		return 0
	}
	return r.TTLFrom
}

// headerText returns the value of a header in canonical JSON. If the header is missing and not
// required, it returns "".
func headerText(r *tree.Record, h tree.Header, ttlAt int64) string {
	if r.Null.Has(h) {
		return "null"
	}
	if !r.Have.Has(h) && !tree.RequiredHeaders.Has(h) {
		return ""
	}
	return string(appendHeader(nil, r, h, ttlAt))
}

// nodeWriter writes nodes for a journal: either verbatim, as they were read, or in brief, without
// the headers that a reader can derive.
type nodeWriter struct {
	treeWriter
	s        *Snapshot
	verbatim bool
	within   map[string]bool // the ids of the nodes to write; nil for all
	plans    []nodePlan
	before   made // of the node that was made before
	instants instants
	gaps     []int64 // for each node without created_at_ns, how much later than the previous node it was made
}

// newNodeWriter returns a writer for nodes of s.
func newNodeWriter(s *Snapshot, verbatim bool, within map[string]bool) *nodeWriter {
	return &nodeWriter{
		treeWriter: treeWriter{ttlAt: s.tree().TTLAt(), asRead: true},
		s:          s, verbatim: verbatim, within: within, plans: make([]nodePlan, 0, len(within)),
	}
}

// isBrief reports whether a node has the members that the engine gives new nodes, so members that
// follow from others can be omitted.
func isBrief(r *tree.Record, e Edition) bool {
	const (
		told      = 1 << tree.HeaderParentID // by the position
		mayBeNull = told | 1<<tree.HeaderTTL | 1<<tree.HeaderCreatedISO
	)
	return (r.Have|told)&tree.RequiredHeaders == tree.RequiredHeaders && r.Null&tree.RequiredHeaders&^mayBeNull == 0 &&
		(r.Have.Has(tree.HeaderTag) || !roleIsTag(r, e)) && !strings.HasPrefix(r.Extra().Provenance, "[")
}

// roleIsTag reports whether a new node has its role as a tag.
func roleIsTag(r *tree.Record, e Edition) bool {
	return e == Edition10 && r.Has(tree.HeaderRole)
}

// nodePlan says how a node is written.
type nodePlan struct {
	r          *tree.Record
	show       tree.HeaderSet
	parent     string // its id, or "" if it is not written
	provenance string // its short form, or ""
	end        int    // where the plans of its descendants end, which follow
}

// plan adds the plans of a node and its descendants, in document order. If parent is not "", the
// node is written with parent_id. Planning decides what to write, in the order in which the nodes
// were made, because headers follow from those of the node made before. Writing, in document order,
// comes after it.
func (w *nodeWriter) plan(n Node, parent string) {
	var kids []Node
	_, has := n.LastChild()
	if has {
		kids = w.children(n)
	}
	r, p := n.rec(), nodePlan{r: n.rec(), parent: parent}
	at := len(w.plans)
	w.plans = append(w.plans, p)
	showKids := len(kids) > 0 || !has && r.Have.Has(tree.HeaderChildren)
	isLate := showKids && n.region() == tree.RegionSeq && n.up() < 0 // a commit makes a segment after its subtree
	if !isLate {
		p.provenance = w.shortened(r)
		p.show = w.headers(r)
	}
	for _, k := range kids {
		w.plan(k, "")
	}
	if isLate {
		p.show = w.headers(r)
	}
	if showKids {
		p.show.Add(tree.HeaderChildren)
	}
	if parent != "" {
		p.show.Add(tree.HeaderParentID)
	}
	p.end = len(w.plans)
	w.plans[at] = p
}

// headers returns the headers to write of the node that was made next, except those that its place
// decides.
func (w *nodeWriter) headers(r *tree.Record) tree.HeaderSet {
	const byPlace = 1<<tree.HeaderChildren | 1<<tree.HeaderParentID
	before := w.before
	w.before = before.next(r)
	if !w.verbatim && !r.Exact(tree.HeaderCreatedNS) && hasGap(r.NS, before.ns) {
		w.gaps = append(w.gaps, r.NS-before.ns)
	}
	return w.shown(r, before) &^ byPlace
}

// write writes the node of a plan and its descendants.
func (w *nodeWriter) write(at int) {
	p := &w.plans[at]
	w.comma()
	w.object(p.r, p.show, p.parent, p.provenance, func() {
		for k := at + 1; k < p.end; k = w.plans[k].end {
			w.write(k)
		}
	})
}

// shown returns the headers to write. For a brief node, these are the headers that do not follow
// from others.
func (w *nodeWriter) shown(r *tree.Record, before made) tree.HeaderSet {
	show := r.Have
	if w.verbatim {
		return show
	}
	hide := func(h tree.Header, follows bool) {
		if follows && !r.Exact(h) {
			show &^= 1 << h
		}
	}
	e, tags := w.s.Edition(), r.TagList()
	hide(tree.HeaderTag, !r.Null.Has(tree.HeaderTag) && roleIsTag(r, e) && len(tags.Words) == 1 && tags.Words[0] == r.Role && tags.Text[0] == '[')
	hide(tree.HeaderNodeType, typeOfID(r.ID, e) == r.Type)
	hide(tree.HeaderOffset, r.Offset == 0)
	hide(tree.HeaderPriority, r.Priority == 0)
	hide(tree.HeaderTTL, r.Expiry == tree.Never)
	hide(tree.HeaderCycle, r.Cycle == w.s.Cycle())
	hide(tree.HeaderCreatedNS, hasGap(r.NS, before.ns))
	hide(tree.HeaderCreationIndex, r.Index == before.index+1)
	hide(tree.HeaderCreatedISO, !r.Null.Has(tree.HeaderCreatedISO) && !r.Exact(tree.HeaderCreatedNS) && r.ISO == string(w.instants.format(r.NS)))
	return show
}

// typeOfID returns the node type that an id such as block:12 begins with, or block for any other
// id.
func typeOfID(id string, e Edition) string {
	if i := strings.LastIndexByte(id, ':'); i > 0 {
		return id[:i]
	}
	return baseName(tree.BaseBlock, e)
}

// children returns the children of a node that must be written.
func (w *nodeWriter) children(n Node) []Node {
	kids := n.Children()
	if w.verbatim && n.region() == tree.RegionTop && n.i() == 0 {
		kids = slices.Values(rootChildren(n))
	}
	var list []Node
	for k := range kids {
		if w.within == nil || w.within[k.ID()] {
			list = append(list, k)
		}
	}
	return list
}

// rootChildren returns the children of the root in an order from which reading makes the same tree:
// nodes without an id are in the order of the file, and a region is before any other node of its
// type.
func rootChildren(root Node) []Node {
	inFile := func(n Node) uint32 { return uint32(n.rec().Extra().Unnamed) - 1 } // math.MaxUint32 if n has an id
	list, first := slices.Collect(root.Children()), map[string]uint32{}          // the lowest inFile of each type
	for _, n := range list {
		if at, ok := first[n.Type()]; !ok || inFile(n) < at {
			first[n.Type()] = inFile(n)
		}
	}
	position := func(n Node) uint32 {
		if n.region() == tree.RegionTop {
			return first[n.Type()]
		}
		return inFile(n)
	}
	slices.SortStableFunc(list, func(a, b Node) int { return cmp.Compare(position(a), position(b)) })
	return list
}
