package engine

import (
	"maps"
	"slices"

	"github.com/pactkit/pactkit/internal/tree"
)

// Rewrite returns the history in another edition, with the spec_version of that edition and with
// other records. It calls f once for each record. f returns its argument, or a record with the same
// id and the same position among its siblings. Infos of commits stay. Rewrite is for package
// migrate: the result can be written, but not searched. The cost is a pass over the nodes that
// snapshots do not share.
func (t *Timeline) Rewrite(e Edition, f func(*tree.Record) *tree.Record) *Timeline {
	next := t.rewrite(f)
	next.edition, next.version = e, e.SpecVersion()
	origin := memo(func(o *tree.Origin) *tree.Origin {
		of := *o
		of.Edition, of.Version = next.edition, next.version
		return &of
	})
	for s := range next.states() {
		s.tree().SetOrigin(origin(s.origin()))
	}
	return next
}

// rewrite is Rewrite without the edition. The new states share what the old ones share, and may
// still be modified.
func (t *Timeline) rewrite(f func(*tree.Record) *tree.Record) *Timeline {
	record := memo(f)
	replace := tree.Replacer(record)
	snapshot := func(s *Snapshot) *Snapshot {
		next := *s
		replace(next.tree())
		return &next
	}
	next := *t
	next.warnings, next.sealed, next.main, next.past = nil, nil, nil, nil
	for _, s := range t.sealed {
		next.push(snapshot(s))
	}
	if t.working != nil {
		next.working = snapshot(t.working)
	}
	next.cadence = maps.Clone(t.cadence)
	for key, s := range t.cadence {
		s.template = s.template.Clone()
		for k, r := range s.template.Recs {
			s.template.Recs[k] = record(r)
		}
		next.cadence[key] = s
	}
	return &next
}

// memo returns a function that returns what f does, but calls f only once for each argument.
func memo[K comparable, V any](f func(K) V) func(K) V {
	known := map[K]V{}
	return func(k K) V {
		v, ok := known[k]
		if !ok {
			v = f(k)
			known[k] = v
		}
		return v
	}
}

// Erase returns the history without the content of some nodes. In every state, and in what cadences
// repeat, it removes content, content_hash, provenance and custom members from the nodes with these
// ids, from every node that has the same content as an erased one in any state, such as another
// instance of a cadence, and from every node that refers only to erased ones, such as overlays and
// redaction markers (E53). The nodes themselves stay. Erase also returns the sorted ids of the
// other nodes that it erased. If no state has one of the ids, the error has the code [ErrNotFound].
// The cost is a pass over the nodes that snapshots do not share.
func (t *Timeline) Erase(ids ...string) (*Timeline, []string, error) {
	e := newEraser(t)
	for _, id := range ids {
		if len(e.byID[id]) == 0 {
			return nil, nil, fail(ErrNotFound, "no node of the history has the id %q", id)
		}
	}
	e.gather(ids)
	next := t.rewrite(e.record)
	for _, id := range ids {
		delete(e.erased, id)
	}
	return next, slices.Sorted(maps.Keys(e.erased)), nil
}

// eraser finds nodes to erase, and erases them.
type eraser struct {
	byID, byContent, users map[string][]*tree.Record // users by reference
	erased                 map[string]bool           // ids
}

// newEraser collects the records of all states, and of what cadences repeat.
func newEraser(t *Timeline) *eraser {
	e := &eraser{byID: map[string][]*tree.Record{}, byContent: map[string][]*tree.Record{}, users: map[string][]*tree.Record{}, erased: map[string]bool{}}
	seen := map[*tree.Record]bool{}
	note := func(r *tree.Record) {
		if seen[r] {
			return
		}
		seen[r] = true
		e.byID[r.ID] = append(e.byID[r.ID], r)
		if r.Content != "" && r.Content != `""` && r.Content != "null" {
			e.byContent[r.Content] = append(e.byContent[r.Content], r)
		}
		for _, ref := range r.Extra().Refs {
			e.users[ref] = append(e.users[ref], r)
		}
	}
	for n := range distinct(t.states()) {
		note(n.rec())
	}
	for _, s := range t.cadence {
		for _, r := range s.template.Recs {
			note(r)
		}
	}
	return e
}

// Mark identifies a node in all histories that were forked from one (J12).
type Mark struct {
	ID      string
	content string
	cycle   int64
	ns      int64
	index   int64
}

// Marks returns the marks of nodes, for [Timeline.Marked]. The cost is that of [Timeline.Erase].
func (t *Timeline) Marks(ids ...string) (list []Mark) {
	e := newEraser(t)
	for _, id := range ids {
		for _, r := range e.byID[id] {
			list = append(list, markOf(r))
		}
	}
	return list
}

func markOf(r *tree.Record) Mark { return Mark{r.ID, r.Content, r.Cycle, r.NS, r.Index} }

// Marked returns the sorted ids of the nodes that have one of the marks and something to erase. A
// mark of a node without content is also that of the node before its content was erased.
func (t *Timeline) Marked(marks []Mark) (ids []string) {
	e, known := newEraser(t), map[Mark]bool{}
	for _, m := range marks {
		known[m] = true
	}
	for id, records := range e.byID {
		has, is := false, false
		for _, r := range records {
			m := markOf(r)
			is = is || known[m]
			m.content = ""
			is = is || known[m]
			x := r.Extra()
			has = has || r.Content != "" || x.Hash != "" || x.Provenance != "" || len(x.Members) > 0
		}
		if has && is {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// gather collects the ids of the nodes to erase.
func (e *eraser) gather(ids []string) {
	todo := slices.Clone(ids)
	for len(todo) > 0 {
		id := todo[0]
		if todo = todo[1:]; e.erased[id] {
			continue
		}
		e.erased[id] = true
		for _, r := range e.byID[id] {
			for _, same := range e.byContent[r.Content] {
				todo = append(todo, same.ID)
			}
			delete(e.byContent, r.Content) // all of them are in todo
		}
		for _, u := range e.users[id] {
			if !slices.ContainsFunc(u.Extra().Refs, func(ref string) bool { return !e.erased[ref] }) {
				todo = append(todo, u.ID)
			}
		}
	}
}

// record returns r or, if r is to be erased, a copy without its content.
func (e *eraser) record(r *tree.Record) *tree.Record {
	if !e.erased[r.ID] {
		return r
	}
	return r.Without(tree.HeaderContent, tree.HeaderContentHash, tree.HeaderProvenance)
}
