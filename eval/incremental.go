package eval

import (
	"context"
	"slices"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/tree"
)

// Adjacent snapshots of a history share most of their chunks. If what a chain finds in a chunk
// depends on nothing else, a query about two snapshots only searches the chunks that they do not
// share.

// parts has the positions of chunks in each region, which are ascending once compacted.
type parts [engine.RegionRest + 1][]int

// isLocal reports whether what the query finds in a chunk depends only on the chunk, the remaining
// lifetimes in it, and which of the root and the regions its steps find.
func (p *Plan) isLocal() bool {
	if p.order != nil || p.unique != nil || p.skip > 0 || p.page > 1 || p.limited {
		return false
	}
	for _, f := range p.union {
		if len(f) > 1 || !f[0].isLocal() {
			return false
		}
	}
	return true
}

// isLocal is [Plan.isLocal] for a chain. It is false for lookups of an id or a key, which are fast
// anyway.
func (c *chain) isLocal() bool {
	if c.positional || c.id != nil || c.key != nil {
		return false
	}
	for _, s := range c.steps {
		for _, p := range s.coordinates {
			if p.to >= 1 {
				return false // depths shift with every segment
			}
		}
		for _, t := range s.parts[0].tests {
			if t.name == "depth" || t.name == "age" || c.implies && (t.name == "cycle" || t.name == "born_turn") {
				return false
			}
		}
	}
	return true
}

// unshared returns the chunks of two snapshots in which results can differ: those that only one
// has, and those with a ttl, which counts down. It returns false if results can differ elsewhere.
func (p run) unshared(ctx context.Context, newerState, olderState state) (inNewer, inOlder parts, ok bool) {
	newer, older := newerState.snap, olderState.snap
	adjacent := newerState.back >= 0 && newerState.back+1 == olderState.back
	if !p.local || p.life && !adjacent || !p.sameRoots(ctx, newer, older) {
		return inNewer, inOlder, false
	}
	for r := engine.RegionSys; r <= engine.RegionRest; r++ {
		d := tree.DiffChunks(treeOf(older), treeOf(newer), r)
		hasTTL := tree.Filter{}.HasTTL()
		inNewer[r], inOlder[r] = d.Newer, d.Older
		inNewer.addMatching(newer, r, hasTTL)
		inOlder.addMatching(older, r, hasTTL)
	}
	if p.life {
		for _, id := range p.lives.Changed(newer) {
			inNewer.addChunkOf(newer, id)
			inOlder.addChunkOf(older, id)
		}
	}
	if treeOf(newer).ImplicitCore() != treeOf(older).ImplicitCore() {
		inNewer.addMatching(newer, engine.RegionHead, tree.Filter{})
		inOlder.addMatching(older, engine.RegionHead, tree.Filter{})
	}
	inNewer.compact()
	inOlder.compact()
	return inNewer, inOlder, true
}

// addChunkOf adds the chunk of the node with an id.
func (p *parts) addChunkOf(s *engine.Snapshot, id string) {
	if n, ok := s.Find(id); ok {
		p.add(n)
	}
}

// add adds the chunk of a node, unless that is the root or a region.
func (p *parts) add(n engine.Node) {
	if r, ok := n.Region(); ok {
		p[r] = append(p[r], tree.Node(n).At())
	}
}

// addMatching adds the chunks of a region that match a filter.
func (p *parts) addMatching(s *engine.Snapshot, r engine.Region, f tree.Filter) {
	for at := range treeOf(s).Chunks(r, 0, treeOf(s).NumChunks(r), f) {
		p[r] = append(p[r], at)
	}
}

// compact sorts the positions and removes duplicates.
func (p *parts) compact() {
	for r := range p {
		slices.Sort(p[r])
		p[r] = slices.Compact(p[r])
	}
}

// sameRoots reports whether the root and the regions have the same ids in both snapshots, and
// whether every step finds the same ones.
func (p run) sameRoots(ctx context.Context, a, b *engine.Snapshot) bool {
	if treeOf(a).RegionRoots() == treeOf(b).RegionRoots() && !p.life {
		return true
	}
	for _, top := range [...]rootSet{rootNode, sysNode, seqNode, headNode} {
		x, okX := top.node(a)
		y, okY := top.node(b)
		if okX != okY || okX && x.ID() != y.ID() {
			return false
		}
	}
	for _, f := range p.union {
		var before [2]rootSet
		for _, s := range f[0].steps {
			before = [2]rootSet{s.rootsOf(ctx, p.lives, a, before[0]), s.rootsOf(ctx, p.lives, b, before[1])}
			if before[0] != before[1] {
				return false
			}
		}
	}
	return true
}

// results keeps the result for the older of two snapshots, which is the newer one of the next two.
type results struct {
	run
	snap  *engine.Snapshot
	found []engine.Node
}

// pair returns what the query selects in two snapshots, in order. Nodes that are selected in both
// and do not differ may be left out.
func (r *results) pair(ctx context.Context, newer, older state) (in, out []engine.Node, err error) {
	inNewer, inOlder, ok := r.unshared(ctx, newer, older)
	if ok {
		if in, err = r.nodes(ctx, nil, newer.snap, &inNewer); err == nil {
			out, err = r.nodes(ctx, nil, older.snap, &inOlder)
		}
		return in, out, err
	}
	if r.snap != newer.snap {
		if r.found, err = r.controlled(ctx, newer.snap); err != nil {
			return nil, nil, err
		}
	}
	in = r.found
	out, err = r.controlled(ctx, older.snap)
	r.snap, r.found = older.snap, out
	return in, out, err
}

// unseen returns what the query selects in a snapshot, in order. Nodes that it also selects in the
// next newer snapshot may be left out; newer is nil for the newest snapshot.
func (p run) unseen(ctx context.Context, newer *state, older state) ([]engine.Node, error) {
	if newer != nil {
		if _, in, ok := p.unshared(ctx, *newer, older); ok {
			return p.nodes(ctx, nil, older.snap, &in)
		}
	}
	return p.ordered(ctx, older.snap)
}
