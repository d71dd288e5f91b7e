package engine

import (
	"maps"
	"slices"

	"github.com/pactkit/pactkit/internal/tree"
)

// schedule starts, or restarts, the cadence of the first node of f. Its instances
// get what is left of the lifetime of a node, because files do not record the
// cycle that a lifetime counts from.
func (tx *tx) schedule(f tree.Forest, core bool) {
	f = f.Clone()
	for i, r := range f.Recs {
		if at := tx.s.tree().TTLAt(); r.Expiry != tree.Never && r.TTLFrom < at {
			template := *r
			template.TTLFrom, template.Expiry = at, max(at, r.Expiry)
			f.Recs[i] = &template
		}
	}
	r := f.Recs[0]
	core = core || r.Base == tree.BaseBlock && r.Offset == 0
	s := schedule{key: r.Key, first: tx.s.Cycle(), every: r.Cad, core: core, recs: f.Recs, levels: f.Levels}
	next := tx.timeline()
	next.cadence = next.cadence.with(cadences{s.key: s})
}

// StopCadence ends the cadence of a key; existing instances stay. A key without a
// cadence is an error of code [ErrNotFound].
func (c *Context) StopCadence(key string) error {
	return c.update(func(tx *tx) error {
		next := tx.timeline()
		if _, ok := next.cadence[key]; !ok {
			return fail(ErrNotFound, "the key %q has no cadence", key)
		}
		next.cadence = next.cadence.without(key)
		return nil
	})
}

// Cadences returns the keys with a cadence, sorted.
func (c *Context) Cadences() []string {
	return slices.Sorted(maps.Keys(c.view.Load().sealed.cadence))
}

// cadence puts instances of the cadences that are due into the head. turn is the
// cycle in which the turn before began.
func (tx *tx) cadence(list cadences, turn int64) {
	for _, s := range list.sorted() {
		if s.due(turn, tx.s.Cycle()) {
			tx.instance(&s)
		}
	}
}

// instance makes one instance: new ids and instants, everything else as in the
// template. It drops references to nodes that are gone.
func (tx *tx) instance(s *schedule) {
	p := destination{region: tree.RegionHead, at: -1, parent: -1}
	// A head has one core: a container that would be a second one goes into it.
	at, core := tx.headCore()
	second := at >= 0 && s.recs[0].Base == tree.BaseCont && s.recs[0].OffsetSign() == 0
	switch {
	case at >= 0 && (s.core || second):
		p.at, p.parent = at, core
	case s.core:
		p = tx.makeCore()
	}
	f := tree.Forest{Recs: make([]*tree.Record, len(s.recs)), Levels: s.levels}
	for i, t := range s.recs {
		made := tx.newRecord("", t.Type, t.Offset)
		r := t.Copy()
		r.ID, r.NS, r.ISO, r.Cycle, r.Index = made.ID, made.NS, made.ISO, made.Cycle, made.Index
		if t.IsMarker() {
			r.Expiry = tree.Never
		} else if t.Expiry != tree.Never {
			r.Expiry = made.Cycle + t.Expiry - t.TTLFrom
		}
		r.TTLFrom = made.Cycle
		if refs := r.Extra().Refs; len(refs) > 0 {
			setRefs(r, slices.DeleteFunc(slices.Clone(refs), func(id string) bool {
				_, ok := tx.s.Find(id)
				return !ok
			}))
			if id, ok := r.Marks(); ok {
				target, _ := tx.s.Find(id)
				r.LiveAs(target.rec())
			}
		}
		r.Have |= tree.RequiredHeaders
		f.Recs[i] = r
		tx.count(r, 1)
	}
	tx.put(p, f)
}
