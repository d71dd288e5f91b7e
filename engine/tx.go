package engine

import (
	"slices"
	"strings"

	"github.com/pactkit/pactkit/internal/tree"
)

// tx is a change in progress: a copy of the working state and of the progress. Readers do not see
// it before publish.
type tx struct {
	c    *Context
	s    *Snapshot // the working state of next
	next *view
	progress
	err    error           // see fail
	fresh  map[string]bool // the ids of new nodes
	undo   []counted
	placed Node // the last node that was put into an existing chunk
}

// part returns the chunks of a region in the changing tree.
func (tx *tx) part(r tree.Region) *tree.Sequence { return tx.s.tree().Part(r) }

// forest returns an empty forest for the nodes of a draft. It is valid until the next call, which
// reuses its memory.
func (tx *tx) forest() tree.Forest { return tree.Forest{Recs: tx.c.recs[:0], Levels: tx.c.levels[:0]} }

// counted is a call of tally.
type counted struct {
	r  *tree.Record
	by int
}

// scratchMax is the largest number of entries for which the memory of a change is reused. Clearing
// more entries would cost more than it saves.
const scratchMax = 16

// begin starts a change of v, which it does not modify, and ends the change before it, whose memory
// it reuses.
func (c *Context) begin(v *view) *tx {
	next := &view{sealed: v.sealed, working: v.working}
	undo, fresh := c.scratch.undo, c.scratch.fresh
	if fresh == nil || max(len(undo), len(fresh)) > scratchMax {
		undo, fresh = nil, map[string]bool{}
	}
	clear(undo)
	clear(fresh)
	c.scratch = tx{c: c, s: &next.working, next: next, progress: c.progress, undo: undo[:0], fresh: fresh}
	return &c.scratch
}

// fail makes the change fail, unless it has failed already. A failed change is never published, so
// the functions that make nodes and put them into the tree can continue, and do not return errors.
func (tx *tx) fail(code Code, format string, args ...any) {
	if tx.err == nil {
		tx.err = fail(code, format, args...)
	}
}

// timeline returns a copy of the timeline of sealed states. It becomes visible with the change.
func (tx *tx) timeline() *Timeline {
	t := *tx.next.sealed
	tx.next.sealed = &t
	return &t
}

// publish makes the change visible.
func (tx *tx) publish() {
	tx.c.progress = tx.progress
	tx.c.view.Store(tx.next)
}

// post adds nodes in the subtree of top, a child of a region, to the index. hint is the number of
// the first node in its chunk. Entries of the index are hints, so they do no harm if the nodes
// never become visible.
func (tx *tx) post(region tree.Region, top *tree.Record, hint int, recs ...*tree.Record) {
	h := tx.c.head
	if region != tree.RegionHead {
		h = tree.NewLocation(region, top)
	}
	tx.s.origin().Index.AddAll(recs, h, hint)
}

// count adds a node to the counts of keys and references (by 1) or removes it from them (by -1). It
// can be undone.
func (tx *tx) count(r *tree.Record, by int) {
	tx.undo = append(tx.undo, counted{r, by})
	tx.c.tally(r, by)
}

// tally adds a node (by 1) or removes it (by -1).
func (l *ledger) tally(r *tree.Record, by int) {
	if target, ok := r.Marks(); ok {
		addID(l.markers, target, r.ID, by)
	} else {
		for _, ref := range r.Extra().Refs {
			if l.refs[ref] += by; l.refs[ref] == 0 {
				delete(l.refs, ref)
			}
		}
	}
	if r.Key != "" {
		addID(l.keys, r.Key, r.ID, by)
	}
}

// addID adds an id to the list of a word (by 1) or removes it (by -1).
func addID(lists map[string][]string, word, id string, by int) {
	ids := lists[word]
	switch {
	case by > 0:
		lists[word] = append(ids, id)
	case len(ids) == 1:
		delete(lists, word)
	default:
		i, last := 0, len(ids)-1
		for ids[i] != id { // it is usually one of the oldest or of the newest
			if ids[last-i] == id {
				i = last - i
				break
			}
			i++
		}
		lists[word] = slices.Delete(ids, i, i+1)
	}
}

// resolve returns the node of the working state s that a target names.
func (l *ledger) resolve(s *Snapshot, t Target) (Node, error) {
	id := t.id
	if t.key != "" {
		ids := l.keys[t.key]
		if len(ids) == 0 {
			return Node{}, fail(ErrNotFound, "no live node has the key %q", t.key)
		}
		newest, one := newestVersion(s, ids)
		if !one {
			sorted := slices.Sorted(slices.Values(ids))
			return Node{}, fail(ErrAmbiguousKey, "several nodes have the key %q: %s", t.key, strings.Join(sorted[:min(len(sorted), 5)], ", "))
		}
		id = newest
	}
	n, ok := s.Find(id)
	if !ok {
		return Node{}, fail(ErrNotFound, "no node has the id %q", id)
	}
	return n, nil
}

// newestVersion returns the newest of the nodes with a key. It reports false if they are not
// versions of one node.
func newestVersion(s *Snapshot, ids []string) (newest string, ok bool) {
	list := make([]*tree.Record, len(ids))
	var original Node
	for i, id := range ids {
		n, _ := s.Find(id)
		if list[i] = n.rec(); i == 0 {
			original = n.first()
		} else if n.first() != original {
			return "", false
		}
	}
	return slices.MaxFunc(list, tree.CompareAge).ID, true
}

// checkRefs returns an error if a node that a draft refers to does not exist.
func (tx *tx) checkRefs(d *Draft) error {
	for _, ref := range d.Refs {
		if _, ok := tx.s.Find(ref); !ok {
			return fail(ErrNotFound, "the reference %q names no node", ref)
		}
	}
	for i := range d.Children {
		if err := tx.checkRefs(&d.Children[i]); err != nil {
			return err
		}
	}
	return nil
}
