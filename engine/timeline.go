package engine

import (
	"fmt"
	"iter"
	"slices"

	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/tree"
)

// Timeline is an immutable list of snapshots, which addresses such as @t-1 count. The newest
// snapshot of a recorded history is @t0. In a live context of edition 1.0, and in a file with a
// working state, the working state is @t0 and the newest sealed snapshot is @t-1 (decision D10).
// Addresses with @t skip side calls, which only @c reaches (decision D39). A Timeline is safe for
// concurrent use.
type Timeline struct {
	sealed   []*Snapshot // oldest first
	main     []*Snapshot // sealed without side calls, or all of it if there are only side calls
	working  *Snapshot
	edition  Edition
	version  string
	extra    []tree.Member
	cadence  cadences
	past     []pastState // of the newest sealed snapshots, one for each; files have none
	forks    []ForkPoint // oldest first
	turn     int64       // in a live context or a journal, the cycle in which the head began
	state    *savedState // of a timeline with a working state
	lastID   int64       // the highest number of an id in snapshots that were left out
	warnings []*Error
	index    *tree.Index
}

// Timeline returns a timeline that has only this state, as @t0.
func (s *Snapshot) Timeline() *Timeline {
	t := &Timeline{edition: s.Edition(), version: s.SpecVersion(), index: s.origin().Index}
	if s.Working() {
		t.working = s
	} else {
		t.push(s)
	}
	return t
}

// push adds the next sealed snapshot.
func (t *Timeline) push(s *Snapshot) {
	t.sealed = append(t.sealed, s)
	switch {
	case len(t.main) == 0 || s.isSide() == t.main[0].isSide():
		t.main = append(t.main, s)
	case t.main[0].isSide():
		t.main = []*Snapshot{s}
	}
}

// clip makes a copy of a timeline independent of the original: what is pushed to it does not
// overwrite shared lists.
func (t *Timeline) clip() {
	t.sealed, t.main, t.past = slices.Clip(t.sealed), slices.Clip(t.main), slices.Clip(t.past)
}

// Edition returns the edition of the timeline.
func (t *Timeline) Edition() Edition { return t.edition }

// Len returns the number of states that @t counts, the working state included.
func (t *Timeline) Len() int {
	if t.working != nil {
		return len(t.main) + 1
	}
	return len(t.main)
}

// At returns the state that is back steps before the newest: At(0) is @t0, At(1) is @t-1. If there
// is none, it returns nil.
func (t *Timeline) At(back int) *Snapshot {
	i := t.Len() - 1 - back
	switch {
	case i < 0 || back < 0:
		return nil
	case i == len(t.main):
		return t.working
	}
	return t.main[i]
}

// OfCycle returns the sealed snapshot of a cycle (@cN), and how far back it is: At(back) returns
// the same snapshot. back is -1 for a side call, which At skips. If the cycle has no sealed
// snapshot, OfCycle returns nil. The cost is a binary search.
func (t *Timeline) OfCycle(cycle int64) (snap *Snapshot, back int) {
	i, ok := slices.BinarySearchFunc(t.main, cycle, compareCycle)
	if ok {
		return t.main[i], t.Len() - 1 - i
	}
	if i, ok = slices.BinarySearchFunc(t.sealed, cycle, compareCycle); ok {
		return t.sealed[i], -1
	}
	return nil, 0
}

// Cycles returns the cycles of the oldest and the newest sealed snapshot, including side calls. If
// there is none, it returns false.
func (t *Timeline) Cycles() (oldest, newest int64, ok bool) {
	n := len(t.sealed)
	if n == 0 {
		return 0, 0, false
	}
	return t.sealed[0].Cycle(), t.sealed[n-1].Cycle(), true
}

// Address returns At(back). If that is nil, it returns an error of code [ErrSnapshotUnknown] that
// names the address.
func (t *Timeline) Address(back int) (*Snapshot, error) {
	if s := t.At(back); s != nil {
		return s, nil
	}
	address := "@t0"
	if back != 0 {
		address = fmt.Sprintf("@t%+d", -back)
	}
	return nil, fail(ErrSnapshotUnknown, "there is no snapshot %s: the timeline has %d", address, t.Len())
}

// Working returns the working state, or nil if the timeline has none.
func (t *Timeline) Working() *Snapshot { return t.working }

// Recorded returns the timeline without its working state, so @t0 is its newest sealed snapshot.
func (t *Timeline) Recorded() *Timeline {
	r := *t
	r.working, r.state = nil, nil
	return &r
}

// All yields every state that @t counts, newest first, each with its number of steps back.
func (t *Timeline) All() iter.Seq2[int, *Snapshot] {
	return func(yield func(int, *Snapshot) bool) {
		for back := range t.Len() {
			if !yield(back, t.At(back)) {
				return
			}
		}
	}
}

// states yields every state, including side calls, newest first.
func (t *Timeline) states() iter.Seq[*Snapshot] {
	return func(yield func(*Snapshot) bool) {
		if t.working != nil && !yield(t.working) {
			return
		}
		for _, s := range slices.Backward(t.sealed) {
			if !yield(s) {
				return
			}
		}
	}
}

// Distinct yields the nodes of the states of [Timeline.All], newest state first, except those that
// a state shares with a newer one. A node is yielded again with an older state if it, or a node
// near it in the tree, changed in between. The cost is what the states do not share, instead of the
// sum of their sizes.
func (t *Timeline) Distinct() iter.Seq[Node] {
	return distinct(func(yield func(*Snapshot) bool) {
		t.All()(func(_ int, s *Snapshot) bool { return yield(s) })
	})
}

// distinct yields the nodes of some states, except those that a state shares with one before it.
func distinct(states iter.Seq[*Snapshot]) iter.Seq[Node] {
	return func(yield func(Node) bool) {
		chunks := tree.DistinctChunks()
		for s := range states {
			for n := range chunks(s.tree()) {
				for i := range n.Chunk().Len() {
					if !yield(Node(n.With(int32(i)))) {
						return
					}
				}
			}
		}
	}
}

// Sealed yields the sealed snapshots, including side calls, oldest first.
func (t *Timeline) Sealed() iter.Seq[*Snapshot] { return slices.Values(t.sealed) }

// Warnings returns what lenient reading accepted although strict reading would not: violated
// invariants and unknown editions, at most 1,000. Before them it returns a note of code
// [ErrFileEdition] if the file has no spec_version and was read as edition 0.1. The slice is shared
// and must not be modified.
func (t *Timeline) Warnings() []*Error { return t.warnings }

// AppendJSON appends the timeline as one canonical history document: {"cadence"?, "forks"?,
// "resume"?, "snapshots", "spec_version", "working"?} with the snapshots oldest first. The snapshot
// of a side call has a member "side", and that of a state between calls a member "event". A
// snapshot has its own spec_version only if that differs from that of the history. The cost is
// linear in the size of the text, in which every snapshot is complete.
func (t *Timeline) AppendJSON(dst []byte) []byte {
	var list members
	list.put("snapshots", func(d []byte) []byte { return canonjson.AppendList(d, t.sealed, t.appendElement) })
	list.text("spec_version", t.version)
	if len(t.cadence) > 0 {
		list.put("cadence", t.cadence.appendJSON)
	}
	list.forkPoints(t.forks)
	if t.working != nil {
		list.object("resume", t.stateMembers())
		list.put("working", func(d []byte) []byte { return t.appendElement(d, t.working) })
	}
	list.addAll(t.extra)
	return list.append(dst)
}

// appendElement appends a snapshot as a part of the history document.
func (t *Timeline) appendElement(dst []byte, s *Snapshot) []byte {
	version := s.SpecVersion()
	if version == t.version {
		version = ""
	}
	return s.appendDocument(dst, version, s.info(), nil)
}

// AppendJSONL appends the sealed snapshots, oldest first, one canonical document on each line. This
// form cannot hold a working state or cadences. The cost is that of AppendJSON.
func (t *Timeline) AppendJSONL(dst []byte) []byte {
	for _, s := range t.sealed {
		dst = append(s.appendDocument(dst, s.SpecVersion(), s.info(), nil), '\n')
	}
	return dst
}
