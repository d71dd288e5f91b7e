package eval_test

import (
	"fmt"
	"slices"

	"github.com/pactkit/pactkit/ast"
)

// A step is a step whose grouping parentheses are gone (D15).
type step struct {
	combinator ast.Combinator
	anchor     ast.Anchor
	qualifiers []ast.Qualifier
}

// flatten removes the parentheses that only group: qualifiers of the group apply to its last step.
func flatten(c *ast.Chain) []step {
	var out []step
	for _, s := range c.Steps {
		group, ok := s.Anchor.(*ast.Group)
		if !ok {
			out = append(out, step{s.Combinator, s.Anchor, s.Qualifiers})
			continue
		}
		inner := flatten(group.Chain)
		inner[0].combinator = s.Combinator
		last := &inner[len(inner)-1]
		last.qualifiers = slices.Concat(last.qualifiers, s.Qualifiers)
		out = append(out, inner...)
	}
	return out
}

// chain finds what a chain selects.
func (t *tree) chain(c *ast.Chain) []*node {
	left := t.steps(c)
	return left[len(left)-1]
}

// steps finds what each step of a chain leaves, implied cores left out.
func (t *tree) steps(c *ast.Chain) [][]*node {
	var out [][]*node
	var left []*node
	steps := flatten(c)
	for i, s := range steps {
		var found []*node
		for _, n := range t.anchored(s.anchor) {
			// The first step is searched anywhere below the root, including the root itself (D14).
			if i == 0 || slices.ContainsFunc(left, func(m *node) bool { return related(m, n, s.combinator, steps[i-1]) }) {
				found = append(found, n)
			}
		}
		left = t.qualify(found, s.qualifiers)
		out = append(out, slices.DeleteFunc(slices.Clone(left), func(n *node) bool { return n.implied }))
	}
	return out
}

// related reports whether n, found by the step after a combinator, belongs to m, which the step
// before it left.
func related(m, n *node, c ast.Combinator, before step) bool {
	if c == ast.Child {
		return slices.Contains(n.parents, m)
	}
	if _, zone := before.anchor.(*ast.Zone); zone && m == n { // D7
		return true
	}
	return n.below(m)
}

// anchored returns what a step looks for, in document order.
func (t *tree) anchored(a ast.Anchor) []*node {
	var is func(n *node) bool
	switch a := a.(type) {
	case *ast.Any:
		is = func(n *node) bool { return n.region == "" }
	case *ast.Region:
		region := map[ast.RegionName]string{ast.Root: "root", ast.Sys: "sys", ast.Seq: "seq", ast.Head: "ah"}[a.Name]
		is = func(n *node) bool { return n.region == region }
	case *ast.Depth:
		at := t.depths(a.From, a.To)
		is = func(n *node) bool { return slices.Contains(at, n) }
	case *ast.Type: // `.T` is `*[nodeType='T']`
		is = func(n *node) bool { return n.region == "" && n.isType(a.Name) }
	case *ast.Key: // `#k` is `*{key='k'}`, or of `id` (D6)
		is = func(n *node) bool { return n.region == "" && n.keyed(a) }
	case *ast.Zone:
		is = func(n *node) bool { return n.zone(a.Name) }
	case *ast.Coordinates:
		var at []*node
		for i := range a.List {
			at = append(at, t.walk(&a.List[i])...)
		}
		is = func(n *node) bool { return slices.Contains(at, n) }
	default:
		panic(fmt.Sprintf("unknown anchor %T", a))
	}
	var out []*node
	for _, n := range t.nodes {
		if is(n) {
			out = append(out, n)
		}
	}
	return out
}

// walk goes down from a depth by offsets.
func (t *tree) walk(place *ast.Coordinate) []*node {
	at := t.depths(place.From, place.To)
	for _, offset := range place.Offsets {
		var next []*node
		for _, n := range t.nodes {
			if n.parent != nil && n.num("offset").Cmp(rat(offset)) == 0 &&
				slices.ContainsFunc(n.parents, func(p *node) bool { return slices.Contains(at, p) }) {
				next = append(next, n)
			}
		}
		at = next
	}
	return at
}

// depths returns the nodes at the depths of a range.
func (t *tree) depths(from, to int64) []*node {
	var out []*node
	for d, n := range t.place {
		if int64(d) >= from && int64(d) <= to {
			out = append(out, n)
		}
	}
	return out
}
