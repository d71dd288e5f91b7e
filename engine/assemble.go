package engine

import (
	"slices"
)

// finish makes the snapshot of the tree that was read last.
func (rd *reader) finish(d *document, working bool) (*Snapshot, error) {
	edition := Edition10
	switch {
	case rd.opts.Edition != nil:
		edition = *rd.opts.Edition
	case d.version != "":
		edition, _ = editionOf(d.version)
	case rd.hint != nil:
		edition = *rd.hint
	}
	snap := &Snapshot{
		origin: &origin{edition, d.version, d.version != "", d.extra, rd.index},
		cycle:  d.cycle, ttlAt: d.cycle, working: working,
	}
	if working {
		snap.ttlAt--
	}
	t := &rd.tree
	for i, r := range t.recs {
		rd.defaults(r, i, snap)
	}
	if working {
		rd.bindMarkers(t, snap.ttlAt)
	}
	if err := rd.check(t, snap); err != nil {
		return nil, err
	}
	recs, levels := t.ordered()
	rd.assemble(snap, recs, levels)
	rd.prev = snap
	return snap, nil
}

// defaults fills in what the file left out.
func (rd *reader) defaults(r *record, i int, snap *Snapshot) {
	t := &rd.tree
	up := t.up[i]
	if up < 0 || up == 0 && r.isRegion() {
		r.base = BaseRegion
	}
	if r.typ == "" {
		switch {
		case up < 0:
			r.typ = "^root"
		case t.up[up] == 0 && t.recs[up].typ == "^seq":
			r.typ = BaseSeg.name(snap.edition)
			rd.guessed, rd.guess = true, snap.edition
		default:
			r.typ = BaseBlock.name(snap.edition)
			rd.guessed, rd.guess = true, snap.edition
		}
	}
	if (!r.have.has(hCycle) || r.null.has(hCycle)) && !r.exact(hCycle) {
		r.cycle = snap.cycle
	}
	r.ttlFrom = r.cycle
	if snap.working && len(rd.replaced) > 0 {
		if _, found := slices.BinarySearch(rd.replaced, r.id); found {
			r.ttlFrom = snap.cycle
		}
	}
	if r.have.has(hTTL) && !r.null.has(hTTL) && !r.exact(hTTL) {
		r.setTTL(Int(r.expiry), snap.ttlAt)
	}
	r.seal()
}

func (r *record) isRegion() bool {
	_, ok := regionOf(r.typ)
	return ok
}

// ordered returns the tree in document order. A file in that order, as every
// export is, is only looked through.
func (t *rawTree) ordered() ([]*record, []int32) {
	n := len(t.recs)
	last := make([]int32, n) // the latest child seen of every node, +1
	sorted := true
	for i := 1; i < n && sorted; i++ {
		up := t.up[i]
		if l := last[up]; l > 0 && up > 0 {
			sorted = compareSiblings(t.recs[l-1], t.recs[i]) < 0
		}
		last[up] = int32(i) + 1
	}
	if sorted {
		return slices.Clone(t.recs), slices.Clone(t.levels)
	}
	kids := make([][]int32, n)
	for i := 1; i < n; i++ {
		kids[t.up[i]] = append(kids[t.up[i]], int32(i))
	}
	recs, levels := make([]*record, 0, n), make([]int32, 0, n)
	var emit func(i int32)
	emit = func(i int32) {
		recs, levels = append(recs, t.recs[i]), append(levels, t.levels[i])
		if i > 0 {
			slices.SortFunc(kids[i], func(a, b int32) int { return compareSiblings(t.recs[a], t.recs[b]) })
		}
		for _, k := range kids[i] {
			emit(k)
		}
	}
	emit(0)
	return recs, levels
}

// assemble cuts a tree in document order into regions and chunks, sharing
// with the snapshot before whatever did not change.
func (rd *reader) assemble(snap *Snapshot, recs []*record, levels []int32) {
	if snap.version == "" {
		snap.version = snap.edition.SpecVersion()
	}
	var parts [numRegions]forest
	tops := [RegionRest]*record{}
	type span struct{ from, to int }
	var rest []span
	for i := 1; i < len(recs); {
		end := i + 1
		for end < len(recs) && levels[end] > 1 {
			end++
		}
		r := recs[i]
		if region, ok := regionOf(r.typ); ok && tops[region] == nil {
			tops[region] = r
			f := forest{recs[i+1 : end : end], levels[i+1 : end : end]}
			for k := range f.levels {
				f.levels[k] -= 2
			}
			parts[region] = f
		} else {
			r.demoteRegion()
			rest = append(rest, span{i, end})
		}
		i = end
	}
	slices.SortFunc(rest, func(a, b span) int { return compareSiblings(recs[a.from], recs[b.from]) })
	for _, sp := range rest {
		for k := sp.from; k < sp.to; k++ {
			parts[RegionRest].add(recs[k], levels[k]-1)
		}
	}
	snap.setTops(recs[0], tops)
	for r := range numRegions {
		chunks := cut(parts[r], r == RegionSeq)
		var old sequence
		if rd.prev != nil {
			old = rd.prev.parts[r]
			shareChunks(old, chunks)
		}
		snap.parts[r] = sequenceLike(old, chunks)
		for _, c := range chunks {
			rd.register(r, c)
		}
	}
	if rd.prev != nil && slices.EqualFunc(snap.tops.recs, rd.prev.tops.recs, (*record).equal) {
		snap.tops = rd.prev.tops
	}
}

// demoteRegion turns a second region of a kind into an ordinary node.
func (r *record) demoteRegion() {
	if r.base == BaseRegion {
		r.base = BaseBlock
		r.seal()
	}
}

func (s *Snapshot) setTops(root *record, regions [RegionRest]*record) {
	f := forest{[]*record{root}, []int32{0}}
	for r, rec := range regions {
		s.where[r] = -1
		if rec != nil {
			s.where[r] = int8(len(f.recs))
			f.add(rec, 1)
		}
	}
	s.tops = newChunk(f)
}

// register makes the nodes of a chunk findable.
func (rd *reader) register(r Region, c *Chunk) {
	if c.lazy.registered {
		return
	}
	c.lazy.registered = true
	h := rd.head
	for i, rec := range c.recs {
		if r != RegionHead && c.nav[i].level == 0 {
			h = &home{region: r}
			h.top.Store(rec)
		}
		rd.index.ids.addBase(rec.id, h, int32(i))
		if rec.key != "" {
			rd.index.keys.addBase(rec.key, h, int32(i))
		}
	}
}

// shareChunks replaces chunks, and records in changed ones, by their equals
// in old.
func shareChunks(old sequence, chunks []*Chunk) {
	for i, c := range chunks {
		at := old.find(c.recs[0])
		if at < 0 {
			continue
		}
		o := old.at(at)
		if o.recs[0].id != c.recs[0].id {
			continue
		}
		same := len(o.recs) == len(c.recs)
		for k, r := range c.recs {
			same = same && o.nav[k] == c.nav[k]
			if k < len(o.recs) && o.recs[k].equal(r) {
				c.recs[k] = o.recs[k]
			} else {
				same = false
			}
		}
		if same {
			chunks[i] = o
		}
	}
}

// sequenceLike makes a sequence of chunks that shares as much as it can with
// old.
func sequenceLike(old sequence, chunks []*Chunk) sequence {
	if old.root == nil || old.len() > len(chunks) || old.len() == 0 {
		return newSequence(chunks)
	}
	var changed []int
	for i, c := range old.all() {
		if c != chunks[i] {
			changed = append(changed, i)
		}
	}
	if len(changed)+len(chunks)-old.len() > len(chunks)/4+4 {
		return newSequence(chunks)
	}
	for _, i := range changed {
		old = old.set(i, chunks[i])
	}
	for _, c := range chunks[old.len():] {
		old = old.append(c)
	}
	return old
}

// equal tells whether two records would be exported alike in every snapshot.
func (r *record) equal(o *record) bool {
	if r == o {
		return true
	}
	if r.id != o.id || r.typ != o.typ || r.key != o.key || r.kind != o.kind || r.role != o.role ||
		r.iso != o.iso || r.content != o.content || r.offset != o.offset || r.priority != o.priority ||
		r.cycle != o.cycle || r.ns != o.ns || r.index != o.index || r.cad != o.cad || r.expiry != o.expiry || r.expiry != never && r.ttlFrom != o.ttlFrom ||
		r.have != o.have || r.null != o.null || r.removable != o.removable || r.pinned != o.pinned || r.base != o.base {
		return false
	}
	a, b := r.extra(), o.extra()
	return a == b || a.tag == b.tag && a.refsText == b.refsText && a.hash == b.hash && a.provenance == b.provenance && a.unnamed == b.unnamed &&
		slices.Equal(a.numbers, b.numbers) && slices.Equal(a.members, b.members)
}
