package engine

import (
	"slices"

	"github.com/pactkit/pactkit/internal/tree"
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
	from := &tree.Origin{Edition: edition, Version: d.version, OwnVersion: d.version != "", Extra: d.extra, Index: rd.build.Index}
	snap := (*Snapshot)(tree.NewSnapshot(from, d.cycle, working))
	t := &rd.tree
	for i, r := range t.recs {
		rd.defaults(r, i, snap)
	}
	if working {
		rd.bindMarkers(t, snap.tree().TTLAt())
	}
	if err := rd.check(t, snap); err != nil {
		return nil, err
	}
	recs, levels := t.ordered()
	if from.Version == "" {
		from.Version = edition.SpecVersion()
	}
	rd.build.Assemble(snap.tree(), recs, levels)
	return snap, nil
}

func isRegionType(nodeType string) bool {
	_, ok := tree.RegionOf(nodeType)
	return ok
}

// defaults fills in what the file left out.
func (rd *reader) defaults(r *tree.Record, i int, snap *Snapshot) {
	t := &rd.tree
	up := t.up[i]
	if up < 0 || up == 0 && isRegionType(r.Type) {
		r.Base = tree.BaseRegion
	}
	if r.Type == "" {
		switch {
		case up < 0:
			r.Type = "^root"
		case t.up[up] == 0 && t.recs[up].Type == "^seq":
			r.Type = baseName(tree.BaseSeg, snap.Edition())
			rd.guessed, rd.guess = true, snap.Edition()
		default:
			r.Type = baseName(tree.BaseBlock, snap.Edition())
			rd.guessed, rd.guess = true, snap.Edition()
		}
	}
	if (!r.Have.Has(tree.HeaderCycle) || r.Null.Has(tree.HeaderCycle)) && !r.Exact(tree.HeaderCycle) {
		r.Cycle = snap.Cycle()
	}
	r.TTLFrom = r.Cycle
	if snap.Working() && len(rd.replaced) > 0 {
		if _, found := slices.BinarySearch(rd.replaced, r.ID); found {
			r.TTLFrom = snap.Cycle()
		}
	}
	if from, ok := rd.ttlFrom[r.ID]; ok {
		r.TTLFrom = from
	}
	if r.Have.Has(tree.HeaderTTL) && !r.Null.Has(tree.HeaderTTL) && !r.Exact(tree.HeaderTTL) {
		r.SetTTL(r.Expiry, snap.tree().TTLAt())
	}
	r.Freeze()
}

// ordered returns the tree in document order. A file in that order, as every
// export is, is only looked through.
func (t *rawTree) ordered() ([]*tree.Record, []int32) {
	n := len(t.recs)
	last := make([]int32, n) // the latest child seen of every node, +1
	sorted := true
	for i := 1; i < n && sorted; i++ {
		up := t.up[i]
		if l := last[up]; l > 0 && up > 0 {
			sorted = tree.CompareSiblings(t.recs[l-1], t.recs[i]) < 0
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
	recs, levels := make([]*tree.Record, 0, n), make([]int32, 0, n)
	var emit func(i int32)
	emit = func(i int32) {
		recs, levels = append(recs, t.recs[i]), append(levels, t.levels[i])
		if i > 0 {
			slices.SortFunc(kids[i], func(a, b int32) int { return tree.CompareSiblings(t.recs[a], t.recs[b]) })
		}
		for _, k := range kids[i] {
			emit(k)
		}
	}
	emit(0)
	return recs, levels
}
