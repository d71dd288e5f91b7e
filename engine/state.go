package engine

import (
	"bytes"
	"io"
	"maps"
	"slices"
	"strconv"

	"github.com/pactkit/pactkit/internal/canonjson"
)

// savedState is what a live context needs beside its trees to go on: the member
// "resume" of a history file. Numbers that the trees tell as well are 0.
type savedState struct {
	clockState
	emptied []string       // removable containers that lost their last child, sorted
	holds   map[string]int // by id
}

// later returns the later of both, number by number.
func (c clockState) later(o clockState) clockState {
	return clockState{max(c.lastNS, o.lastNS), max(c.nextIndex, o.nextIndex), max(c.lastID, o.lastID)}
}

// beyond returns the numbers that are not those of o.
func (c clockState) beyond(o clockState) clockState {
	for _, n := range [...]struct{ n, o *int64 }{{&c.lastNS, &o.lastNS}, {&c.nextIndex, &o.nextIndex}, {&c.lastID, &o.lastID}} {
		if *n.n == *n.o {
			*n.n = 0
		}
	}
	return c
}

// see takes note of a node that is in the working state of a cycle.
func (c *clockState) see(r *record, cycle int64) {
	c.lastNS = max(c.lastNS, r.ns)
	if r.cycle == cycle {
		c.nextIndex = max(c.nextIndex, r.index+1)
	}
}

// derivedClock returns what the trees of a timeline tell.
func (t *Timeline) derivedClock() clockState {
	c := clockState{lastID: t.highestID()}
	for n := range t.working.All() {
		c.see(n.rec(), t.working.cycle)
	}
	return c
}

// highestID returns the highest number of an id in any snapshot. It visits what
// snapshots share once.
func (t *Timeline) highestID() int64 {
	highest := int64(0)
	seen := map[*Chunk]bool{}
	seenNode := map[*seqNode]bool{}
	var visit func(*seqNode)
	visit = func(n *seqNode) {
		if seenNode[n] {
			return
		}
		seenNode[n] = true
		for _, k := range n.kids {
			visit(k)
		}
		for _, c := range n.chunks {
			if !seen[c] {
				seen[c] = true
				for _, r := range c.recs {
					highest = max(highest, idNumber(r.id))
				}
			}
		}
	}
	for _, s := range t.All() {
		for r := range numRegions {
			visit(s.parts[r].root)
		}
	}
	return highest
}

// members returns the members of the state as canonical JSON, sorted by name.
// working is the working state it belongs to.
func (st *savedState) members(working *Snapshot) []member {
	var out []member
	add := func(name string, value string) { out = append(out, member{name, value}) }
	number := func(name string, n int64) {
		if n != 0 {
			add(name, strconv.FormatInt(n, 10))
		}
	}
	if st == nil {
		st = &savedState{}
	}
	if len(st.emptied) > 0 {
		add("emptied", listText(st.emptied))
	}
	if len(st.holds) > 0 {
		var holds []member
		for _, id := range slices.Sorted(maps.Keys(st.holds)) {
			holds = append(holds, member{id, strconv.Itoa(st.holds[id])})
		}
		add("holds", string(appendObject(nil, holds)))
	}
	number("last_id", st.lastID)
	number("last_ns", st.lastNS)
	number("next_index", st.nextIndex)
	if replaced := working.replaced(); len(replaced) > 0 {
		add("replaced", listText(replaced))
	}
	return out
}

// replaced returns the ids of the nodes whose ttl counts from the working cycle
// though they are older, sorted.
func (s *Snapshot) replaced() []string {
	var ids []string
	for r := range numRegions {
		part := s.parts[r]
		for _, c := range part.where(0, part.len(), func(sum *summary) bool { return sum.mortal > 0 }) {
			for _, rec := range c.recs {
				if rec.expiry != never && rec.ttlFrom == s.cycle && rec.cycle != s.cycle && !rec.isMarker() {
					ids = append(ids, rec.id)
				}
			}
		}
	}
	slices.Sort(ids)
	return ids
}

// appendObject appends an object of canonical values.
func appendObject(dst []byte, list []member) []byte {
	dst = append(dst, '{')
	for i, m := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(append(canonjson.AppendString(dst, m.name), ':'), m.value...)
	}
	return append(dst, '}')
}

// savedState reads the member "resume" of a history.
func (rd *reader) savedState() (*savedState, error) {
	s := rd.sc
	if s.Peek() != '{' {
		return nil, s.shape("resume must be an object")
	}
	st := &savedState{}
	err := s.Object(func(name string, _ int) error {
		s.Peek()
		start := s.Offset()
		v, err := s.Canonical()
		if err != nil {
			return err
		}
		ok := false
		switch name {
		case "emptied":
			st.emptied, ok = idList(v)
		case "replaced":
			rd.replaced, ok = idList(v)
		case "holds":
			st.holds, ok = holdsOf(v)
		case "last_id":
			st.lastID, ok = canonjson.Int(v)
		case "last_ns":
			st.lastNS, ok = canonjson.Int(v)
		case "next_index":
			st.nextIndex, ok = canonjson.Int(v)
		}
		if !ok {
			return s.errorAt(start, ErrFileShape, "%q is not a member of resume, or has the wrong type", name)
		}
		return nil
	})
	return st, err
}

// idList reads a sorted list of ids.
func idList(v string) ([]string, bool) {
	if v[0] != '[' {
		return nil, false
	}
	ids, odd := listWords(v)
	slices.Sort(ids)
	return ids, !odd
}

// holdsOf reads how often each id is held.
func holdsOf(v string) (map[string]int, bool) {
	if v[0] != '{' {
		return nil, false
	}
	s, holds, ok := canonjson.NewScanner(v, canonjson.DefaultDepth), map[string]int{}, true
	_ = s.Object(func(id string, _ int) error { // canonical text cannot fail
		text, err := s.Canonical()
		n, whole := canonjson.Int(text)
		ok = ok && whole && n > 0 && n < 1<<30
		holds[id] = int(n)
		return err
	})
	return holds, ok
}

// bindMarkers lets the ttl of the redaction markers of a working state count
// from where that of their targets does.
func (rd *reader) bindMarkers(t *rawTree, ttlAt int64) {
	var markers map[string]*record
	for _, r := range t.recs {
		if r.expiry != never && r.isMarker() {
			if markers == nil {
				markers = map[string]*record{}
			}
			markers[r.id] = r
		}
	}
	if markers == nil {
		return
	}
	byID := make(map[string]*record, len(t.recs))
	for _, r := range t.recs {
		byID[r.id] = r
	}
	for _, r := range t.recs {
		if markers[r.id] == nil {
			continue
		}
		var chain []*record // of markers that refer to each other
		for m := r; m != nil && markers[m.id] != nil; m = byID[m.extra().refs[0]] {
			delete(markers, m.id)
			chain = append(chain, m)
		}
		for _, m := range slices.Backward(chain) {
			if target := byID[m.extra().refs[0]]; target != nil && target.expiry != never {
				shown := m.shownTTL(ttlAt)
				m.ttlFrom = target.ttlFrom
				m.expiry = max(ttlAt, m.ttlFrom) + shown
			}
		}
	}
}

// Save writes the timeline as [Timeline.AppendJSON] does, and a newline. If [Read]
// with o would not read it back as it is, Save writes nothing and returns why.
func (t *Timeline) Save(w io.Writer, o ReadOptions) error {
	data := append(t.AppendJSON(nil), '\n')
	again, err := Read("history.json", bytes.NewReader(data), o)
	if err != nil {
		return err
	}
	if !bytes.Equal(again.AppendJSON(nil), data[:len(data)-1]) {
		return fail(ErrFileShape, "the history would be read back as another one")
	}
	_, err = w.Write(data)
	return err
}
