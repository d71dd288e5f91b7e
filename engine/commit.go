package engine

import (
	"cmp"
	"slices"

	"github.com/pactkit/pactkit/internal/tree"
)

// Commit ends the cycle and returns its snapshot: expired nodes are removed, the content of the
// head becomes the newest segment, the policy prunes, and cadences put their instances into the new
// head. If this needs an id or an instant that [Options] do not provide, Commit changes nothing and
// returns an error of code [ErrNodeIDDuplicate] or [ErrNoRoom]. The cost depends on what changes,
// not on the size of the tree; a policy whose limit is exceeded looks at all nodes in its scope.
func (c *Context) Commit() (*Snapshot, error) { return c.endCycle(true, 0, nil) }

// Step is [Context.Commit] without sealing: the head keeps its content, and cadences wait for the
// next commit (E42). It ends a model call within a turn that continues. Errors and cost are those
// of Commit.
func (c *Context) Step() (*Snapshot, error) { return c.endCycle(false, 0, nil) }

// CommitWith is [Context.Commit] for callers that store the history elsewhere. Before the new state
// becomes visible, it calls keep with what [Context.History] would return after the commit. If keep
// returns an error, CommitWith undoes the commit and returns that error. While keep runs, changes
// wait and readers see the old state. keep must not call methods of the context, except Timeline
// and Working.
func (c *Context) CommitWith(keep func(*Timeline) error) (*Snapshot, error) {
	return c.endCycle(true, 0, keep)
}

// StepWith is [Context.Step] with keep, as in [Context.CommitWith].
func (c *Context) StepWith(keep func(*Timeline) error) (*Snapshot, error) {
	return c.endCycle(false, 0, keep)
}

// Seal puts the content of the head into a segment, as [Context.Commit] does, but does not end the
// cycle (E46). After it, [Context.Step] makes a snapshot in which the finished turn is a segment
// and the new turn is the head. If the head is empty, Seal adds no segment. Errors are those of
// Commit.
func (c *Context) Seal() error {
	return c.update(func(tx *tx) error {
		tx.beginTurn(tx.timeline(), tx.seal())
		return tx.err
	})
}

// Shrink is [Context.Step] after a provider refused a call because it was too long. The steps of
// the policy run until they have saved at least the given number of tokens and the budget is met.
// The snapshot is what to send instead; its [Snapshot.Info] says what was saved, with the trigger
// [TriggerOverflow]. If the steps cannot save as many, they save what they can.
func (c *Context) Shrink(by int) (*Snapshot, error) { return c.endCycle(false, max(by, 1), nil) }

// ShrinkWith is [Context.Shrink] with keep, as in [Context.CommitWith].
func (c *Context) ShrinkWith(by int, keep func(*Timeline) error) (*Snapshot, error) {
	return c.endCycle(false, max(by, 1), keep)
}

// endCycle ends the cycle. by is what the steps of the policy must save, 0 unless it is a Shrink.
func (c *Context) endCycle(seal bool, by int, keep func(*Timeline) error) (snap *Snapshot, err error) {
	err = c.update(func(tx *tx) error {
		made := tx.commit(seal, by)
		if tx.err == nil && keep != nil {
			c.refused = true // unless keep returns nil
			tx.err = keep(c.history(tx.next, &tx.progress))
		}
		if tx.err == nil {
			snap, c.about, c.refused = made, nil, false
		}
		return tx.err
	})
	return snap, err
}

// Describe sets what [Snapshot.Info] returns for the snapshot of the next commit or step. The
// engine adds whether it was a step, and a cause for each node that it removes, unless info has
// one. Journals keep all of it.
func (c *Context) Describe(info CommitInfo) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.about = info.sorted()
}

// Amend sets the call of the newest snapshot, when its answer is known. The snapshot must not be
// stored yet, because a stored one does not change. Those who have the old one keep it.
func (c *Context) Amend(call Call) error {
	return c.update(func(tx *tx) error {
		t := tx.timeline()
		if len(t.sealed) == 0 {
			return fail(ErrSnapshotUnknown, "there is no snapshot whose call could be amended")
		}
		old := t.sealed[len(t.sealed)-1]
		next, info := *old, *old.info()
		info.Call = &call
		next.tree().SetAbout(&info)
		for _, list := range [...]*[]*Snapshot{&t.sealed, &t.main} {
			if last := len(*list) - 1; (*list)[last] == old {
				*list = append(slices.Clone((*list)[:last]), &next)
			}
		}
		return nil
	})
}

// commit expires, prunes and, if seal is set, seals the head and begins the next turn. It returns
// the snapshot. by is what the steps of the policy must save.
func (tx *tx) commit(seal bool, by int) *Snapshot {
	tx.collect(CauseExpired, tx.due())
	p := tx.c.opts.Policy
	if p != nil {
		tx.pruneHead(p, seal)
	}
	var segment *tree.Record
	if seal {
		segment = tx.seal()
	}
	var run *PolicyRun
	if p != nil { // sealed, the turn counts as the snapshot shows it (E51)
		if sh := tx.shrink(p, by); sh != nil {
			sh.carryOut()
			run = &sh.run
		}
		segment = tx.prune(p, segment)
		tx.collect(CausePruned, nil)
		if run != nil { // with what the limits removed, and what nothing kept any more
			run.After = int64(tx.c.count(tx.s, p) + tx.c.correction(tx.next.sealed, p))
		}
	}
	tx.keepEmptied()
	s := *tx.s
	s.tree().Seal()
	if about := tx.c.about; about != nil || !seal || len(tx.gone) > 0 || run != nil {
		info := *cmp.Or(about, &CommitInfo{})
		info.Step, info.Causes, info.Policy = !seal, mergeCauses(info.Causes, lastCauses(tx.gone)), run
		s.tree().SetAbout(&info)
	}
	next := tx.timeline()
	if tx.c.refused {
		next.clip()
	}
	next.push(&s)
	next.past = append(next.past, pastState{next.cadence, next.turn, slices.Clip(tx.emptied)})
	tx.s.tree().Advance()
	tx.nextIndex, tx.gone = 0, nil
	if seal {
		tx.beginTurn(next, segment)
	}
	return &s
}

// beginTurn begins a turn: cadences put their instances into the empty head. segment is what the
// previous head became, or nil if that was empty.
func (tx *tx) beginTurn(next *Timeline, segment *tree.Record) {
	if segment != nil {
		tx.c.head = newHead()
	}
	turn := next.turn
	next.turn = tx.s.Cycle()
	tx.cadence(next.cadence, turn)
}

// seal turns the content of ^ah into a segment at depth 1 and returns that. If ^ah is empty, it
// returns nil (E5).
func (tx *tx) seal() *tree.Record {
	part := tx.part(tree.RegionHead)
	if part.Len() == 0 {
		return nil
	}
	base := tree.BaseBlock // the nodes at offset 0 need a core
	if tx.headCore().at >= 0 {
		base = tree.BaseCont
	}
	made := tx.wrap(base)
	seg, core := made.Recs[0], made.Recs[1:]
	f := tree.Forest{Recs: make([]*tree.Record, 0, part.Nodes()+2), Levels: make([]int32, 0, part.Nodes()+2)}
	f.Add(seg, 0)
	for sign := -1; sign <= 1; sign++ { // before, in and after the core
		level := int32(1)
		if sign == 0 && len(core) > 0 {
			f.Add(core[0], 1)
			level = 2
		}
		for _, c := range part.All() {
			for i := 0; i < c.Len(); i = c.End(i) {
				if c.Rec(i).OffsetSign() == sign {
					f.AddAll(c, i, c.End(i), level)
				}
			}
		}
	}
	*tx.part(tree.RegionHead) = tree.NewSequence(nil)
	*tx.part(tree.RegionSeq) = tx.part(tree.RegionSeq).Append(tree.NewChunk(f))
	tx.post(tree.RegionSeq, seg, 0, made.Recs...)
	// Readers of older states may see this, but they look in both places for nodes of a head.
	tx.c.head.Top.Store(seg)
	return seg
}

// mustStay reports whether expiry and pruning never remove a node, whatever its headers are,
// because it is the root, a region, a segment or a core container.
func (n Node) mustStay() bool {
	r := n.rec()
	if n.region() == tree.RegionTop || r.Base == tree.BaseSeg {
		return true
	}
	level := n.chunk().Nav[n.i()].Level
	return r.Base == tree.BaseCont && r.OffsetSign() == 0 &&
		(n.region() == tree.RegionHead && level == 0 || n.region() == tree.RegionSeq && level == 1)
}
