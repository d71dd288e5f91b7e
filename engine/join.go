package engine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Join makes one timeline of several: their sealed snapshots in the order of
// their cycles, of which none may occur twice. A working state, with the
// cadences that belong to it, is kept if it follows the newest of all. Other
// failures are of code [ErrFileShape], too. What the timelines have in common
// is shared; the cost is that of writing and reading them all.
func Join(list ...*Timeline) (*Timeline, error) {
	if len(list) == 1 {
		return list[0], nil
	}
	var sealed []*Snapshot
	var last *Timeline
	for _, t := range list {
		sealed = append(sealed, t.sealed...)
		if last == nil || t.newestCycle() > last.newestCycle() {
			last = t
		}
	}
	if last == nil {
		return nil, fail(ErrFileShape, "no timelines to join")
	}
	slices.SortStableFunc(sealed, func(a, b *Snapshot) int { return cmp.Compare(a.CommitCycle, b.CommitCycle) })
	for i := 1; i < len(sealed); i++ {
		if sealed[i-1].CommitCycle == sealed[i].CommitCycle {
			return nil, fail(ErrFileShape, "two snapshots are of cycle %d", sealed[i].CommitCycle)
		}
	}
	whole := *last
	whole.sealed, whole.warnings = sealed, nil
	for _, t := range list {
		if t != last && t.working != nil {
			return nil, fail(ErrFileShape, "the working state of cycle %d is not the newest", t.working.CommitCycle)
		}
		whole.warnings = append(whole.warnings, t.warnings...)
	}
	again, err := Read("joined.json", strings.NewReader(string(whole.AppendJSON(nil))), ReadOptions{MaxBytes: 1 << 62, MaxDepth: 1 << 20})
	if err != nil {
		return nil, fmt.Errorf("joining: %w", err)
	}
	again.warnings = whole.warnings
	return again, nil
}

// newestCycle is the cycle of the newest state.
func (t *Timeline) newestCycle() int64 {
	if s := t.At(0); s != nil {
		return s.CommitCycle
	}
	return -1
}
