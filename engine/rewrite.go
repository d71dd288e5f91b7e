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

// rewrite is Rewrite for records alone. States share afterwards what they shared before, and are not shared yet.
func (t *Timeline) rewrite(f func(*tree.Record) *tree.Record) *Timeline {
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
	snapshot := func(s *Snapshot) *Snapshot {
		next := *s
		next.tree().Replace(chunk)
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
