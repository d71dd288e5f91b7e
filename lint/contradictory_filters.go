package lint

import (
	"slices"

	"github.com/pactkit/pactkit/ast"
)

// maxCompared is how many earlier tests a test is compared with.
const maxCompared = 100

// contradictoryFilters finds tests of one step that no node can pass together. Their order does not
// matter: a node that fails one of them is not found, whatever comes between them.
func contradictoryFilters(p *pass) {
	for s := range p.steps() {
		all := allTests(s)
		for i, later := range all {
			for _, earlier := range all[max(0, i-maxCompared):i] {
				if !later.positional() && !earlier.positional() && contradict(earlier, later) {
					p.report(later.span(), "`"+p.text(later.span())+"` contradicts `"+p.text(earlier.span())+"`: no node passes both", "")
					break
				}
			}
		}
		p.zoneOfRegion(s)
		p.secondOfOne(s)
	}
}

// allTests lists the tests of a step, its anchor first.
func allTests(s step) []test {
	var out []test
	switch a := s.Anchor.(type) {
	case *ast.Type:
		out = append(out, test{at: a.Bounds(), prop: &ast.Prop{
			Extent: a.Extent, Name: "nodeType", Values: []ast.Value{{Extent: a.Extent, Kind: ast.String, Text: a.Name}},
		}})
	case *ast.Key:
		out = append(out, test{node: a})
	case *ast.Zone:
		out = append(out, test{node: a})
	}
	for _, q := range s.qualifiers {
		f, ok := q.(*ast.Filter)
		if !ok {
			out = append(out, test{node: q})
			continue
		}
		for i := range f.Props {
			out = append(out, test{prop: &f.Props[i], filter: f, node: f})
		}
	}
	return out
}

// zoneOfRegion finds tests of the zone of nodes that are not in a zone.
func (p *pass) zoneOfRegion(s step) {
	what := ""
	switch a := s.Anchor.(type) {
	case *ast.Region:
		what = "a region"
	case *ast.Depth:
		if a.To <= 0 {
			what = "a region"
		}
	case *ast.Type:
		if a.Name == "seg" {
			what = "a segment"
		}
	}
	if what == "" {
		return
	}
	for _, q := range s.qualifiers {
		if z, ok := q.(*ast.Zone); ok {
			hint := "to select nodes in the zone below it, write two steps: `" + p.text(s.Anchor.Bounds()) + " " + p.text(z.Bounds()) + "`"
			p.report(z.Bounds(), "`"+p.text(z.Bounds())+"` never holds for "+what, hint)
		}
	}
}

// secondOfOne finds :nth after a pseudo that leaves one sibling.
func (p *pass) secondOfOne(s step) {
	for i, q := range s.qualifiers {
		nth, ok := q.(*ast.Positional)
		if !ok || nth.Name != ast.NthOf || nth.N < 2 {
			continue
		}
		before := slices.IndexFunc(s.qualifiers[:i], func(q ast.Qualifier) bool { return test{node: q}.positional() })
		if before >= 0 {
			one := s.qualifiers[before].Bounds()
			p.report(nth.Bounds(), "`"+p.text(one)+"` leaves one sibling, so `"+p.text(nth.Bounds())+"` selects nothing", "")
		}
	}
}

// contradict reports whether two tests exclude each other. When in doubt, it returns false.
func contradict(a, b test) bool {
	xs, ok := a.attributeTests()
	if !ok {
		return excludesTag(a, b) || excludesTag(b, a)
	}
	ys, ok := b.attributeTests()
	if !ok {
		return excludesTag(b, a)
	}
	for _, x := range xs {
		for _, y := range ys {
			if x.Name == y.Name && excludes(x, y) {
				return true
			}
		}
	}
	return false
}

// attributeTests returns a test as tests of attributes. It returns false for a tag and for a test
// of the position.
func (t test) attributeTests() ([]*ast.Prop, bool) {
	one := func(name string, op ast.Op, values ...ast.Value) *ast.Prop {
		return &ast.Prop{Name: name, Op: op, Values: values}
	}
	number := func(n string) ast.Value { return ast.Value{Kind: ast.Number, Text: n} }
	if t.prop != nil {
		switch {
		case !t.prop.Flag:
			return []*ast.Prop{t.prop}, true
		case t.prop.Name == "sticky": // D9
			return []*ast.Prop{one("ttl", ast.OpEq, number("1")), one("cad", ast.OpEq, number("1"))}, true
		default:
			return []*ast.Prop{one("ttl", ast.OpIn, number("0"), number("1")), one("cad", ast.OpEq, ast.Value{Kind: ast.Null, Text: "null"})}, true
		}
	}
	switch q := t.node.(type) {
	case *ast.Key:
		name := "key"
		if q.ID {
			name = "id"
		}
		return []*ast.Prop{one(name, ast.OpEq, ast.Value{Kind: ast.String, Text: q.Name})}, true
	case *ast.Zone:
		op := map[ast.ZoneName]ast.Op{ast.Pre: ast.OpLt, ast.Core: ast.OpEq, ast.Post: ast.OpGt}[q.Name]
		return []*ast.Prop{one("offset", op, number("0"))}, true
	}
	return nil, false
}

// excludesTag reports whether a requires a tag that b excludes.
func excludesTag(a, b test) bool {
	tag, ok := a.node.(*ast.Tag)
	if !ok || b.prop == nil || b.prop.Name != "tag" {
		return false
	}
	switch b.prop.Op {
	case ast.OpNe:
		return b.prop.Values[0].Kind != ast.Null && b.prop.Values[0].Text == tag.Name
	case ast.OpEq:
		return b.prop.Values[0].Kind == ast.Null
	}
	return false
}
