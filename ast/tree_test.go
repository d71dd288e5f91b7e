package ast_test

import "github.com/pactkit/pactkit/ast"

// spans gives the nodes of the trees below their spans: every call returns the next byte.
type spans int

func (s *spans) next() ast.Extent {
	*s++
	return ast.Span{Start: int(*s), End: int(*s) + 1}.Extent()
}

// everything returns a query with a node of every type that a query can contain.
func everything() *ast.Query {
	var s spans
	filter := func() *ast.Filter {
		return &ast.Filter{Extent: s.next(), Form: ast.Brackets, Props: []ast.Prop{
			{Extent: s.next(), Name: "kind", Op: ast.OpIn, Values: []ast.Value{
				{Extent: s.next(), Kind: ast.String, Text: "a"}, {Extent: s.next(), Kind: ast.Number, Text: "5"},
			}},
			{Extent: s.next(), Name: "sticky", Op: ast.OpPresent, Flag: true},
		}}
	}
	step := func(c ast.Combinator, a ast.Anchor, qs ...ast.Qualifier) ast.Step {
		return ast.Step{Extent: s.next(), Combinator: c, Anchor: a, Qualifiers: qs}
	}
	chain := func(steps ...ast.Step) ast.Chain { return ast.Chain{Extent: s.next(), Steps: steps} }
	return &ast.Query{
		Extent: s.next(),
		Time:   &ast.Time{Extent: s.next(), Kind: ast.TimePair, From: ast.Instant{Extent: s.next()}, To: ast.Instant{Extent: s.next(), N: -1}},
		Union: []ast.Fragment{
			{Extent: s.next(), Chains: []ast.Chain{
				chain(
					step(ast.First, &ast.Region{Extent: s.next(), Name: ast.Seq}),
					step(ast.Descendant, &ast.Depth{Extent: s.next(), From: 1, To: 3}, &ast.Tag{Extent: s.next(), Name: "t"}),
					step(ast.Child, &ast.Type{Extent: s.next(), Name: "block"}, filter(), &ast.Key{Extent: s.next(), Name: "k"}),
					step(ast.Child, &ast.Any{Extent: s.next()}, &ast.Zone{Extent: s.next(), Name: ast.Core}),
					step(ast.Child, &ast.Zone{Extent: s.next(), Name: ast.Post}, &ast.Positional{Extent: s.next(), Name: ast.NthOf, N: 2}),
				),
				chain(step(ast.First, &ast.Key{Extent: s.next(), Name: "id", ID: true})),
			}},
			{Extent: s.next(), Chains: []ast.Chain{chain(
				step(ast.First, &ast.Coordinates{Extent: s.next(), List: []ast.Coordinate{
					{Extent: s.next(), From: 1, To: 1, Offsets: []int64{0, -1}}, {Extent: s.next(), From: 2, To: 3},
				}}),
				step(ast.Descendant, &ast.Group{Extent: s.next(), Chain: new(chain(step(ast.First, &ast.Bad{Extent: s.next()})))}),
			)}},
		},
		Tail: &ast.Tail{
			Controls: []ast.Control{{Extent: s.next(), Name: "limit", HasValue: true, Value: "5"}},
			Optional: true,
			Legacy:   []ast.Legacy{{Span: s.next().Bounds(), Form: ast.LegacyRole, Modern: "+user"}},
		},
	}
}

// wholeFile returns a file with that query, and comments everywhere.
func wholeFile() *ast.File {
	comment := func(text string) *ast.Comment { return &ast.Comment{Text: text} }
	return &ast.File{
		Lines: ast.NewLines(""),
		Selectors: []*ast.Selector{{
			Query: everything(), Before: []*ast.Comment{comment("# before")}, Inside: []*ast.Comment{comment("# inside")},
			Suffix: comment("# suffix"),
		}},
		After: []*ast.Comment{comment("# after")},
	}
}
