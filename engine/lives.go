package engine

import (
	"cmp"
	"slices"
	"sort"
)

// The causes for which nodes leave or change. Histories may have others.
const (
	CauseExpired        = "expired"         // its lifetime ended
	CausePruned         = "pruned"          // a policy removed it
	CauseDeleted        = "deleted"         // it was removed explicitly
	CauseCompacted      = "compacted"       // a summary replaced it
	CauseCleared        = "cleared"         // a placeholder replaced its content
	CauseTruncated      = "truncated"       // a shorter text replaced its content
	CauseDeduplicated   = "deduplicated"    // a later node has the same content
	CauseTrimmed        = "trimmed"         // the oldest messages were cut off
	CauseEdited         = "edited"          // its content was replaced
	CauseRewound        = "rewound"         // the conversation continued from an earlier point
	CauseSessionCleared = "session-cleared" // the user restarted the conversation
	CauseUnknown        = "unknown"         // not recorded
)

// Life is the life of a node as seen from a snapshot of a timeline (decision D40).
type Life struct {
	// Entered is the cycle in which the node came: all snapshots from there to this one have it.
	Entered int64
	// Left is the cycle of the next snapshot without the node, or 0 if every later snapshot has it.
	Left int64
	// Cause is why the node leaves or, if that happens earlier, why it changes next. It is nil if
	// neither happens, and for a change without a recorded cause. A cause that is not recorded is
	// marked as inferred.
	Cause *Cause
}

// Lives holds the lives of the nodes of a timeline. It is safe for concurrent use.
type Lives struct {
	t       *Timeline
	oldest  int64               // the cycle of the oldest state
	spans   map[string][]Life   // without the causes of changes, oldest first
	changes map[string][]caused // of the nodes that stay, oldest first
	changed map[int64][]string  // the ids in changes, by cycle
}

// caused is a change with a recorded cause.
type caused struct {
	cycle int64
	cause *Cause
}

// Lives returns the lives of the nodes in the states that @t counts. The cost is what neighboring
// states do not share.
func (t *Timeline) Lives() *Lives {
	l := &Lives{t: t, spans: map[string][]Life{}, changes: map[string][]caused{}, changed: map[int64][]string{}}
	if n := t.Len(); n > 0 {
		l.oldest = t.At(n - 1).Cycle()
	}
	for back := t.Len() - 2; back >= 0; back-- {
		l.step(t.At(back+1), t.At(back))
	}
	return l
}

// step records what happens between two neighboring states.
func (l *Lives) step(older, newer *Snapshot) {
	_, removed, added := matchRecords(older, newer, false)
	for _, n := range added {
		l.spans[n.ID()] = append(l.spans[n.ID()], Life{Entered: newer.Cycle()})
	}
	for _, n := range removed {
		id := n.ID()
		if len(l.spans[id]) == 0 {
			l.spans[id] = append(l.spans[id], Life{Entered: l.oldest})
		}
		last := &l.spans[id][len(l.spans[id])-1]
		last.Left, last.Cause = newer.Cycle(), l.departure(older, newer, n)
	}
	causes := newer.info().Causes
	for i := range causes {
		id := causes[i].ID
		if _, ok := newer.Find(id); !ok {
			continue
		}
		if spans := l.spans[id]; len(spans) > 0 && spans[len(spans)-1].Entered == newer.Cycle() {
			continue
		}
		l.changes[id] = append(l.changes[id], caused{newer.Cycle(), &causes[i]})
		l.changed[newer.Cycle()] = append(l.changed[newer.Cycle()], id)
	}
}

// causeOf returns the recorded cause of a node, or nil.
func (s *Snapshot) causeOf(id string) *Cause {
	list := s.info().Causes
	if i, ok := slices.BinarySearchFunc(list, id, func(c Cause, id string) int { return cmp.Compare(c.ID, id) }); ok {
		return &list[i]
	}
	return nil
}

// departure returns why n of the older state is not in the newer one: the cause recorded with the
// newer one or with a side call between the two, or else an inferred cause.
func (l *Lives) departure(older, newer *Snapshot, n Node) *Cause {
	if c := newer.causeOf(n.ID()); c != nil {
		return c
	}
	sealed := l.t.sealed
	i, _ := slices.BinarySearchFunc(sealed, newer.Cycle(), compareCycle)
	for i--; i >= 0 && sealed[i].Cycle() > older.Cycle(); i-- {
		if c := sealed[i].causeOf(n.ID()); c != nil {
			return c
		}
	}
	cause := CauseUnknown
	ttl, mortal := n.TTL()
	switch {
	case newer.Working(): // expired nodes leave with the commit
		cause = CauseDeleted
	case mortal && ttl.Cmp(Int(newer.Cycle()-older.Cycle())) <= 0:
		cause = CauseExpired
	}
	return &Cause{ID: n.ID(), Cause: cause, Inferred: true}
}

// Changed returns the ids of the nodes that are in both the state s and the one before it, and for
// whose change s records a cause. The slice is shared and must not be modified.
func (l *Lives) Changed(s *Snapshot) []string { return l.changed[s.Cycle()] }

// Of returns the life of a node as seen from its snapshot, which must be in the timeline. For nodes
// of a side call, the call counts as one of the states. The cost is a few binary searches.
func (l *Lives) Of(n Node) Life {
	s, id := n.Snapshot(), n.ID()
	if s, back := l.t.OfCycle(s.Cycle()); s != nil && back < 0 && !n.Snapshot().Working() {
		return l.ofSide(s, id, n)
	}
	return l.asOf(s.Cycle(), id)
}

// asOf is Of for a node of the state of a cycle that @t counts.
func (l *Lives) asOf(cycle int64, id string) Life {
	life, spans, changes := Life{Entered: l.oldest}, l.spans[id], l.changes[id]
	if i := sort.Search(len(spans), func(i int) bool { return spans[i].Entered > cycle }); i > 0 {
		life = spans[i-1]
	}
	i := sort.Search(len(changes), func(i int) bool { return changes[i].cycle > cycle })
	if i < len(changes) && (life.Left == 0 || changes[i].cycle < life.Left) {
		life.Cause = changes[i].cause
	}
	return life
}

// Ends returns the cycles of the oldest and the newest state that have a node with an id. At least
// one state must have it. Some states between the two may lack it.
func (l *Lives) Ends(id string) (oldest, newest int64) {
	oldest, newest = l.oldest, l.t.At(0).Cycle()
	if spans := l.spans[id]; len(spans) > 0 {
		oldest = spans[0].Entered
		if left := spans[len(spans)-1].Left; left > 0 {
			last, _ := l.around(left)
			newest = last.Cycle()
		}
	}
	return oldest, newest
}

// ofSide is Of for a node of a side call.
func (l *Lives) ofSide(s *Snapshot, id string, n Node) Life {
	older, newer := l.around(s.Cycle())
	life := Life{Entered: s.Cycle()}
	if older != nil {
		if _, ok := older.Find(id); ok {
			life.Entered = l.asOf(older.Cycle(), id).Entered
		}
	}
	if newer == nil {
		return life
	}
	if _, ok := newer.Find(id); !ok {
		life.Left, life.Cause = newer.Cycle(), l.departure(s, newer, n)
		return life
	}
	next := l.asOf(newer.Cycle(), id)
	life.Left, life.Cause = next.Left, cmp.Or(newer.causeOf(id), next.Cause)
	return life
}

// around returns the states before and after a cycle, or nil where there is none.
func (l *Lives) around(cycle int64) (older, newer *Snapshot) {
	i, _ := slices.BinarySearchFunc(l.t.main, cycle, compareCycle)
	back := l.t.Len() - i
	return l.t.At(back), l.t.At(back - 1)
}
