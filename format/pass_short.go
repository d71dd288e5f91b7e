package format

import (
	"slices"

	"github.com/pactkit/pactkit/ast"
)

// shortTypes is the pass "short-types". A type with the name of a region, or with a name that is
// more than identifiers and dots, has no token and stays a filter.
func shortTypes(d *draft) {
	eachStep(d, func(s *ast.Step) {
		a, ok := s.Anchor.(*ast.Any)
		if !ok || len(s.Qualifiers) == 0 {
			return
		}
		if name, ok := ownType(s.Qualifiers[0]); ok && isTypeToken(name) {
			t := d.types.New()
			t.Extent, t.Name = a.Extent, name
			s.Anchor = t
			s.Qualifiers = s.Qualifiers[1:]
		}
	})
}

// shortKeys is the pass "short-keys". Keys come first in their segment, after the type; without a
// type, the first key takes the place of `*`.
func shortKeys(d *draft) {
	eachStep(d, func(s *ast.Step) {
		if slices.ContainsFunc(s.Qualifiers, func(q ast.Qualifier) bool { return len(leadingKeys(q)) > 0 }) {
			s.Qualifiers = moveKeys(s.Anchor, s.Qualifiers)
		}
		if _, ok := s.Anchor.(*ast.Any); ok && len(s.Qualifiers) > 0 {
			if k, ok := s.Qualifiers[0].(*ast.Key); ok {
				s.Anchor = k
				s.Qualifiers = s.Qualifiers[1:]
			}
		}
	})
}

func moveKeys(anchor ast.Anchor, list []ast.Qualifier) []ast.Qualifier {
	out := make([]ast.Qualifier, 0, len(list)+1)
	front := 0 // where the keys of the current segment go
	if _, ok := anchor.(*ast.Any); ok {
		if _, ok := ownType(list[0]); ok {
			front = 1
		}
	}
	for _, q := range list {
		tests := leadingKeys(q)
		keys := make([]ast.Qualifier, len(tests))
		for i, p := range tests {
			keys[i] = &ast.Key{Extent: p.Extent, Name: p.Values[0].Text}
		}
		if len(keys) > 0 {
			out = slices.Insert(out, front, keys...)
		}
		switch q := q.(type) {
		case *ast.Filter:
			if rest := q.Props[len(tests):]; len(rest) > 0 {
				out = append(out, &ast.Filter{Extent: q.Extent, Form: q.Form, Props: rest})
			}
		case *ast.Positional:
			out = append(out, q)
			front = len(out)
		default:
			out = append(out, q)
		}
	}
	return out
}

// leadingKeys returns the tests key='…' of a filter; they are sorted to its front.
func leadingKeys(q ast.Qualifier) []ast.Prop {
	f, ok := q.(*ast.Filter)
	if !ok {
		return nil
	}
	n := 0
	for n < len(f.Props) && equalsString(&f.Props[n], "key") {
		n++
	}
	return f.Props[:n]
}

// shortRegions is the pass "short-regions".
func shortRegions(d *draft) {
	eachStep(d, func(s *ast.Step) {
		depth, ok := s.Anchor.(*ast.Depth)
		switch {
		case !ok || depth.From != depth.To:
		case depth.From == -1:
			s.Anchor = d.region(depth.Extent, ast.Sys)
		case depth.From == 0:
			s.Anchor = d.region(depth.Extent, ast.Head)
		}
	})
}

func (d *draft) region(at ast.Extent, name ast.RegionName) *ast.Region {
	n := d.regions.New()
	n.Extent, n.Name = at, name
	return n
}

// shortAny is the pass "short-any". After white space a tag or a filter belongs to the step before,
// so the star stays there.
func shortAny(d *draft) {
	eachStep(d, func(s *ast.Step) {
		a, ok := s.Anchor.(*ast.Any)
		if !ok || s.Combinator == ast.Descendant || len(s.Qualifiers) == 0 {
			return
		}
		switch s.Qualifiers[0].(type) {
		case *ast.Tag, *ast.Filter:
			implied := d.star(a.Extent)
			implied.Implied = true
			s.Anchor = implied
		}
	})
}
