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
	next.warnings, next.sealed, next.main = nil, nil, nil
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

// Erase returns the history without the content of some nodes. In every state, it removes content,
// content_hash, provenance and custom members from the nodes with these ids, from their overlays
// and redaction markers, from those of these in turn, and from every node with the same content as
// one of these, such as an instance of a cadence. A node counts as an overlay if it refers to an
// older one with its key, or to only one node; so a node whose only reference is to an erased node
// is erased, too. The nodes themselves stay. Erase also returns the sorted ids of the other nodes
// that it erased. If no state has one of the ids, the error has the code [ErrNotFound]. The cost is
// a pass over the nodes that snapshots do not share.
func (t *Timeline) Erase(ids ...string) (*Timeline, []string, error) {
	e := eraser{contents: map[string]bool{}, erased: map[string]bool{}}
	e.gather(t, ids)
	for _, id := range ids {
		if !e.erased[id] {
			return nil, nil, fail(ErrNotFound, "no node of the history has the id %q", id)
		}
	}
	next := t.rewrite(e.record)
	for _, id := range ids {
		delete(e.erased, id)
	}
	return next, slices.Sorted(maps.Keys(e.erased)), nil
}

// eraser finds nodes to erase, and erases them.
type eraser struct {
	contents map[string]bool // to be erased wherever they are
	erased   map[string]bool // ids
}

// gather collects the ids and contents to erase.
func (e *eraser) gather(t *Timeline, ids []string) {
	records, users := map[string][]*tree.Record{}, map[string][]*tree.Record{} // by id, and by reference
	seen := map[*tree.Record]bool{}
	note := func(r *tree.Record) {
		if seen[r] {
			return
		}
		seen[r] = true
		records[r.ID] = append(records[r.ID], r)
		for _, ref := range r.Extra().Refs {
			users[ref] = append(users[ref], r)
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
	for todo := slices.Clone(ids); len(todo) > 0; todo = todo[1:] {
		id := todo[0]
		if e.erased[id] || len(records[id]) == 0 {
			continue
		}
		e.erased[id] = true
		for _, r := range records[id] {
			if r.Content != "" && r.Content != `""` && r.Content != "null" {
				e.contents[r.Content] = true
			}
		}
		for _, u := range users[id] {
			isOverlay := func(r *tree.Record) bool { return u.Key != "" && u.Key == r.Key && tree.CompareAge(r, u) < 0 }
			if len(u.Extra().Refs) == 1 || slices.ContainsFunc(records[id], isOverlay) {
				todo = append(todo, u.ID)
			}
		}
	}
}

// record returns r or, if r is to be erased, a copy without its content.
func (e *eraser) record(r *tree.Record) *tree.Record {
	if !e.erased[r.ID] && !e.contents[r.Content] {
		return r
	}
	e.erased[r.ID] = true
	return r.Without(tree.HeaderContent, tree.HeaderContentHash, tree.HeaderProvenance)
}
