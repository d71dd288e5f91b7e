package engine

import (
	"cmp"
	"slices"

	"github.com/pactkit/pactkit/internal/tree"
)

// finish makes a snapshot of the tree that was read last.
func (rd *timelineReader) finish(d *document, edition Edition, working bool) (*Snapshot, error) {
	from := &tree.Origin{
		Edition: edition, Version: cmp.Or(d.version, edition.SpecVersion()), OwnVersion: d.version != "", Extra: d.extra, Index: rd.build.Index,
	}
	snap := (*Snapshot)(tree.NewSnapshot(from, d.cycle, working))
	snap.tree().SetAbout(d.info)
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
	f := t.forest(0, len(t.recs))
	rd.build.Assemble(snap.tree(), f.Recs, f.Levels)
	return snap, nil
}

// editionOf returns the edition of a tree whose spec_version is version; "" means that it has none.
func (rd *timelineReader) editionOf(version string) Edition {
	switch {
	case rd.opts.Edition != nil:
		return *rd.opts.Edition
	case version != "":
		e, _ := editionOf(version)
		return e
	case rd.hint != nil:
		return *rd.hint
	}
	return rd.assumed
}

// defaults fills in the headers that are missing in the file.
func (rd *timelineReader) defaults(r *tree.Record, i int, snap *Snapshot) {
	t := &rd.tree
	up := t.up[i]
	if _, isRegion := tree.RegionOf(r.Type); up < 0 || up == 0 && isRegion {
		r.Base = tree.BaseRegion
	}
	switch {
	case r.Type != "":
	case up < 0:
		r.Type = "^root"
	default:
		rd.filled = rd.filled || rd.hint == nil && !snap.origin().OwnVersion
		r.Type = childType(t.up[up] == 0 && t.recs[up].Type == "^seq", snap.Edition())
	}
	if !given(r).Has(tree.HeaderCycle) {
		r.Cycle = snap.Cycle()
	}
	from := r.Cycle
	if _, found := slices.BinarySearch(rd.replaced, r.ID); found && snap.Working() {
		from = snap.Cycle()
	}
	startTTL(r, from, rd.ttlFrom, snap.tree().TTLAt())
	r.Freeze()
}

// childType returns the default type of a node.
func childType(belowSeq bool, e Edition) string {
	if belowSeq {
		return baseName(tree.BaseSeg, e)
	}
	return baseName(tree.BaseBlock, e)
}

// startTTL turns the ttl of a record that was just read into an expiry. The ttl counts from the
// cycle from, unless ttlFrom has another one for the node. It was read in a state whose lifetimes
// count from ttlAt.
func startTTL(r *tree.Record, from int64, ttlFrom map[string]int64, ttlAt int64) {
	r.TTLFrom = from
	if other, ok := ttlFrom[r.ID]; ok {
		r.TTLFrom = other
	}
	if r.Has(tree.HeaderTTL) && !r.Exact(tree.HeaderTTL) {
		r.SetTTL(r.Expiry, ttlAt)
	}
}

// forest returns the nodes [from, to) of the tree in document order. The children of the root stay
// in the order of the file. Nothing is sorted if the file is in document order, as every export is.
func (t *rawTree) forest(from, to int) tree.Forest {
	last := make([]int32, to-from) // the last child seen of each node, plus 1
	for i := from + 1; i < to; i++ {
		up := t.up[i] - int32(from)
		if l := last[up]; l > 0 && t.levels[i] > 1 && tree.CompareSiblings(t.recs[from+int(l)-1], t.recs[i]) >= 0 {
			return t.sorted(from, to)
		}
		last[up] = int32(i-from) + 1
	}
	return tree.Forest{Recs: slices.Clone(t.recs[from:to]), Levels: slices.Clone(t.levels[from:to])}
}

// sorted is forest for nodes that are not in document order.
func (t *rawTree) sorted(from, to int) tree.Forest {
	kids := make([][]int, to-from)
	for i := from + 1; i < to; i++ {
		up := int(t.up[i]) - from
		kids[up] = append(kids[up], i)
	}
	f := tree.Forest{Recs: make([]*tree.Record, 0, to-from), Levels: make([]int32, 0, to-from)}
	var emit func(i int)
	emit = func(i int) {
		f.Add(t.recs[i], t.levels[i])
		if t.levels[i] > 0 {
			slices.SortFunc(kids[i-from], func(a, b int) int { return tree.CompareSiblings(t.recs[a], t.recs[b]) })
		}
		for _, k := range kids[i-from] {
			emit(k)
		}
	}
	emit(from)
	return f
}
