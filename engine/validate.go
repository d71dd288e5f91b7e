package engine

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/pactkit/pactkit/internal/tree"
)

// finding is a violated invariant at a node.
type finding struct {
	node int
	msg  string // begins with the name of the invariant
}

// maxFindings limits the number of findings for a hostile file.
const maxFindings = 1000

// invariants returns the violated invariants, ordered by invariant, then by node.
func (t *rawTree) invariants(ttlAt int64) []finding {
	var out []finding
	report := func(node int, name, format string, args ...any) {
		if len(out) < maxFindings {
			out = append(out, finding{node, name + ": " + fmt.Sprintf(format, args...)})
		}
	}
	t.checkRegions(report)
	t.checkCores(report)
	t.checkHeaders(ttlAt, report)
	t.checkRefs(report)
	t.checkOrder(report)
	t.checkParents(report)
	return out
}

// reporter records a finding.
type reporter func(node int, name, format string, args ...any)

// checkRegions checks that the root is a ^root, and that its children are exactly one ^sys, ^seq
// and ^ah.
func (t *rawTree) checkRegions(report reporter) {
	if t.recs[0].Type != "^root" && t.recs[0].Type != "root" {
		report(0, "root", "the root is of type %q", t.recs[0].Type)
	}
	var count [tree.RegionRest]int
	for i, r := range t.recs {
		if t.up[i] != 0 {
			continue
		}
		region, ok := tree.RegionOf(r.Type)
		if !ok {
			report(i, "regions", "^root holds only regions, and %q is not one", r.ID)
			continue
		}
		if count[region]++; count[region] > 1 {
			report(i, "regions", "a second %s", r.Type)
		}
	}
	for region, n := range count {
		if n == 0 {
			report(0, "regions", "no %s", tree.RegionTypes[region])
		}
	}
}

// checkCores checks that every child of ^seq is a segment with one core container.
func (t *rawTree) checkCores(report reporter) {
	cores := make([]int32, len(t.recs))
	seq := -1
	for i, r := range t.recs {
		up := t.up[i]
		if up == 0 && r.Type == "^seq" && seq < 0 {
			seq = i
		}
		if up > 0 && r.Base == tree.BaseCont && r.OffsetSign() == 0 {
			cores[up]++
		}
		if up < 0 {
			continue
		}
		if p := t.recs[up]; p.Base == tree.BaseBlock {
			report(i, "container", "%q is in %q, which is a block", r.ID, p.ID)
		}
		switch inSeq := seq > 0 && int(up) == seq; {
		case inSeq && r.Base != tree.BaseSeg:
			report(i, "segments", "^seq holds only segments, and %q is not one", r.ID)
		case !inSeq && r.Base == tree.BaseSeg:
			report(i, "segments", "the segment %q is not a child of ^seq", r.ID)
		}
	}
	for i, r := range t.recs {
		if r.Base == tree.BaseSeg && cores[i] != 1 || cores[i] > 1 && r.Type == "^ah" && r.Base == tree.BaseRegion {
			report(i, "core", "%q has %d core containers at offset 0", r.ID, cores[i])
		}
	}
}

// checkHeaders checks that no ttl is negative, that every cad is positive, and that neither the
// root nor a region is removable.
func (t *rawTree) checkHeaders(ttlAt int64, report reporter) {
	for i, r := range t.recs {
		if n, ok := ttlOf(r, ttlAt); ok && n.Cmp(Int(0)) < 0 {
			report(i, "ttl", "the ttl of %q is negative", r.ID)
		}
		if r.Has(tree.HeaderCad) && numberOf(r, tree.HeaderCad).Cmp(Int(1)) < 0 {
			report(i, "cad", "the cad of %q is below 1", r.ID)
		}
		if r.Removable && r.Base == tree.BaseRegion {
			report(i, "removable", "%q is removable", r.ID)
		}
	}
}

// checkRefs checks that the nodes that others refer to exist.
func (t *rawTree) checkRefs(report reporter) {
	var ids map[string]bool
	for i, r := range t.recs {
		for _, ref := range r.Extra().Refs {
			if ids == nil {
				ids = make(map[string]bool, len(t.recs))
				for _, o := range t.recs {
					ids[o.ID] = true
				}
			}
			if !ids[ref] {
				report(i, "refs", "%q refers to %q, which does not exist", r.ID, ref)
			}
		}
	}
}

// checkOrder checks that no two nodes of a cycle have the same created_at_ns or creation_index. The
// instant of a node that was put between two others follows from its position, so it need not
// increase with the index (E13). checkOrder skips segments, whose instants follow from their
// depths, and nodes in which either is 0, which an export writes for a missing value.
func (t *rawTree) checkOrder(report reporter) {
	list := make([]int32, 0, len(t.recs))
	for i, r := range t.recs {
		if r.NS != 0 && r.Index != 0 && r.Base != tree.BaseSeg && len(r.Extra().Numbers) == 0 {
			list = append(list, int32(i))
		}
	}
	for _, h := range [...]tree.Header{tree.HeaderCreatedNS, tree.HeaderCreationIndex} {
		slices.SortFunc(list, func(a, b int32) int {
			ra, rb := t.recs[a], t.recs[b]
			return cmp.Or(cmp.Compare(ra.Cycle, rb.Cycle), cmp.Compare(*ra.Integer(h), *rb.Integer(h)), cmp.Compare(a, b))
		})
		for k := 1; k < len(list); k++ {
			a, b := t.recs[list[k-1]], t.recs[list[k]]
			isSame := a.Cycle == b.Cycle && *a.Integer(h) == *b.Integer(h)
			if reported := h == tree.HeaderCreationIndex && a.NS == b.NS; isSame && !reported {
				report(int(list[k]), "order", "%q has the same %s as %q, of the same cycle", b.ID, tree.HeaderNames[h], a.ID)
			}
		}
	}
}

// check reports the violated invariants of the tree just read: as warnings or, in strict mode, the
// first one as an error.
func (rd *timelineReader) check(t *rawTree, snap *Snapshot) error {
	if !rd.opts.Strict && len(rd.warnings) >= maxFindings {
		return nil
	}
	for _, f := range t.invariants(snap.tree().TTLAt()) {
		path := t.appendPath([]byte(rd.snapshotPath()+".root"), f.node)
		if err := rd.warn(rd.sc.errorOn(t.at[f.node], string(path), ErrInvariant, "%s", f.msg)); err != nil {
			return err
		}
	}
	return nil
}

// warn returns err in strict mode. Otherwise it keeps err as a warning and returns nil.
func (rd *timelineReader) warn(err *Error) error {
	if rd.opts.Strict {
		return err
	}
	if len(rd.warnings) < maxFindings {
		rd.warnings = append(rd.warnings, err)
	}
	return nil
}

// checkVersion reports a spec_version of an unknown edition, unless the caller names the edition.
// It reports repeated ones only once.
func (rd *timelineReader) checkVersion(v string, at int) error {
	edition, known := editionOf(v)
	if known || rd.opts.Edition != nil || v == "" || v == rd.warned {
		return nil
	}
	rd.warned = v
	return rd.warn(rd.sc.errorOn(at, rd.snapshotPath()+".spec_version", ErrFileVersion,
		"%q is not a known edition (PACT/1.0 or PACT/0.1); it is read as %s", v, edition))
}

// checkParents checks that every parent_id names the enclosing node. Reading ignores parent_id, so
// a file cannot make a cycle.
func (t *rawTree) checkParents(report reporter) {
	for _, stated := range t.stated {
		up, around := t.up[stated.node], "nothing"
		if up >= 0 {
			if t.recs[up].ID == stated.id {
				continue
			}
			around = fmt.Sprintf("%q", t.recs[up].ID)
		}
		report(int(stated.node), "parent", "the parent_id of %q is %q, but it is in %s", t.recs[stated.node].ID, stated.id, around)
	}
}

// appendPath appends the JSON path of node i below the root.
func (t *rawTree) appendPath(dst []byte, i int) []byte {
	if t.up[i] < 0 {
		return dst
	}
	dst = append(t.appendPath(dst, int(t.up[i])), ".children["...)
	return append(strconv.AppendInt(dst, int64(t.nth[i]), 10), ']')
}

// Validate checks the invariants of PACT 0.1, 02. It returns every violation, at most 1,000, as an
// [Error] of code [ErrInvariant] whose message begins with the name of the invariant. Snapshots
// that the engine makes always pass. The cost is a pass over the nodes.
func (s *Snapshot) Validate() []*Error {
	var t rawTree
	above := []int32{-1} // the parent of the root, and the last node of each level
	for n := range s.All() {
		level := n.chunk().Nav[n.i()].Level
		if n.region() != tree.RegionTop {
			level += tree.LevelOf(n.region())
		}
		above = append(above[:level+1], int32(len(t.recs)))
		t.recs, t.up = append(t.recs, n.rec()), append(t.up, above[level])
	}
	var out []*Error
	for _, f := range t.invariants(s.tree().TTLAt()) {
		out = append(out, &Error{Code: ErrInvariant, Msg: f.msg})
	}
	return out
}
