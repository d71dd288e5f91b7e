package eval

import (
	"context"
	"slices"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/tree"
)

// matcher runs the steps of a chain over views, each a part of the tree, or over one view of the
// whole tree if a step counts siblings.
type matcher struct {
	snap     *engine.Snapshot
	lives    *engine.Lives // see run
	segments int           // of the snapshot
	budget
	roots []rootSet // which of the root and the regions each step has found
	// headImplies is set if ^ah has an implied core that matters, headCore if the last step has
	// found it.
	headImplies, headCore bool
	start                 int // the step that runs first
	view                  view
	hits                  []hit    // the nodes found
	in                    *parts   // the only chunks to search; nil for all
	counts                []int    // the nodes each step has found; nil except for a trace
	profile               *Profile // records what the evaluation does; nil if it is not measured
	siblings              []int64  // buffer for the counts of pick
	arenas                [3]arena // for the sets of even steps, of odd ones, of the hits
	arena                 *arena
}

// origin is what the previous step has found besides nodes of the view.
type origin struct {
	roots    rootSet // of the root and the regions
	headCore bool    // the implied core of ^ah
	zone     bool    // it was a zone: its nodes count as below themselves (D7)
}

// checkEvery is how much work is done before the context is checked again. The unit is a simple
// test of one node.
const checkEvery = 1 << 16

// budget counts the work until the next check of the context.
type budget struct {
	left int
	err  error // of the context; once it is set, what was found is meaningless
}

// spend counts some work, and reports whether the evaluation may go on.
func (b *budget) spend(ctx context.Context, work int) bool {
	if b.left -= work; b.left <= 0 && b.err == nil {
		b.left, b.err = checkEvery, ctx.Err()
	}
	return b.err == nil
}

// set returns an empty set for the view. It is valid until the step after the next.
func (m *matcher) set() []uint64 { return m.arena.set(len(m.view.nodes)) }

// nodes returns a copy of the set of all nodes of the view, which is valid for as long.
func (m *matcher) nodes() []uint64 {
	set := m.arena.raw(len(m.view.nodes))
	copy(set, m.view.nodes)
	return set
}

// runSteps applies the steps of a chain to the view.
func (m *matcher) runSteps(ctx context.Context, c *chain) {
	m.headCore = false
	last := len(c.steps) - 1
	for i := m.start; i <= last && m.spend(ctx, 64*len(m.view.nodes)); i++ {
		m.arena = &m.arenas[i&1]
		m.arena.reset()
		if m.profile != nil {
			m.profile.runStep(ctx, m, c, i)
		} else {
			m.stepAndPick(ctx, c, i)
		}
		if m.counts != nil {
			m.counts[i] += tree.Bits(m.view.found).Len()
		} else if v := &m.view; isEmpty(v.found) && isEmpty(v.implied) && !m.headCore && m.roots[i] == 0 {
			v.found = nil
			return // later steps cannot find anything
		}
	}
}

// stepAndPick replaces the nodes found by step i-1 with those found by step i.
func (m *matcher) stepAndPick(ctx context.Context, c *chain, i int) {
	m.step(ctx, c, i)
	if s := c.steps[i]; s.positional {
		m.pickAll(ctx, s)
	}
}

// step is stepAndPick without the positional pseudos.
func (m *matcher) step(ctx context.Context, c *chain, i int) {
	s, v := c.steps[i], &m.view
	var from origin
	if i > 0 {
		from = origin{m.roots[i-1], m.headCore, c.steps[i-1].zone}
	}
	m.headCore = s.implied && m.headImplies && m.findsHeadCore(ctx, s, &from)
	found := m.findAlone(ctx, s)
	var implied []uint64
	if s.implied {
		implied = m.impliedBy(ctx, s)
	}
	switch {
	case i > m.start:
		m.relate(ctx, s, &from, found, implied)
	case i > 0 && i == c.start: // the segments are above everything else
		v.dropSegments(found)
	}
	v.found, v.implied = found, implied
	m.narrow(ctx, s.parts[0].tests[s.parts[0].sets:], found)
}

// findAlone returns the nodes of the anchor of a step that pass its tests for all nodes at once,
// whatever the previous step has found.
func (m *matcher) findAlone(ctx context.Context, s *step) []uint64 {
	found := m.nodes()
	if !s.any {
		clear(found)
	}
	for i := range s.coordinates {
		m.walk(ctx, &s.coordinates[i], found, nil)
	}
	m.narrow(ctx, s.parts[0].tests[:s.parts[0].sets], found)
	return found
}

// impliedBy returns the nodes whose implied core a step finds, whatever the previous step has
// found; nil for none.
func (m *matcher) impliedBy(ctx context.Context, s *step) []uint64 {
	implied := m.set()
	if s.any {
		m.view.addImplicitCores(implied)
	}
	for i := range s.coordinates {
		m.walk(ctx, &s.coordinates[i], nil, implied)
	}
	if isEmpty(implied) {
		return nil
	}
	m.narrowImplied(ctx, &s.parts[0], implied)
	return implied
}

// narrow removes from a set the nodes that fail one of the tests.
func (m *matcher) narrow(ctx context.Context, tests []*test, set []uint64) {
	for _, t := range tests {
		m.filter(ctx, t, set)
	}
}

// narrowImplied removes from a set the nodes whose implied core fails a test.
func (m *matcher) narrowImplied(ctx context.Context, p *part, implied []uint64) {
	for k := range m.view.sections {
		s := &m.view.sections[k]
		for i := range tree.Bits(s.of(implied)).All() {
			if !m.impliedPasses(ctx, p, m.node(s, i)) {
				dropBit(s.of(implied), i)
			}
		}
	}
}

// impliedPasses reports whether the implied core of a node passes all tests of a part.
func (m *matcher) impliedPasses(ctx context.Context, p *part, around engine.Node) bool {
	for _, t := range p.tests {
		if !m.spend(ctx, t.cost()) || !t.implied(ctx, around) {
			return false
		}
	}
	return true
}

// node returns a node of a section.
func (m *matcher) node(s *section, i int) engine.Node {
	k, c, in := s.Find(i)
	return engine.Node(treeOf(m.snap).Node(s.region, s.at+k, c, in))
}

// walk adds to found the nodes that a coordinate leads to, and to implied those whose implied core
// it leads to. Either may be nil.
func (m *matcher) walk(ctx context.Context, p *coordinate, found, implied []uint64) {
	if len(p.tests) == 0 {
		m.addSegments(found, p)
		return
	}
	defer m.arena.release(m.arena.used)
	here, cores := m.set(), m.set() // the nodes reached so far, and those whose implied core was reached
	m.addSegments(here, p)
	regions, headCore := p.regions(), false // likewise
	for _, t := range p.tests {
		if m.err != nil || regions == 0 && !headCore && isEmpty(here) && isEmpty(cores) {
			return
		}
		next, nextCores, isCore := m.nodes(), m.set(), t.ints.has(0)
		m.filter(ctx, t, next)
		if isCore {
			m.view.addImplicitCores(nextCores)
			intersect(nextCores, here)
			unite(here, cores)
		}
		parents := regions
		if headCore && isCore {
			parents |= headNode
		}
		m.view.keepChildren(next, here, parents)
		headCore = isCore && m.headImplies && regions.has(headNode)
		here, cores, regions = next, nextCores, 0
	}
	unite(found, here)
	unite(implied, cores)
}

// addSegments adds the segments that have one of the depths of a coordinate. A set that is nil
// stays empty.
func (m *matcher) addSegments(set []uint64, p *coordinate) {
	if set == nil {
		return
	}
	for i := range m.view.sections {
		s := &m.view.sections[i]
		if s.region == engine.RegionSeq {
			first := int64(m.segments - s.at) // the depth of the first segment of the run
			s.AddFirst(s.of(set), int(max(first-max(p.to, 0), 0)), int(max(first-max(p.from, 1)+1, 0)))
		}
	}
	intersect(set, m.view.nodes)
}

// findsHeadCore reports whether a step finds the implied core of ^ah, before positional pseudos.
func (m *matcher) findsHeadCore(ctx context.Context, s *step, from *origin) bool {
	found := s.any
	for _, p := range s.coordinates {
		found = found || p.has(0) && len(p.offsets) == 1 && p.offsets[0] == 0
	}
	switch s.combinator {
	case ast.Descendant:
		found = found && (from.roots.has(rootNode|headNode) || from.zone && from.headCore)
	case ast.Child:
		found = found && from.roots.has(headNode)
	}
	return found && m.headPasses(ctx, &s.parts[0])
}

// headPasses reports whether the implied core of ^ah passes the tests of a part.
func (m *matcher) headPasses(ctx context.Context, p *part) bool {
	around, _ := m.snap.Region(engine.RegionHead)
	return m.impliedPasses(ctx, p, around)
}

// relate removes from two sets what is not below, or not a child of, what the previous step has
// found, which is still in the view.
func (m *matcher) relate(ctx context.Context, s *step, from *origin, found, implied []uint64) {
	v := &m.view
	if s.combinator == ast.Descendant && !slices.ContainsFunc(v.sections, func(s section) bool { return !s.isBelow(from.roots) }) {
		return // everything is below
	}
	defer m.arena.release(m.arena.used)
	var inCores []uint64 // the children of implied cores
	if v.implied != nil || from.headCore {
		inCores = m.nodes()
		m.filter(ctx, atCore, inCores)
		head := rootSet(0)
		if from.headCore {
			head = headNode
		}
		v.keepChildren(inCores, v.implied, head)
	}
	if s.combinator == ast.Child {
		intersect(inCores, found)
		v.keepChildren(found, v.found, from.roots)
		unite(found, inCores)
		intersect(implied, v.found)
		return
	}
	below := m.set()
	v.addBelow(below, v.found, from.roots)
	if inCores != nil {
		v.addBelow(below, inCores, 0)
		unite(below, inCores)
	}
	if implied != nil {
		around := m.set()
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
}

// filter removes from a set the nodes that fail a test.
func (m *matcher) filter(ctx context.Context, t *test, set []uint64) {
	if !m.spend(ctx, 64*len(set)) {
		return
	}
	var only *typeCase // of a test for one
	if cases := t.types.cases; len(cases) == 1 && !t.types.long && !t.not {
		only = &cases[0]
	}
	for i := range m.view.sections {
		s := &m.view.sections[i]
		switch set := s.of(set); {
		case t.kind == testTag:
			intersect(set, s.Tagged(t.word))
		case t.kind == testKey:
			intersect(set, s.Keyed(t.word))
		case only != nil:
			intersect(set, m.ofType(only, s))
		case t.kind == testType && !t.types.long:
			m.filterTypes(ctx, t, s, set)
		case t.ints != nil && s.Exact(t.column):
			if len(t.ints.ranges) > fewRanges {
				m.filterRanges(ctx, t, s, set)
			} else {
				s.KeepInts(set, t.column, t.ints.ranges, t.ints.not)
			}
			if t.kind == testZone {
				subtractBits(set, s.OfBase(engine.BaseSeg))
			}
		default:
			m.filterEach(ctx, t, s, set)
		}
	}
}

// filterTypes is filter for a test of types, in one section.
func (m *matcher) filterTypes(ctx context.Context, t *test, s *section, set []uint64) {
	defer m.arena.release(m.arena.used)
	matched := m.arena.set(len(set))
	for i := 0; i < len(t.types.cases) && m.spend(ctx, 16+len(set)); i++ {
		used := m.arena.used
		unite(matched, m.ofType(&t.types.cases[i], s))
		m.arena.release(used)
	}
	if t.not {
		subtractBits(set, matched)
	} else {
		intersect(set, matched)
	}
}

// ofType returns the nodes of a section that have a type.
func (m *matcher) ofType(c *typeCase, s *section) []uint64 {
	switch {
	case c.user == "":
		return s.OfBase(c.base)
	case c.base == engine.BaseRegion:
		return s.OfType(c.word)
	}
	room := m.arena.raw(s.to - s.from)
	copy(room, s.OfBase(c.base))
	intersect(room, s.OfType(c.word))
	return room
}

// fewRanges is how many ranges of integers a section is tested for before the context is checked.
const fewRanges = 64

// filterRanges is filter for a test of many ranges of integers, in one section.
func (m *matcher) filterRanges(ctx context.Context, t *test, s *section, set []uint64) {
	defer m.arena.release(m.arena.used)
	outside := m.arena.raw(len(set))
	copy(outside, set)
	for few := range slices.Chunk(t.ints.ranges, fewRanges) {
		if !m.spend(ctx, 64*len(few)*len(set)) {
			break
		}
		s.KeepInts(outside, t.column, few, true)
	}
	if t.ints.not {
		copy(set, outside)
	} else {
		subtractBits(set, outside)
	}
}

// filterEach is filter for nodes that must be tested one by one, in one section.
func (m *matcher) filterEach(ctx context.Context, t *test, s *section, set []uint64) {
	cost := t.cost()
	for i := range tree.Bits(set).All() {
		if !m.spend(ctx, cost) {
			return
		}
		if !t.node(ctx, m.lives, m.node(s, i)) {
			dropBit(set, i)
		}
	}
}
