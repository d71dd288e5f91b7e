package engine

import "github.com/pactkit/pactkit/internal/tree"

// Commit ends the cycle and returns its snapshot: nodes whose lifetime is
// over go, the policy prunes, the content of the head becomes the newest
// segment, and then cadences put their instances into the new head. It
// happens as a whole or not at all. Time and memory depend on what changes,
// not on the size of the tree; a policy that has to choose looks at its scope.
func (c *Context) Commit() (*Snapshot, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	v := c.view.Load()
	tx := c.begin(&v.working)
	sealed, head, err := tx.commit()
	if err == nil {
		// Readers do not mind: the location of a head is looked for in both places.
		c.head.Top.Store(head)
		err = tx.cadence(v.sealed.cadence)
	}
	if err != nil {
		c.head.Top.Store(nil)
		tx.rollback()
		return nil, err
	}
	next := *v.sealed
	next.sealed = append(next.sealed, sealed)
	if head != nil {
		c.head = &tree.Location{Region: tree.RegionSeq, Head: true}
	}
	tx.publish(&next)
	return sealed, nil
}

// commit expires, prunes and seals. It returns the snapshot and the segment
// the head became.
func (tx *tx) commit() (*Snapshot, *tree.Record, error) {
	tx.collect(tx.due())
	if p := tx.c.opts.Policy; p != nil {
		tx.prune(p)
		tx.collect(nil)
	}
	tx.keepEmptied()
	head, err := tx.seal()
	if err != nil {
		return nil, nil, err
	}
	s := *tx.s
	s.IsWorking, s.TTLAt = false, s.CommitCycle
	tx.s.TTLAt = s.CommitCycle
	tx.s.CommitCycle++
	tx.nextIndex = 0
	return &s, head, nil
}

// seal turns the content of ^ah into a segment at depth 1. An empty head
// seals nothing (E5).
func (tx *tx) seal() (*tree.Record, error) {
	part := tx.s.Parts[tree.RegionHead]
	if part.Len() == 0 {
		return nil, nil
	}
	seg, err := tx.newRecord("", baseName(tree.BaseSeg, tx.s.Edition()), 0)
	if err != nil {
		return nil, err
	}
	seg.Freeze()
	f := tree.Forest{Recs: make([]*tree.Record, 1, part.Nodes()+2), Levels: make([]int32, 1, part.Nodes()+2)}
	f.Recs[0] = seg
	made := []*tree.Record{seg}
	if at, _ := tx.headCore(); at >= 0 {
		for _, c := range part.All() {
			f.AddAll(c, 0, len(c.Recs), 1)
		}
	} else {
		core, err := tx.newRecord("", baseName(tree.BaseCont, tx.s.Edition()), 0)
		if err != nil {
			return nil, err
		}
		core.Freeze()
		made = append(made, core)
		f = tx.sealCoreless(f, core)
	}
	tx.s.Parts[tree.RegionHead] = tree.NewSequence(nil)
	tx.s.Parts[tree.RegionSeq] = tx.s.Parts[tree.RegionSeq].Append(tree.NewChunk(f))
	h := &tree.Location{Region: tree.RegionSeq}
	h.Top.Store(seg)
	for _, r := range made {
		tx.add(r)
	}
	tx.noteLocation(h, made...)
	return seg, nil
}

// sealCoreless gives a segment the core it must have, and puts into that what
// stood for one in the head.
func (tx *tx) sealCoreless(f tree.Forest, core *tree.Record) tree.Forest {
	var pre, mid, post tree.Forest
	mid.Add(core, 1)
	for _, c := range tx.s.Parts[tree.RegionHead].All() {
		for i := 0; i < len(c.Recs); i = c.End(i) {
			end := c.End(i)
			switch c.Recs[i].OffsetSign() {
			case -1:
				pre.AddAll(c, i, end, 1)
			case 0:
				mid.AddAll(c, i, end, 2)
			default:
				post.AddAll(c, i, end, 1)
			}
		}
	}
	for _, g := range []tree.Forest{pre, mid, post} {
		f.Recs, f.Levels = append(f.Recs, g.Recs...), append(f.Levels, g.Levels...)
	}
	return f
}

// mustStay tells whether a node outlives any expiry and pruning whatever its
// headers say: segments, and the core container of a segment or of the head.
func (n Node) mustStay() bool {
	r := n.rec()
	if n.region() == tree.RegionTop || r.Base == tree.BaseSeg {
		return true
	}
	core := r.Base == tree.BaseCont && r.OffsetSign() == 0
	return core && (n.region() == tree.RegionHead && n.Chunk.Nav[n.I].Level == 0 || n.region() == tree.RegionSeq && n.Chunk.Nav[n.I].Level == 1)
}
