package parser

import (
	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/internal/slab"
)

// An arena allocates the nodes of trees in chunks, because much of the time of a parse goes into
// memory for small nodes and short lists. It has a field for each type, and keeps the rest of a
// chunk for the next selector. Lists are made when their length is known, without room to grow. A
// tree keeps alive the chunks that its nodes are in.
type arena struct {
	queries         slab.Of[ast.Query]
	times           slab.Of[ast.Time]
	fragments       slab.Of[ast.Fragment]
	chains          slab.Of[ast.Chain]
	steps           slab.Of[ast.Step]
	stars           slab.Of[ast.Any]
	types           slab.Of[ast.Type]
	regions         slab.Of[ast.Region]
	keys            slab.Of[ast.Key]
	depths          slab.Of[ast.Depth]
	tags            slab.Of[ast.Tag]
	positionals     slab.Of[ast.Positional]
	filters         slab.Of[ast.Filter]
	props           slab.Of[ast.Prop]
	coordinates     slab.Of[ast.Coordinates]
	coordinateLists slab.Of[ast.Coordinate]
	tails           slab.Of[ast.Tail]
	controls        slab.Of[ast.Control]
	qualifiers      slab.Of[ast.Qualifier]
	values          slab.Of[ast.Value]
	offsets         slab.Of[int64]
	legacies        slab.Of[ast.Legacy]
}

// coordinate makes an anchor with one coordinate, and returns both.
func (a *arena) coordinate(at, span ast.Span, from, to int64) (*ast.Coordinates, *ast.Coordinate) {
	c := a.coordinates.New()
	c.Extent, c.List = at.Extent(), a.coordinateLists.List(1)
	p := &c.List[0]
	p.Extent, p.From, p.To = span.Extent(), from, to
	return c, p
}

func (a *arena) star(at ast.Span, implied bool) *ast.Any {
	n := a.stars.New()
	n.Extent, n.Implied = at.Extent(), implied
	return n
}

func (a *arena) region(at ast.Span, name ast.RegionName) *ast.Region {
	n := a.regions.New()
	n.Extent, n.Name = at.Extent(), name
	return n
}
