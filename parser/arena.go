package parser

import (
	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/internal/slab"
)

// Much of the time of a parse goes into memory for small nodes and short lists. An arena makes nodes of a
// kind in chunks and keeps what is left of a chunk for the next selector; lists are made when their length is
// known, so that no byte is spent on room to grow. A tree that is kept keeps the chunks its nodes are in.
type arena struct {
	times        slab.Of[ast.Time]
	members      slab.Of[memberNodes]
	chains       slab.Of[ast.Chain]
	steps        slab.Of[ast.Step]
	stars        slab.Of[ast.Any]
	types        slab.Of[ast.Type]
	regions      slab.Of[ast.Region]
	keys         slab.Of[ast.Key]
	depths       slab.Of[ast.Depth]
	tags         slab.Of[ast.Tag]
	positionals  slab.Of[ast.Positional]
	filters      slab.Of[ast.Filter]
	props        slab.Of[ast.Prop]
	coordinates  slab.Of[ast.Coordinates]
	places       slab.Of[ast.Coordinate]
	controls     slab.Of[ast.Control]
	stepLists    slab.Of[*ast.Step]
	qualifiers   slab.Of[ast.Qualifier]
	propLists    slab.Of[*ast.Prop]
	values       slab.Of[ast.Value]
	placeLists   slab.Of[*ast.Coordinate]
	offsets      slab.Of[int64]
	controlLists slab.Of[*ast.Control]
}

// queryNodes are the nodes that every selector has.
type queryNodes struct {
	ast.Query
	union [1]*ast.Fragment
	first memberNodes
}

// memberNodes are the nodes that every member of a union has.
type memberNodes struct {
	ast.Fragment
	chains [1]*ast.Chain
	first  ast.Chain
}

// place makes a coordinate on its own.
func (a *arena) place(at, span ast.Span, from, to int64) (*ast.Coordinates, *ast.Coordinate) {
	p := a.places.New()
	p.Span, p.From, p.To = span, from, to
	c := a.coordinates.New()
	c.Span, c.Places = at, a.placeLists.List(1)
	c.Places[0] = p
	return c, p
}

func (a *arena) star(at ast.Span, implied bool) *ast.Any {
	n := a.stars.New()
	n.Span, n.Implied = at, implied
	return n
}

func (a *arena) typ(at ast.Span, name string) *ast.Type {
	n := a.types.New()
	n.Span, n.Name = at, name
	return n
}

func (a *arena) region(at ast.Span, name ast.RegionName) *ast.Region {
	n := a.regions.New()
	n.Span, n.Name = at, name
	return n
}

func (a *arena) tag(at ast.Span, name string) *ast.Tag {
	n := a.tags.New()
	n.Span, n.Name = at, name
	return n
}
