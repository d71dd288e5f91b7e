package engine

import (
	"slices"

	"github.com/pactkit/pactkit/internal/tree"
)

// Rewrite returns the history in another edition, with its spec_version, and with
// other records. It calls f once for each record; f returns a record with the same
// id and the same order among siblings, or its argument. Infos of commits stay. It
// is for package migrate: the result can be written, but not searched.
func (t *Timeline) Rewrite(e Edition, f func(*tree.Record) *tree.Record) *Timeline {
	w := newRewriter(f)
	w.edition = &e
	return w.timeline(t)
}

// rewriter replaces records in the states of a history. States share afterwards what
// they shared before.
type rewriter struct {
	f       func(*tree.Record) *tree.Record
	edition *Edition // of the result; nil for that of each state
	chunks  map[*tree.Chunk]*tree.Chunk
	recs    map[*tree.Record]*tree.Record
	origins map[*tree.Origin]*tree.Origin
}

func newRewriter(f func(*tree.Record) *tree.Record) *rewriter {
	return &rewriter{f: f, chunks: map[*tree.Chunk]*tree.Chunk{}, recs: map[*tree.Record]*tree.Record{}, origins: map[*tree.Origin]*tree.Origin{}}
}

func (w *rewriter) timeline(t *Timeline) *Timeline {
	next := *t
	next.warnings = nil
	if w.edition != nil {
		next.edition, next.version = *w.edition, w.edition.SpecVersion()
	}
	next.sealed, next.main = nil, nil
	for _, s := range t.sealed {
		next.push(w.snapshot(s))
	}
	if t.working != nil {
		next.working = w.snapshot(t.working)
	}
	next.cadence = slices.Clone(t.cadence)
	for i := range next.cadence {
		recs := slices.Clone(next.cadence[i].recs)
		for k, r := range recs {
			recs[k] = w.record(r)
		}
		next.cadence[i].recs = recs
	}
	return &next
}

func (w *rewriter) snapshot(s *Snapshot) *Snapshot {
	next := *s
	next.tree().Replace(w.chunk)
	if w.edition != nil {
		next.tree().SetOrigin(w.origin(s.origin()))
	}
	return &next
}

func (w *rewriter) origin(o *tree.Origin) *tree.Origin {
	next := w.origins[o]
	if next == nil {
		made := *o
		made.Edition, made.Version = *w.edition, w.edition.SpecVersion()
		next = &made
		w.origins[o] = next
	}
	return next
}

func (w *rewriter) chunk(c *tree.Chunk) *tree.Chunk {
	if next := w.chunks[c]; next != nil {
		return next
	}
	next := c
	for i, r := range c.Recs {
		if n := w.record(r); n != r {
			next = next.WithRecord(i, n)
		}
	}
	w.chunks[c] = next
	return next
}

func (w *rewriter) record(r *tree.Record) *tree.Record {
	next := w.recs[r]
	if next == nil {
		next = w.f(r)
		w.recs[r] = next
	}
	return next
}

// ContentHash returns the computed content hash of a record, even if it has a stored
// one. It is for package migrate.
func ContentHash(r *tree.Record) string { return contentHash(r) }
