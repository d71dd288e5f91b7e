package engine

import (
	"bytes"
	"cmp"
	"io"
	"slices"

	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/tree"
)

// savedState is what a live context needs, in addition to its trees, to continue: the member
// "resume" of a history file. Numbers that follow from the trees may be 0.
type savedState struct {
	clockState
	emptied []string         // removable containers that lost their last child, sorted
	holds   map[string]int64 // by id
	turn    int64            // the cycle in which the head began
}

// beyond returns c with the numbers that are equal in o set to 0.
func (c clockState) beyond(o clockState) clockState {
	for _, n := range [...]struct{ n, o *int64 }{{&c.lastNS, &o.lastNS}, {&c.nextIndex, &o.nextIndex}, {&c.lastID, &o.lastID}} {
		if *n.n == *n.o {
			*n.n = 0
		}
	}
	return c
}

// see updates the numbers for a node of the working state of a cycle.
func (c *clockState) see(r *tree.Record, cycle int64) {
	c.lastNS = max(c.lastNS, r.NS)
	if r.Cycle == cycle {
		c.nextIndex = max(c.nextIndex, r.Index+1)
	}
}

// derivedClock derives the numbers from the trees of a timeline.
func (t *Timeline) derivedClock() clockState {
	c := clockState{lastID: t.highestID()}
	for n := range t.working.All() {
		c.see(n.rec(), t.working.Cycle())
	}
	return c
}

// highestID returns the highest number of an id in any snapshot. It visits a shared chunk only
// once.
func (t *Timeline) highestID() int64 {
	highest := int64(0)
	for n := range distinct(t.states()) {
		highest = max(highest, idNumber(n.ID()))
	}
	return highest
}

// members returns the members of the state. replaced holds the ids that a history file lists in
// addition.
func (st *savedState) members(replaced []string) (out members) {
	out.ids("emptied", st.emptied)
	out.counts("holds", st.holds)
	out.number("last_id", st.lastID)
	out.number("last_ns", st.lastNS)
	out.number("next_index", st.nextIndex)
	out.ids("replaced", replaced)
	out.number("turn", st.turn)
	return out
}

// stateMembers returns the members of "resume" in a history file, except those that follow from the
// trees.
func (t *Timeline) stateMembers() members {
	st := *cmp.Or(t.state, &savedState{})
	st.lastID = max(st.lastID, t.lastID)
	if st.clockState != (clockState{}) {
		st.clockState = st.beyond(t.derivedClock())
	}
	if st.turn == turnBefore(t.working.Cycle(), t.sealed) {
		st.turn = 0
	}
	return st.members(t.working.replaced())
}

// turnBefore returns the cycle in which the head of the given cycle began. sealed holds the
// snapshots before it, oldest first. A head continues if the commit before it sealed nothing (E42).
func turnBefore(cycle int64, sealed []*Snapshot) int64 {
	for _, s := range slices.Backward(sealed) {
		if s.tree().Part(tree.RegionHead).Len() == 0 {
			break
		}
		cycle = s.Cycle()
	}
	return cycle
}

// replaced returns the sorted ids of the older nodes whose ttl counts from the working cycle.
func (s *Snapshot) replaced() []string {
	var ids []string
	for n := range s.All() {
		if r := n.rec(); n.region() != tree.RegionTop && r.Expiry != tree.Never && r.TTLFrom == s.Cycle() && r.Cycle != s.Cycle() && !r.IsMarker() {
			ids = append(ids, r.ID)
		}
	}
	slices.Sort(ids)
	return ids
}

// savedState reads the member "resume" of a history.
func (rd *timelineReader) savedState() (*savedState, error) {
	st := &savedState{}
	fields := map[string]func(v string) bool{
		"emptied":    into(&st.emptied, idList),
		"replaced":   into(&rd.replaced, idList),
		"holds":      into(&st.holds, countsIn(1, 1<<30-1)),
		"last_id":    into(&st.lastID, canonjson.Int),
		"last_ns":    into(&st.lastNS, canonjson.Int),
		"next_index": into(&st.nextIndex, canonjson.Int),
		"turn":       into(&st.turn, canonjson.Int),
	}
	err := rd.sc.object("resume", func(name string, _ int) error { return rd.sc.field(name, "resume", fields) })
	return st, err
}

// idList reads a list of ids and sorts it.
func idList(v string) ([]string, bool) {
	if v[0] != '[' {
		return nil, false
	}
	ids, odd := listWords(v)
	slices.Sort(ids)
	return ids, !odd
}

// bindMarkers makes the ttl of each redaction marker of a working state count from the same cycle
// as that of its target.
func (rd *timelineReader) bindMarkers(t *rawTree, ttlAt int64) {
	markers := map[string]bool{} // those that are not bound yet
	for _, r := range t.recs {
		if r.Expiry != tree.Never && r.IsMarker() {
			markers[r.ID] = true
		}
	}
	if len(markers) == 0 {
		return
	}
	byID := make(map[string]*tree.Record, len(t.recs))
	for _, r := range t.recs {
		byID[r.ID] = r
	}
	for _, r := range t.recs {
		var chain []*tree.Record // of markers that refer to each other
		for m := r; m != nil && markers[m.ID]; m = byID[m.Extra().Refs[0]] {
			delete(markers, m.ID)
			chain = append(chain, m)
		}
		for _, m := range slices.Backward(chain) {
			if target := byID[m.Extra().Refs[0]]; target != nil && target.Expiry != tree.Never {
				shown := m.ShownTTL(ttlAt)
				m.TTLFrom = target.TTLFrom
				m.Expiry = max(ttlAt, m.TTLFrom) + shown
			}
		}
	}
}

// Save writes the timeline as [Timeline.AppendJSON] does, and a newline. It first reads the text
// back with o. If that fails, or gives a different timeline ([ErrFileShape]), Save writes nothing
// and returns an error. Time and memory are linear in the size of the text.
func (t *Timeline) Save(w io.Writer, o ReadOptions) error {
	data := append(t.AppendJSON(nil), '\n')
	again, err := Read("history.json", bytes.NewReader(data), o)
	if err != nil {
		return err
	}
	if !bytes.Equal(again.AppendJSON(nil), data[:len(data)-1]) {
		return fail(ErrFileShape, "the saved history would be read back differently")
	}
	_, err = w.Write(data)
	return err
}
