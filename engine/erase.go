package engine

import (
	"slices"

	"github.com/pactkit/pactkit/internal/tree"
)

// Erase returns the history as if nodes had never had a content: content,
// content_hash, provenance and custom members of the nodes with these ids are
// gone from every state, and so are those of their overlays and of every node
// with the same content, such as an instance of a cadence. The nodes stay where they
// were. ids of other nodes that were erased come back, sorted. An id that no
// state has is an error of code [ErrNotFound]. The cost is that of the history.
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
	e.gather(t) // what has the content of an overlay
	next := newRewriter(e.record).timeline(t)
	var others []string
	for id := range e.erased {
		if !e.named[id] {
			others = append(others, id)
		}
	}
	slices.Sort(others)
	return next, others, nil
}

// eraser finds and empties nodes.
type eraser struct {
	named    map[string]bool
	contents map[string]bool // to be erased wherever they are
	erased   map[string]bool // ids
}

// gather takes note of what is to be erased.
func (e *eraser) gather(t *Timeline) {
	note := func(r *tree.Record) {
		if e.named[r.ID] || slices.ContainsFunc(r.Extra().Refs, func(id string) bool { return e.named[id] }) && isVersion(r) {
			e.erased[r.ID] = true
			if r.Content != "" && r.Content != `""` && r.Content != "null" {
				e.contents[r.Content] = true
			}
		}
	}
	visit := tree.DistinctChunks()
	for s := range t.states() {
		for _, r := range s.tree().RegionRoots().Recs {
			note(r)
		}
		visit(s.tree(), func(_ tree.Region, _ int, c *tree.Chunk) bool {
			for _, r := range c.Recs {
				note(r)
			}
			return true
		})
	}
	for _, s := range t.cadence {
		for _, r := range s.recs {
			note(r)
		}
	}
}

// isVersion reports whether a node that refers to another one stands for it: an
// overlay or a redaction marker, which refer to that alone.
func isVersion(r *tree.Record) bool { return len(r.Extra().Refs) == 1 }

// record returns a record without what is to be erased, or r itself.
func (e *eraser) record(r *tree.Record) *tree.Record {
	if !e.erased[r.ID] && !e.contents[r.Content] {
		return r
	}
	e.erased[r.ID] = true
	return r.Without(tree.HeaderContent, tree.HeaderContentHash, tree.HeaderProvenance)
}
