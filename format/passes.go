package format

import (
	"slices"

	"github.com/pactkit/pactkit/ast"
)

// A pass rewrites a query that [copyQuery] made. The query, its fragments, chains and steps and the lists
// in them are the pass's to change. What lies deeper (anchors, qualifiers, tests, values) is shared with the
// tree that was parsed: a pass replaces such a node, it never changes one.
type pass struct {
	Pass
	styles    styles
	container bool // runs on the container of an insertion position too
	fn        func(*ast.Query)
}

type styles uint8

const (
	canonical = styles(1 << Canonical)
	compact   = styles(1 << Compact)
	both      = canonical | compact
)

func (p *pass) in(s Style) bool { return p.styles&(1<<s) != 0 }

// passes is every pass in the order in which they run. The first six bring a query into one shape whatever
// sugar it was written with; the rest lay that shape out in a style.
var passes = [...]pass{
	{Pass{"time", "Write the time out: @t0 when none was given, ranges and pairs newest first."}, both, false, explicitTime},
	{Pass{"controls", "Put the controls into their order of application and drop repetitions."}, both, false, orderControls},
	{Pass{"flatten", "Remove parentheses that only group."}, both, true, flattenGroups},
	{Pass{"expand", "Replace type, key and region tokens by the filters and depths they stand for."}, both, true, expandSugar},
	{Pass{"values", "Quote words, sort lists and spell the canonical types as edition 1.0 does."}, both, true, normalizeValues},
	{Pass{"qualifiers", "Sort and merge what narrows a step, without crossing a positional pseudo."}, both, true, sortQualifiers},

	{Pass{"position", "Put each chain into parentheses and move the filters of its last step behind them."}, canonical, false, wrapPositions},

	{Pass{"short-time", "Leave @t0 out where no facet needs it, and write the whole range as @history."}, compact, false, shortTime},
	{Pass{"short-types", "Write tests of nodeType as type tokens."}, compact, true, shortTypes},
	{Pass{"short-keys", "Write tests of key as #key."}, compact, true, shortKeys},
	{Pass{"short-regions", "Write depth -1 as ^sys and depth 0 as ^ah."}, compact, false, shortRegions},
	{Pass{"short-any", "Leave * out where a tag or a filter can begin a step."}, compact, true, shortAny},
	{Pass{"parentheses", "Put parentheses where a union needs them to be unambiguous."}, compact, false, parenthesize},
}

// copyQuery copies as much of a query as the passes change in place: everything down to the steps and
// their lists of qualifiers, but nothing inside a group.
func copyQuery(q *ast.Query) *ast.Query {
	c := *q
	c.Legacy = nil
	c.Controls = slices.Clone(q.Controls)
	c.Union = make([]*ast.Fragment, len(q.Union))
	for i, f := range q.Union {
		chains := make([]*ast.Chain, len(f.Chains))
		for j, chain := range f.Chains {
			chains[j] = &ast.Chain{Span: chain.Span, Steps: copySteps(chain.Steps)}
		}
		c.Union[i] = &ast.Fragment{Span: f.Span, Chains: chains}
	}
	return &c
}

// copySteps copies steps and their lists of qualifiers, with room in each list for what passes insert.
func copySteps(steps []*ast.Step) []*ast.Step {
	const spare = 2
	n := 0
	for _, s := range steps {
		n += len(s.Qualifiers) + spare
	}
	made := make([]ast.Step, len(steps))
	list := make([]*ast.Step, len(steps))
	room := make([]ast.Qualifier, n)
	for i, s := range steps {
		n := copy(room, s.Qualifiers)
		made[i] = *s
		made[i].Qualifiers = room[: n : n+spare]
		list[i] = &made[i]
		room = room[n+spare:]
	}
	return list
}

// eachChain calls change for every chain of the query.
func eachChain(q *ast.Query, change func(*ast.Chain)) {
	for _, f := range q.Union {
		for _, c := range f.Chains {
			change(c)
		}
	}
}

// eachStep calls change for every step of the query. Steps inside groups are not visited: the passes that
// use it run when there are none.
func eachStep(q *ast.Query, change func(*ast.Step)) {
	eachChain(q, func(c *ast.Chain) {
		for _, s := range c.Steps {
			change(s)
		}
	})
}
