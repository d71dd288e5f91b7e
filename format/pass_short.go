package format

import (
	"slices"

	"github.com/pactkit/pactkit/ast"
)

// shortTypes is the pass "short-types". A type that is named like a region, or whose name holds more than
// identifiers and dots, has no token and stays a filter.
func shortTypes(q *ast.Query) {
	eachStep(q, func(s *ast.Step) {
		a, ok := s.Anchor.(*ast.Any)
		if !ok || len(s.Qualifiers) == 0 {
			return
		}
		if name, ok := ownType(s.Qualifiers[0]); ok && isTypeToken(name) {
			s.Anchor = &ast.Type{Span: a.Span, Name: name}
			s.Qualifiers = s.Qualifiers[1:]
		}
	})
}

// shortKeys is the pass "short-keys". Keys stand in front of their segment, behind the type; without a type,
// the first key takes the place of `*`.
func shortKeys(q *ast.Query) {
	eachStep(q, func(s *ast.Step) {
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
			keys[i] = &ast.Key{Span: p.Span, Name: p.Values[0].Text}
		}
		if len(keys) > 0 {
			out = slices.Insert(out, front, keys...)
		}
		switch q := q.(type) {
		case *ast.Filter:
			if rest := q.Props[len(tests):]; len(rest) > 0 {
				out = append(out, &ast.Filter{Span: q.Span, Form: q.Form, Props: rest})
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
func leadingKeys(q ast.Qualifier) []*ast.Prop {
	f, ok := q.(*ast.Filter)
	if !ok {
		return nil
	}
	n := 0
	for n < len(f.Props) && equalsString(f.Props[n], "key") {
		n++
	}
	return f.Props[:n]
}

// shortRegions is the pass "short-regions".
func shortRegions(q *ast.Query) {
	eachStep(q, func(s *ast.Step) {
		d, ok := s.Anchor.(*ast.Depth)
		switch {
		case !ok || d.From != d.To:
		case d.From == -1:
			s.Anchor = &ast.Region{Span: d.Span, Name: ast.Sys}
		case d.From == 0:
			s.Anchor = &ast.Region{Span: d.Span, Name: ast.Head}
		}
	})
}

// shortAny is the pass "short-any". Behind white space a tag or a filter belongs to the step before, so
// that the star has to stay there.
func shortAny(q *ast.Query) {
	eachStep(q, func(s *ast.Step) {
		a, ok := s.Anchor.(*ast.Any)
		if !ok || s.Combinator == ast.Descendant || len(s.Qualifiers) == 0 {
			return
		}
		switch s.Qualifiers[0].(type) {
		case *ast.Tag, *ast.Filter:
			s.Anchor = &ast.Any{Span: a.Span, Implied: true}
		}
	})
}
