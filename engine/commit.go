package engine

import "slices"

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
	c.emptied = nil
	tx.publish(&next)
	return sealed, nil
}

// commit expires, prunes and seals. It returns the snapshot and the segment
// the head became.
func (tx *tx) commit() (*Snapshot, *record, error) {
	tx.expire()
	if p := tx.c.opts.Policy; p != nil {
		tx.prune(p)
	}
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

// reaper collects nodes that go in a commit, and knows what keeps others.
type reaper struct {
	tx       *tx
	dead     map[*record]bool
	released map[string]int // references that go with the dead
	graves   []Node         // each in a chunk that changes
}

func (tx *tx) newReaper() *reaper {
	return &reaper{tx: tx, dead: map[*record]bool{}}
}

// kept tells whether something keeps the node r itself.
func (rp *reaper) kept(r *record, inside map[string]int) bool {
	c := rp.tx.c
	return r.pinned || c.holds[r.id] > 0 || c.refs[r.id] > rp.released[r.id]+inside[r.id]
}

// take kills a subtree unless something in it must stay or is kept from
// outside.
func (rp *reaper) take(n Node) bool {
	gone := n.c.recs[n.i:n.c.end(n.i)]
	var inside map[string]int
	for _, r := range gone {
		for _, ref := range r.extra().refs {
			if !rp.dead[r] {
				if inside == nil {
					inside = map[string]int{}
				}
				inside[ref]++
			}
		}
	}
	for k, r := range gone {
		m := n
		m.i += int32(k)
		if !rp.dead[r] && (m.mustStay() || rp.kept(r, inside)) {
			return false
		}
	}
	for _, r := range gone {
		if !rp.dead[r] {
			rp.dead[r] = true
			for _, ref := range r.extra().refs {
				if rp.released == nil {
					rp.released = map[string]int{}
				}
				rp.released[ref]++
			}
		}
	}
	if last := len(rp.graves) - 1; last < 0 || rp.graves[last].c != n.c {
		rp.graves = append(rp.graves, n)
	}
	return true
}

// childless tells whether no living child of a container is left.
func (rp *reaper) childless(n Node) bool {
	for i := n.i + 1; i < n.c.end(n.i); i = n.c.end(i) {
		if !rp.dead[n.c.recs[i]] {
			return false
		}
	}
	return true
}

// expire removes nodes whose lifetime ended, then removable containers that
// lost their last child, upwards. What is referred to is kept until the
// reference goes, which may be in the same commit: so it goes round until
// nothing changes.
func (tx *tx) expire() {
	over := tx.s.cycle
	var due, empty, line []Node
	for r := range numRegions {
		part := tx.s.parts[r]
		for at, c := range part.where(0, part.len(), func(s *summary) bool { return s.expiry <= over }) {
			for i, rec := range c.recs {
				if rec.expiry <= over {
					due = append(due, tx.s.Node(r, at, c, i))
				}
			}
		}
	}
	for _, id := range append(tx.c.emptied, tx.emptied...) {
		if n, ok := tx.find(id); ok {
			empty = append(empty, n)
		}
	}
	if len(due) == 0 && len(empty) == 0 {
		return
	}
	rp := tx.newReaper()
	for changed := true; changed; {
		changed = false
		for _, n := range due {
			if !rp.dead[n.rec()] && rp.take(n) {
				changed = true
				empty = n.appendAbove(empty)
			}
		}
		for _, n := range empty {
			line = n.appendAbove(append(line[:0], n))
			for _, up := range line {
				if !up.rec().removable || rp.dead[up.rec()] || !rp.childless(up) || !rp.take(up) {
					break
				}
				changed = true
			}
		}
	}
	rp.bury()
}

// appendAbove appends the parent within the chunk, its parent, and so on
// upwards.
func (n Node) appendAbove(dst []Node) []Node {
	for n.i = n.c.nav[n.i].parent; n.i >= 0; n.i = n.c.nav[n.i].parent {
		dst = append(dst, n)
	}
	return dst
}

// bury takes the dead out of the tree.
func (rp *reaper) bury() {
	tx := rp.tx
	// From the end, so that a chunk that goes does not move the others.
	slices.SortFunc(rp.graves, func(a, b Node) int { return b.Compare(a) })
	rp.graves = slices.CompactFunc(rp.graves, func(a, b Node) bool { return a.c == b.c })
	for _, n := range rp.graves {
		left := len(n.c.recs)
		for _, r := range n.c.recs {
			if rp.dead[r] {
				tx.count(r, -1)
				left--
			}
		}
		part := &tx.s.parts[n.region()]
		if left == len(n.c.recs)-(n.c.End(int(n.i))-int(n.i)) { // nothing but the subtree of n
			*part = part.set(int(n.at()), n.c.without(int(n.i)))
			continue
		}
		f := forest{make([]*record, 0, left), make([]int32, 0, left)}
		for i, r := range n.c.recs {
			if !rp.dead[r] {
				f.add(r, n.c.nav[i].level)
			}
		}
		*part = part.set(int(n.at()), newChunk(f))
	}
}
