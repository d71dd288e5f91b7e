package engine

import (
	"maps"
	"slices"

	"github.com/pactkit/pactkit/internal/tree"
)

// Rewrite returns the history in another edition, with its spec_version, and with
// other records. It calls f once for each record; f returns a record with the same
// id and the same order among siblings, or its argument. Infos of commits stay. It
// is for package migrate: the result can be written, but not searched.
func (t *Timeline) Rewrite(e Edition, f func(*tree.Record) *tree.Record) *Timeline {
	return t.rewrite(&e, f)
}

// rewrite is Rewrite; e is nil if each state keeps its edition. States share afterwards what they shared before.
func (t *Timeline) rewrite(e *Edition, f func(*tree.Record) *tree.Record) *Timeline {
	record := memo(f)
	chunk := memo(func(c *tree.Chunk) *tree.Chunk {
		next := c
		for i, r := range c.Recs {
			if n := record(r); n != r {
				next = next.WithRecord(i, n)
			}
		}
		return next
	})
	origin := memo(func(o *tree.Origin) *tree.Origin {
		next := *o
		next.Edition, next.Version = *e, e.SpecVersion()
		return &next
	})
	snapshot := func(s *Snapshot) *Snapshot {
		next := *s
		next.tree().Replace(chunk)
		if e != nil {
			next.tree().SetOrigin(origin(s.origin()))
		}
		return &next
	}
	next := *t
	next.warnings, next.sealed, next.main = nil, nil, nil
	if e != nil {
		next.edition, next.version = *e, e.SpecVersion()
	}
	for _, s := range t.sealed {
		next.push(snapshot(s))
	}
	if t.working != nil {
		next.working = snapshot(t.working)
	}
	next.cadence = maps.Clone(t.cadence)
	for key, s := range t.cadence {
		s.recs = slices.Clone(s.recs)
		for k, r := range s.recs {
			s.recs[k] = record(r)
		}
		next.cadence[key] = s
	}
	return &next
}

// memo returns a function that calls f once for each argument.
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
