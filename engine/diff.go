package engine

import (
	"cmp"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/internal/canonjson"
)

// Changes is what differs between two snapshots, by id. Added and Changed
// are in document order of the newer one, Removed in that of the older.
type Changes struct {
	Added, Removed []Node
	Changed        []Change
}

// Change is one node that is in both snapshots and not the same.
type Change struct {
	Old, New Node
	Fields   []string // see [ChangedFields]
}

// Diff compares two snapshots. Parts they share are passed over, so that the
// cost depends on what differs (a shown ttl that ran down differs too).
func Diff(older, newer *Snapshot) Changes {
	d := differ{older: older, newer: newer, clock: older.ttlAt != newer.ttlAt}
	if older.tops != newer.tops {
		d.pair(older.Root(), newer.Root())
	} else if d.clock && older.tops.sum.mortal > 0 {
		d.shared(older.Root(), newer.Root())
	}
	for r := range numRegions {
		d.region = r
		d.sequences(older.parts[r], newer.parts[r])
	}
	return d.finish()
}

// differ finds the parts of two trees that are not shared.
type differ struct {
	older, newer *Snapshot
	clock        bool // lifetimes are counted from different cycles
	region       Region
	oldLeft      []Node // candidates without a partner so far
	newLeft      []Node
	changed      []Change
	chunks       *ChunkChanges // set: collect chunks, do not look into them
}

// ChunkChanges are the positions of the chunks of a region that two
// snapshots do not share, ascending.
type ChunkChanges struct{ Older, Newer []int }

// DiffChunks finds the chunks of a region that are not in both snapshots, for
// those who keep results by chunk. Every other chunk is one and the same
// [Chunk], though its position, and so the depth of its nodes, and the shown
// ttl may differ. It costs what differs, not the size of the tree.
func DiffChunks(older, newer *Snapshot, r Region) ChunkChanges {
	var out ChunkChanges
	d := differ{older: older, newer: newer, region: r, chunks: &out}
	d.sequences(older.parts[r], newer.parts[r])
	// Where the two trees do not line up, shared chunks were met on both sides.
	met := make(map[*Chunk]bool, len(out.Older))
	for _, at := range out.Older {
		met[older.Chunk(r, at)] = true
	}
	both := map[*Chunk]bool{}
	out.Newer = slices.DeleteFunc(out.Newer, func(at int) bool {
		c := newer.Chunk(r, at)
		if met[c] {
			both[c] = true
		}
		return met[c]
	})
	out.Older = slices.DeleteFunc(out.Older, func(at int) bool { return both[older.Chunk(r, at)] })
	slices.Sort(out.Older)
	slices.Sort(out.Newer)
	return out
}

// sequences compares two sequences, brought to one height first.
func (d *differ) sequences(a, b sequence) {
	if a.root == b.root && (!d.clock || a.root.sum.mortal == 0) {
		return
	}
	as, bs := []*seqNode{a.root}, []*seqNode{b.root}
	ha, hb := a.height(), b.height()
	for ; ha > hb; ha-- {
		as = expand(as)
	}
	for ; hb > ha; hb-- {
		bs = expand(bs)
	}
	d.nodes(as, bs, 0, 0)
}

func expand(list []*seqNode) []*seqNode {
	var out []*seqNode
	for _, n := range list {
		out = append(out, n.kids...)
	}
	return out
}

// nodes compares two lists of one height that begin at the chunks ia and ib.
func (d *differ) nodes(as, bs []*seqNode, ia, ib int) {
	for len(as) > 0 && len(bs) > 0 && as[0] == bs[0] {
		d.same(as[0], ia, ib)
		ia, ib = ia+as[0].sum.chunks, ib+as[0].sum.chunks
		as, bs = as[1:], bs[1:]
	}
	na, nb := ia, ib
	for _, n := range as {
		na += n.sum.chunks
	}
	for _, n := range bs {
		nb += n.sum.chunks
	}
	for len(as) > 0 && len(bs) > 0 && as[len(as)-1] == bs[len(bs)-1] {
		last := as[len(as)-1]
		na, nb = na-last.sum.chunks, nb-last.sum.chunks
		d.same(last, na, nb)
		as, bs = as[:len(as)-1], bs[:len(bs)-1]
	}
	switch {
	case len(as) == 0 && len(bs) == 0:
	case len(as) > 0 && len(as[0].kids) > 0 || len(bs) > 0 && len(bs[0].kids) > 0:
		if len(as) != len(bs) {
			d.nodes(expand(as), expand(bs), ia, ib)
			return
		}
		for i := range as {
			if as[i] == bs[i] {
				d.same(as[i], ia, ib)
			} else {
				d.nodes(as[i].kids, bs[i].kids, ia, ib)
			}
			ia, ib = ia+as[i].sum.chunks, ib+bs[i].sum.chunks
		}
	default:
		d.leaves(as, bs, ia, ib)
	}
}

// same handles a part both trees share: only shown lifetimes may differ.
func (d *differ) same(n *seqNode, ia, ib int) {
	if !d.clock || n.sum.mortal == 0 {
		return
	}
	n.walk(0, 0, n.sum.chunks, func(s *summary) bool { return s.mortal > 0 }, func(i int, c *Chunk) bool {
		d.shared(d.older.Node(d.region, ia+i, c, 0), d.newer.Node(d.region, ib+i, c, 0))
		return true
	})
}

// shared compares the lifetimes in a chunk both trees have.
func (d *differ) shared(a, b Node) {
	for i, r := range a.c.recs {
		if r.expiry != never && r.shownTTL(d.older.ttlAt) != r.shownTTL(d.newer.ttlAt) {
			a.i, b.i = int32(i), int32(i)
			d.changed = append(d.changed, Change{a, b, []string{"ttl"}})
		}
	}
}

// leaves compares chunks.
func (d *differ) leaves(as, bs []*seqNode, ia, ib int) {
	if len(as) == 1 && len(bs) == 1 && len(as[0].chunks) == len(bs[0].chunks) {
		for i, c := range as[0].chunks {
			d.pair(d.older.Node(d.region, ia+i, c, 0), d.newer.Node(d.region, ib+i, bs[0].chunks[i], 0))
		}
		return
	}
	list := func(s *Snapshot, nodes []*seqNode, at int) []Node {
		var out []Node
		for _, n := range nodes {
			for _, c := range n.chunks {
				out = append(out, s.Node(d.region, at, c, 0))
				at++
			}
		}
		return out
	}
	a, b := list(d.older, as, ia), list(d.newer, bs, ib)
	if len(a) != len(b) {
		where := make(map[*Chunk]int, len(a))
		for i, n := range a {
			where[n.c] = i
		}
		b = slices.DeleteFunc(b, func(n Node) bool {
			i, ok := where[n.c]
			if ok {
				d.pair(a[i], n)
				delete(where, n.c)
			}
			return ok
		})
		a = slices.DeleteFunc(a, func(n Node) bool { _, ok := where[n.c]; return !ok })
	}
	for i := range min(len(a), len(b)) {
		d.pair(a[i], b[i])
	}
	for _, n := range a[min(len(a), len(b)):] {
		d.left(n, &d.oldLeft, true)
	}
	for _, n := range b[min(len(a), len(b)):] {
		d.left(n, &d.newLeft, false)
	}
}

// left handles a chunk that only one of the snapshots has in this place.
func (d *differ) left(n Node, nodes *[]Node, older bool) {
	switch {
	case d.chunks == nil:
		*nodes = n.appendAll(*nodes, 0, len(n.c.recs))
	case older:
		d.chunks.Older = append(d.chunks.Older, int(n.at()))
	default:
		d.chunks.Newer = append(d.chunks.Newer, int(n.at()))
	}
}

// appendAll appends the nodes [from, to) of the chunk of n.
func (n Node) appendAll(dst []Node, from, to int) []Node {
	dst = slices.Grow(dst, to-from)
	for i := from; i < to; i++ {
		n.i = int32(i)
		dst = append(dst, n)
	}
	return dst
}

// pair compares two chunks that stand in one place. What is equal at both
// ends is passed over.
func (d *differ) pair(a, b Node) {
	if a.c == b.c {
		if d.clock && a.c.sum.mortal > 0 {
			d.shared(a, b)
		}
		return
	}
	if d.chunks != nil {
		d.chunks.Older = append(d.chunks.Older, int(a.at()))
		d.chunks.Newer = append(d.chunks.Newer, int(b.at()))
		return
	}
	match := func(i, k int) bool {
		ra, rb := a.c.recs[i], b.c.recs[k]
		if ra != rb {
			return false
		}
		a.i, b.i = int32(i), int32(k)
		if pa, pb := a.c.nav[i].parent, b.c.nav[k].parent; pa >= 0 && pb >= 0 {
			if a.c.recs[pa].id != b.c.recs[pb].id {
				return false
			}
		} else if pa != pb {
			return false
		}
		if d.clock && ra.expiry != never && ra.shownTTL(d.older.ttlAt) != ra.shownTTL(d.newer.ttlAt) {
			d.changed = append(d.changed, Change{a, b, []string{"ttl"}})
		}
		return true
	}
	from, endA, endB := 0, len(a.c.recs), len(b.c.recs)
	for from < min(endA, endB) && match(from, from) {
		from++
	}
	for endA > from && endB > from && match(endA-1, endB-1) {
		endA, endB = endA-1, endB-1
	}
	if endA-from == 1 && endB-from == 1 && a.c.recs[from].id == b.c.recs[from].id {
		a.i, b.i = int32(from), int32(from)
		d.compare(a, b)
		return
	}
	d.oldLeft = a.appendAll(d.oldLeft, from, endA)
	d.newLeft = b.appendAll(d.newLeft, from, endB)
}

func (d *differ) compare(a, b Node) {
	if fields := ChangedFields(a, b); len(fields) > 0 {
		d.changed = append(d.changed, Change{a, b, fields})
	}
}

// finish finds the partners of what is left, wherever they are.
func (d *differ) finish() Changes {
	var out Changes
	if len(d.oldLeft) == 0 {
		out.Added = d.newLeft
	} else {
		left := make(map[string]Node, len(d.oldLeft))
		for _, n := range d.oldLeft {
			left[n.ID()] = n
		}
		for _, n := range d.newLeft {
			if old, ok := left[n.ID()]; ok {
				delete(left, n.ID())
				d.compare(old, n)
			} else {
				out.Added = append(out.Added, n)
			}
		}
		for _, n := range d.oldLeft {
			if _, ok := left[n.ID()]; ok {
				out.Removed = append(out.Removed, n)
			}
		}
	}
	sortNodes(out.Added)
	sortNodes(out.Removed)
	byNew := func(a, b Change) int { return a.New.Compare(b.New) }
	if !slices.IsSortedFunc(d.changed, byNew) {
		slices.SortFunc(d.changed, byNew)
	}
	out.Changed = d.changed
	return out
}

func sortNodes(list []Node) {
	if !slices.IsSortedFunc(list, Node.Compare) {
		slices.SortFunc(list, Node.Compare)
	}
}

// DiffNodes compares two sets of nodes, such as the results of one selector
// in two snapshots: Added is in newer only, Removed in older only, Changed in
// both but not the same. The order of the arguments is kept. No set may hold
// an id twice.
func DiffNodes(older, newer []Node) Changes {
	var out Changes
	left := make(map[string]Node, len(older))
	for _, n := range older {
		left[n.ID()] = n
	}
	for _, n := range newer {
		old, ok := left[n.ID()]
		if !ok {
			out.Added = append(out.Added, n)
			continue
		}
		delete(left, n.ID())
		if fields := ChangedFields(old, n); len(fields) > 0 {
			out.Changed = append(out.Changed, Change{old, n, fields})
		}
	}
	for _, n := range older {
		if _, ok := left[n.ID()]; ok {
			out.Removed = append(out.Removed, n)
		}
	}
	return out
}

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
	have := (a.given() | b.given()) &^ (1<<hChildren | 1<<hContent | 1<<hContentHash | 1<<hParentID | 1<<hTTL)
	for h := range numHeaders {
		if have.has(h) && !sameHeader(a, b, h) {
			out = append(out, headerNames[h])
		}
	}
	if contentChanged(a, b) {
		out = append(out, headerNames[hContentHash])
	}
	ma, mb := a.extra().members, b.extra().members
	for len(ma) > 0 || len(mb) > 0 {
		switch {
		case len(mb) == 0 || len(ma) > 0 && ma[0].name < mb[0].name:
			out = append(out, ma[0].name)
			ma = ma[1:]
		case len(ma) == 0 || ma[0].name > mb[0].name:
			out = append(out, mb[0].name)
			mb = mb[1:]
		default:
			if ma[0].value != mb[0].value {
				out = append(out, ma[0].name)
			}
			ma, mb = ma[1:], mb[1:]
		}
	}
	slices.Sort(out)
	return out
}

// given returns the members the node came with. A required header that is null stands for a missing one.
func (r *record) given() headerSet { return r.have &^ (r.null & requiredHeaders) }

// sameHeader compares one header; numbers by their value.
func sameHeader(a, b *record, h header) bool {
	if !requiredHeaders.has(h) && (a.have.has(h) != b.have.has(h) || a.null.has(h) != b.null.has(h)) {
		return false
	}
	switch h {
	case hOffset, hPriority, hCycle, hCreatedNS, hCreationIndex, hCad:
		return a.number(h).Cmp(b.number(h)) == 0
	case hTag:
		return a.extra().tag == b.extra().tag
	case hRefs:
		return a.extra().refsText == b.extra().refsText
	case hProvenance:
		return a.extra().provenance == b.extra().provenance
	case hRemovable:
		return a.removable == b.removable
	case hPinned:
		return a.pinned == b.pinned
	}
	sa, oka := a.text(h)
	sb, okb := b.text(h)
	return oka == okb && sa == sb
}

// contentChanged tells whether content, or what is hashed with it, differs.
func contentChanged(a, b *record) bool {
	if a.content != b.content &&
		string(canonjson.AppendPython(nil, a.content)) != string(canonjson.AppendPython(nil, b.content)) {
		return true
	}
	if a.content == b.content && a.kind == b.kind && a.role == b.role && a.null == b.null && a.have == b.have &&
		a.more == nil && b.more == nil {
		return false
	}
	return a.hash() != b.hash()
}

// AppendJSON appends the changes as the specification prints them:
// {"added":[ids],"removed":[ids],"changed":[{"id":…,"fields":[…]}]}.
func (c Changes) AppendJSON(dst []byte) []byte {
	ids := func(dst []byte, list []Node) []byte {
		for i, n := range list {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = canonjson.AppendString(dst, n.ID())
		}
		return dst
	}
	dst = ids(append(dst, `{"added":[`...), c.Added)
	dst = ids(append(dst, `],"removed":[`...), c.Removed)
	dst = append(dst, `],"changed":[`...)
	for i, ch := range c.Changed {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = canonjson.AppendString(append(dst, `{"id":`...), ch.New.ID())
		dst = append(append(append(dst, `,"fields":`...), listText(ch.Fields)...), '}')
	}
	return append(dst, `]}`...)
}

// Details is what changed in the structure, beside [Changes].
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
	var came, went []Node
	came, went = append(came, c.Added...), append(went, c.Removed...)
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
		if n.rec().content != "" {
			byHash[n.ContentHash()] = append(byHash[n.ContentHash()], n)
		}
	}
	if len(byHash) == 0 {
		return d
	}
	for _, n := range c.Added {
		if n.rec().content == "" {
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
		if n := len(out); n == 0 || strings.Compare(out[n-1].Parent, e.parent.ID()) != 0 {
			out = append(out, Family{Parent: e.parent.ID()})
		}
		last := &out[len(out)-1]
		last.Children = append(last.Children, e.child.ID())
	}
	return out
}
