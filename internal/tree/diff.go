package tree

import "slices"

// Pair is two nodes at the same position of two trees that have different records or show different
// ttls.
type Pair struct {
	Older, Newer Node
	OnlyTTL      bool
}

// Diff returns the pairs of nodes that changed, and the nodes that only the older or only the newer
// tree has at their position. With clock, a lower shown ttl is a change. Shared parts cost nothing.
func Diff[N Handle](older, newer *Snapshot, clock bool) (changed []Pair, gone, made []N) {
	clock = clock && older.TTLAt() != newer.TTLAt()
	d := differ[N]{older: older, newer: newer, clock: clock}
	if older.roots != newer.roots {
		d.pair(older.Root(), newer.Root())
	} else if d.clock && older.roots.sum.hasTTL > 0 {
		d.shared(older.Root(), newer.Root())
	}
	for r := range NumRegions {
		d.region = r
		d.sequences(older.parts[r], newer.parts[r])
	}
	return d.changed, d.oldLeft, d.newLeft
}

// differ finds the parts of two trees that are not shared.
type differ[N Handle] struct {
	older, newer *Snapshot
	clock        bool // lifetimes are counted from different cycles
	region       Region
	oldLeft      []N // candidates without a partner so far
	newLeft      []N
	changed      []Pair
	onlyChunks   bool // collect the first nodes of chunks instead of comparing nodes
}

// ChunkChanges holds the positions, in ascending order, of the chunks of a region that two
// snapshots do not share.
type ChunkChanges struct{ Older, Newer []int }

// DiffChunks returns the chunks of a region that are not in both snapshots. It is for callers that
// store results by chunk. Every other chunk is the same [Chunk] in both, but its position, and
// therefore the depth of its nodes, and the shown ttl may differ. The cost depends on what differs,
// not on the size of the tree.
func DiffChunks(older, newer *Snapshot, r Region) ChunkChanges {
	d := differ[Node]{older: older, newer: newer, region: r, onlyChunks: true}
	d.sequences(older.parts[r], newer.parts[r])
	// Where the two trees are not aligned, shared chunks are in both lists.
	a, b := d.unshared(d.oldLeft, d.newLeft)
	positions := func(nodes []Node) (out []int) {
		for _, n := range nodes {
			out = append(out, n.At())
		}
		slices.Sort(out)
		return out
	}
	return ChunkChanges{positions(a), positions(b)}
}

// unshared returns two lists of nodes without those whose chunks are in both. It compares these
// chunks. The lists hold one node of each chunk.
func (d *differ[N]) unshared(a, b []Node) (onlyA, onlyB []Node) {
	where := make(map[*Chunk]int, len(a))
	for i, n := range a {
		where[n.chunk] = i
	}
	b = slices.DeleteFunc(b, func(n Node) bool {
		i, ok := where[n.chunk]
		if ok {
			d.pair(a[i], n)
			delete(where, n.chunk)
		}
		return ok
	})
	return slices.DeleteFunc(a, func(n Node) bool { _, ok := where[n.chunk]; return !ok }), b
}

// sequences compares two sequences. It first brings them to the same height.
func (d *differ[N]) sequences(a, b Sequence) {
	if a.root == b.root && (!d.clock || a.root.sum.hasTTL == 0) {
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

// expand returns the entries of inner nodes.
func expand(list []*seqNode) []*seqNode {
	var out []*seqNode
	for _, n := range list {
		out = append(out, n.kids...)
	}
	return out
}

// nodes compares two lists of nodes of the same height. Their first chunks are ia and ib.
func (d *differ[N]) nodes(as, bs []*seqNode, ia, ib int) {
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
	case len(as) > 0 && as[0].inner != nil || len(bs) > 0 && bs[0].inner != nil:
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

// same compares a part that both trees share: only shown ttls may differ.
func (d *differ[N]) same(n *seqNode, ia, ib int) {
	if !d.clock || n.sum.hasTTL == 0 {
		return
	}
	n.walk(0, 0, n.sum.chunks, func(s *summary) bool { return s.hasTTL > 0 }, func(i int, c *Chunk) bool {
		d.shared(d.older.Node(d.region, ia+i, c, 0), d.newer.Node(d.region, ib+i, c, 0))
		return true
	})
}

// shared compares the shown ttls in a chunk that both trees share.
func (d *differ[N]) shared(a, b Node) {
	for i, r := range a.chunk.Recs() {
		if r.Expiry != Never && r.ShownTTL(d.older.TTLAt()) != r.ShownTTL(d.newer.TTLAt()) {
			a.i, b.i = int32(i), int32(i)
			d.changed = append(d.changed, Pair{a, b, true})
		}
	}
}

// leaves compares the chunks of two lists of leaves.
func (d *differ[N]) leaves(as, bs []*seqNode, ia, ib int) {
	same := 0 // the number of compared chunks: those at the beginning, or all if the leaves are aligned
	if len(as) == 1 && len(bs) == 1 {
		ca, cb := as[0].chunks, bs[0].chunks
		for same < min(len(ca), len(cb)) && (len(ca) == len(cb) || ca[same] == cb[same]) {
			if ca[same] != cb[same] || d.clock && ca[same].sum.hasTTL > 0 {
				d.pair(d.older.Node(d.region, ia+same, ca[same], 0), d.newer.Node(d.region, ib+same, cb[same], 0))
			}
			same++
		}
	}
	list := func(s *Snapshot, nodes []*seqNode, at int) []Node {
		var out []Node
		for _, n := range nodes {
			for _, c := range n.chunks[same:] {
				out = append(out, s.Node(d.region, at+same, c, 0))
				at++
			}
		}
		return out
	}
	a, b := list(d.older, as, ia), list(d.newer, bs, ib)
	if len(a) != len(b) {
		a, b = d.unshared(a, b)
	}
	for i := range min(len(a), len(b)) {
		d.pair(a[i], b[i])
	}
	for _, n := range a[min(len(a), len(b)):] {
		d.oldLeft = d.appendRun(d.oldLeft, n, 0, n.chunk.Len())
	}
	for _, n := range b[min(len(a), len(b)):] {
		d.newLeft = d.appendRun(d.newLeft, n, 0, n.chunk.Len())
	}
}

// pair compares two chunks at the same position. It skips equal nodes at both ends.
func (d *differ[N]) pair(a, b Node) {
	if a.chunk == b.chunk {
		if d.clock && a.chunk.sum.hasTTL > 0 {
			d.shared(a, b)
		}
		return
	}
	if d.onlyChunks {
		d.oldLeft, d.newLeft = append(d.oldLeft, N(a)), append(d.newLeft, N(b))
		return
	}
	from, endA, endB := 0, a.chunk.Len(), b.chunk.Len()
	aligned := &a.chunk.Nav[0] == &b.chunk.Nav[0] // records were replaced in one, or it grew
	skips := aligned && (!d.clock || a.chunk.sum.hasTTL == 0)
	for from < min(endA, endB) {
		if skips {
			if from = a.chunk.sameFrom(b.chunk, from); from == min(endA, endB) {
				break
			}
		}
		if !d.match(a.With(int32(from)), b.With(int32(from))) {
			if !aligned || a.chunk.Rec(from).ID != b.chunk.Rec(from).ID {
				break
			}
			d.changed = append(d.changed, Pair{a.With(int32(from)), b.With(int32(from)), false})
		}
		from++
	}
	for endA > from && endB > from && d.match(a.With(int32(endA-1)), b.With(int32(endB-1))) {
		endA, endB = endA-1, endB-1
	}
	if endA-from == 1 && endB-from == 1 && a.chunk.Rec(from).ID == b.chunk.Rec(from).ID {
		d.changed = append(d.changed, Pair{a.With(int32(from)), b.With(int32(from)), false})
		return
	}
	d.oldLeft = d.appendRun(d.oldLeft, a, from, endA)
	d.newLeft = d.appendRun(d.newLeft, b, from, endB)
}

// match reports whether two nodes of chunks at the same position have the same record and the same
// parent. Only the shown ttl may differ.
func (d *differ[N]) match(a, b Node) bool {
	rec := a.Rec()
	if rec != b.Rec() {
		return false
	}
	if pa, pb := a.chunk.Parent(int(a.i)), b.chunk.Parent(int(b.i)); pa >= 0 && pb >= 0 {
		if a.chunk.Rec(pa).ID != b.chunk.Rec(pb).ID {
			return false
		}
	} else if pa != pb {
		return false
	}
	if d.clock && rec.Expiry != Never && rec.ShownTTL(d.older.TTLAt()) != rec.ShownTTL(d.newer.TTLAt()) {
		d.changed = append(d.changed, Pair{a, b, true})
	}
	return true
}

// appendRun appends the nodes [from, to) of the chunk of n or, with onlyChunks, only the first of
// them.
func (d *differ[N]) appendRun(dst []N, n Node, from, to int) []N {
	if d.onlyChunks {
		to = from + 1
	}
	dst = slices.Grow(dst, to-from)
	for i := from; i < to; i++ {
		n.i = int32(i)
		dst = append(dst, N(n))
	}
	return dst
}
