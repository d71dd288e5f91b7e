package engine

import (
	"slices"

	"github.com/pactkit/pactkit/internal/tree"
)

// collector collects the nodes that a change removes. It knows which nodes are kept by references
// and holds.
type collector struct {
	tx       *tx
	dead     map[*tree.Record]bool
	released map[string]int         // references from dead nodes, by the id that they refer to
	killed   []Node                 // the dead nodes in the order in which they were removed
	cause    Cause                  // of what is removed, without ID
	all      bool                   // record also why nodes leave that no snapshot had
	living   map[*tree.Record]int32 // where isEmpty stopped in each container
}

// newCollector returns a collector for nodes that are removed for a cause.
func (tx *tx) newCollector(cause string) *collector {
	return &collector{tx: tx, dead: map[*tree.Record]bool{}, released: map[string]int{}, cause: Cause{Cause: cause}}
}

// group returns the nodes that are removed together with n: the subtree of n, and the redaction
// markers of its nodes, wherever they are. A marker in the subtree stays if its target stays.
func (cl *collector) group(n Node) []Node {
	var group []Node
	for i := n.i(); i < n.end(); i++ {
		m := n.with(i)
		if r := m.rec(); !cl.dead[r] && (i == n.i() || !r.IsMarker()) {
			group = append(group, m)
		}
	}
	if len(cl.tx.c.markers) == 0 {
		return group
	}
	in := map[*tree.Record]bool{}
	for i := 0; i < len(group); i++ {
		r := group[i].rec()
		in[r] = true
		for _, id := range cl.tx.c.markers[r.ID] {
			if m, ok := cl.tx.s.Find(id); ok && !in[m.rec()] && !cl.dead[m.rec()] {
				in[m.rec()] = true
				group = append(group, m)
			}
		}
	}
	return group
}

// release adds the references of a group to the released ones (by 1) or removes them (by -1). Those
// of redaction markers do not count.
func (cl *collector) release(group []Node, by int) {
	for _, n := range group {
		if r := n.rec(); !r.IsMarker() {
			for _, ref := range r.Extra().Refs {
				cl.released[ref] += by
			}
		}
	}
}

// referred reports whether a hold or an unreleased reference keeps r.
func (cl *collector) referred(r *tree.Record) bool {
	c := cl.tx.c
	return c.holds[r.ID] > 0 || c.refs[r.ID] > cl.released[r.ID]
}

// remove removes nodes and their groups, and returns all of them. If one of them must stay, it
// removes none and returns nil.
func (cl *collector) remove(nodes ...Node) []Node {
	group := cl.group(nodes[0])
	for _, n := range nodes[1:] {
		group = append(group, cl.group(n)...)
	}
	cl.release(group, 1)
	for _, m := range group {
		if r := m.rec(); m.mustStay() || r.Pinned || cl.referred(r) {
			cl.release(group, -1)
			return nil
		}
	}
	cl.kill(group)
	return group
}

// kill marks the nodes of a group as dead. The references of the group must have been released.
func (cl *collector) kill(group []Node) {
	for _, m := range group {
		cl.dead[m.rec()] = true
		cl.noteGone(m.rec())
	}
	cl.killed = append(cl.killed, group...)
}

// noteGone records why a node of the newest snapshot is removed. A node whose own lifetime ended
// needs no record, because its ttl shows that.
func (cl *collector) noteGone(r *tree.Record) {
	if now := cl.tx.s.Cycle(); (r.Cycle != now || cl.all) && !(cl.cause.Cause == CauseExpired && r.Expiry <= now) {
		why := cl.cause
		why.ID = r.ID
		cl.tx.gone = append(cl.tx.gone, why)
	}
}

// isEmpty reports whether a container has no living children. Markers do not count. All calls for a
// container together cost one pass over its children.
func (cl *collector) isEmpty(n Node) bool {
	i, asked := cl.living[n.rec()]
	if !asked {
		i = n.i() + 1
	}
	for i < n.end() && (cl.dead[n.chunk().Rec(int(i))] || n.chunk().Rec(int(i)).IsMarker()) {
		i = n.chunk().EndOf(i)
	}
	if cl.living == nil {
		cl.living = map[*tree.Record]int32{}
	}
	cl.living[n.rec()] = i
	return i == n.end()
}

// due returns the nodes whose lifetime has ended, except markers, which are removed with their
// targets.
func (tx *tx) due() []Node {
	var due []Node
	over := tx.s.Cycle()
	for r := range tree.NumRegions {
		part := tx.part(r)
		for at, c := range part.Expiring(over) {
			for i, rec := range c.Recs() {
				if rec.Expiry <= over && !rec.IsMarker() {
					due = append(due, tx.s.node(r, at, c, i))
				}
			}
		}
	}
	return due
}

// collect removes nodes that are due, and then the removable containers that lost their last child,
// from the inside out. A node stays as long as another one refers to it. That node may be removed
// by the same commit, so collect repeats until nothing changes.
func (tx *tx) collect(cause string, due []Node) {
	var empty []Node
	for _, id := range tx.emptied {
		if n, ok := tx.s.Find(id); ok {
			empty = append(empty, n)
		}
	}
	if len(due) == 0 && len(empty) == 0 {
		return
	}
	cl := tx.newCollector(cause)
	isDead := func(n Node) bool { return cl.dead[n.rec()] }
	for before := -1; before < len(cl.killed); {
		before = len(cl.killed)
		slices.Reverse(due) // most references point from newer nodes to older ones
		for _, n := range due {
			if !isDead(n) {
				cl.remove(n)
			}
		}
		due = slices.DeleteFunc(due, isDead)
		if before == len(cl.killed) && len(due) > 1 {
			cl.removePairs(due)
		}
		for _, list := range [...][]Node{empty, cl.killed} {
			for _, n := range list {
				for up := range n.upward() {
					if !isDead(up) && (!up.rec().Removable || !cl.isEmpty(up) || cl.remove(up) == nil) {
						break
					}
				}
			}
		}
	}
	cl.apply()
}

// removePairs removes nodes that are due and that only the reference of the other one in their pair
// keeps (E54).
func (cl *collector) removePairs(due []Node) {
	due = slices.SortedFunc(slices.Values(due), Node.Compare)
	seen := map[*[]Node]bool{}
	found := findPairs(slices.Values(due), cl.tx.c.opts.Policy.pair())
	for _, n := range due {
		if pair := found[n.rec()]; pair != nil && len(*pair) > 1 && !seen[pair] {
			seen[pair] = true
			cl.remove(*pair...)
		}
	}
}

// keepEmptied removes from the list of emptied containers those that no longer exist or have
// children again. The others are removed as soon as nothing keeps them.
func (tx *tx) keepEmptied() {
	var cl collector // of no dead nodes
	ids := slices.Sorted(slices.Values(tx.emptied))
	tx.emptied = slices.DeleteFunc(slices.Compact(ids), func(id string) bool {
		n, ok := tx.s.Find(id)
		return !ok || !n.rec().Removable || !cl.isEmpty(n)
	})
}

// apply removes the dead nodes from the tree. A marker in a dead container moves to the nearest
// living one above.
func (cl *collector) apply() {
	tx := cl.tx
	slices.SortFunc(cl.killed, Node.Compare)
	var orphans []Node
	for rest := cl.killed; len(rest) > 0; { // backward, because removing a chunk shifts the ones after it
		i := len(rest) - 1
		for i > 0 && rest[i-1].chunk() == rest[i].chunk() {
			i--
		}
		orphans = append(orphans, cl.applyChunk(rest[i:])...)
		rest = rest[:i]
	}
	for _, n := range orphans {
		p := destination{region: n.region(), at: -1, parent: -1}
		aside := n.region() == tree.RegionHead
		for up := range n.with(n.up()).upward() {
			if !cl.dead[up.rec()] {
				now, _ := tx.s.Find(up.ID())
				p.at, p.parent, aside = now.at(), int(now.i()), up.rec().Base == tree.BaseSeg
				break
			}
		}
		r := n.rec()
		if aside && r.OffsetSign() == 0 {
			r = atOffset(r, 1)
		}
		tx.put(p, tree.Forest{Recs: []*tree.Record{r}, Levels: []int32{0}})
	}
}

// applyChunk removes dead nodes, all of one chunk and in document order. It returns the living
// nodes whose parents are dead.
func (cl *collector) applyChunk(dead []Node) (orphans []Node) {
	tx, n, c := cl.tx, dead[0], dead[0].chunk()
	for _, m := range dead {
		tx.count(m.rec(), -1)
		if up := m.with(m.up()); m.up() >= 0 && !cl.dead[up.rec()] && up.rec().Removable && cl.isEmpty(up) {
			tx.emptied = append(tx.emptied, up.ID())
		}
		for i := m.i() + 1; i < m.end(); i = c.EndOf(i) {
			if !cl.dead[c.Rec(int(i))] {
				orphans = append(orphans, m.with(i))
			}
		}
	}
	part := tx.part(n.region())
	if len(orphans) == 0 && len(dead) == int(n.end()-n.i()) { // only the subtree of n is removed
		*part = part.Set(n.at(), c.Without(int(n.i())))
		return nil
	}
	left := c.Len() - len(dead) - len(orphans)
	f := tree.Forest{Recs: make([]*tree.Record, 0, left), Levels: make([]int32, 0, left)}
	for i, r := range c.Recs() {
		if up := c.Nav[i].Parent; !cl.dead[r] && (up < 0 || !cl.dead[c.Rec(int(up))]) {
			f.Add(r, c.Nav[i].Level)
		}
	}
	*part = part.Set(n.at(), tree.NewChunk(f))
	return orphans
}
