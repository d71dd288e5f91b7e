package engine

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
		// Readers do not mind: the home of a head is looked for in both places.
		c.head.top.Store(head)
		err = tx.cadence(v.sealed.cadence)
	}
	if err != nil {
		c.head.top.Store(nil)
		tx.rollback()
		return nil, err
	}
	next := *v.sealed
	next.sealed = append(next.sealed, sealed)
	if head != nil {
		c.head = &home{region: RegionSeq, head: true}
	}
	tx.publish(&next)
	return sealed, nil
}

// commit expires, prunes and seals. It returns the snapshot and the segment
// the head became.
func (tx *tx) commit() (*Snapshot, *record, error) {
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
	s.working, s.ttlAt = false, s.cycle
	tx.s.ttlAt = s.cycle
	tx.s.cycle++
	tx.nextIndex = 0
	return &s, head, nil
}

// seal turns the content of ^ah into a segment at depth 1. An empty head
// seals nothing (E5).
func (tx *tx) seal() (*record, error) {
	part := tx.s.parts[RegionHead]
	if part.len() == 0 {
		return nil, nil
	}
	seg, err := tx.newRecord("", BaseSeg.name(tx.s.edition), 0)
	if err != nil {
		return nil, err
	}
	seg.seal()
	f := forest{make([]*record, 1, part.root.sum.nodes+2), make([]int32, 1, part.root.sum.nodes+2)}
	f.recs[0] = seg
	made := []*record{seg}
	if at, _ := tx.headCore(); at >= 0 {
		for _, c := range part.all() {
			f.addAll(c, 0, len(c.recs), 1)
		}
	} else {
		core, err := tx.newRecord("", BaseCont.name(tx.s.edition), 0)
		if err != nil {
			return nil, err
		}
		core.seal()
		made = append(made, core)
		f = tx.sealCoreless(f, core)
	}
	tx.s.parts[RegionHead] = newSequence(nil)
	tx.s.parts[RegionSeq] = tx.s.parts[RegionSeq].append(newChunk(f))
	h := &home{region: RegionSeq}
	h.top.Store(seg)
	for _, r := range made {
		tx.add(r)
	}
	tx.settle(h, made...)
	return seg, nil
}

// sealCoreless gives a segment the core it must have, and puts into that what
// stood for one in the head.
func (tx *tx) sealCoreless(f forest, core *record) forest {
	var pre, mid, post forest
	mid.add(core, 1)
	for _, c := range tx.s.parts[RegionHead].all() {
		for i := 0; i < len(c.recs); i = c.End(i) {
			end := c.End(i)
			switch c.recs[i].number(hOffset).Cmp(Int(0)) {
			case -1:
				pre.addAll(c, i, end, 1)
			case 0:
				mid.addAll(c, i, end, 2)
			default:
				post.addAll(c, i, end, 1)
			}
		}
	}
	for _, g := range []forest{pre, mid, post} {
		f.recs, f.levels = append(f.recs, g.recs...), append(f.levels, g.levels...)
	}
	return f
}

// mustStay tells whether a node outlives any expiry and pruning whatever its
// headers say: segments, and the core container of a segment or of the head.
func (n Node) mustStay() bool {
	r := n.rec()
	if n.region() == regionTop || r.base == BaseSeg {
		return true
	}
	core := r.base == BaseCont && r.number(hOffset).Cmp(Int(0)) == 0
	return core && (n.region() == RegionHead && n.c.nav[n.i].level == 0 || n.region() == RegionSeq && n.c.nav[n.i].level == 1)
}
