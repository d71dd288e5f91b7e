package engine

import (
	"maps"
	"slices"

	"github.com/pactkit/pactkit/internal/tree"
)

// Erase returns the history without the content of some nodes. In every state it
// removes content, content_hash, provenance and custom members of the nodes with
// these ids, of their overlays, and of every node with the same content, such as
// an instance of a cadence. The nodes themselves stay. Erase also returns the ids
// of the other nodes that it erased, sorted. An id that no state has is an error
// of code [ErrNotFound]. The cost is a pass over the history.
func (t *Timeline) Erase(ids ...string) (*Timeline, []string, error) {
	e := eraser{named: map[string]bool{}, contents: map[string]bool{}, erased: map[string]bool{}}
	for _, id := range ids {
		e.named[id] = true
	}
	e.gather(t)
	for _, id := range ids {
		if !e.erased[id] {
			return nil, nil, fail(ErrNotFound, "no node of the history has the id %q", id)
		}
	}
	e.gather(t) // now also the nodes with the content of an overlay
	next := t.rewrite(e.record)
	maps.DeleteFunc(e.erased, func(id string, _ bool) bool { return e.named[id] })
	return next, slices.Sorted(maps.Keys(e.erased)), nil
}

// eraser finds and empties nodes.
type eraser struct {
	named    map[string]bool
	contents map[string]bool // to be erased wherever they are
	erased   map[string]bool // ids
}

// gather collects the ids and contents to erase.
func (e *eraser) gather(t *Timeline) {
	note := func(r *tree.Record) {
		refs := r.Extra().Refs // an overlay or a redaction marker refers to nothing else
		if e.named[r.ID] || len(refs) == 1 && e.named[refs[0]] {
			e.erased[r.ID] = true
			if r.Content != "" && r.Content != `""` && r.Content != "null" {
				e.contents[r.Content] = true
			}
		}
	}
	for n := range distinct(t.states()) {
		note(n.rec())
	}
	for _, s := range t.cadence {
		for _, r := range s.recs {
			note(r)
		}
	}
}

// record returns the record without its content if that is to be erased, else r itself.
func (e *eraser) record(r *tree.Record) *tree.Record {
	if !e.erased[r.ID] && !e.contents[r.Content] {
		return r
	}
	e.erased[r.ID] = true
	return r.Without(tree.HeaderContent, tree.HeaderContentHash, tree.HeaderProvenance)
}
