package parser

import "github.com/pactkit/pactkit/ast"

// Most of the time of a parse goes into making small nodes. An arena makes them in chunks, together with
// the short lists that nearly every node of the kind needs, and keeps what is left of a chunk for the next
// selector. A tree that is kept therefore keeps, at most, the rest of its chunks: a few kilobytes.
type arena struct {
	queries   slab[arenaQuery]
	fragments slab[arenaFragment]
	chains    slab[arenaChain]
	steps     slab[arenaStep]
	filters   slab[arenaFilter]
	stars     slab[ast.Any]
	types     slab[ast.Type]
	regions   slab[ast.Region]
	tags      slab[ast.Tag]
	places    slab[arenaPlace]
}

type (
	arenaQuery struct {
		ast.Query
		union [1]*ast.Fragment
	}
	arenaFragment struct {
		ast.Fragment
		chains [1]*ast.Chain
	}
	arenaChain struct {
		ast.Chain
		steps [3]*ast.Step
	}
	arenaStep struct {
		ast.Step
		qualifiers [1]ast.Qualifier
	}
	arenaFilter struct {
		ast.Filter
		props  [1]*ast.Prop
		prop   ast.Prop
		values [1]ast.Value
	}
	arenaPlace struct {
		ast.Coordinates
		places  [1]*ast.Coordinate
		place   ast.Coordinate
		offsets [2]int64
	}
)

// slab hands out the elements of a chunk one by one.
type slab[T any] struct{ free []T }

// chunk is the number of elements made at once.
const chunk = 16

func (s *slab[T]) take() *T {
	if len(s.free) == 0 {
		s.free = make([]T, chunk)
	}
	t := &s.free[0]
	s.free = s.free[1:]
	return t
}

func (a *arena) query() *ast.Query {
	q := a.queries.take()
	q.Union = q.union[:0]
	return &q.Query
}

func (a *arena) fragment() *ast.Fragment {
	f := a.fragments.take()
	f.Chains = f.chains[:0]
	return &f.Fragment
}

func (a *arena) chain() *ast.Chain {
	c := a.chains.take()
	c.Steps = c.steps[:0]
	return &c.Chain
}

func (a *arena) step() *ast.Step {
	s := a.steps.take()
	s.Qualifiers = s.qualifiers[:0]
	return &s.Step
}

// filter makes a filter and its first test.
func (a *arena) filter(form ast.FilterForm) (*ast.Filter, *ast.Prop) {
	f := a.filters.take()
	f.Form = form
	f.Props = f.props[:0]
	f.prop.Values = f.values[:0]
	return &f.Filter, &f.prop
}

// place makes a coordinate on its own.
func (a *arena) place(at, span ast.Span, from, to int64) (*ast.Coordinates, *ast.Coordinate) {
	p := a.places.take()
	p.place = ast.Coordinate{Span: span, From: from, To: to, Offsets: p.offsets[:0]}
	p.places[0] = &p.place
	p.Coordinates = ast.Coordinates{Span: at, Places: p.places[:]}
	return &p.Coordinates, &p.place
}

func (a *arena) star(at ast.Span, implied bool) *ast.Any {
	n := a.stars.take()
	n.Span, n.Implied = at, implied
	return n
}

func (a *arena) typ(at ast.Span, name string) *ast.Type {
	n := a.types.take()
	n.Span, n.Name = at, name
	return n
}

func (a *arena) region(at ast.Span, name ast.RegionName) *ast.Region {
	n := a.regions.take()
	n.Span, n.Name = at, name
	return n
}

func (a *arena) tag(at ast.Span, name string) *ast.Tag {
	n := a.tags.take()
	n.Span, n.Name = at, name
	return n
}
