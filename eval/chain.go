package eval

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/tree"
)

// strategy is a way to search a region. A chain whose field direct is set needs none of them:
// appendDirect looks up the nodes with its id or key and tests only these. For every other chain,
// [matcher.choose] chooses for each region the first that fits:
//
//	strategy      when                                  cost
//	searchGiven   a step requires an id or a key, or    the chunks of the nodes with it, or
//	              the caller names chunks (unshared)    those named
//	takeList      the chain finds all nodes with a      a copy of the list of the nodes with
//	              word in the whole region (whole)      the word
//	searchListed  a required word is rare (words)       the chunks that have it, one by one
//	searchAll     always                                all chunks in the scope that the filter
//	                                                    lets through, many at a time
//
// In all but takeList, the steps run over the chunks that are left.
type strategy uint8

const (
	searchGiven strategy = iota
	takeList
	searchListed
	searchAll
)

// chain is a sequence of steps without parentheses, and what is known about where its nodes can be.
type chain struct {
	steps   []*step
	sameKey bool // the last step requires a key, which decides the order
	// positional is set if a step counts siblings, so all chunks must be in one view.
	positional bool
	scope      scope
	filter     tree.Filter // what a chunk must be able to contain
	start      int         // 1 if the first step finds the segments of the scope, above everything else in it
	words      []chainWord // types and tags it must contain
	whole      bool        // all nodes with the only word of the last step satisfy it
	id, key    *test       // tests that locate a node whose chunk holds all results, or nil
	direct     *test       // the test that looks up the nodes of a chain of one step, or nil
	implies    bool        // implied cores matter
	patterns   bool        // a step tests a pattern
	life       bool        // a step asks for the life of a node
}

// chainWord is a user type, or a tag.
type chainWord struct {
	tree.Word
	tag bool
}

// String returns the word as a selector has it.
func (w *chainWord) String() string {
	if w.tag {
		return "+" + w.Word.String()
	}
	return "." + w.Word.String()
}

// step finds the nodes of its anchor that are below, or children of, what the previous step found.
// Its parts then narrow them, from left to right.
type step struct {
	span        ast.Span
	combinator  ast.Combinator
	roots       rootSet      // ^root and ^seq as anchors
	coordinates []coordinate // depths and coordinates as anchors
	any         bool         // anything except the root and the regions
	zone        bool         // a zone as a separate step (D7)
	parts       []part       // at least one
	positional  bool         // it counts siblings
	implied     bool         // the implied cores it finds matter to the next step
}

// part is a run of tests, all of which must hold, and the positional pseudo after it, if any.
type part struct {
	tests    []*test // those that are answered for all nodes at once come first
	sets     int     // how many of these there are
	position *ast.Positional
}

// coordinate is a range of depths, and the offsets of a path down from there.
type coordinate struct {
	from, to int64
	offsets  []int64
	tests    []*test // for each offset
}

// has reports whether the coordinate has a depth.
func (p *coordinate) has(depth int64) bool { return p.from <= depth && depth <= p.to }

// regions returns ^sys and ^ah, if the coordinate has their depths.
func (p *coordinate) regions() rootSet {
	regions := rootSet(0)
	if p.has(-1) {
		regions |= sysNode
	}
	if p.has(0) {
		regions |= headNode
	}
	return regions
}

func newCoordinate(from, to int64, offsets []int64) coordinate {
	p := coordinate{from: from, to: to, offsets: slices.Clone(offsets)}
	for _, o := range offsets {
		p.tests = append(p.tests, offsetTest(o))
	}
	return p
}

// scope says in which regions, and at which depths of ^seq, nodes can be.
type scope struct {
	regions  rootSet // rootNode stands for nodes outside the regions
	from, to int64   // depths; none when from > to
}

var everywhere = scope{regions: rootNode | sysNode | seqNode | headNode, from: 1, to: math.MaxInt64}

// within returns the intersection of two scopes.
func (s scope) within(o scope) scope {
	s.regions &= o.regions
	s.from, s.to = max(s.from, o.from), min(s.to, o.to)
	if s.from > s.to {
		s.regions &^= seqNode
	}
	return s
}

// reach returns the scope of the nodes that an anchor finds, and of those below them.
func (s *step) reach() scope {
	if s.any || s.roots.has(rootNode) {
		return everywhere
	}
	out := scope{regions: s.roots, from: math.MaxInt64}
	if s.roots.has(seqNode) {
		out.from, out.to = 1, math.MaxInt64
	}
	for _, p := range s.coordinates {
		out.regions |= p.regions()
		if p.to >= 1 {
			out.regions |= seqNode
			out.from, out.to = min(out.from, max(p.from, 1)), max(out.to, p.to)
		}
	}
	return out
}

// prepare computes what is known about a chain. Once a step counts siblings, later steps must not
// narrow the search: that would change the counts.
func (c *chain) prepare() {
	c.scope = everywhere
	for i, s := range c.steps {
		if !c.positional {
			c.scope = c.scope.within(s.reach())
		}
		for k := range s.parts {
			p := &s.parts[k]
			p.prepare()
			if s.any && !c.positional {
				c.require(p.tests)
			}
			for _, t := range p.tests {
				c.patterns = c.patterns || t.re != nil
				c.life = c.life || t.attr != nil && t.attr.life != nil
				c.sameKey = c.sameKey || t.kind == testKey && i+1 == len(c.steps)
			}
			s.positional = s.positional || k > 0 || p.position != nil
			c.positional = c.positional || p.position != nil
		}
		s.implied = i+1 < len(c.steps) && s.mayImply()
		c.implies = c.implies || s.implied || slices.ContainsFunc(s.coordinates, func(p coordinate) bool { return len(p.offsets) > 1 })
	}
	if len(c.steps) == 1 && !c.positional {
		c.direct = cmp.Or(c.id, c.key)
	} else if len(c.steps) > 1 && c.steps[0].isDepths() && c.steps[1].combinator == ast.Descendant {
		c.start = 1
	}
	last := c.steps[len(c.steps)-1]
	if tests := last.parts[0].tests; last.any && len(tests) == 1 && len(c.words) == 1 && !c.positional && !c.implies {
		t := tests[0]
		c.whole = t.kind == testTag || t.kind == testType && !t.not && len(t.types.cases) == 1 && t.types.cases[0].base == engine.BaseRegion
	}
}

// isDepths reports whether the step finds all segments of the scope, and regions, but nothing else.
func (s *step) isDepths() bool {
	return len(s.coordinates) == 1 && len(s.coordinates[0].offsets) == 0 && len(s.parts[0].tests) == 0 && !s.positional
}

// prepare moves the tests that are answered for all nodes at once to the front. The order of tests
// has no meaning (D3).
func (p *part) prepare() {
	var others []*test
	p.tests = slices.DeleteFunc(p.tests, func(t *test) bool {
		if !t.oneByOne() {
			return false
		}
		others = append(others, t)
		return true
	})
	p.sets = len(p.tests)
	p.tests = append(p.tests, others...)
}

// require narrows the filter to chunks that can hold nodes that pass the tests.
func (c *chain) require(tests []*test) {
	for _, t := range tests {
		switch {
		case t.kind == testID:
			c.id = t
		case t.kind == testKey && t.text != "":
			c.key = t
			c.filter = c.filter.Key(t.text)
		case t.kind == testTag:
			c.filter = c.filter.Tag(t.text)
			c.words = append(c.words, chainWord{t.word, true})
		case t.kind == testEphemeral, t.kind == testSticky:
			c.filter = c.filter.HasTTL()
		case t.kind == testType && !t.not:
			if user := t.types.onlyUser(); user != "" {
				c.filter = c.filter.Type(user)
				c.words = append(c.words, chainWord{tree.NewWord(user), false})
			}
		}
	}
}

// onlyUser returns the user type that all nodes that pass the test have, or "" if they differ.
func (t *typeTest) onlyUser() string {
	if len(t.names) != 1 {
		return ""
	}
	user := ""
	for i, c := range t.cases {
		if c.user == "" || i > 0 && c.user != user {
			return ""
		}
		user = c.user
	}
	return user
}

// mayImply reports whether the step can find implied cores.
func (s *step) mayImply() bool {
	if !s.any && !slices.ContainsFunc(s.coordinates, func(p coordinate) bool { return len(p.offsets) > 0 }) {
		return false
	}
	return !slices.ContainsFunc(s.parts, func(p part) bool {
		return slices.ContainsFunc(p.tests, func(t *test) bool {
			// Tests of values depend on the node that has the core, all others on the core alone.
			return t.kind != testValue && t.kind != testInts && !t.implied(context.Background(), engine.Node{})
		})
	})
}
