package engine

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/tree"
)

// EntryKind is the kind of an entry.
type EntryKind uint8

// The kinds of entries.
const (
	EntryHistory  EntryKind = iota // the edition and members of the whole history; the first entry
	EntrySnapshot                  // a whole tree
	EntryDelta                     // the changes of a commit
	EntryWorking                   // a working state
)

// Entry is a part of a history as a journal keeps it. A [Recorder] makes entries,
// and a [Replayer] makes a timeline of them.
type Entry struct {
	Kind  EntryKind
	Cycle int64       // of the snapshot; for a working state the cycle in progress; 0 for EntryHistory
	Text  string      // a canonical JSON object
	Info  *CommitInfo // of a commit; nil if nothing is known of it

	Snapshot *Snapshot // set by a Recorder: the state that the entry was made of; nil for EntryHistory
}

// Recorder turns the states of one history into entries, each with what is new. It
// is a value: a copy continues from the same point. The zero Recorder has recorded
// nothing.
type Recorder struct {
	begun   bool
	version string
	edition Edition
	last    *Snapshot // the newest sealed snapshot
	cadence []schedule
	lastID  int64 // the highest number of an id
	floor   int64 // the same, of snapshots that were left out
	lastNS  int64 // of a node of last that is as new as any
	turn    int64 // the cycle its head began in, as the snapshots tell
	working *Snapshot
	state   *savedState // of working
}

// Record returns the entries for everything in t that was not recorded yet, and the
// recorder that follows them. t must be a later state of the same history; any
// other is an error of code [ErrFileShape]. The cost depends on what is new.
func (rc Recorder) Record(t *Timeline) ([]Entry, Recorder, error) {
	var entries []Entry
	if !rc.begun {
		entries = append(entries, rc.history(t))
	}
	from := 0
	if rc.last != nil {
		i, ok := slices.BinarySearchFunc(t.sealed, rc.last.Cycle(), compareCycle)
		if !ok || t.sealed[i] != rc.last {
			return nil, rc, fail(ErrFileShape, "the history does not go on from cycle %d, which was recorded last", rc.last.Cycle())
		}
		from = i + 1
	}
	for i, s := range t.sealed[from:] {
		cadence := rc.cadence
		if from+i == len(t.sealed)-1 {
			cadence = t.cadence
		}
		entries = append(entries, rc.snapshot(s, cadence))
	}
	if entry, ok := rc.workingEntry(t); ok {
		entries = append(entries, entry)
	}
	return entries, rc, nil
}

// RecordSnapshot is [Recorder.Record] for the next sealed snapshot alone. The first
// one gives the history its edition.
func (rc Recorder) RecordSnapshot(s *Snapshot) ([]Entry, Recorder, error) {
	var entries []Entry
	if !rc.begun {
		entries = append(entries, rc.history(s.Timeline()))
	}
	if s.Working() || rc.last != nil && s.Cycle() <= rc.last.Cycle() {
		return nil, rc, fail(ErrFileShape, "a snapshot of cycle %d does not follow what was recorded", s.Cycle())
	}
	return append(entries, rc.snapshot(s, rc.cadence)), rc, nil
}

func compareCycle(s *Snapshot, cycle int64) int {
	if s.Cycle() < cycle {
		return -1
	}
	return int(min(s.Cycle()-cycle, 1))
}

// history records the edition and the members of the whole history.
func (rc *Recorder) history(t *Timeline) Entry {
	rc.begun, rc.version, rc.edition, rc.floor = true, t.version, t.edition, t.lastID
	var list []tree.Member
	if e, _ := editionOf(t.version); e != t.edition {
		list = append(list, member("edition", t.edition.String()))
	}
	if len(t.extra) > 0 {
		list = append(list, tree.Member{Name: "extra", Value: extraText(t.extra)})
	}
	return Entry{Kind: EntryHistory, Text: objectText(append(list, member("spec_version", t.version)))}
}

// member is a member whose value is a string.
func member(name, text string) tree.Member {
	return tree.Member{Name: name, Value: string(canonjson.AppendString(nil, text))}
}

func extraText(extra []tree.Member) string { return objectText(slices.Clone(extra)) }

// objectText writes an object, sorting its members.
func objectText(list []tree.Member) string {
	slices.SortFunc(list, func(a, b tree.Member) int { return strings.Compare(a.Name, b.Name) })
	buf := buffers.Get().(*[]byte)
	dst := appendObject((*buf)[:0], list)
	text := string(dst)
	putBuffer(buf, dst)
	return text
}

// snapshot records the next sealed snapshot, and the cadences after it.
func (rc *Recorder) snapshot(s *Snapshot, cadence []schedule) Entry {
	entry := Entry{Kind: EntryDelta, Cycle: s.Cycle(), Info: s.Info(), Snapshot: s}
	list, ok := rc.deltaMembers(rc.last, s)
	if !ok {
		entry.Kind = EntrySnapshot
		list = rc.wholeMembers(s)
		if rc.last == nil && rc.floor > rc.lastID {
			rc.lastID = rc.floor
			list = append(list, tree.Member{Name: "last_id", Value: strconv.FormatInt(rc.floor, 10)})
		}
	}
	entry.Text = objectText(rc.cadenceMembers(list, cadence))
	rc.last, rc.turn = s, s.turnAfter(rc.turn)
	if rc.working != nil { // the rules determine the next one
		rc.working, rc.state = s.next(), nil
	}
	return entry
}

// turnAfter returns the cycle in which the head of the next working state began. turn
// is that in which the head of s began, 0 for the cycle of s.
func (s *Snapshot) turnAfter(turn int64) int64 {
	if s.tree().Part(tree.RegionHead).Len() == 0 {
		return s.Cycle() + 1
	}
	return cmp.Or(turn, s.Cycle())
}

// next returns the working state that follows a snapshot before any change: the
// same tree in the next cycle.
func (s *Snapshot) next() *Snapshot {
	w := *s
	w.tree().Advance()
	w.tree().SetAbout(nil)
	return &w
}

// deltaMembers writes the delta from base to s. It returns false if s has to be written whole.
func (rc *Recorder) deltaMembers(base, s *Snapshot) ([]tree.Member, bool) {
	if base == nil {
		return nil, false
	}
	d, ok := newDelta(base, s)
	if !ok {
		return nil, false
	}
	rc.lastNS = d.lastNS
	for id := range d.isAdded {
		rc.lastID = max(rc.lastID, idNumber(id))
	}
	var list []tree.Member
	if s.origin() != base.origin() {
		if s.SpecVersion() != base.SpecVersion() {
			list = append(list, member("spec_version", s.SpecVersion()))
		}
		if !slices.Equal(s.origin().Extra, base.origin().Extra) {
			list = append(list, tree.Member{Name: "extra", Value: extraText(s.origin().Extra)})
		}
	}
	return d.members(list), true
}

// wholeMembers writes a whole tree.
func (rc *Recorder) wholeMembers(s *Snapshot) []tree.Member {
	var list []tree.Member
	from := map[string]int64{}
	for n := range s.All() {
		r := n.rec()
		rc.lastID = max(rc.lastID, idNumber(r.ID))
		if startsLate(r, s.tree().TTLAt()) {
			from[r.ID] = r.TTLFrom
		}
	}
	if len(from) > 0 {
		list = append(list, tree.Member{Name: "ttl_from", Value: string(countsText(from))})
	}
	edition := rc.edition
	if s.SpecVersion() != rc.version {
		list = append(list, member("spec_version", s.SpecVersion()))
		edition, _ = editionOf(s.SpecVersion())
	}
	if edition != s.Edition() {
		list = append(list, member("edition", s.Edition().String()))
	}
	if len(s.origin().Extra) > 0 {
		list = append(list, tree.Member{Name: "extra", Value: extraText(s.origin().Extra)})
	}
	w := newNodeWriter([]byte{'['}, s, true, nil)
	w.subtree(s.Root(), "")
	return append(list, tree.Member{Name: "root", Value: string(w.dst[1:])})
}

// Whole returns an entry that replaces all entries up to the newest sealed snapshot:
// the whole snapshot, with what a reader needs to know of those before it. Without
// a snapshot the error has the code [ErrSnapshotUnknown].
func (rp *Replayer) Whole() (Entry, error) {
	s := rp.Last()
	if s == nil {
		return Entry{}, fail(ErrSnapshotUnknown, "there is no snapshot to begin with")
	}
	rc := Recorder{begun: true, version: rp.t.version, edition: rp.t.edition}
	list := rc.cadenceMembers(rc.wholeMembers(s), rp.t.cadence)
	if rp.isLive {
		list = append(list, tree.Member{Name: "live", Value: "true"})
	}
	if id := max(rp.lastID, rp.t.lastID); id > rc.lastID {
		list = append(list, tree.Member{Name: "last_id", Value: strconv.FormatInt(id, 10)})
	}
	return Entry{Kind: EntrySnapshot, Cycle: s.Cycle(), Text: objectText(list), Info: s.Info(), Snapshot: s}, nil
}

// cadenceMembers writes the cadences that began or changed, and the keys of those that ended.
func (rc *Recorder) cadenceMembers(list []tree.Member, cadence []schedule) []tree.Member {
	var began []schedule
	var ended []string
	for _, s := range cadence {
		i, found := slices.BinarySearchFunc(rc.cadence, s.key, compareSchedule)
		if !found || !s.equal(rc.cadence[i]) {
			began = append(began, s)
		}
	}
	for _, s := range rc.cadence {
		if _, found := slices.BinarySearchFunc(cadence, s.key, compareSchedule); !found {
			ended = append(ended, s.key)
		}
	}
	rc.cadence = cadence
	if len(began) > 0 {
		list = append(list, tree.Member{Name: "cadence", Value: string(appendSchedules(nil, began))})
	}
	if len(ended) > 0 {
		list = append(list, tree.Member{Name: "cadence_ended", Value: listText(ended)})
	}
	return list
}

// equal reports whether two cadences are one and the same.
func (s schedule) equal(o schedule) bool {
	return s.key == o.key && s.first == o.first && s.every == o.every && s.core == o.core && slices.Equal(s.recs, o.recs)
}

// workingEntry records the working state of t. It returns false if that was recorded
// already, or is the one that follows the newest snapshot before any change.
func (rc *Recorder) workingEntry(t *Timeline) (Entry, bool) {
	w, state := t.working, t.state
	if w == nil {
		return Entry{}, false
	}
	sameTree := rc.working != nil && rc.working.Cycle() == w.Cycle() && rc.working.tree().SameTree(w.tree()) && rc.working.origin().SameAs(w.origin())
	var list []tree.Member
	if list = rc.cadenceMembers(list, t.cadence); sameTree && len(list) == 0 && rc.knows(w, state) {
		rc.working, rc.state = w, state
		return Entry{}, false
	}
	scratch := *rc // ids that are in no sealed snapshot may be given up again
	diff, ok := scratch.deltaMembers(rc.last, w)
	if !ok {
		diff = scratch.wholeMembers(w)
	}
	list = append(list, diff...)
	if state != nil {
		if text := state.members(nil); len(text) > 0 {
			list = append(list, tree.Member{Name: "resume", Value: string(appendObject(nil, text))})
		}
	}
	rc.working, rc.state = w, state
	return Entry{Kind: EntryWorking, Cycle: w.Cycle(), Text: objectText(list), Snapshot: w}, true
}

// knows reports whether a reader works out the state st of w without an entry. The
// tree of w must be the recorded one.
func (rc *Recorder) knows(w *Snapshot, st *savedState) bool {
	if st == nil {
		st = &savedState{}
	}
	if was := rc.state; was != nil {
		return slices.Equal(was.emptied, st.emptied) && maps.Equal(was.holds, st.holds) && was.clockState == st.clockState && was.turn == st.turn
	}
	if len(st.emptied)+len(st.holds) > 0 || st.nextIndex != 0 || st.lastID > rc.lastID || st.turn > 0 && st.turn != rc.turn {
		return false
	}
	if st.lastNS == 0 || st.lastNS == rc.lastNS {
		return true
	}
	seq := w.tree().Part(tree.RegionSeq) // the segment that the last commit made may be the newest node
	return seq.Len() > 0 && st.lastNS == seq.At(seq.Len() - 1).Recs[0].NS
}
