package tree

import (
	"fmt"
	"slices"
)

// Patch describes the changes from a snapshot to the next one. Its nodes are those of the older
// snapshot. It has no positions, because the canonical order of the records determines them.
type Patch struct {
	Remove []Node // with their subtrees, except nodes that move
	Change []Replacement
	Move   []Relocation // with their subtrees
	Add    []Addition   // grouped by parent, and in canonical order
}

// Replacement is a node with its new record, which has the same id.
type Replacement struct {
	Node Node
	Rec  *Record
}

// Relocation is a node with the id of its new parent.
type Relocation struct {
	Node   Node
	Parent string
}

// Addition is a new subtree with the id of its parent.
type Addition struct {
	Parent string
	Forest Forest
}

// aFew is the largest number of changes or additions that are made one by one. If there are more,
// each chunk is rebuilt once.
const aFew = 8

// Patch turns s, a copy of a snapshot that the builder made, into the next snapshot. It returns an
// error that names a node if the patch does not fit, or if a node would have limit or more nodes
// above it; then s is unusable. The cost is linear in the size of the chunks that the patch
// changes; a few additions at the end of a chunk cost only their own size.
func (b *Builder) Patch(s *Snapshot, p *Patch, limit int) error {
	x := patcher{b: b, s: s, limit: limit}
	if len(p.Remove)+len(p.Move) > 0 || len(p.Add) > aFew || len(p.Change) > aFew || slices.ContainsFunc(p.Change, Replacement.reorders) {
		return x.rebuild(p)
	}
	for _, c := range p.Change {
		x.replace(c)
	}
	for len(p.Add) > 0 {
		n := 1
		for n < len(p.Add) && p.Add[n].Parent == p.Add[0].Parent {
			n++
		}
		if err := x.add(p.Add[:n]); err != nil {
			return err
		}
		p.Add = p.Add[n:]
	}
	return nil
}

// reorders reports whether the position of the node among its siblings may change.
func (c Replacement) reorders() bool {
	return c.Node.Region() != RegionTop && CompareSiblings(c.Node.Rec(), c.Rec) != 0
}

// patcher applies one patch.
type patcher struct {
	b     *Builder
	s     *Snapshot
	limit int
}

// replace replaces a record.
func (x *patcher) replace(c Replacement) {
	n := c.Node
	region := n.Region()
	if region == RegionTop {
		x.s.roots = x.s.roots.WithRecord(int(n.i), c.Rec)
		return
	}
	part := &x.s.parts[region]
	chunk := part.At(n.At()).WithRecord(int(n.i), c.Rec)
	*part = part.Set(n.At(), chunk)
	if c.Rec.Key != n.Rec().Key {
		x.b.Index.Add(c.Rec, x.b.locationOf(region, chunk.Top(int(n.i))), n.i)
	}
}

// Top returns the child of the region whose subtree contains node i.
func (c *Chunk) Top(i int) *Record {
	for c.Nav[i].Parent >= 0 {
		i = int(c.Nav[i].Parent)
	}
	return c.Rec(i)
}

// parent returns the node with an id, and the region of its children. top reports whether the node
// is that region or the root.
func (x *patcher) parent(id string) (n Node, region Region, top bool, err error) {
	n, ok := x.s.Find(id)
	if !ok {
		return n, 0, false, fmt.Errorf("the parent %q does not exist", id)
	}
	if region = n.Region(); region == RegionTop {
		return n, n.Content(), true, nil
	}
	return n, region, false, nil
}

// LevelOf returns how many nodes are above a child of a region.
func LevelOf(r Region) int32 {
	if r == RegionRest {
		return 1
	}
	return 2
}

func (x *patcher) tooDeep(r *Record) error {
	return fmt.Errorf("%q is nested deeper than %d levels", r.ID, x.limit)
}

// add adds subtrees to one parent.
func (x *patcher) add(list []Addition) error {
	n, region, top, err := x.parent(list[0].Parent)
	if err != nil {
		return err
	}
	level := LevelOf(region)
	if !top {
		level += n.chunk.Nav[n.i].Level + 1
	}
	for _, a := range list {
		for i, l := range a.Forest.Levels {
			if int(l+level) >= x.limit {
				return x.tooDeep(a.Forest.Recs[i])
			}
		}
	}
	if top {
		for _, a := range list {
			x.putTop(region, a.Forest)
			x.b.Index.AddAll(a.Forest.Recs, x.b.locationOf(region, a.Forest.Recs[0]), 0)
		}
		return nil
	}
	part, at := &x.s.parts[region], n.At()
	h := x.b.locationOf(region, n.chunk.Top(int(n.i)))
	c := n.chunk
	for _, a := range list {
		i := c.InsertionIndex(int(n.i), a.Forest.Recs[0])
		c = c.Insert(int(n.i), i, a.Forest, c.Room(region))
		x.b.Index.AddAll(a.Forest.Recs, h, i)
	}
	*part = part.Set(at, c)
	return nil
}

// putTop inserts a child of a region in canonical order.
func (x *patcher) putTop(region Region, f Forest) {
	part := &x.s.parts[region]
	if region == RegionSeq {
		*part = part.Insert(part.Find(f.Recs[0])+1, NewChunk(f))
	} else {
		*part, _, _ = part.Put(f)
	}
}

// locationOf returns a location for the nodes of a child of a region.
func (b *Builder) locationOf(r Region, top *Record) *Location {
	if r == RegionHead {
		return b.head
	}
	return NewLocation(r, top)
}

// Newest makes s the snapshot with which the next assembled one shares parts.
func (b *Builder) Newest(s *Snapshot) { b.prev = s }

// Without returns a copy of a record without some headers and without any custom members.
func (r *Record) Without(headers ...Header) *Record {
	next := r.Copy()
	if next.More != nil {
		next.More.Members = nil
	}
	for _, h := range headers {
		next.Reset(h)
	}
	next.Freeze()
	return next
}
