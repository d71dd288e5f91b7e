package eval

import (
	"context"
	"math/bits"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/engine"
)

// matcher runs the steps of a chain over views of one region: over one view at a time, or, where a step counts
// siblings, over all at once.
type matcher struct {
	snap     *engine.Snapshot
	segments int // of the snapshot
	budget   int // work until the context is asked again
	region   engine.Region
	top      topSet   // the parent of the children of the region
	tops     []topSet // what each step has found of the root and the regions
	// headless tells that ^ah has an implied core, once headKnown is set; head that the last step has found it.
	headless, headKnown, head bool
	start                     int // the step at which the views begin
	views                     []view
	hits                      []hit    // what was found
	in                        *parts   // set: the only chunks to look at
	counts                    []int    // set for a trace: the nodes each step has found
	arenas                    [3]arena // of the sets of every other step, and of those that live as long as the views
	arena                     *arena
}

// origin is what the step before has found beside the nodes of the views.
type origin struct {
	tops topSet // of the root and the regions
	head bool   // the implied core of ^ah
	zone bool   // it was a zone: its nodes count as below themselves (D7)
}

// checkEvery is how much work is done between two looks at the context, in plain tests of one node.
const checkEvery = 1 << 16

// spend tells whether the evaluation may go on, after some work.
func (m *matcher) spend(ctx context.Context, work int) error {
	if m.budget -= work; m.budget > 0 {
		return nil
	}
	m.budget = checkEvery
	return ctx.Err()
}

// set returns an empty set for a view, which lives until the step after the next.
func (m *matcher) set(v *view) []uint64 { return m.arena.set(len(v.nodes)) }

// run applies the steps of a chain to the views.
func (m *matcher) run(ctx context.Context, c *chain) error {
	m.head = false
	last := len(c.steps) - 1
	var tail []uint64
	if !c.positional && m.counts == nil { // what the last step demands rules most views out
		m.arena = &m.arenas[2]
		s, v := c.steps[last], &m.views[0]
		var err error
		if tail, err = m.findAlone(ctx, s, v); err != nil || tail == nil {
			return err
		}
		if m.start == last {
			if v.found = tail; len(s.parts[0].tests) == s.parts[0].sets {
				return nil
			}
			return m.narrow(ctx, v, s.parts[0].tests[s.parts[0].sets:])
		}
	}
	for i := m.start; i <= last; i++ {
		s := c.steps[i]
		m.arena = &m.arenas[i&1]
		m.arena.reset()
		var from origin
		if i > 0 {
			from = origin{m.tops[i-1], m.head, c.steps[i-1].zone}
		}
		m.head = s.implied && m.headless && m.region == engine.RegionHead && m.findsHeadCore(ctx, s, &from)
		for k := range m.views {
			var ready []uint64
			if i == last {
				ready = tail
			}
			if err := m.step(ctx, s, &from, i > m.start, &m.views[k], ready); err != nil {
				return err
			}
		}
		if s.positional {
			if err := m.pickAll(ctx, s); err != nil {
				return err
			}
		}
		if !m.finish(i) {
			return nil
		}
	}
	return nil
}

// step replaces what the step before has found in a view by what a step finds, but for its positional pseudos. ready
// is what findAlone returned for it, nil when it was not asked.
func (m *matcher) step(ctx context.Context, s *step, from *origin, related bool, v *view, ready []uint64) error {
	if related && v.found == nil && v.implied == nil && !from.head && !from.tops.has(topRoot|m.top) {
		return nil
	}
	found := ready
	var implied []uint64
	var err error
	if found == nil {
		if found, err = m.findAlone(ctx, s, v); err != nil {
			return err
		}
	}
	if s.implied {
		if implied, err = m.impliedBy(ctx, s, v); err != nil {
			return err
		}
		if implied != nil && found == nil {
			found = m.set(v)
		}
	}
	if related && (implied != nil || found != nil) {
		if err := m.relate(ctx, s, from, v, found, implied); err != nil {
			return err
		}
	}
	v.found, v.implied = found, implied
	p := &s.parts[0]
	if len(p.tests) == p.sets {
		return nil
	}
	return m.narrow(ctx, v, p.tests[p.sets:])
}

// findAlone returns what satisfies the anchor of a step and those of its first tests that are answered for all nodes at
// once, whatever the step before has found; nil for nothing.
func (m *matcher) findAlone(ctx context.Context, s *step, v *view) ([]uint64, error) {
	if err := m.spend(ctx, 64*len(v.nodes)); err != nil {
		return nil, err
	}
	from, found := v.nodes, m.arena.raw(len(v.nodes))
	if !s.any {
		clear(found)
		from = found
	}
	for i := range s.places {
		if err := m.walk(ctx, &s.places[i], v, found, nil); err != nil {
			return nil, err
		}
	}
	p := &s.parts[0]
	for _, t := range p.tests[:p.sets] {
		some, err := m.filter(ctx, t, v, found, from)
		if err != nil || !some {
			return nil, err
		}
		from = found
	}
	if p.sets > 0 {
		return found, nil
	}
	copy(found, from)
	if isEmpty(found) {
		return nil, nil
	}
	return found, nil
}

// impliedBy returns the nodes of a view whose implied core a step finds, whatever the step before has found; nil for
// none.
func (m *matcher) impliedBy(ctx context.Context, s *step, v *view) ([]uint64, error) {
	coreless := v.coreless()
	if isEmpty(coreless) {
		return nil, nil
	}
	implied := m.set(v)
	if s.any {
		copy(implied, coreless)
	}
	for i := range s.places {
		if err := m.walk(ctx, &s.places[i], v, nil, implied); err != nil {
			return nil, err
		}
	}
	m.narrowImplied(ctx, &s.parts[0], v, implied)
	return implied, nil
}

// narrow takes out of what was found in a view what fails a test.
func (m *matcher) narrow(ctx context.Context, v *view, tests []*test) error {
	for _, t := range tests {
		if _, err := m.filter(ctx, t, v, v.found, v.found); err != nil {
			return err
		}
	}
	return nil
}

func (m *matcher) narrowImplied(ctx context.Context, p *part, v *view, implied []uint64) {
	eachBit(implied, func(i int) {
		around := m.node(v, i)
		for _, t := range p.tests {
			if !t.implied(ctx, around) {
				dropBit(implied, i)
				return
			}
		}
	})
}

// node returns a node of a view.
func (m *matcher) node(v *view, i int) engine.Node {
	at, c, in := v.locate(i)
	return engine.Node(treeOf(m.snap).Node(m.region, at, c, in))
}

// walk adds to found the nodes that a place leads to, and to implied those whose implied core it leads to. Either may
// be nil.
func (m *matcher) walk(ctx context.Context, p *place, v *view, found, implied []uint64) error {
	region := m.region == engine.RegionSys && p.from <= -1 || m.region == engine.RegionHead && p.from <= 0 && p.to >= 0
	if m.region != engine.RegionSeq && (!region || len(p.tests) == 0) {
		return nil // the region itself is in no view
	}
	defer m.arena.release(m.arena.mark())
	here, cores := m.set(v), m.set(v) // what the walk has come to, and the nodes whose implied core it has come to
	if !region {
		v.addTops(here, m.segments, p.from, p.to)
	}
	head := false // it has come to the implied core of ^ah
	for _, t := range p.tests {
		if !region && !head && isEmpty(here) && isEmpty(cores) {
			return nil
		}
		if err := m.spend(ctx, 64*len(v.nodes)); err != nil {
			return err
		}
		next, nextCores := m.set(v), m.set(v)
		if _, err := m.filter(ctx, t, v, next, v.nodes); err != nil {
			return err
		}
		core := t.ints.has(0)
		if core {
			unite(nextCores, v.coreless())
			intersect(nextCores, here)
			unite(here, cores)
		}
		v.keepChildren(next, here, region || head && core)
		head = region && core && m.headless && m.region == engine.RegionHead
		here, cores, region = next, nextCores, false
	}
	unite(found, here)
	unite(implied, cores)
	return nil
}

// findsHeadCore tells whether a step finds the implied core of ^ah, before positional pseudos.
func (m *matcher) findsHeadCore(ctx context.Context, s *step, from *origin) bool {
	found := s.any
	for _, p := range s.places {
		found = found || p.from <= 0 && p.to >= 0 && len(p.offsets) == 1 && p.offsets[0] == 0
	}
	switch s.combinator {
	case ast.Descendant:
		found = found && (from.tops.has(topRoot|topHead) || from.zone && from.head)
	case ast.Child:
		found = found && from.tops.has(topHead)
	}
	return found && m.headPasses(ctx, &s.parts[0])
}

func (m *matcher) headPasses(ctx context.Context, p *part) bool {
	around, _ := m.snap.Region(engine.RegionHead)
	for _, t := range p.tests {
		if !t.implied(ctx, around) {
			return false
		}
	}
	return true
}

// relate takes out of two sets of a view what is not below, or no child of, what the step before has found. What the
// view has found is still that.
func (m *matcher) relate(ctx context.Context, s *step, from *origin, v *view, found, implied []uint64) error {
	if s.combinator == ast.Descendant && from.tops.has(topRoot|m.top) {
		return nil // all of the region is below
	}
	if s.combinator == ast.Child && v.implied == nil && !from.head { // the frequent case
		v.keepChildren(found, v.found, from.tops.has(m.top))
		intersect(implied, v.found)
		return nil
	}
	defer m.arena.release(m.arena.mark())
	var inCores []uint64 // the children of implied cores
	if v.implied != nil || from.head {
		inCores = m.set(v)
		if _, err := m.filter(ctx, atCore, v, inCores, v.nodes); err != nil {
			return err
		}
		v.keepChildren(inCores, v.implied, from.head)
	}
	if s.combinator == ast.Child {
		intersect(inCores, found)
		v.keepChildren(found, v.found, from.tops.has(m.top))
		unite(found, inCores)
		intersect(implied, v.found)
		return nil
	}
	below := m.set(v)
	v.addBelow(below, v.found)
	if inCores != nil {
		v.addBelow(below, inCores)
		unite(below, inCores)
	}
	if implied != nil {
		around := m.set(v)
		copy(around, below)
		unite(around, v.found)
		if from.zone {
			unite(around, v.implied)
		}
		intersect(implied, around)
	}
	if from.zone {
		unite(below, v.found)
	}
	intersect(found, below)
	return nil
}

// finish ends step i. It returns false when later steps can find nothing.
func (m *matcher) finish(i int) bool {
	some := m.counts != nil || m.head || m.tops[i].has(topRoot|m.top)
	for k := range m.views {
		v := &m.views[k]
		if m.counts != nil {
			m.counts[i] += countBits(v.found)
		}
		if v.implied != nil && isEmpty(v.implied) {
			v.implied = nil
		}
		if v.implied == nil && isEmpty(v.found) {
			v.found = nil
		}
		some = some || v.found != nil
	}
	return some
}

// filter puts into set those nodes of a set, which may be the same one, that pass a test. It returns false for
// an empty set.
func (m *matcher) filter(ctx context.Context, t *test, v *view, set, of []uint64) (some bool, err error) {
	with, not := []uint64(nil), false
	switch t.kind {
	case testTag:
		with = v.tagged(t.ready)
	case testType:
		if t.types.long {
			return m.filterEach(ctx, t, v, set, of)
		}
		with, not = m.ofTypes(t, v), t.not
	case testZone, testInts:
		var ok bool
		if with, not, ok = m.ofInts(t, v, of); !ok {
			return m.filterEach(ctx, t, v, set, of)
		}
		if t.kind == testZone {
			subtractBits(with, v.ofBase(engine.BaseSeg))
		}
	default:
		if t.kind != testKey || v.chunk == nil {
			return m.filterEach(ctx, t, v, set, of)
		}
		with = v.chunk.Keyed(t.word)
	}
	if not {
		return without(set, of, with), nil
	}
	return both(set, of, with), nil
}

// filterEach is filter for a test that asks the nodes one by one.
func (m *matcher) filterEach(ctx context.Context, t *test, v *view, set, of []uint64) (some bool, err error) {
	for k, w := range of {
		kept := w
		for ; w != 0; w &= w - 1 {
			low := bits.TrailingZeros64(w)
			if err := m.spend(ctx, t.cost()); err != nil {
				return false, err
			}
			if !t.node(ctx, m.node(v, k<<6|low)) {
				kept &^= 1 << low
			}
		}
		set[k] = kept
		some = some || kept != 0
	}
	return some, nil
}

// ofTypes returns the nodes that have one of the types of a test.
func (m *matcher) ofTypes(t *test, v *view) []uint64 {
	if len(t.types.cases) == 1 {
		switch of := &t.types.cases[0]; {
		case of.user == "":
			return v.ofBase(of.base)
		case of.base == engine.BaseRegion:
			return v.ofType(of.ready)
		}
	}
	matched := m.set(v)
	for i := range t.types.cases {
		of := &t.types.cases[i]
		switch {
		case of.user == "":
			unite(matched, v.ofBase(of.base))
		case of.base == engine.BaseRegion:
			unite(matched, v.ofType(of.ready))
		default:
			base := v.ofBase(of.base)
			for k, w := range v.ofType(of.ready) {
				matched[k] |= w & base[k]
			}
		}
	}
	return matched
}

// ofInts returns the nodes whose value passes a test of a numeric header, or, if not is set, fails it. Of a chunk these
// are nodes of a set. It returns false when the values cannot be had as integers.
func (m *matcher) ofInts(t *test, v *view, of []uint64) (set []uint64, not, ok bool) {
	if v.pack == nil {
		ints, ok := v.chunk.Ints(t.column)
		if !ok {
			return nil, false, false
		}
		set = m.arena.raw(len(of))
		for k, w := range of {
			if set[k] = w; w != 0 {
				set[k] = t.ints.keep(ints[k<<6:min(k<<6+64, len(ints))], w)
			}
		}
		return set, false, true
	}
	if !v.pack.Exact(t.column) {
		return nil, false, false
	}
	set = m.set(v)
	for _, s := range t.ints.spans {
		v.pack.AddBetween(set, t.column, s.from, s.from+int64(s.width))
	}
	return set, t.ints.not, true
}
