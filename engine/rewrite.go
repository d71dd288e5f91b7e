package engine

import (
	"slices"

	"github.com/pactkit/pactkit/internal/tree"
)

// Rewrite returns the history with other records, in an edition and with its
// spec_version. f gets each record once, and returns the one to put in its place,
// or the same. It keeps the id and what siblings are sorted by. What is known of
// commits stays. It is there for package migrate: the result can be written, and not
// searched.
func (t *Timeline) Rewrite(e Edition, f func(*tree.Record) *tree.Record) *Timeline {
	w := newRewriter(f)
	w.edition = &e
	return w.timeline(t)
}

// rewriter puts other records into the states of a history. What states share, they
// share afterwards.
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

// ContentHash returns the content hash that a record has by its content, whatever
// hash it stores. It is there for package migrate.
func ContentHash(r *tree.Record) string { return contentHash(r) }
