package engine

import "slices"

// schedule starts, or restarts, the cadence of the first node of f.
func (tx *tx) schedule(f forest, core bool) {
	f = f.clone()
	r := f.recs[0]
	core = core || r.base == BaseBlock && r.offset == 0
	s := schedule{key: r.key, first: tx.s.cycle, every: r.cad, core: core, recs: f.recs, levels: f.levels}
	tx.cad = append(tx.cad, s)
}

// withSchedules returns list with the new ones in their places.
func withSchedules(list, more []schedule) []schedule {
	for _, s := range more {
		i, found := slices.BinarySearchFunc(list, s.key, compareSchedule)
		list = slices.Clone(list)
		if found {
			list[i] = s
		} else {
			list = slices.Insert(list, i, s)
		}
	}
	return list
}

// StopCadence ends the cadence of a key. Instances that are there stay.
func (c *Context) StopCadence(key string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	v := c.view.Load()
	i, ok := slices.BinarySearchFunc(v.sealed.cadence, key, compareSchedule)
	if !ok {
		return fail(ErrNotFound, "the key %q has no cadence", key)
	}
	next := *v.sealed
	next.cadence = slices.Delete(slices.Clone(next.cadence), i, i+1)
	c.view.Store(&view{sealed: &next, working: v.working})
	return nil
}

// Cadences returns the keys with a cadence, sorted.
func (c *Context) Cadences() []string {
	var keys []string
	for _, s := range c.view.Load().sealed.cadence {
		keys = append(keys, s.key)
	}
	return keys
}

// cadence puts instances of what is due into the head.
func (tx *tx) cadence(list []schedule) error {
	for i := range list {
		if list[i].due(tx.s.cycle) {
			if err := tx.instance(&list[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// instance makes one: fresh ids and instants, everything else as in the
// template. References to nodes that are gone are left out.
func (tx *tx) instance(s *schedule) error {
	p := place{region: RegionHead, at: -1, parent: -1}
	// A head has one core: a container that would be a second one goes into it.
	at, core := tx.headCore()
	second := at >= 0 && s.recs[0].base == BaseCont && s.recs[0].number(hOffset).Cmp(Int(0)) == 0
	switch {
	case at >= 0 && (s.core || second):
		p.at, p.parent = at, core
	case s.core:
		var err error
		if p, err = tx.makeCore(); err != nil {
			return err
		}
	}
	f := forest{make([]*record, len(s.recs)), s.levels}
	for i, t := range s.recs {
		made, err := tx.newRecord("", t.typ, t.offset)
		if err != nil {
			return err
		}
		r := *t
		r.id, r.ns, r.iso, r.cycle, r.index = made.id, made.ns, made.iso, made.cycle, made.index
		if t.isMarker() {
			r.expiry = never
		} else if t.expiry != never {
			r.expiry = made.cycle + t.expiry - t.ttlFrom
		}
		r.ttlFrom = made.cycle
		if refs := r.extra().refs; len(refs) > 0 {
			e := *r.more
			r.more = &e
			r.setRefs(slices.DeleteFunc(slices.Clone(refs), func(id string) bool {
				_, ok := tx.find(id)
				return !ok
			}))
			if id, ok := r.marks(); ok {
				target, _ := tx.find(id)
				r.liveAs(target.rec())
			}
		}
		r.have |= requiredHeaders
		f.recs[i] = &r
		tx.add(&r)
	}
	tx.put(p, f)
	return nil
}
