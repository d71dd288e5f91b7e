package engine

import "github.com/pactkit/pactkit/internal/tree"

// Insert makes a node and its children at a position and returns the node. An older node with its
// key in the active head moves to the post-context of the newest segment. Errors are of type
// [*Error]: [ErrNotFound] for a position or reference that does not exist; [ErrPlacement],
// [ErrInvalidParent], [ErrParentNotContainer], [ErrSealed] and [ErrForbiddenRegion] for a position
// where the node must not be; [ErrOverlap] if an older node with its key would not be deeper;
// [ErrNodeIDDuplicate], [ErrNoRoom] and [ErrTreeDepth]; and [ErrInvariant], [ErrHeaderType] and
// [ErrFileEncoding] for an invalid draft. After an error nothing has changed. The cost depends on
// the draft and the turn that it goes to, not on the size of the tree.
func (c *Context) Insert(pos Position, d Draft) (Node, error) {
	if err := d.check(0); err != nil {
		return Node{}, err
	}
	return c.change(func(tx *tx) (string, error) {
		if err := tx.checkRefs(&d); err != nil {
			return "", err
		}
		return tx.insert(pos, &d)
	})
}

// insert inserts a draft and returns the id of the new node.
func (tx *tx) insert(pos Position, d *Draft) (string, error) {
	p, err := tx.locate(pos, d.base())
	if err != nil {
		return "", err
	}
	if p.region != tree.RegionSys {
		if err := tx.makeWay(d, p); err != nil {
			return "", err
		}
	}
	if !tx.placed.IsZero() { // makeWay moved nodes, so the position may be another one
		before := p.depth
		if p, err = tx.locate(pos, d.base()); err != nil {
			return "", err
		}
		if p.depth != before {
			return "", fail(ErrOverlap, "the parent of the new node is, or is inside, an older node with its key")
		}
	}
	if err := tx.checkDepth(p, d.base(), d.height()); err != nil {
		return "", err
	}
	f := tx.forest()
	switch {
	case p.splice:
		f = tx.wrap(d.base())
	case p.core:
		offset := p.offset
		p = tx.makeCore()
		p.offset = offset
	}
	above := len(f.Recs)
	tx.buildDraft(&f, d, p.offset, int32(above))
	if top := f.Recs[above]; p.ns != 0 {
		top.NS, top.ISO = p.ns, tx.c.instants.of(p.ns)
	}
	if d.Cad != nil {
		tx.schedule(tree.NewChunk(f).Subtree(above), tx.isCore(p))
	}
	if p.splice {
		tx.putSegment(p.depth, f)
	} else {
		tx.put(p, f)
	}
	return f.Recs[above].ID, nil
}

// makeCore makes the core container of the head (E2).
func (tx *tx) makeCore() destination {
	f := tx.forest()
	f.Add(tx.newStructure(tree.BaseCont), 0)
	tx.put(childOfHead, f)
	return tx.headCore()
}

// put adds the nodes of a forest to the tree.
func (tx *tx) put(p destination, f tree.Forest) {
	part := tx.part(p.region)
	top, at, i := f.Recs[0], p.at, 0
	if at >= 0 {
		c := part.At(at)
		top = c.Top(p.parent)
		i = c.InsertionIndex(p.parent, f.Recs[0])
		*part = part.Set(at, c.Insert(p.parent, i, f, c.Room(p.region)))
	} else {
		*part, at, i = part.Put(f)
	}
	if at >= 0 {
		tx.placed = tx.s.node(p.region, at, part.At(at), i)
	}
	tx.post(p.region, top, max(i, 0), f.Recs...)
}

// wrap makes the segment, and the core if there is one, for a node of a base that gets its own
// segment.
func (tx *tx) wrap(base tree.Base) tree.Forest {
	f := tx.forest()
	for level, b := range []tree.Base{tree.BaseSeg, tree.BaseCont}[:segmentLevel(base)] {
		f.Add(tx.newStructure(b), int32(level))
	}
	return f
}

// segmentLevel returns how many nodes wrap makes.
func segmentLevel(base tree.Base) int {
	return [...]int{tree.BaseBlock: 2, tree.BaseCont: 1, tree.BaseSeg: 0}[base]
}

// putSegment inserts a new segment at a depth (E3). Its instant is halfway between those of its
// neighbors, so canonical order is the order of depths.
func (tx *tx) putSegment(depth int, f tree.Forest) {
	seq := tx.part(tree.RegionSeq)
	at := seq.Len() - depth + 1
	if at < seq.Len() {
		low, high := int64(0), seq.At(at).Rec(0).NS
		if at > 0 {
			low = seq.At(at - 1).Rec(0).NS
		}
		mid := low + (high-low)/2
		if mid <= low || mid >= high {
			tx.fail(ErrNoRoom, "no instant is left between the segments at depth %d and %d", depth-1, depth)
		}
		f.Recs[0].NS = mid
		f.Recs[0].ISO = tx.c.instants.of(mid)
	}
	*seq = seq.Insert(at, tree.NewChunk(f.Clone()))
	tx.post(tree.RegionSeq, f.Recs[0], 0, f.Recs...)
}
