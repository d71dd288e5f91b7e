package format

import "github.com/pactkit/pactkit/ast"

// A pass rewrites a query that [copyQuery] copied. It may change the query, its fragments, chains
// and steps, and the lists in them. What is deeper (anchors, qualifiers, tests, values) is shared
// with the tree that was parsed: a pass replaces such a node and never changes it.
type pass struct {
	Pass
	styles    styles
	container bool // also runs on the container of an insertion position
	fn        func(*draft)
}

type styles uint8

const (
	canonical = styles(1 << Canonical)
	compact   = styles(1 << Compact)
	both      = canonical | compact
)

func (p *pass) in(s Style) bool { return p.styles&(1<<s) != 0 }

// passes has all passes in the order in which they run. The first six bring a query into one form,
// whatever shorthand it was written with; the rest turn that form into a style.
var passes = [...]pass{
	{Pass{"time", "Write the time out: @t0 when none was given, ranges and pairs newest first."}, both, false, explicitTime},
	{Pass{"controls", "Put the controls into their order of application and drop repetitions."}, both, false, orderControls},
	{Pass{"flatten", "Remove parentheses that only group."}, both, true, flattenGroups},
	{Pass{"expand", "Replace type, key and region tokens by the filters and depths they stand for."}, both, true, expandSugar},
	{Pass{"values", "Quote words, sort lists and spell the canonical types as edition 1.0 does."}, both, true, normalizeValues},
	{Pass{"qualifiers", "Sort and merge what narrows a step, without crossing a positional pseudo."}, both, true, sortQualifiers},

	{Pass{"position", "Put each chain into parentheses and move the filters of its last step after them."}, canonical, false, wrapPositions},

	{Pass{"short-time", "Omit @t0 where no attribute needs it, and write the whole range as @history."}, compact, false, shortTime},
	{Pass{"short-types", "Write tests of nodeType as type tokens."}, compact, true, shortTypes},
	{Pass{"short-keys", "Write tests of key as #key."}, compact, true, shortKeys},
	{Pass{"short-regions", "Write depth -1 as ^sys and depth 0 as ^ah."}, compact, false, shortRegions},
	{Pass{"short-any", "Omit * where a tag or a filter can begin a step."}, compact, true, shortAny},
	{Pass{"parentheses", "Put parentheses where a union needs them to be unambiguous."}, compact, false, parenthesize},
}

// eachChain calls change for every chain of the query.
func eachChain(d *draft, change func(*ast.Chain)) {
	for i := range d.Union {
		chains := d.Union[i].Chains
		for k := range chains {
			change(&chains[k])
		}
	}
}

// eachStep calls change for every step of the query. Steps inside groups are not visited: the
// passes that use it run after groups are removed.
func eachStep(d *draft, change func(*ast.Step)) {
	eachChain(d, func(c *ast.Chain) {
		for i := range c.Steps {
			change(&c.Steps[i])
		}
	})
}
