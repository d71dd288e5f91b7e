package format

import (
	"slices"

	"github.com/pactkit/pactkit/ast"
)

// flattenGroups is the pass "flatten". `A > (B C)` is `A > B C`: the steps of a group replace it;
// the first of them gets its combinator, and the last one its qualifiers.
func flattenGroups(d *draft) {
	isGroup := func(s ast.Step) bool { _, ok := s.Anchor.(*ast.Group); return ok }
	eachChain(d, func(c *ast.Chain) {
		if slices.ContainsFunc(c.Steps, isGroup) {
			d.flat = d.appendFlat(d.flat[:0], c.Steps)
			c.Steps = d.steps.Copy(d.flat)
		}
	})
}

func (d *draft) appendFlat(out, steps []ast.Step) []ast.Step {
	for _, s := range steps {
		g, ok := s.Anchor.(*ast.Group)
		if !ok {
			out = append(out, s)
			continue
		}
		first := len(out)
		out = d.appendFlat(out, d.copySteps(g.Chain.Steps))
		out[first].Combinator = s.Combinator
		last := &out[len(out)-1]
		last.Qualifiers = d.join(last.Qualifiers, s.Qualifiers)
	}
	return out
}

// expandSugar is the pass "expand". After it, an anchor is `*`, `^root`, `^seq`, a depth, a zone or
// a coordinate with offsets, and no qualifier is a key.
func expandSugar(d *draft) {
	eachStep(d, func(s *ast.Step) {
		switch a := s.Anchor.(type) {
		case *ast.Any:
			if a.Implied {
				s.Anchor = d.star(a.Extent)
			}
		case *ast.Type:
			s.Anchor = d.star(a.Extent)
			s.Qualifiers = slices.Insert(s.Qualifiers, 0, ast.Qualifier(d.equals(a.Extent, ast.Brackets, "nodeType", a.Name)))
		case *ast.Key:
			s.Anchor = d.star(a.Extent)
			s.Qualifiers = slices.Insert(s.Qualifiers, 0, ast.Qualifier(d.keyTest(a)))
		case *ast.Region:
			switch a.Name {
			case ast.Sys:
				s.Anchor = d.depth(a.Extent, -1, -1)
			case ast.Head:
				s.Anchor = d.depth(a.Extent, 0, 0)
			}
		case *ast.Coordinates:
			if p := &a.List[0]; len(a.List) == 1 && len(p.Offsets) == 0 {
				s.Anchor = d.depth(a.Extent, p.From, p.To)
			}
		}
		for i, k := range s.Qualifiers {
			if k, ok := k.(*ast.Key); ok {
				s.Qualifiers[i] = d.keyTest(k)
			}
		}
	})
}

func (d *draft) star(at ast.Extent) *ast.Any {
	n := d.stars.New()
	n.Extent = at
	return n
}

func (d *draft) depth(at ast.Extent, from, to int64) *ast.Depth {
	n := d.depths.New()
	n.Extent, n.From, n.To = at, from, to
	return n
}

// coordinate makes a coordinate from a depth.
func (d *draft) coordinate(at *ast.Depth) *ast.Coordinates {
	n := d.coordinates.New()
	p := &n.list[0]
	p.Extent, p.From, p.To = at.Extent, at.From, at.To
	n.Extent, n.List = at.Extent, n.list[:]
	return &n.Coordinates
}

// oneCoordinate holds a coordinate in one piece of memory.
type oneCoordinate struct {
	ast.Coordinates
	list [1]ast.Coordinate
}

func (d *draft) keyTest(k *ast.Key) *ast.Filter {
	if k.ID {
		return d.equals(k.Extent, ast.Braces, "id", k.Name)
	}
	return d.equals(k.Extent, ast.Braces, "key", k.Name)
}

// oneTest holds a filter with one test in one piece of memory; most selectors need several of them.
type oneTest struct {
	filter ast.Filter
	props  [1]ast.Prop
	values [1]ast.Value
}

// equals makes a filter with the one test name='value'.
func (d *draft) equals(at ast.Extent, form ast.FilterForm, name, value string) *ast.Filter {
	f := d.tests.New()
	v := &f.values[0]
	v.Extent, v.Kind, v.Quoted, v.Text = at, ast.String, true, value
	p := &f.props[0]
	p.Extent, p.Name, p.Op, p.Values = at, name, ast.OpEq, f.values[:]
	f.filter.Extent, f.filter.Form, f.filter.Props = at, form, f.props[:]
	return &f.filter
}

// wrapPositions is the pass "position". Inside the parentheses, the last step keeps what determines
// the position: type, zones, and everything up to the last positional pseudo. The filters after
// that follow the parentheses.
func wrapPositions(d *draft) {
	eachChain(d, func(c *ast.Chain) { d.wrap(c, true) })
}

// wrap makes a chain one parenthesized step. With split, it moves the tags and filters of the last
// step that can follow the parentheses there.
func (d *draft) wrap(c *ast.Chain, split bool) {
	last := &c.Steps[len(c.Steps)-1]
	var inside, after []ast.Qualifier
	if split {
		inside, after = splitQualifiers(last)
	} else {
		inside = last.Qualifiers
	}
	if len(c.Steps) == 1 {
		anchor := last.Anchor
		if depth, ok := anchor.(*ast.Depth); ok {
			anchor = d.coordinate(depth)
		}
		if c, ok := anchor.(*ast.Coordinates); ok && len(inside) == 0 {
			last.Anchor, last.Qualifiers = c, after
			return
		}
	}
	last.Qualifiers = inside
	w := d.groups.New()
	w.chain = *c
	w.group.Extent, w.group.Chain = c.Extent, &w.chain
	only := &w.steps[0]
	only.Extent, only.Anchor, only.Qualifiers = c.Extent, &w.group, after
	c.Steps = w.steps[:]
}

// wrapped holds a step that is a chain in parentheses, and the list with that step, in one piece of
// memory.
type wrapped struct {
	steps [1]ast.Step
	group ast.Group
	chain ast.Chain
}

// splitQualifiers divides the qualifiers of a step, sorted by the pass "qualifiers", into those
// that stay with it and those that can follow the parentheses around it: the tags and filters after
// the last positional pseudo, without the type.
func splitQualifiers(s *ast.Step) (inside, after []ast.Qualifier) {
	at := len(s.Qualifiers)
	for at > 0 && canFollow(s.Qualifiers[at-1]) {
		at--
	}
	if _, ok := s.Anchor.(*ast.Any); ok && at == 0 && len(s.Qualifiers) > 0 {
		if _, ok := ownType(s.Qualifiers[0]); ok {
			at = 1
		}
	}
	return slices.Clip(s.Qualifiers[:at]), slices.Clip(s.Qualifiers[at:])
}

func canFollow(q ast.Qualifier) bool {
	switch q.(type) {
	case *ast.Tag, *ast.Filter, *ast.Key:
		return true
	}
	return false
}

// ownType returns T when q is exactly the filter [nodeType='T'].
func ownType(q ast.Qualifier) (string, bool) {
	if f, ok := q.(*ast.Filter); ok && len(f.Props) == 1 && equalsString(&f.Props[0], "nodeType") {
		return f.Props[0].Values[0].Text, true
	}
	return "", false
}

// parenthesize is the pass "parentheses". Next to a comma, a depth or a coordinate would be read as
// one more coordinate, unless the whole chain is one position.
func parenthesize(d *draft) {
	if len(d.Union) < 2 {
		return
	}
	eachChain(d, func(c *ast.Chain) {
		if !slices.ContainsFunc(c.Steps, isPlace) {
			return
		}
		only := &c.Steps[0]
		switch a := only.Anchor.(type) {
		case *ast.Depth:
			if len(c.Steps) == 1 {
				only.Anchor = d.coordinate(a)
				return
			}
		case *ast.Coordinates:
			if len(c.Steps) == 1 {
				return
			}
		}
		d.wrap(c, false)
	})
}

func isPlace(s ast.Step) bool {
	switch s.Anchor.(type) {
	case *ast.Depth, *ast.Coordinates:
		return true
	}
	return false
}
