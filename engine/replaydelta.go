package engine

import (
	"cmp"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/internal/tree"
)

// tree makes the snapshot of an entry, which has a whole tree or a delta from the newest snapshot.
func (rp *Replayer) tree(st *entryText) (*Snapshot, error) {
	base := rp.Last()
	switch {
	case st.hasRoot:
		return rp.whole(st)
	case base == nil:
		return nil, rp.rd.sc.errorAt(0, ErrFileShape, "there is no snapshot to change")
	}
	next := *base
	next.tree().SetAbout(nil)
	// Searches in a working state do not build tables of ids, which only pay off for many searches.
	next.tree().SetCycle(st.Cycle, len(st.changed)+len(st.removed)+len(st.moved) < manyNames)
	if st.hasVersion && st.version != base.SpecVersion() || st.extra != nil {
		o := *base.origin()
		if st.hasVersion {
			o.Version = st.version
		}
		if st.extra != nil {
			o.Extra = st.extra
		}
		next.tree().SetOrigin(&o)
	}
	p := tree.Patch{Add: rp.additions(st, &next), Change: rp.replacements(st, &next)}
	for _, id := range st.removed {
		if n, ok := rp.find(&next, id, 0); ok {
			p.Remove = append(p.Remove, tree.Node(n))
		}
	}
	for _, m := range st.moved {
		if n, ok := rp.find(&next, m.id, m.at); ok {
			p.Move = append(p.Move, tree.Relocation{Node: tree.Node(n), Parent: m.parent})
		}
	}
	if rp.err != nil {
		return nil, rp.err
	}
	next.tree().SetCycle(st.Cycle, true)
	if err := rp.rd.build.Patch(next.tree(), &p, rp.rd.opts.maxDepth()); err != nil {
		return nil, rp.rd.sc.errorAt(0, ErrFileShape, "%v", err)
	}
	if st.Kind != EntryWorking {
		next.tree().Seal()
		rp.rd.build.Newest(next.tree())
	}
	return &next, nil
}

// manyNames is the number of nodes in an entry from which a table of the ids pays off.
const manyNames = 64

// fail makes the entry fail, unless it has failed already. The patch of a failed entry is not
// applied, so the functions that make parts of it can continue, and do not return errors.
func (rp *Replayer) fail(at int, code Code, format string, args ...any) {
	if rp.err == nil {
		rp.err = rp.rd.sc.errorAt(at, code, format, args...)
	}
}

// find returns the node with the given id. If s has no such node, the entry fails.
func (rp *Replayer) find(s *Snapshot, id string, at int) (Node, bool) {
	n, ok := s.Find(id)
	if !ok {
		rp.fail(at, ErrNotFound, "no node has the id %q", id)
	}
	return n, ok
}

// additions returns the new nodes, which are in the tree of the reader.
func (rp *Replayer) additions(st *entryText, next *Snapshot) (out []tree.Addition) {
	t := &rp.rd.tree
	if len(t.recs) == 0 {
		return nil
	}
	parents := make([]string, len(t.recs))
	for _, stated := range t.stated {
		if up := t.up[stated.node]; up >= 0 && t.recs[up].ID != stated.id {
			rp.fail(t.at[stated.node], ErrFileShape, "the parent_id of %q is %q, but it is in %q", t.recs[stated.node].ID, stated.id, t.recs[up].ID)
		}
		parents[stated.node] = stated.id
	}
	before := next.lastMade()
	for i := 0; i < len(t.recs); {
		end := i + 1
		for end < len(t.recs) && t.levels[end] > topLevel {
			end++
		}
		seq := rp.parentOfTop(&parents[i], i, next)
		for k := range end - i {
			if seq { // a segment is made after its subtree
				k = (k + 1) % (end - i)
			}
			rp.fill(st, next, i+k, before, parents[i+k])
			before = before.next(t.recs[i+k])
		}
		out = append(out, tree.Addition{Parent: parents[i], Forest: t.subtree(i, end)})
		i = end
	}
	if len(st.gaps) > 0 {
		rp.fail(0, ErrFileShape, "ns has more elements than there are new nodes without created_at_ns")
	}
	slices.SortStableFunc(out, func(a, b tree.Addition) int {
		return cmp.Or(strings.Compare(a.Parent, b.Parent), tree.CompareSiblings(a.Forest.Recs[0], b.Forest.Recs[0]))
	})
	return out
}

// parentOfTop sets the parent of the top node of a new subtree if that names none. It reports
// whether the parent is ^seq.
func (rp *Replayer) parentOfTop(parent *string, i int, next *Snapshot) bool {
	t := &rp.rd.tree
	seq, ok := next.Region(tree.RegionSeq)
	if *parent == "" {
		base, _ := tree.SplitType(cmp.Or(t.recs[i].Type, typeOfID(t.recs[i].ID, next.Edition())))
		if *parent = next.usualParent(base); *parent == "" {
			rp.fail(t.at[i], ErrFileShape, "%q is added without a parent_id", t.recs[i].ID)
		}
	}
	return ok && *parent == seq.ID()
}

// fill fills in the missing headers of new node i. before are the headers of the node that was made
// before it.
func (rp *Replayer) fill(st *entryText, next *Snapshot, i int, before made, parent string) {
	t := &rp.rd.tree
	r := t.recs[i]
	if _, found := next.Find(r.ID); found {
		rp.fail(t.at[i], ErrNodeIDDuplicate, "two nodes have the id %q", r.ID)
	}
	if st.verbatim {
		rp.fillPlace(r, next, parent, ^tree.HeaderSet(0))
	} else if !rp.fillBrief(st, r, next, before) {
		rp.fail(t.at[i], ErrFileShape, "the provenance of %q does not continue that of the node before", r.ID)
	}
	startTTL(r, r.Cycle, st.ttlFrom, st.ttlAt())
	if !st.verbatim {
		r.Have |= tree.RequiredHeaders
	}
	r.Freeze()
}

// fillBrief fills in the missing headers of a brief node. It returns false if the provenance is in
// short form but cannot follow that of the previous node.
func (rp *Replayer) fillBrief(st *entryText, r *tree.Record, next *Snapshot, before made) (ok bool) {
	has := r.Have.Has
	if !has(tree.HeaderNodeType) {
		r.Type = typeOfID(r.ID, next.Edition())
	}
	if !has(tree.HeaderCycle) {
		r.Cycle = next.Cycle()
	}
	if !has(tree.HeaderCreatedNS) {
		gap := int64(1)
		if len(st.gaps) > 0 {
			gap, st.gaps = st.gaps[0], st.gaps[1:]
		}
		r.NS = before.ns + gap
	}
	if !has(tree.HeaderCreationIndex) {
		r.Index = before.index + 1
	}
	if !has(tree.HeaderCreatedISO) {
		r.ISO = rp.instants.of(r.NS)
	}
	if !has(tree.HeaderTag) && roleIsTag(r, next.Edition()) {
		r.Tags = rp.roles.of(r.Role)
		r.Have.Add(tree.HeaderTag)
	}
	if ok = true; has(tree.HeaderProvenance) {
		r.Own().Provenance, ok = readProvenance(before.provenance, r.Extra().Provenance)
	}
	return ok
}

// fillPlace fills in the type of a verbatim node, and its cycle if that is one of the renewed
// headers.
func (rp *Replayer) fillPlace(r *tree.Record, next *Snapshot, parent string, renewed tree.HeaderSet) {
	if r.Type == "" {
		isSeq := false
		if p, ok := next.Find(parent); ok && p.Type() == tree.RegionTypes[tree.RegionSeq] {
			up, _ := p.Parent()
			isSeq = up == next.Root()
		}
		r.Type = childType(isSeq, next.Edition())
	}
	if renewed.Has(tree.HeaderCycle) && !given(r).Has(tree.HeaderCycle) {
		r.Cycle = next.Cycle()
	}
}

// replacements returns the changed nodes with their new records.
func (rp *Replayer) replacements(st *entryText, next *Snapshot) (out []tree.Replacement) {
	seen := map[string]bool{}
	parents := map[string]string{} // of the nodes that move
	for _, m := range st.moved {
		parents[m.id] = m.parent
	}
	for i := range st.changed {
		c := &st.changed[i]
		n, ok := rp.find(next, c.id, c.at)
		if !ok {
			break
		}
		if seen[c.id] {
			rp.fail(c.at, ErrNodeIDDuplicate, "the node %q is changed twice", c.id)
		}
		seen[c.id] = true
		parent, isMoved := parents[c.id]
		if !isMoved {
			parent, _ = n.ParentID()
		}
		out = append(out, tree.Replacement{Node: tree.Node(n), Rec: rp.changedRecord(n, parent, c, st, next)})
	}
	return out
}

// changedRecord returns the record of n with its changes. parent is the id of the parent that n
// will have.
func (rp *Replayer) changedRecord(n Node, parent string, c *changeText, st *entryText, next *Snapshot) *tree.Record {
	r := n.rec().Copy()
	var renewed tree.HeaderSet
	for _, name := range c.unset {
		switch h, ok := tree.HeaderOf(name); {
		case !ok:
			if _, has := r.MemberValue(name); !has {
				rp.fail(c.at, ErrFileShape, "%q has no member %q to remove", c.id, name)
			}
			r.Own().Members = slices.DeleteFunc(r.Own().Members, func(m tree.Member) bool { return m.Name == name })
		case h == tree.HeaderID || h == tree.HeaderParentID:
			rp.fail(c.at, ErrFileShape, "%s does not change", name)
		default:
			r.Reset(h)
			renewed.Add(h)
		}
	}
	if c.set > 0 {
		rp.err = cmp.Or(rp.err, rp.setMembers(r, c, &renewed))
	}
	if renewed.Has(tree.HeaderNodeType) || renewed.Has(tree.HeaderCycle) {
		rp.fillPlace(r, next, parent, renewed)
	}
	if renewed.Has(tree.HeaderTTL) {
		startTTL(r, r.Cycle, st.ttlFrom, st.ttlAt())
	}
	r.Freeze()
	return r
}

// ttlAt returns the cycle from which lifetimes count.
func (st *entryText) ttlAt() int64 {
	if st.Kind == EntryWorking {
		return st.Cycle - 1
	}
	return st.Cycle
}

// setMembers sets the members of a change in r, and adds their headers to renewed.
func (rp *Replayer) setMembers(r *tree.Record, c *changeText, renewed *tree.HeaderSet) error {
	sc := rp.rd.sc
	sc.Reset(c.set)
	return sc.Object(func(name string, at int) error {
		sc.Peek()
		h, ok := tree.HeaderOf(name)
		switch {
		case !ok:
			v, err := sc.Canonical()
			setMember(r, name, v)
			return err
		case h == tree.HeaderID || h == tree.HeaderParentID:
			return sc.errorAt(at, ErrFileShape, "%s does not change", name)
		case h == tree.HeaderChildren:
			r.Have.Add(h)
			return sc.Array(func(int) error { return sc.errorAt(at, ErrFileShape, "a change of a node cannot set its children") })
		}
		r.Reset(h)
		r.Have.Add(h)
		renewed.Add(h)
		return rp.rd.header(r, h, 0, 0)
	})
}

// setMember sets a custom member of a record that is being made.
func setMember(r *tree.Record, name, value string) {
	e := r.Own()
	i, found := slices.BinarySearchFunc(e.Members, name, func(m tree.Member, n string) int { return strings.Compare(m.Name, n) })
	if found {
		e.Members[i].Value = value
		return
	}
	e.Members = slices.Insert(e.Members, i, tree.Member{Name: name, Value: value})
}
