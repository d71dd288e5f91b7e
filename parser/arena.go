package parser

import (
	"reflect"

	"github.com/pactkit/pactkit/ast"
)

// Much of the time of a parse goes into memory for small nodes and short lists. An arena makes nodes of a
// kind in chunks and keeps what is left of a chunk for the next selector; lists are made when their length is
// known, so that no byte is spent on room to grow. A tree that is kept keeps the chunks its nodes are in.
type arena struct {
	times        slab[ast.Time]
	members      slab[memberNodes]
	chains       slab[ast.Chain]
	steps        slab[ast.Step]
	stars        slab[ast.Any]
	types        slab[ast.Type]
	regions      slab[ast.Region]
	keys         slab[ast.Key]
	depths       slab[ast.Depth]
	tags         slab[ast.Tag]
	positionals  slab[ast.Positional]
	filters      slab[ast.Filter]
	props        slab[ast.Prop]
	coordinates  slab[ast.Coordinates]
	places       slab[ast.Coordinate]
	controls     slab[ast.Control]
	stepLists    slab[*ast.Step]
	qualifiers   slab[ast.Qualifier]
	propLists    slab[*ast.Prop]
	values       slab[ast.Value]
	placeLists   slab[*ast.Coordinate]
	offsets      slab[int64]
	controlLists slab[*ast.Control]
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

// slab hands out the elements of a chunk. It counts them instead of cutting the chunk shorter, because a write
// of a pointer costs much while garbage is collected.
type slab[T any] struct {
	chunk []T
	taken int
}

// chunkBytes is about the size of a chunk; the memory allocator is at its best up to here.
const chunkBytes = 512

// list makes a list of n elements.
func (s *slab[T]) list(n int) []T {
	if n > len(s.chunk)-s.taken {
		s.grow(n)
	}
	from := s.taken
	s.taken += n
	return s.chunk[from:s.taken:s.taken]
}

// one makes an element.
func (s *slab[T]) one() *T {
	if s.taken == len(s.chunk) {
		s.grow(1)
	}
	at := s.taken
	s.taken++
	return &s.chunk[at]
}

// grow begins a chunk with room for n elements.
func (s *slab[T]) grow(n int) {
	s.chunk = make([]T, max(n, chunkBytes/int(reflect.TypeFor[T]().Size())))
	s.taken = 0
}

// copy makes a list of the elements of another one, which is not empty.
func (s *slab[T]) copy(from []T) []T {
	list := s.list(len(from))
	copy(list, from)
	return list
}

// place makes a coordinate on its own.
func (a *arena) place(at, span ast.Span, from, to int64) (*ast.Coordinates, *ast.Coordinate) {
	p := a.places.one()
	p.Span, p.From, p.To = span, from, to
	c := a.coordinates.one()
	c.Span, c.Places = at, a.placeLists.list(1)
	c.Places[0] = p
	return c, p
}

func (a *arena) star(at ast.Span, implied bool) *ast.Any {
	n := a.stars.one()
	n.Span, n.Implied = at, implied
	return n
}

func (a *arena) typ(at ast.Span, name string) *ast.Type {
	n := a.types.one()
	n.Span, n.Name = at, name
	return n
}

func (a *arena) region(at ast.Span, name ast.RegionName) *ast.Region {
	n := a.regions.one()
	n.Span, n.Name = at, name
	return n
}

func (a *arena) tag(at ast.Span, name string) *ast.Tag {
	n := a.tags.one()
	n.Span, n.Name = at, name
	return n
}
