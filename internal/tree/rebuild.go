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

	removed bool
	placed  bool  // it is added or moved, and gets a new location
	rekeyed bool  // its key changed
	met     bool  // it was emitted
	hint    int32 // its number in the list that it was emitted to
}

// looseChunk is a chunk that is being rebuilt.
type looseChunk struct {
	region Region
	at     int
	chunk  *Chunk
	nodes  []loose
}

// rebuilder takes chunks apart, changes the parents of nodes, and makes new chunks.
type rebuilder struct {
	patcher
	chunks map[*Chunk]*looseChunk
	order  []*looseChunk
	added  map[string]*loose // new nodes that may become parents
	placed []*loose          // in the order of the patch
	tops   [NumRegions][]*loose
	keep   map[*loose]bool // children of regions that stay in their chunk
	posts  []*loose        // nodes of the subtree being emitted that must be added to the index
}

// rebuild applies any patch.
func (x *patcher) rebuild(p *Patch) error {
	b := &rebuilder{patcher: *x, chunks: map[*Chunk]*looseChunk{}, added: map[string]*loose{}, keep: map[*loose]bool{}}
	if err := b.mark(p); err != nil {
		return err
	}
	b.attach()
	return b.emitAll()
}

// node returns the loose node of a node of the older snapshot. It takes the chunk apart if
// necessary.
func (b *rebuilder) node(n Node) *loose {
	lc := b.chunks[n.chunk]
	if lc == nil {
		lc = &looseChunk{n.Region(), n.At(), n.chunk, make([]loose, len(n.chunk.Recs))}
		for i, r := range n.chunk.Recs {
			lc.nodes[i] = loose{rec: r, region: lc.region}
			if up := n.chunk.Nav[i].Parent; up >= 0 {
				lc.nodes[i].parent = &lc.nodes[up]
			}
		}
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
		b.placed = append(b.placed, b.loosen(a.Forest, len(p.Move) > 0))
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

// loosen returns the top node of a new subtree. If wanted is set, nodes can move into the subtree.
func (b *rebuilder) loosen(f Forest, wanted bool) *loose {
	nodes := make([]loose, len(f.Recs))
	path := make([]*loose, 0, 8)
	for i, r := range f.Recs {
		l := &nodes[i]
		l.rec = r
		path = append(path[:f.Levels[i]], l)
		if i > 0 {
			l.parent = path[f.Levels[i]-1]
			l.parent.kids = append(l.parent.kids, l)
		}
		if wanted {
			b.added[r.ID] = l
		}
	}
	return &nodes[0]
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
	for _, lc := range b.order {
		for i := range lc.nodes {
			l := &lc.nodes[i]
			switch {
			case l.removed || l.placed:
			case l.parent != nil:
				l.parent.kids = append(l.parent.kids, l)
			default:
				b.tops[l.region] = append(b.tops[l.region], l)
				if CompareSiblings(l.rec, lc.chunk.Recs[i]) == 0 {
					b.keep[l] = true
				} else {
					l.placed = true
				}
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
		return cmp.Or(cmp.Compare(a.region, c.region), cmp.Compare(c.at, a.at))
	})
	for _, lc := range b.order {
		var f Forest
		for i := range lc.nodes {
			l := &lc.nodes[i]
			if b.keep[l] {
				if err := b.emit(&f, l, 0, LevelOf(lc.region), lc.region); err != nil {
					return err
				}
			}
		}
		part := &b.s.parts[lc.region]
		*part = part.Set(lc.at, NewChunk(f))
	}
	for r := range NumRegions {
		for _, l := range b.tops[r] {
			if b.keep[l] {
				continue
			}
			var f Forest
			if err := b.emit(&f, l, 0, LevelOf(r), r); err != nil {
				return err
			}
			b.putTop(r, f)
		}
	}
	return b.checkAll()
}

// emit appends the subtree of a node, and adds nodes with a new location to the index.
func (b *rebuilder) emit(f *Forest, l *loose, level, above int32, region Region) error {
	b.posts = b.posts[:0]
	start := len(f.Recs)
	if err := b.emitNode(f, l, level, above, false); err != nil {
		return err
	}
	if len(b.posts) > 0 {
		h := b.b.locationOf(region, l.rec)
		for _, p := range b.posts {
			b.b.Index.Add(p.rec, h, p.hint-int32(start))
		}
	}
	return nil
}

func (b *rebuilder) emitNode(f *Forest, l *loose, level, above int32, placed bool) error {
	if int(level+above) >= b.limit {
		return b.tooDeep(l.rec)
	}
	l.met = true
	placed = placed || l.placed
	if placed || l.rekeyed {
		l.hint = int32(len(f.Recs))
		b.posts = append(b.posts, l)
	}
	f.Add(l.rec, level)
	slices.SortFunc(l.kids, func(a, c *loose) int { return CompareSiblings(a.rec, c.rec) })
	for _, k := range l.kids {
		if err := b.emitNode(f, k, level+1, above, placed); err != nil {
			return err
		}
	}
	return nil
}

// checkAll returns an error if a node was not emitted because it was put into itself or into a
// removed node.
func (b *rebuilder) checkAll() error {
	for _, l := range b.placed {
		if l.met {
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
