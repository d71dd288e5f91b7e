package tree

import (
	"cmp"
	"fmt"
	"slices"
)

// loose is a node of a chunk that is being rebuilt.
type loose struct {
	rec    *Record
	parent *loose // nil for a child of the region
	region Region // of a child of a region
	kids   []*loose

	removed  bool
	placed   bool      // it is added or moved, and gets a new location
	keep     bool      // it is a child of a region that stays in its chunk
	rekeyed  bool      // its key changed
	emitted  bool      // it was emitted
	location *Location // the location of the nodes below it that are added to the index; nil at first
}

// looseChunk is a chunk that is being rebuilt, or a new subtree.
type looseChunk struct {
	Node  // the first node of the chunk
	nodes []loose
}

// rebuilder takes chunks apart, changes the parents of nodes, and makes new chunks.
type rebuilder struct {
	patcher
	chunks map[*Chunk]*looseChunk
	order  []*looseChunk     // of the older snapshot
	adds   []*looseChunk     // new subtrees
	added  map[string]*loose // new nodes, if nodes can move into them
	placed []*loose          // in the order of the patch
	tops   [NumRegions][]*loose
}

// rebuild applies any patch.
func (x *patcher) rebuild(p *Patch) error {
	b := &rebuilder{patcher: *x, chunks: map[*Chunk]*looseChunk{}, added: map[string]*loose{}}
	if err := b.mark(p); err != nil {
		return err
	}
	b.attach()
	return b.emitAll()
}

// apart takes a chunk apart, given its first node.
func apart(first Node) *looseChunk {
	lc := &looseChunk{first, make([]loose, first.chunk.Len())}
	for i, r := range first.chunk.Recs() {
		lc.nodes[i] = loose{rec: r, region: first.Region()}
		if up := first.chunk.Nav[i].Parent; up >= 0 {
			lc.nodes[i].parent = &lc.nodes[up]
		}
	}
	return lc
}

// node returns the loose node of a node of the older snapshot. It takes the chunk apart if
// necessary.
func (b *rebuilder) node(n Node) *loose {
	lc := b.chunks[n.chunk]
	if lc == nil {
		lc = apart(n.With(0))
		b.chunks[n.chunk] = lc
		b.order = append(b.order, lc)
	}
	return &lc.nodes[n.i]
}

// mark applies the patch to the loose nodes.
func (b *rebuilder) mark(p *Patch) error {
	for _, n := range p.Remove {
		if n.Region() == RegionTop {
			return fmt.Errorf("%q is the root or a region, which stay", n.Rec().ID)
		}
		b.node(n).removed = true
	}
	for _, c := range p.Change {
		if c.Node.Region() == RegionTop {
			b.replace(c)
			continue
		}
		l := b.node(c.Node)
		l.rekeyed = l.rec.Key != c.Rec.Key
		l.rec = c.Rec
	}
	for _, a := range p.Add {
		lc := apart(Node{chunk: NewChunk(a.Forest)})
		b.adds, b.placed = append(b.adds, lc), append(b.placed, &lc.nodes[0])
		for i := range lc.nodes {
			if len(p.Move) > 0 {
				b.added[lc.nodes[i].rec.ID] = &lc.nodes[i]
			}
		}
	}
	for i, a := range p.Add {
		if err := b.hang(b.placed[i], a.Parent); err != nil {
			return err
		}
	}
	for _, m := range p.Move {
		if m.Node.Region() == RegionTop {
			return fmt.Errorf("%q is the root or a region, which stay", m.Node.Rec().ID)
		}
		l := b.node(m.Node)
		if l.removed || l.placed {
			return fmt.Errorf("%q is moved, but it is also removed or moved again", l.rec.ID)
		}
		if err := b.hang(l, m.Parent); err != nil {
			return err
		}
		b.placed = append(b.placed, l)
	}
	return nil
}

// hang sets the new parent of a node.
func (b *rebuilder) hang(l *loose, parent string) error {
	l.placed = true
	if up := b.added[parent]; up != nil {
		l.parent = up
		return nil
	}
	n, region, top, err := b.parent(parent)
	if err != nil {
		return err
	}
	l.parent, l.region = nil, region
	if !top {
		l.parent = b.node(n)
	}
	return nil
}

// attach sets the children of every loose node.
func (b *rebuilder) attach() {
	for _, lc := range slices.Concat(b.order, b.adds) {
		for i := range lc.nodes {
			l := &lc.nodes[i]
			switch {
			case l.removed || l.placed:
			case l.parent != nil:
				l.parent.kids = append(l.parent.kids, l)
			default:
				b.tops[l.region] = append(b.tops[l.region], l)
				l.keep = CompareSiblings(l.rec, lc.chunk.Rec(i)) == 0
				l.placed = !l.keep
			}
		}
	}
	for _, l := range b.placed {
		if l.parent != nil {
			l.parent.kids = append(l.parent.kids, l)
		} else {
			b.tops[l.region] = append(b.tops[l.region], l)
		}
	}
}

// emitAll makes the new chunks.
func (b *rebuilder) emitAll() error {
	// Start at the end, because removing a chunk moves those after it.
	slices.SortFunc(b.order, func(a, c *looseChunk) int {
		return cmp.Or(cmp.Compare(a.Region(), c.Region()), cmp.Compare(c.At(), a.At()))
	})
	for _, lc := range b.order {
		var f Forest
		for i := range lc.nodes {
			if l := &lc.nodes[i]; l.keep {
				if err := b.emit(&f, l, l, 0); err != nil {
					return err
				}
			}
		}
		part := &b.s.parts[lc.Region()]
		*part = part.Set(lc.At(), NewChunk(f))
	}
	for r := range NumRegions {
		for _, l := range b.tops[r] {
			if l.keep {
				continue
			}
			var f Forest
			if err := b.emit(&f, l, l, 0); err != nil {
				return err
			}
			b.putTop(r, f)
		}
	}
	return b.checkAll()
}

// emit appends the subtree of a node below top, a child of a region, and adds nodes with a new
// location to the index.
func (b *rebuilder) emit(f *Forest, top, l *loose, level int32) error {
	if int(level+LevelOf(top.region)) >= b.limit {
		return b.tooDeep(l.rec)
	}
	l.emitted = true
	if l.placed || l.rekeyed {
		if top.location == nil {
			top.location = b.b.locationOf(top.region, top.rec)
		}
		b.b.Index.Add(l.rec, top.location, int32(len(f.Recs)))
	}
	f.Add(l.rec, level)
	slices.SortFunc(l.kids, func(a, c *loose) int { return CompareSiblings(a.rec, c.rec) })
	for _, k := range l.kids {
		k.placed = k.placed || l.placed
		if err := b.emit(f, top, k, level+1); err != nil {
			return err
		}
	}
	return nil
}

// checkAll returns an error if a node was not emitted because it was put into itself or into a
// removed node.
func (b *rebuilder) checkAll() error {
	for _, l := range b.placed {
		if l.emitted {
			continue
		}
		steps := 0
		for up := l; up != nil && steps <= len(b.placed); up = up.parent {
			if up.removed {
				return fmt.Errorf("%q is put into a removed node", l.rec.ID)
			}
			if up.placed {
				steps++
			}
		}
		return fmt.Errorf("%q would be inside itself", l.rec.ID)
	}
	return nil
}
