package engine

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"unsafe"

	"github.com/pactkit/pactkit/internal/tree"
)

// EntryKind is the kind of an entry.
type EntryKind uint8

// The kinds of entries.
const (
	EntryHistory  EntryKind = iota // the first entry: the edition and members of the whole history
	EntrySnapshot                  // a whole tree
	EntryDelta                     // the changes of a commit
	EntryWorking                   // the changes to a working state, or all of it
	EntryFork                      // where the history was forked from another one
)

// Entry is a part of a history, as a journal stores it. A [Recorder] makes entries, and a
// [Replayer] turns them into a timeline.
type Entry struct {
	Kind  EntryKind
	Cycle int64       // of the snapshot; of a working state, the cycle in progress; 0 for EntryHistory
	Text  string      // a canonical JSON object
	Info  *CommitInfo // of a commit; nil if nothing is known about it
	// Nodes are the new nodes of the entry, for a writer that does not have their text. They
	// replace the member root or added, which Text then omits. A Recorder does not set Nodes.
	Nodes []NewNode

	Snapshot *Snapshot // set by a Recorder: the state that the entry describes; nil for EntryHistory and EntryFork
}

// NewNode is a new node of an entry, with its descendants.
type NewNode struct {
	ID, Type, Parent string // an empty Type is that of the id; an empty Parent is the enclosing node
	NS, Index        int64  // the instant and the creation index
	Members          []Member
	Children         []NewNode
}

// Member is a member of a node. Its value is JSON. The members of a node are sorted by name.
type Member = tree.Member

// Recorder turns the states of a history into entries that hold only what is new. It is a value: a
// copy continues from the same point. The zero Recorder has recorded nothing.
type Recorder struct {
	begun  bool
	known  Timeline  // the history according to the entries, without its sealed snapshots
	last   *Snapshot // the newest sealed snapshot
	lastID int64     // the highest number of an id
	lastNS int64     // the instant of the newest node of last
	room   *[]byte   // see [Recorder.In]
}

// In returns a recorder that appends the texts of entries to room. They are valid until the caller
// uses the memory for something else.
func (rc Recorder) In(room *[]byte) Recorder {
	rc.room = room
	return rc
}

// text returns the text of an entry.
func (rc *Recorder) text(list members) string {
	if rc.room == nil {
		return list.String()
	}
	begin := len(*rc.room)
	*rc.room = list.append(*rc.room)
	text := (*rc.room)[begin:]
	return unsafe.String(unsafe.SliceData(text), len(text))
}

// Record returns entries for everything in t that has not been recorded yet, and the recorder that
// continues after them. t must be a later state of the same history; otherwise the error has the
// code [ErrFileShape]. The cost depends only on what is new.
func (rc Recorder) Record(t *Timeline) ([]Entry, Recorder, error) {
	var entries []Entry
	if !rc.begun {
		entries = append(entries, rc.history(t))
	}
	from := 0
	if rc.last != nil {
		i, ok := slices.BinarySearchFunc(t.sealed, rc.last.Cycle(), compareCycle)
		if !ok || t.sealed[i] != rc.last {
			return nil, rc, fail(ErrFileShape, "the history does not continue from cycle %d, which was recorded last", rc.last.Cycle())
		}
		from = i + 1
	}
	for i, s := range t.sealed[from:] {
		cadence := rc.known.cadence
		if from+i == len(t.sealed)-1 {
			cadence = t.cadence
		}
		if rc.last != nil {
			entries = append(entries, rc.forkEntries(t, s.Cycle())...)
		}
		entries = append(entries, rc.snapshot(t, s, cadence))
	}
	entries = append(entries, rc.forkEntries(t, math.MaxInt64)...)
	entries = append(entries, rc.workingEntry(t)...)
	return entries, rc, nil
}

// RecordSnapshot is [Recorder.Record] for only the next sealed snapshot. The first one determines
// the edition of the history. If s is a working state, or its cycle is not later than that of the
// last snapshot, the error has the code [ErrFileShape].
func (rc Recorder) RecordSnapshot(s *Snapshot) ([]Entry, Recorder, error) {
	entries := make([]Entry, 0, 1)
	if !rc.begun {
		entries = append(entries, rc.history(s.Timeline()))
	}
	if s.Working() || rc.last != nil && s.Cycle() <= rc.last.Cycle() {
		return nil, rc, fail(ErrFileShape, "a snapshot of cycle %d does not follow what was recorded", s.Cycle())
	}
	return append(entries, rc.snapshot(&rc.known, s, rc.known.cadence)), rc, nil
}

func compareCycle(s *Snapshot, cycle int64) int {
	return cmp.Compare(s.Cycle(), cycle)
}

// history returns the entry with the edition and the members of the whole history.
func (rc *Recorder) history(t *Timeline) Entry {
	rc.begun, rc.known = true, Timeline{version: t.version, edition: t.edition, lastID: t.lastID}
	var list members
	if e, _ := editionOf(t.version); e != t.edition {
		list.text("edition", t.edition.String())
	}
	if len(t.extra) > 0 {
		list.extra(t.extra)
	}
	list.text("spec_version", t.version)
	return Entry{Kind: EntryHistory, Text: rc.text(list)}
}

// snapshot returns the entry of the next sealed snapshot of t, with the cadences after it. The
// entry of the first snapshot has the older forks.
func (rc *Recorder) snapshot(t *Timeline, s *Snapshot, cadence cadences) Entry {
	entry := Entry{Kind: EntryDelta, Cycle: s.Cycle(), Info: s.Info(), Snapshot: s}
	list, ok := rc.deltaMembers(rc.last, s)
	if !ok {
		entry.Kind = EntrySnapshot
		list = rc.wholeMembers(s)
		if rc.last == nil {
			rc.forkEntries(t, s.Cycle())
			list.forkPoints(rc.known.forks)
		}
		if rc.last == nil && rc.known.lastID > rc.lastID {
			rc.lastID = rc.known.lastID
			list.number("last_id", rc.known.lastID)
		}
	}
	rc.cadenceMembers(&list, cadence)
	entry.Text = rc.text(list)
	rc.last = s
	rc.known.follow(s)
	return entry
}

// follow updates t after s became its newest snapshot. A working state of t becomes the unchanged
// state after s. If t.turn is not set, the head of s began in the cycle of s.
func (t *Timeline) follow(s *Snapshot) {
	t.turn = cmp.Or(t.turn, s.Cycle())
	if s.tree().Part(tree.RegionHead).Len() == 0 {
		t.turn = s.Cycle() + 1
	}
	t.state = nil
	if t.working != nil {
		t.working = s.next()
	}
}

// next returns the unchanged working state after a snapshot: the same tree in the next cycle.
func (s *Snapshot) next() *Snapshot {
	w := *s
	w.tree().Advance()
	w.tree().SetAbout(nil)
	return &w
}

// deltaMembers returns the delta from base to s. It returns false if s has to be written whole.
func (rc *Recorder) deltaMembers(base, s *Snapshot) (list members, ok bool) {
	d := newDelta(base, s)
	if d == nil {
		return nil, false
	}
	const few = 4 // most have fewer members
	list = make(members, 0, few)
	rc.lastNS = d.lastNS
	for id := range d.isAdded {
		rc.lastID = max(rc.lastID, idNumber(id))
	}
	if s.SpecVersion() != base.SpecVersion() {
		list.text("spec_version", s.SpecVersion())
	}
	if !slices.Equal(s.origin().Extra, base.origin().Extra) {
		list.extra(s.origin().Extra)
	}
	d.write(&list)
	return list, true
}

// size is about how large the text of the snapshot is.
func (s *Snapshot) size() (size int) {
	const headers = 256
	for n := range s.All() {
		size += headers + len(n.rec().Content)
	}
	return size
}

// wholeMembers returns a whole tree.
func (rc *Recorder) wholeMembers(s *Snapshot) (list members) {
	late := lateStarts{}
	for n := range s.All() {
		rc.lastID = max(rc.lastID, idNumber(n.ID()))
		late.note(n.rec(), s.tree().TTLAt())
	}
	list.counts("ttl_from", late)
	edition := rc.known.edition
	if s.SpecVersion() != rc.known.version {
		list.text("spec_version", s.SpecVersion())
		edition, _ = editionOf(s.SpecVersion())
	}
	if edition != s.Edition() {
		list.text("edition", s.Edition().String())
	}
	if extra := s.origin().Extra; len(extra) > 0 {
		list.extra(extra)
	}
	w := newNodeWriter(s, true, nil)
	w.plan(s.Root(), "")
	list.put("root", func(dst []byte) []byte {
		w.dst = slices.Grow(dst, s.size())
		w.write(0)
		return w.dst
	})
	return list
}

// Whole returns an entry that replaces all entries up to the newest sealed snapshot: the whole
// snapshot, and what a reader must know about those before it. If there is no snapshot, the error
// has the code [ErrSnapshotUnknown]. The cost is linear in the size of the snapshot.
func (rp *Replayer) Whole() (Entry, error) {
	s := rp.Last()
	if s == nil {
		return Entry{}, fail(ErrSnapshotUnknown, "there is no snapshot")
	}
	rc := Recorder{known: Timeline{version: rp.t.version, edition: rp.t.edition}}
	list := rc.wholeMembers(s)
	rc.cadenceMembers(&list, rp.t.cadence)
	list.flag("live", rp.t.working != nil)
	list.forkPoints(rp.t.forks)
	if id := max(rp.lastID, rp.t.lastID); id > rc.lastID {
		list.number("last_id", id)
	}
	return Entry{Kind: EntrySnapshot, Cycle: s.Cycle(), Text: list.String(), Info: s.Info(), Snapshot: s}, nil
}

// cadenceMembers adds the cadences that began or changed, and the keys of those that ended.
func (rc *Recorder) cadenceMembers(list *members, cadence cadences) {
	if len(cadence)+len(rc.known.cadence) == 0 {
		return
	}
	began, ended := maps.Clone(cadence), maps.Clone(rc.known.cadence)
	maps.DeleteFunc(began, func(key string, s schedule) bool { return s.equal(rc.known.cadence[key]) })
	maps.DeleteFunc(ended, func(key string, _ schedule) bool { return cadence[key].key != "" })
	rc.known.cadence = cadence
	if len(began) > 0 {
		list.put("cadence", began.appendJSON)
	}
	list.ids("cadence_ended", slices.Sorted(maps.Keys(ended)))
}

// equal reports whether two cadences are the same.
func (s schedule) equal(o schedule) bool {
	return s.key == o.key && s.first == o.first && s.every == o.every && s.core == o.core && slices.Equal(s.template.Recs, o.template.Recs)
}

// workingEntry returns the entry of the working state of t. It returns no entry if the working
// state has already been recorded, or is the unchanged one after the newest snapshot.
func (rc *Recorder) workingEntry(t *Timeline) []Entry {
	w, state := t.working, t.state
	if w == nil {
		return nil
	}
	was := rc.known.working
	sameTree := was != nil && was.Cycle() == w.Cycle() && was.tree().SameTree(w.tree()) && was.origin().SameAs(w.origin())
	var list members
	if rc.cadenceMembers(&list, t.cadence); sameTree && len(list) == 0 && rc.knows(w, state) {
		rc.known.working, rc.known.state = w, state
		return nil
	}
	scratch := *rc // ids that are in no sealed snapshot may still disappear
	diff, ok := scratch.deltaMembers(rc.last, w)
	if !ok {
		diff = scratch.wholeMembers(w)
	}
	list = append(list, diff...)
	if state != nil {
		list.object("resume", state.members(nil))
	}
	rc.known.working, rc.known.state = w, state
	return []Entry{{Kind: EntryWorking, Cycle: w.Cycle(), Text: list.String(), Snapshot: w}}
}

// knows reports whether a reader can derive the state st of w without an entry. The tree of w must
// be the recorded one.
func (rc *Recorder) knows(w *Snapshot, st *savedState) bool {
	st = cmp.Or(st, &savedState{})
	if was := rc.known.state; was != nil {
		return slices.Equal(was.emptied, st.emptied) && maps.Equal(was.holds, st.holds) && was.clockState == st.clockState && was.turn == st.turn
	}
	if len(st.emptied)+len(st.holds) > 0 || st.nextIndex != 0 || st.lastID > rc.lastID || st.turn > 0 && st.turn != rc.known.turn {
		return false
	}
	if st.lastNS == 0 || st.lastNS == rc.lastNS {
		return true
	}
	seq := w.tree().Part(tree.RegionSeq) // the segment made by the last commit may be the newest node
	return seq.Len() > 0 && st.lastNS == seq.At(seq.Len()-1).Rec(0).NS
}
