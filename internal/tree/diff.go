package tree

import "slices"

// Diff calls changed for every pair of nodes that is in one place of both
// trees and not the same record, or shows another ttl, and returns the nodes that
// have no such partner. Parts that the trees share cost nothing.
func Diff(older, newer *Snapshot, changed func(older, newer Node, onlyTTL bool)) (gone, made []Node) {
	d := differ{older: older, newer: newer, clock: older.TTLAt != newer.TTLAt, changed: changed}
	if older.Roots != newer.Roots {
		d.pair(older.Root(), newer.Root())
	} else if d.clock && older.Roots.sum.hasTTL > 0 {
		d.shared(older.Root(), newer.Root())
	}
	for r := range NumRegions {
		d.region = r
		d.sequences(older.Parts[r], newer.Parts[r])
	}
	return d.oldLeft, d.newLeft
}

// differ finds the parts of two trees that are not shared.
type differ struct {
	older, newer *Snapshot
	clock        bool // lifetimes are counted from different cycles
	region       Region
	oldLeft      []Node // candidates without a partner so far
	newLeft      []Node
	changed      func(older, newer Node, onlyTTL bool)
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
	d.sequences(older.Parts[r], newer.Parts[r])
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
func (d *differ) sequences(a, b Sequence) {
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
	if !d.clock || n.sum.hasTTL == 0 {
		return
	}
	n.walk(0, 0, n.sum.chunks, func(s *summary) bool { return s.hasTTL > 0 }, func(i int, c *Chunk) bool {
		d.shared(d.older.Node(d.region, ia+i, c, 0), d.newer.Node(d.region, ib+i, c, 0))
		return true
	})
}

// shared compares the lifetimes in a chunk both trees have.
func (d *differ) shared(a, b Node) {
	for i, r := range a.Chunk.Recs {
		if r.Expiry != Never && r.ShownTTL(d.older.TTLAt) != r.ShownTTL(d.newer.TTLAt) {
			a.I, b.I = int32(i), int32(i)
			d.changed(a, b, true)
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
			where[n.Chunk] = i
		}
		b = slices.DeleteFunc(b, func(n Node) bool {
			i, ok := where[n.Chunk]
			if ok {
				d.pair(a[i], n)
				delete(where, n.Chunk)
			}
			return ok
		})
		a = slices.DeleteFunc(a, func(n Node) bool { _, ok := where[n.Chunk]; return !ok })
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
		*nodes = n.AppendChunk(*nodes, 0, len(n.Chunk.Recs))
	case older:
		d.chunks.Older = append(d.chunks.Older, n.Loc.At())
	default:
		d.chunks.Newer = append(d.chunks.Newer, n.Loc.At())
	}
}

// pair compares two chunks that stand in one place. What is equal at both
// ends is passed over.
func (d *differ) pair(a, b Node) {
	if a.Chunk == b.Chunk {
		if d.clock && a.Chunk.sum.hasTTL > 0 {
			d.shared(a, b)
		}
		return
	}
	if d.chunks != nil {
		d.chunks.Older = append(d.chunks.Older, a.Loc.At())
		d.chunks.Newer = append(d.chunks.Newer, b.Loc.At())
		return
	}
	match := func(i, k int) bool {
		ra, rb := a.Chunk.Recs[i], b.Chunk.Recs[k]
		if ra != rb {
			return false
		}
		a.I, b.I = int32(i), int32(k)
		if pa, pb := a.Chunk.Nav[i].Parent, b.Chunk.Nav[k].Parent; pa >= 0 && pb >= 0 {
			if a.Chunk.Recs[pa].ID != b.Chunk.Recs[pb].ID {
				return false
			}
		} else if pa != pb {
			return false
		}
		if d.clock && ra.Expiry != Never && ra.ShownTTL(d.older.TTLAt) != ra.ShownTTL(d.newer.TTLAt) {
			d.changed(a, b, true)
		}
		return true
	}
	from, endA, endB := 0, len(a.Chunk.Recs), len(b.Chunk.Recs)
	for from < min(endA, endB) && match(from, from) {
		from++
	}
	for endA > from && endB > from && match(endA-1, endB-1) {
		endA, endB = endA-1, endB-1
	}
	if endA-from == 1 && endB-from == 1 && a.Chunk.Recs[from].ID == b.Chunk.Recs[from].ID {
		a.I, b.I = int32(from), int32(from)
		d.changed(a, b, false)
		return
	}
	d.oldLeft = a.AppendChunk(d.oldLeft, from, endA)
	d.newLeft = b.AppendChunk(d.newLeft, from, endB)
}
