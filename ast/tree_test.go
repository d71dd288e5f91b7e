package ast_test

import "github.com/pactkit/pactkit/ast"

// spans numbers the nodes of the trees below: every call gives the next byte.
type spans int

func (s *spans) next() ast.Span {
	*s++
	return ast.Span{Start: int(*s), End: int(*s) + 1}
}

// everything builds a query that holds a node of every type a query can hold.
func everything() *ast.Query {
	var s spans
	filter := func() *ast.Filter {
		return &ast.Filter{Span: s.next(), Form: ast.Brackets, Props: []*ast.Prop{
			{Span: s.next(), Name: "kind", Op: ast.OpIn, Values: []ast.Value{
				{Span: s.next(), Kind: ast.String, Text: "a"}, {Span: s.next(), Kind: ast.Number, Text: "5"},
			}},
			{Span: s.next(), Name: "sticky", Op: ast.OpPresent, Flag: true},
		}}
	}
	step := func(c ast.Combinator, a ast.Anchor, qs ...ast.Qualifier) *ast.Step {
		return &ast.Step{Span: s.next(), Combinator: c, Anchor: a, Qualifiers: qs}
	}
	chain := func(steps ...*ast.Step) *ast.Chain { return &ast.Chain{Span: s.next(), Steps: steps} }
	return &ast.Query{
		Span: s.next(),
		Time: &ast.Time{Span: s.next(), Kind: ast.TimePair, From: ast.Instant{Span: s.next()}, To: ast.Instant{Span: s.next(), N: -1}},
		Union: []*ast.Fragment{
			{Span: s.next(), Chains: []*ast.Chain{
				chain(
					step(ast.First, &ast.Region{Span: s.next(), Name: ast.Seq}),
					step(ast.Descendant, &ast.Depth{Span: s.next(), From: 1, To: 3}, &ast.Tag{Span: s.next(), Name: "t"}),
					step(ast.Child, &ast.Type{Span: s.next(), Name: "block"}, filter(), &ast.Key{Span: s.next(), Name: "k"}),
					step(ast.Child, &ast.Any{Span: s.next()}, &ast.Zone{Span: s.next(), Name: ast.Core}),
					step(ast.Child, &ast.Zone{Span: s.next(), Name: ast.Post}, &ast.Positional{Span: s.next(), Name: ast.NthOf, N: 2}),
				),
				chain(step(ast.First, &ast.Key{Span: s.next(), Name: "id", ID: true})),
			}},
			{Span: s.next(), Chains: []*ast.Chain{chain(
				step(ast.First, &ast.Coordinates{Span: s.next(), Places: []*ast.Coordinate{
					{Span: s.next(), From: 1, To: 1, Offsets: []int64{0, -1}}, {Span: s.next(), From: 2, To: 3},
				}}),
				step(ast.Descendant, &ast.Group{Span: s.next(), Chain: chain(step(ast.First, &ast.Bad{Span: s.next()}))}),
			)}},
		},
		Controls: []*ast.Control{{Span: s.next(), Name: "limit", HasValue: true, Value: "5"}},
		Optional: true,
		Legacy:   []ast.Legacy{{Span: s.next(), Form: ast.LegacyRole, Modern: "+user"}},
	}
}

// wholeFile puts the query into a file with comments everywhere, and a position beside it.
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
