package engine

import (
	"cmp"
	"slices"

	"github.com/pactkit/pactkit/internal/tree"
)

// Join merges timelines into one, with their sealed snapshots in the order of their cycles. The
// working state and the cadences are those of the newest timeline. Two snapshots with the same
// cycle, a working state that does not follow the newest snapshot, and an empty list are errors of
// code [ErrFileShape]. Equal parts of snapshots are shared. The cost is a pass over the turns of
// every snapshot, and over the nodes of turns that are not shared.
func Join(list ...*Timeline) (*Timeline, error) {
	switch len(list) {
	case 0:
		return nil, fail(ErrFileShape, "no timelines to join")
	case 1:
		return list[0], nil
	}
	last := slices.MaxFunc(list, func(a, b *Timeline) int { return cmp.Compare(a.newestCycle(), b.newestCycle()) })
	var sealed []*Snapshot
	for _, t := range list {
		sealed = append(sealed, t.sealed...)
	}
	slices.SortStableFunc(sealed, func(a, b *Snapshot) int { return cmp.Compare(a.Cycle(), b.Cycle()) })
	for i := 1; i < len(sealed); i++ {
		if sealed[i-1].Cycle() == sealed[i].Cycle() {
			return nil, fail(ErrFileShape, "two snapshots have cycle %d", sealed[i].Cycle())
		}
	}
	whole := *last
	whole.warnings, whole.sealed, whole.main, whole.past = nil, nil, nil, nil
	for _, t := range list {
		if t != last && t.working != nil {
			return nil, fail(ErrFileShape, "the working state of cycle %d is not the newest", t.working.Cycle())
		}
		whole.warnings = append(whole.warnings, t.warnings...)
		whole.lastID = max(whole.lastID, t.lastID)
	}
	if w := last.working; w != nil && len(sealed) > 0 && sealed[len(sealed)-1].Cycle() != w.Cycle()-1 {
		return nil, fail(ErrFileShape, "the working state must have cycle %d", sealed[len(sealed)-1].Cycle()+1)
	}
	join := tree.NewJoiner()
	whole.index = join.Index()
	for _, s := range sealed {
		whole.push((*Snapshot)(join.Add(s.tree())))
	}
	if last.working != nil {
		whole.working = (*Snapshot)(join.Add(last.working.tree()))
	}
	return &whole, nil
}

// newestCycle returns the cycle of the newest state, or -1 if there is none.
func (t *Timeline) newestCycle() int64 {
	for s := range t.states() {
		return s.Cycle()
	}
	return -1
}
